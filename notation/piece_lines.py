"""Reader of piece lines, `BLUE|PENTO_I:1:1|0,2`; one file is one game. See pages/piece_lines.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from notation.errors import NotationError
from notation.recognise import text_of_head
from notation.record import ANY_COLOUR, NOT_A_PIECE, GameRecord, Move, Pass, Problem
from notation.software_challenge_codes import (
    COLOURS,
    ROTATIONS,
    VARIANT,
    colour_of,
    kinds,
    move_of,
    number_of,
)
from notation.stream import HEAD, Chunk, ReadOptions, refused, split_whole

FILE_LIMIT = 1024 * 1024
"""Bytes of the largest file: a game has at most 84 placements."""

_COLOUR = r"\s*+(?:" + "|".join(COLOURS) + r")\s*+\|\s*+"
_LINE = re.compile(
    _COLOUR
    + r"(?:skip|pass|(\w{1,40})\s*+:\s*+(\w{1,20})\s*+:\s*+(\w{1,20})\s*+\|([^,|]{0,40}),([^,|]{0,40}))\s*+",
    re.I,
)
RULES = {"start": "any_border", "pass": "voluntary", "end": "max_rounds:25", "scoring": "online"}

split = split_whole(FILE_LIMIT, "a game in piece lines")


def looks_like(head: bytes, name: str) -> bool:
    """The first line is a piece line, and so are at least half of the lines."""
    text = text_of_head(head)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(head) >= HEAD:
        lines = lines[:-1]
    found = [_LINE.fullmatch(line[:400]) is not None for line in lines]
    return bool(found) and found[0] and 2 * sum(found) >= len(found)


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield the record of a file, or one error."""
    if not chunk.refused and options.variant not in (None, VARIANT):
        chunk = replace(chunk, refused=f"piece lines are for {VARIANT}, not for {options.variant}")
    if chunk.refused:
        yield refused(chunk, options)
        return
    record = GameRecord(
        VARIANT, "piece_lines", rules=dict(RULES), problems=list(chunk.problems), line=chunk.line
    )
    _lines(record, chunk.data.decode("utf-8", "replace").splitlines())
    if any(not isinstance(event, Move) or event.colour != ANY_COLOUR for event in record.events):
        yield record
    else:
        yield refused(replace(chunk, refused="no piece line in the file"), options)


def _lines(record: GameRecord, lines: list[str]) -> None:
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            text = line.strip()[:80]
            record.events.append(Move(ANY_COLOUR, (), NOT_A_PIECE, text))
            message = f"{text[:40]!r} is no piece line: the rest is kept as text"
            ply = sum(isinstance(event, Move) for event in record.events)
            record.problems.append(Problem("broken_line", message, record.line + number, ply))
            record.broken = "\n".join(lines[number:])
            return
        record.events.append(_event(line.partition("|")[0], match))


def _event(colour: str, match: re.Match[str]) -> Move | Pass:
    kind, rotation, flipped, x, y = match.groups()
    if kind is None:
        return Pass(colour_of(colour) or 0)
    index, turn = number_of(kind), number_of(rotation)
    if index is not None:
        kind = kinds()[index] if 0 <= index < len(kinds()) else kind
    if turn is not None:
        rotation = ROTATIONS[turn] if 0 <= turn < len(ROTATIONS) else rotation
    return move_of(colour, kind, rotation, flipped, x, y)
