"""The four boards: which (column, row) places are cells, their numbers and their names.

Cells are numbered row by row from row 1 (the bottom) upward, by column inside a row, so ascending cell numbers
are the canonical order of the records. Names are column letters (a..z, aa..) and the row number: a1 is lower left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.lattices import SQUARES, TRIANGLES, XY, Lattice


@dataclass(frozen=True, slots=True)
class Board:
    """A board; `edge` is the side of the square or of the hexagon, in cells."""

    id: str
    lattice: Lattice
    edge: int

    @property
    def width(self) -> int:
        """Columns."""
        return 4 * self.edge - 1 if self.lattice.triangular else self.edge

    @property
    def height(self) -> int:
        """Rows."""
        return 2 * self.edge if self.lattice.triangular else self.edge

    @property
    def parity(self) -> int:
        """(column + row) % 2 of triangles that point up; 0 on squares."""
        return self.edge % 2 if self.lattice.triangular else 0

    def row_columns(self, row: int) -> range:
        """Columns of the cells of a row (0 at the bottom)."""
        if not self.lattice.triangular:
            return range(self.edge)
        inset = self.edge - 1 - min(row, self.height - 1 - row)
        return range(inset, self.width - inset)


BOARDS: dict[str, Board] = {
    "square20": Board("square20", SQUARES, 20),
    "square14": Board("square14", SQUARES, 14),
    "hexagon9": Board("hexagon9", TRIANGLES, 9),
    "hexagon8": Board("hexagon8", TRIANGLES, 8),
}


@cache
def cells(board_id: str) -> tuple[XY, ...]:
    """(column, row) of every cell, in cell order."""
    board = BOARDS[board_id]
    return tuple((x, y) for y in range(board.height) for x in board.row_columns(y))


@cache
def cell_numbers(board_id: str) -> dict[XY, int]:
    """(column, row) -> cell number."""
    return {xy: i for i, xy in enumerate(cells(board_id))}


def column_name(column: int) -> str:
    """Letters of a column: 0 is a, 25 is z, 26 is aa."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(97 + digit) + name
    return name


@cache
def cell_names(board_id: str) -> tuple[str, ...]:
    """Name of every cell, in cell order."""
    return tuple(f"{column_name(x)}{y + 1}" for x, y in cells(board_id))


@cache
def cells_by_name(board_id: str) -> dict[str, int]:
    """Cell name -> cell number."""
    return {name: i for i, name in enumerate(cell_names(board_id))}


@cache
def neighbours(board_id: str) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """(edge neighbours, corner neighbours) of every cell, ascending, from shared vertices."""
    board = BOARDS[board_id]
    at: dict[XY, list[int]] = {}
    for i, xy in enumerate(cells(board_id)):
        for vertex in board.lattice.vertices(xy, board.parity):
            at.setdefault(vertex, []).append(i)
    out = []
    for i, xy in enumerate(cells(board_id)):
        shared: dict[int, int] = {}
        for vertex in board.lattice.vertices(xy, board.parity):
            for j in at[vertex]:
                shared[j] = shared.get(j, 0) + 1
        edge = tuple(sorted(j for j, n in shared.items() if n == 2))
        corner = tuple(sorted(j for j, n in shared.items() if n == 1 and j != i))
        out.append((edge, corner))
    return tuple(out)


@cache
def corner_groups(board_id: str) -> tuple[tuple[int, ...], ...]:
    """Cells at each outer corner of the board: four single cells, or six pairs of triangles."""
    board = BOARDS[board_id]
    vertex_cells: dict[XY, list[int]] = {}
    for i, xy in enumerate(cells(board_id)):
        for vertex in board.lattice.vertices(xy, board.parity):
            vertex_cells.setdefault(vertex, []).append(i)
    # Inside an angle of the border there are fewer cells than on a straight side of it.
    wanted = 2 if board.lattice.triangular else 1
    return tuple(sorted(tuple(c) for c in vertex_cells.values() if len(c) == wanted))


@cache
def border_cells(board_id: str) -> tuple[int, ...]:
    """Cells with a side on the border."""
    full = BOARDS[board_id].lattice.edges
    return tuple(i for i, (edge, _) in enumerate(neighbours(board_id)) if len(edge) < full)
