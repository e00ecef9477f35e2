"""A piece in the hand: its images, turning and flipping it, and where on a board it lies when a cell is pointed at.

Only geometry, for any board of squares or triangles: the page says which placements are legal. An image of a piece is
its number in `engine.pieces.orientations`, which fits into an address; cells are numbers in the order of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import sqrt

from engine import boards
from engine.boards import BOARDS
from engine.lattices import XY, Lattice
from engine.pieces import PIECE_SETS, Orientation, anchored, orientations

Cells = tuple[int, ...]
"""Cells of a placement, ascending."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What pieces are put on: (column, row) of every cell in cell order, and which triangles point up."""

    lattice: Lattice
    parity: int
    cells: tuple[XY, ...]

    @staticmethod
    @cache
    def of(board_id: str) -> Ground:
        """A board of `engine.boards`."""
        board = BOARDS[board_id]
        return Ground(board.lattice, board.parity, boards.cells(board_id))


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an image lies: its cells that are on the board, ascending, and whether that is all of it."""

    cells: Cells
    whole: bool


def as_drawn(set_id: str, piece: str) -> int:
    """The image in which a piece is drawn in trays: the one to begin with.

    >>> as_drawn("polyominoes", "V3")
    1
    """
    return _number(set_id, piece, sorted(PIECE_SETS[set_id].shapes[piece], key=_reading))


def turned(set_id: str, piece: str, image: int, times: int = 1) -> int:
    """The image after some turns clockwise by 90 degrees (triangles: 60); negative: counter-clockwise.

    >>> [turned("polyominoes", "I3", image) for image in (0, 1)]
    [1, 0]
    """
    lattice = PIECE_SETS[set_id].lattice
    # The lattice turns counter-clockwise.
    return _moved(set_id, piece, image, lattice.rotate, -times % (lattice.transforms // 2))


def flipped(set_id: str, piece: str, image: int) -> int:
    """The image mirrored, left for right."""
    return _moved(set_id, piece, image, PIECE_SETS[set_id].lattice.mirror, 1)


def shape(set_id: str, piece: str, image: int) -> tuple[XY, ...]:
    """Cells of an image about the origin, in cell order; a triangle with an even sum points up."""
    found = orientations(set_id)[piece][image]
    return tuple((found.parity + x, y) for x, y in found.offsets)


def ghost_map(
    ground: Ground, set_id: str, piece: str, image: int, legal: Collection[Cells] | Callable[[Cells], bool]
) -> dict[int, tuple[Cells, bool]]:
    """For every cell: the cells that the piece covers when it is pointed at, and whether it may; for `drawing.drawn`.

    Of the places of this image that cover the cell, it is the legal one whose middle is nearest; where none is legal,
    the nearest of all. Cells beyond the border are left out.

    Args:
        ground: the board.
        set_id: piece set, see `engine.pieces.PIECE_SETS`.
        piece: name of a piece.
        image: see `as_drawn`, `turned`, `flipped`.
        legal: cells of legal placements (of any piece), or whether cells, all on the board, are one.
    """
    may = legal if callable(legal) else legal.__contains__
    found = {}
    for cell, spots in enumerate(_spots(ground, orientations(set_id)[piece][image])):
        fitting = (spot for spot in spots if spot.whole and may(spot.cells))
        chosen = next(fitting, None)
        if chosen is not None:
            found[cell] = (chosen.cells, True)
        elif spots:
            found[cell] = (spots[0].cells, False)
    return found


def pointed_at(ground: Ground, set_id: str, piece: str, image: int, cell: int) -> tuple[XY, ...]:
    """The place nearest to a cell, whatever lies there, as (column, row), also of cells beyond the border."""
    centred = _centred(ground, orientations(set_id)[piece][image], cell)
    return centred[0] if centred else ()


def _reading(xy: XY) -> tuple[int, int]:
    return xy[1], xy[0]


def _number(set_id: str, piece: str, cells: Sequence[XY]) -> int:
    return orientations(set_id)[piece].index(anchored(PIECE_SETS[set_id].lattice, list(cells)))


def _moved(set_id: str, piece: str, image: int, move: Callable[[XY], XY], times: int) -> int:
    lattice = PIECE_SETS[set_id].lattice
    cells = [lattice.vertices(xy, 0) for xy in shape(set_id, piece, image)]
    for _ in range(times):
        cells = [tuple(move(point) for point in corners) for corners in cells]
    return _number(set_id, piece, sorted((lattice.from_vertices(corners) for corners in cells), key=_reading))


@lru_cache(maxsize=400)
def _spots(ground: Ground, image: Orientation) -> tuple[tuple[Spot, ...], ...]:
    """For every cell the places of an image that cover it, the nearest first."""
    number = {xy: at for at, xy in enumerate(ground.cells)}
    out = []
    for cell in range(len(ground.cells)):
        spots = []
        for place in _centred(ground, image, cell):
            inside = tuple(number[xy] for xy in place if xy in number)
            spots.append(Spot(inside, len(inside) == len(place)))
        out.append(tuple(spots))
    return tuple(out)


def _centred(ground: Ground, image: Orientation, cell: int) -> list[tuple[XY, ...]]:
    """Places of an image that cover a cell, or where a triangle points the other way touch it; the nearest first."""
    lattice, parity = ground.lattice, ground.parity
    x, y = ground.cells[cell]
    beside = [(x, y)]
    if lattice.triangular:
        beside += [(x + 1, y), (x - 1, y)]
    middle = _middle(lattice, parity, [(x, y)])
    for at in beside:
        found = []
        for dx, dy in image.offsets:
            first = (at[0] - dx, at[1] - dy)
            if lattice.triangular and (first[0] + first[1] + parity) % 2 != image.parity:
                continue
            place = tuple((first[0] + u, first[1] + v) for u, v in image.offsets)
            found.append((_distance(middle, _middle(lattice, parity, place)), place))
        if found:
            return [place for _, place in sorted(found)]
    return []


def _middle(lattice: Lattice, parity: int, place: Sequence[XY]) -> tuple[float, float]:
    points = [point for xy in place for point in lattice.vertices(xy, parity)]
    wide, high = (0.5, sqrt(3) / 2) if lattice.triangular else (1.0, 1.0)
    across, up = sum(u for u, _ in points), sum(v for _, v in points)
    return wide * across / len(points), high * up / len(points)


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return round((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2, 6)
