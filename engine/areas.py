"""Parts of boards and games that statistics speak of: the centre, quarters and sixths, opening, middle and end."""

from __future__ import annotations

from functools import cache

from engine import boards
from engine.variants import variant

_CENTRE = {
    "square20": ("j10", "k10", "j11", "k11"),
    "square14": ("g7", "h7", "g8", "h8"),
    "hexagon9": ("q9", "r9", "s9", "q10", "r10", "s10"),
    "hexagon8": ("o8", "p8", "q8", "o9", "p9", "q9"),
}
"""The cells around the middle point of the board: four squares or six triangles."""

QUARTERS = ("upper right", "upper left", "lower left", "lower right")
SIXTHS = ("upper right", "top", "upper left", "lower left", "bottom", "lower right")

_LAST_PLIES = {
    "square20/polyominoes/4": (22, 44),
    "square14/polyominoes/2": (10, 20),
    "square14/junior/2": (12, 24),
    "hexagon9/polyiamonds/4": (26, 52),
    "hexagon8/polyiamonds/3": (20, 40),
}
"""Last ply of the opening and of the middle game: thirds of the usual length of a finished game (66, 30, 36, 78 and 60
plies). Fixed, so that games of all lengths compare."""

PHASES = ("opening", "middle", "end")


def sector_names(variant_id: str) -> tuple[str, ...]:
    """Names of the sectors of a variant's board, counter-clockwise from the right of the upper half.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    return SIXTHS if boards.BOARDS[variant(variant_id).board].lattice.triangular else QUARTERS


def centre_cells(variant_id: str) -> tuple[int, ...]:
    """Cells that touch the middle point of a variant's board, ascending.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    board = variant(variant_id).board
    by_name = boards.cells_by_name(board)
    return tuple(sorted(by_name[name] for name in _CENTRE[board]))


def phase_ends(variant_id: str) -> tuple[int, int]:
    """(last ply of the opening, last ply of the middle game); later plies are the end game.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    return _LAST_PLIES[variant(variant_id).geometry_id]


@cache
def sectors(board_id: str) -> tuple[int, ...]:
    """Sector of every cell, in cell order: an index into QUARTERS or SIXTHS.

    No cell lies on a line between sectors: the sides of the squares are even, and the lines from the middle of a
    hexagon to its corners run along sides of triangles. Quarters hold 100 or 49 cells, sixths 81 or 64.
    """
    board = boards.BOARDS[board_id]
    triangular = board.lattice.triangular
    # Both in steps of vertices: triangles have two to a column, and half a triangle sticks out on either side.
    middle = ((board.width + 1) // 2 if triangular else board.width // 2, board.height // 2)
    out = []
    for xy in boards.cells(board_id):
        corners = board.lattice.vertices(xy, board.parity)
        right, up = (sum(c[i] for c in corners) - len(corners) * middle[i] for i in (0, 1))
        out.append(_sixth(right, up) if triangular else _quarter(right, up))
    return tuple(out)


def _quarter(right: int, up: int) -> int:
    if up > 0:
        return 0 if right > 0 else 1
    return 3 if right > 0 else 2


def _sixth(right: int, up: int) -> int:
    # One vertex up and one to the side leads along a side of a triangle: the slanting lines are those of equal steps.
    from_the_right = 1 if abs(right) < abs(up) else 0 if right > 0 else 2
    return from_the_right if up > 0 else 5 - from_the_right
