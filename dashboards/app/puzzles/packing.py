"""Pieces on a puzzle's board as a short text for addresses: colour, piece, image and first cell, ``0V3.1.e5_...``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.lattices import XY
from engine.pieces import PIECE_SETS, Orientation, anchored, orientations
from engine.puzzle_boards import PuzzleBoard
from engine.puzzle_kinds import Placed, Puzzle
from engine.puzzle_verify import cell_name, verify

BETWEEN = "_"


def pack(puzzle: Puzzle, placed: Sequence[Placed]) -> str:
    """Pieces with their names, as text.

    >>> from engine.puzzle_kinds import puzzle
    >>> pack(puzzle("1"), [Placed(0, "2", ((0, 18), (0, 19)))])
    '02.1.a19'
    """
    return BETWEEN.join(_packed(puzzle, one) for one in placed)


def unpack(puzzle: Puzzle, text: str) -> tuple[Placed, ...] | None:
    """The pieces of a text, a beginning of the puzzle; None where the text is none, or they break its rules."""
    if not text:
        return ()
    parts = text.split(BETWEEN)
    found = [_unpacked(puzzle, part) for part in parts] if len(parts) <= puzzle.pieces else [None]
    placed = tuple(one for one in found if one is not None)
    whole = len(placed) == len(found) and all(one in _on(puzzle.board) for p in placed for one in p.cells)
    return placed if whole and not verify(puzzle, placed, partial=True) else None


def image_of(puzzle: Puzzle, one: Placed) -> int:
    """Number of a placed piece's image in `engine.pieces.orientations`."""
    lattice = PIECE_SETS[puzzle.piece_set].lattice
    x, y = one.cells[0]
    up = (x + y + puzzle.board.parity) % 2 if lattice.triangular else 0
    image = Orientation(anchored(lattice, list(one.cells)).offsets, up)
    return orientations(puzzle.piece_set)[one.piece].index(image)


def _packed(puzzle: Puzzle, one: Placed) -> str:
    return f"{one.colour}{one.piece}.{image_of(puzzle, one)}.{cell_name(one.cells[0])}"


def _unpacked(puzzle: Puzzle, text: str) -> Placed | None:
    name, _, rest = text[1:].partition(".")
    number, _, cell = rest.partition(".")
    images = orientations(puzzle.piece_set).get(name, ())
    place = _on_by_name(puzzle.board).get(cell)
    colour = "0123456789".find(text[:1]) if text else -1
    if place is None or not 0 <= colour < len(puzzle.colours) or not (number.isascii() and number.isdigit()):
        return None
    if int(number[:3]) >= len(images):
        return None
    image = images[int(number[:3])]
    x, y = place
    if puzzle.board.lattice.triangular and (x + y + puzzle.board.parity) % 2 != image.parity:
        return None
    return Placed(colour, name, tuple((x + dx, y + dy) for dx, dy in image.offsets))


@cache
def _on(board: PuzzleBoard) -> frozenset[XY]:
    return frozenset(board.cells)


@cache
def _on_by_name(board: PuzzleBoard) -> dict[str, XY]:
    return {cell_name(xy): xy for xy in board.cells}
