"""Boards of puzzles: rectangles of any size and the hexagons, their neighbours and rotations.

A cell is (column, row), row 0 at the bottom, as in `engine.lattices`: a puzzle may lie on a board that no variant has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.boards import BOARDS, cells
from engine.lattices import SQUARES, TRIANGLES, XY, Lattice

LONGEST = 40
"""Columns or rows that a rectangle may have."""


@dataclass(frozen=True, slots=True, eq=False)
class PuzzleBoard:
    """Cells of a board, row by row from the bottom; `parity` as in `engine.boards.Board`."""

    name: str
    lattice: Lattice
    cells: tuple[XY, ...]
    parity: int = 0

    @property
    def width(self) -> int:
        """Columns."""
        return max(x for x, _ in self.cells) + 1

    @property
    def height(self) -> int:
        """Rows."""
        return max(y for _, y in self.cells) + 1


@cache
def rectangle(width: int, height: int) -> PuzzleBoard:
    """A rectangle of squares; the same object for the same size."""
    return PuzzleBoard(
        f"{width}x{height}", SQUARES, tuple((x, y) for y in range(height) for x in range(width))
    )


@cache
def hexagon(board_id: str) -> PuzzleBoard:
    """A hexagon of `engine.boards`."""
    return PuzzleBoard(board_id, TRIANGLES, cells(board_id), BOARDS[board_id].parity)


def turned(board: PuzzleBoard) -> PuzzleBoard:
    """A rectangle with columns and rows exchanged; a hexagon as it is."""
    return board if board.lattice.triangular else rectangle(board.height, board.width)


@cache
def touching(board: PuzzleBoard) -> dict[XY, tuple[frozenset[XY], frozenset[XY]]]:
    """Cells that share a side with each cell, and cells that share a corner only."""
    at: dict[XY, list[XY]] = {}
    for xy in board.cells:
        for vertex in board.lattice.vertices(xy, board.parity):
            at.setdefault(vertex, []).append(xy)
    out = {}
    for xy in board.cells:
        shared: dict[XY, int] = {}
        for vertex in board.lattice.vertices(xy, board.parity):
            for other in at[vertex]:
                shared[other] = shared.get(other, 0) + 1
        sides = frozenset(other for other, n in shared.items() if n == 2)
        out[xy] = sides, frozenset(other for other, n in shared.items() if n == 1 and other != xy)
    return out


def symmetries(board: PuzzleBoard) -> list[dict[XY, XY]]:
    """All symmetries of the board as maps of its cells, rotations first, clockwise, from the identity on."""
    lattice, parity = board.lattice, board.parity
    corners = {xy: lattice.vertices(xy, parity) for xy in board.cells}
    points = [point for cell in corners.values() for point in cell]
    # Twice the middle: everything is turned about it in doubled coordinates, so that it may lie between points.
    middle = [min(p[i] for p in points) + max(p[i] for p in points) for i in (0, 1)]
    images = {
        xy: [(2 * u - middle[0], 2 * v - middle[1]) for u, v in around] for xy, around in corners.items()
    }
    found = []
    for _ in range(2):
        turns = []
        for _ in range(lattice.transforms // 2):
            turns.append(
                {
                    xy: lattice.from_vertices(
                        [((u + middle[0]) // 2, (v + middle[1]) // 2) for u, v in around]
                    )
                    for xy, around in images.items()
                }
            )
            images = {xy: [lattice.rotate(p) for p in around] for xy, around in images.items()}
        found += [turns[0], *reversed(turns[1:])]
        images = {xy: [lattice.mirror(p) for p in around] for xy, around in images.items()}
    here = set(board.cells)
    return [image for image in found if set(image.values()) == here]


@cache
def rotations(board: PuzzleBoard) -> tuple[dict[XY, XY], ...]:
    """Rotations that map the board to itself, clockwise from the identity on: 2 or 4 of squares, 6 of triangles."""
    kept = symmetries(board)
    if board.lattice.triangular:
        return tuple(kept[:6])
    return tuple(kept[: 4 if board.width == board.height else 2])
