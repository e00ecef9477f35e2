"""How the Software-Challenge names a move: kind, rotation, flipped, and the corner of the piece's bounding box.

`software_challenge_pieces.json` holds the cells of every kind (x to the right, y down) and our name of it, in the
order in which the Software-Challenge numbers them.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from engine.boards import BOARDS, cell_numbers
from engine.variants import variant
from notation.moves import move_from_cells
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Move

VARIANT = "classic_2"
COLOURS = tuple(name.upper() for name in variant(VARIANT).colours)
ROTATIONS = ("NONE", "RIGHT", "MIRROR", "LEFT")
"""Quarter turns clockwise, from 0; MIRROR is half a turn."""

_TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
"""Matrix (xx, xy, yx, yy) of each rotation: x' = xx x + xy y, y' = yx x + yy y."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_TEXT_KEPT = 80

Shape = tuple[tuple[int, int], ...]


@cache
def _pieces() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(
        files("notation").joinpath("software_challenge_pieces.json").read_text("utf-8")
    )
    return table


@cache
def kinds() -> tuple[str, ...]:
    """Names of the kinds, in the order of their numbers."""
    return tuple(_pieces())


@cache
def shapes() -> dict[tuple[str, str, bool], Shape]:
    """(kind, rotation, flipped) -> offsets (x, y down) of the cells from the corner of the bounding box."""
    out: dict[tuple[str, str, bool], Shape] = {}
    for kind, entry in _pieces().items():
        for rotation, (xx, xy, yx, yy) in zip(ROTATIONS, _TURNS, strict=True):
            for flipped in (False, True):
                sign = -1 if flipped else 1
                cells = [(sign * (xx * x + xy * y), yx * x + yy * y) for x, y in entry["cells"]]
                left, top = min(x for x, _ in cells), min(y for _, y in cells)
                out[kind, rotation, flipped] = tuple((x - left, y - top) for x, y in cells)
    return out


def colour_of(text: str) -> int | None:
    """Colour of a name, ANY_COLOUR where there is none, None for a name that is no colour."""
    name = text.strip().upper()
    if not name:
        return ANY_COLOUR
    return COLOURS.index(name) if name in COLOURS else None


def number_of(text: str) -> int | None:
    """An integer of at most nine digits, None for anything else."""
    text = text.strip()
    return int(text) if _NUMBER.fullmatch(text) else None


@lru_cache(32_768)
def move_of(colour: str, kind: str, rotation: str, flipped: str, x: str, y: str) -> Move:
    """Return the move that these texts name.

    NOT_A_PIECE where kind, rotation or colour are unknown; OFF_BOARD where the corner is no number or the piece
    runs over the border.
    """
    number = colour_of(colour)
    shape = shapes().get((kind.strip().upper(), rotation.strip().upper() or "NONE", is_true(flipped)))
    at = ANY_COLOUR if number is None else number
    column, row = number_of(x), number_of(y)
    if number is None or shape is None:
        return Move(at, (), NOT_A_PIECE, _text(colour, kind, rotation, flipped, x, y))
    cells: list[int] = []
    if column is not None and row is not None:
        cells = _cells(shape, column, row)
    if not cells:
        return Move(at, (), OFF_BOARD, _text(colour, kind, rotation, flipped, x, y))
    return move_from_cells(VARIANT, at, cells)


def is_true(text: str) -> bool:
    """Whether a text is a yes: `true`, or any number but 0."""
    text = text.strip().lower()
    return text == "true" or number_of(text) not in (None, 0)


def _cells(shape: Shape, x: int, y: int) -> list[int]:
    """Cells of a shape with the corner of its box at (x, y down); none when it runs over the border."""
    numbers = cell_numbers("square20")
    top = BOARDS["square20"].height - 1 - y
    found = [numbers.get((x + dx, top - dy)) for dx, dy in shape]
    return [] if None in found else [cell for cell in found if cell is not None]


def _text(*parts: str) -> str:
    """The texts of a move that cannot be read, as one."""
    colour, kind, rotation, flipped, x, y = (" ".join(part.split())[:_TEXT_KEPT] for part in parts)
    return f"{colour}|{kind}:{rotation}:{flipped}|{x},{y}"


def piece_name(kind: str) -> str | None:
    """Our name of a kind's piece, None for an unknown kind."""
    entry = _pieces().get(kind.strip().upper())
    return None if entry is None else str(entry["piece"])
