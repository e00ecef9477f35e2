"""Writer of tables: one move a row, for all variants. See pages/csv.md."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator

from engine.errors import RuleError
from engine.rulesets import Ruleset, default_rules, parse_rules
from engine.variants import variant
from notation.blksgf_result import outs_of
from notation.errors import BadPosition, CannotWrite
from notation.identity import game_id
from notation.position_text import PositionText, format_position
from notation.record import Event, GameRecord, Move, Out
from notation.stream import RECORD_LIMIT
from notation.table_events import Unreadable, event_of, piece_names
from notation.table_layout import PLAYERS

IN_EVERY_ROW = (
    "game", "variant", "ply", "colour", "piece", "move", "player", "date", "event", "event_round", "result",
)  # fmt: skip
"""Columns that are the same in every row of a game, or speak of its move."""

IN_FIRST_ROW = (*PLAYERS, "rules", "termination", "penalty", "setup", "headers")
"""Columns that speak of the game and are long or rare: filled in its first row only."""

COLUMNS = IN_EVERY_ROW + IN_FIRST_ROW

CELL_LIMIT = 100_000
"""Characters of the longest cell: Python's reader takes 131,072 bytes."""

_OWN = ("date", "event", "event_round")


def write_csv(record: GameRecord) -> str:
    """Return the rows of a game, without the header.

    Raises:
        CannotWrite: what a table cannot hold; the message says what.
    """
    return _text(rows_of_game(record), ",")


def write_tsv(record: GameRecord) -> str:
    """Return the rows of a game, parted by tabs, without the header.

    Raises:
        CannotWrite: what a table cannot hold; the message says what.
    """
    return _text(rows_of_game(record), "\t")


def pack_csv(texts: Iterable[str]) -> Iterator[bytes]:
    """The file of some games' rows, with the header."""
    yield _line(COLUMNS, ",").encode()
    for text in texts:
        yield text.encode("utf-8", "replace")


def pack_tsv(texts: Iterable[str]) -> Iterator[bytes]:
    """The file of some games' rows, parted by tabs, with the header."""
    yield _line(COLUMNS, "\t").encode()
    for text in texts:
        yield text.encode("utf-8", "replace")


def _line(cells: Iterable[str], delimiter: str) -> str:
    return _text([list(cells)], delimiter)


def _text(rows: list[list[str]], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    text = out.getvalue()
    if any(len(cell) > CELL_LIMIT for row in rows for cell in row) or len(text) > RECORD_LIMIT // 4:
        raise CannotWrite("a text of the game is too long for a table")
    if "\0" in text:
        raise CannotWrite("the game has a zero byte in its texts: a table would not be read again")
    return text


def rows_of_game(record: GameRecord) -> list[list[str]]:
    """Return the cells of a game's rows, by `COLUMNS`.

    Raises:
        CannotWrite: what a table cannot hold; the message says what.
    """
    try:
        rules = parse_rules(record.variant, record.rules)
    except RuleError:
        rules = default_rules(record.variant)
    moves = [event for event in record.events if isinstance(event, Move)]
    identity = game_id(record.variant, record.setup, moves, [move.colour for move in moves])
    result = record.declared.text if record.declared is not None else ""
    level = [*(record.headers.get(name, "") for name in _OWN), result]
    rows = []
    ply = 0
    for event in _without_result(record):
        ply += isinstance(event, Move)
        rows.append([identity, record.variant, str(ply), *_of_event(record, rules, event), *level])
    if not rows:
        rows.append([identity, record.variant, "0", "", "", "", "", *level])
    first = _of_game(record)
    empty = [""] * len(first)
    return [row + (empty if number else first) for number, row in enumerate(rows)]


def _without_result(record: GameRecord) -> list[Event]:
    """Events without those at the end that the result says already."""
    outs = outs_of(record.declared, len(variant(record.variant).seats))
    said = [event for event in record.events if isinstance(event, Out)]
    if outs and said == outs and record.events[-1] == outs[0]:
        return record.events[: -len(outs)]
    return record.events


def _of_event(record: GameRecord, rules: Ruleset, event: Event) -> list[str]:
    """Colour, piece, move and player of a row."""
    colours = variant(record.variant).colours
    if isinstance(event, Out):
        if event.seat >= len(rules.seats):
            raise CannotWrite(f"player {event.seat + 1} leaves, but there are {len(rules.seats)}")
        colour, text, piece = rules.seats[event.seat][0], event.cause, ""
    elif isinstance(event, Move):
        colour, text = event.colour, event.text
        piece = piece_names(record.variant)[event.placement] if event.placement >= 0 else ""
    else:
        colour, text, piece = event.colour, "pass", ""
    name = colours[colour] if colour >= 0 else ""
    if not (isinstance(event, Move) and event.placement >= 0):
        _check_again(record, rules, event, name, text)
    seat = next((i for i, owned in enumerate(rules.seats) if colour in owned), -1)
    player = record.players[seat] if 0 <= seat < len(record.players) else None
    return [name, piece, text, player or ""]


def _check_again(record: GameRecord, rules: Ruleset, event: Event, colour: str, text: str) -> None:
    """See that a row would be read as what it is."""
    try:
        again = event_of(record.variant, rules, colour, text)
    except Unreadable:
        again = None
    if again != event:
        raise CannotWrite(f"the move {text[:40]!r} has no cells to write")


def _of_game(record: GameRecord) -> list[str]:
    """Cells of `IN_FIRST_ROW`."""
    players = [name or "" for name in record.players] + [""] * len(PLAYERS)
    rules = ";".join(f"{key}={value}" for key, value in record.rules.items())
    penalty = {None: "", True: "yes", False: "no"}[record.penalty_applied]
    others = {name: text for name, text in record.headers.items() if name not in _OWN}
    headers = json.dumps(others, ensure_ascii=False) if others else ""
    termination = record.termination or ""
    return [*players[: len(PLAYERS)], rules, termination, penalty, _setup(record), headers]


def _setup(record: GameRecord) -> str:
    setup = record.setup
    if not setup:
        return ""
    try:
        return format_position(PositionText(record.variant, tuple(setup.pieces), setup.to_move or 0))
    except BadPosition as error:
        raise CannotWrite(f"the setup cannot be written: {error.message}") from None
