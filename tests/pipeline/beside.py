"""A made-up format of what is no game, a record a line, so that tests of the import need no real one.

`R key|players|scores|places` is a result, `P position text` a position, `L variant|colour:piece,..` a list of pieces;
anything else is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from notation.errors import BadRecord, NotationError, Where
from notation.formats import FORMATS, Format
from notation.fragments import Fragment, PieceList, PositionRecord, ResultRecord
from notation.position_text import parse_position
from notation.record import Problem
from notation.stream import Chunk, ReadOptions, split_lines

MARK = "beside"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _record(line: str, variant: str) -> Fragment:
    kind, _, rest = line.partition(" ")
    if kind == "R":
        key, players, scores, places = rest.split("|")
        result = ResultRecord(variant, MARK, key, list(players.split()), _numbers(scores), _numbers(places))
        result.problems = [Problem("odd", "an odd key")] if key == "odd" else []
        return result
    if kind == "P":
        return PositionRecord(MARK, parse_position(rest))
    if kind == "L":
        name, pieces = rest.split("|")
        pairs = [piece.split(":") for piece in pieces.split(",")]
        return PieceList(name, MARK, [(int(colour), piece) for colour, piece in pairs])
    raise BadRecord("neither R nor P nor L", Where())


def _read(chunk: Chunk, options: ReadOptions) -> Iterator[Fragment | NotationError]:
    for line in chunk.data.decode("utf-8", "surrogateescape").split("\n"):
        if line.strip():
            try:
                yield _record(line, options.variant or "")
            except NotationError as error:
                yield error


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files whose name ends in `.beside` be in this format."""
    row = Format(
        MARK, "beside games", (), "nothing", lambda head, name: name.endswith(MARK), split_lines, _read
    )
    monkeypatch.setitem(FORMATS, MARK, row)
