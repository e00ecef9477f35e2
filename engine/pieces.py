"""The three piece sets: names, shapes, number of copies and their orientations.

A shape is drawn once as cells (column, row), row 0 at the bottom; a triangle with an even sum points up. All
images are derived from it. An orientation is a tuple of offsets (dx, dy) from its anchor, the first of its cells in
cell order (lowest row, then leftmost), and for triangles the direction of the anchor (0: points up).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.lattices import SQUARES, TRIANGLES, XY, Lattice

Offsets = tuple[XY, ...]


@dataclass(frozen=True, slots=True, order=True)
class Orientation:
    """One distinct image of a piece: offsets from the anchor in cell order, direction of the anchor."""

    offsets: Offsets
    parity: int = 0


@dataclass(frozen=True, slots=True)
class PieceSet:
    """Pieces of a set by size; `copies` of each for every colour."""

    id: str
    lattice: Lattice
    copies: int
    shapes: dict[str, tuple[XY, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """Piece names, in piece order."""
        return tuple(self.shapes)

    @property
    def cells(self) -> int:
        """Cells of all pieces of one colour."""
        return self.copies * sum(len(s) for s in self.shapes.values())


def _drawn(*rows: str) -> tuple[XY, ...]:
    """Cells of a drawing, top row first, `#` is a cell."""
    height = len(rows)
    return tuple((x, height - 1 - y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "#")


_POLYOMINOES = {
    "1": _drawn("#"),
    "2": _drawn("##"),
    "I3": _drawn("###"),
    "V3": _drawn("##", "#."),
    "I4": _drawn("####"),
    "L4": _drawn("###", "#.."),
    "O": _drawn("##", "##"),
    "T4": _drawn("###", ".#."),
    "Z4": _drawn("##.", ".##"),
    "F": _drawn(".##", "##.", ".#."),
    "I5": _drawn("#####"),
    "L5": _drawn("####", "#..."),
    "N": _drawn("##..", ".###"),
    "P": _drawn("###", "##."),
    "T5": _drawn("###", ".#.", ".#."),
    "U": _drawn("#.#", "###"),
    "V5": _drawn("###", "#..", "#.."),
    "W": _drawn("##.", ".##", "..#"),
    "X": _drawn(".#.", "###", ".#."),
    "Y": _drawn("####", ".#.."),
    "Z5": _drawn("##.", ".#.", ".##"),
}

_JUNIOR = ("1", "2", "I3", "V3", "I4", "L4", "O", "T4", "Z4", "I5", "L5", "P")

# Triangles: (column, row); an even sum points up.
_POLYIAMONDS: dict[str, tuple[XY, ...]] = {
    "1": ((0, 0),),
    "2": ((0, 0), (1, 0)),
    "I3": ((0, 0), (1, 0), (1, 1)),
    "A4": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "C4": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "I4": ((0, 0), (1, 0), (1, 1), (2, 1)),
    "C5": ((1, 0), (2, 0), (1, 1), (2, 1), (3, 1)),
    "I5": ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2)),
    "L5": ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)),
    "P5": ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1)),
    "A6": ((0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (2, 1)),
    "F": ((0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (3, 1)),
    "G": ((0, 0), (1, 0), (2, 0), (3, 0), (2, 1), (3, 1)),
    "I6": ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)),
    "L6": ((0, 0), (1, 0), (1, 1), (2, 1), (1, 2), (2, 2)),
    "O": ((1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (3, 1)),
    "P6": ((0, 0), (1, 0), (1, 1), (2, 1), (3, 1), (2, 2)),
    "S": ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)),
    "V": ((0, 0), (1, 0), (1, 1), (2, 1), (3, 1), (4, 1)),
    "W": ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (2, 2)),
    "X": ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)),
    "Y": ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (0, 2)),
}

PIECE_SETS: dict[str, PieceSet] = {
    "polyominoes": PieceSet("polyominoes", SQUARES, 1, _POLYOMINOES),
    "junior": PieceSet("junior", SQUARES, 2, {name: _POLYOMINOES[name] for name in _JUNIOR}),
    "polyiamonds": PieceSet("polyiamonds", TRIANGLES, 1, _POLYIAMONDS),
}


def anchored(lattice: Lattice, cells: list[XY]) -> Orientation:
    """Orientation of a set of cells given in cell order (for triangles: an even sum points up)."""
    x0, y0 = cells[0]
    return Orientation(tuple((x - x0, y - y0) for x, y in cells), (x0 + y0) % 2 if lattice.triangular else 0)


@cache
def orientations(set_id: str) -> dict[str, tuple[Orientation, ...]]:
    """Distinct images of every piece, in a fixed order."""
    pieces = PIECE_SETS[set_id]
    return {
        name: tuple(sorted({anchored(pieces.lattice, image) for image in pieces.lattice.images(shape, 0)}))
        for name, shape in pieces.shapes.items()
    }
