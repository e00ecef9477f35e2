"""Texts in formats that we only read: games of `tests.samples`, and the ways of writing that their own tests try."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

from notation.record import GameRecord, Move, Out, Pass
from pipeline.generate import generate_records
from tests.fuzz.reading import LIMIT
from tests.notation.boards import final
from tests.notation.software_challenge_writer import Style, replay_xml
from tests.notation.test_board_picture import as_xml, matrix, picture
from tests.notation.test_step_log import steps
from tests.samples import files

_STYLES = (
    Style(),
    Style(aliases=True, flipped="is_flipped", nameless_skips=True, breaks=False),
    Style(early=True, repeats=2, stale_states=True),
    Style(requests=True, result=False, error="Broken &amp; gone"),
)


def made(form: str) -> Iterator[bytes]:
    """Texts in a format."""
    for text in files(form, 2):
        yield text[:LIMIT]
    for more in _MORE[form]() if form in _MORE else ():
        yield more if isinstance(more, bytes) else more.encode()


def _games(variant_id: str, count: int = 3) -> list[GameRecord]:
    return list(generate_records(variant_id, count, 7, {}))


def _board_pictures() -> Iterator[str]:
    pieces = [final(game) for game in _games("duo")]
    yield from (picture(*each) for each in pieces)
    yield picture(*pieces[0], hints="3a1")
    for variant_id in ("classic", "duo"):
        value = matrix(variant_id, *final(_games(variant_id)[0]))
        yield json.dumps(value)
        yield as_xml(value, '<?xml version="1.0"?>\n')


def _piece_lines() -> Iterator[str]:
    yield "BLUE|PENTO_I:1:1|0,2\nYELLOW|14:1:1|0,2\nGREEN|skip\nRED|10:3:0|13,15\n"


def _replays() -> Iterator[bytes]:
    game = _games("classic_2", 1)[0]
    game.events = game.events[:7]
    yield from (replay_xml(game, season, style) for season in (2021, 2027) for style in _STYLES)
    game.events[5:] = [Pass(1), Pass(2), Out(1, "time")]
    yield from (replay_xml(game, season) for season in (2021, 2027))


def _step_logs() -> Iterator[str]:
    yield "\n".join(steps(5))
    mixed = [line for pair in zip(steps(12), steps(12, "h"), strict=True) for line in pair]
    yield "\n".join(mixed)
    yield "\\n".join(steps(9, 3))


def _tables() -> Iterator[bytes]:
    import polars as pl

    for game in _games("duo"):
        moves = [event for event in game.events if isinstance(event, Move)]
        frame = pl.DataFrame(
            {
                "ply": range(1, len(moves) + 1),
                "colour": [move.colour + 1 for move in moves],
                "move": [move.text.split(",") for move in moves],
            }
        )
        out = io.BytesIO()
        frame.write_parquet(out)
        yield out.getvalue()


_MORE = {
    "board_picture": _board_pictures,
    "piece_lines": _piece_lines,
    "software_challenge": _replays,
    "step_log": _step_logs,
    "parquet": _tables,
}
