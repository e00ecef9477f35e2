"""Short ways to read and write records in tests."""

from __future__ import annotations

import io

from notation.errors import NotationError
from notation.formats import FORMATS
from notation.fragments import Item
from notation.json_cells import SQUARE
from notation.record import GameRecord, Move
from notation.stream import ReadOptions

HELD = {"fourcode": ("duo",), "json_cells": SQUARE}
"""Variants that formats with a writer hold, where they do not hold all."""


def read_all(
    data: bytes | str, form: str = "blksgf", variant: str | None = None, step: int | None = None
) -> list[Item]:
    """Split and read; `step` makes the source give so many bytes at most at once."""
    data = data.encode() if isinstance(data, str) else data
    stream = io.BytesIO(data)
    row = FORMATS[form]
    source = stream.read if step is None else lambda size: stream.read(min(size, step))
    return [item for chunk in row.split(source) for item in row.read(chunk, ReadOptions("test", variant))]


def game(data: bytes | str, form: str = "blksgf", variant: str | None = None) -> GameRecord:
    """The only record of a source."""
    (item,) = read_all(data, form, variant)
    assert isinstance(item, GameRecord), item
    return item


def refusal(data: bytes | str, form: str = "blksgf", variant: str | None = None) -> NotationError:
    """The only error of a source without records."""
    (item,) = read_all(data, form, variant)
    assert isinstance(item, NotationError), item
    return item


def codes(record: GameRecord) -> list[str]:
    """Codes of the problems of a record."""
    return [problem.code for problem in record.problems]


def moves(record: GameRecord) -> list[str]:
    """Placements as colour (from 1) and cells."""
    return [f"{event.colour + 1}:{event.text}" for event in record.events if isinstance(event, Move)]
