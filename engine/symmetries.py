"""Exact symmetries: the automorphisms of a board that leave every colour where it may start. Computed, not listed.

A permutation is ``(C,) int16``: cell i goes to cell ``permutation[i]``. Colours stay: a symmetry that swaps them also
swaps who is to move, and no position but the empty one has it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.boards import BOARDS, cell_numbers, cells
from engine.geometry import I16
from engine.lattices import XY
from engine.rulesets import start_groups
from engine.variants import variant


@cache
def board_symmetries(board_id: str) -> I16:
    """All symmetries of a board, the identity first: ``(8, C)`` on squares, ``(12, C)`` on hexagons."""
    board = BOARDS[board_id]
    lattice, numbers = board.lattice, cell_numbers(board_id)
    corners = [lattice.vertices(xy, board.parity) for xy in cells(board_id)]
    points = np.array([point for cell in corners for point in cell])
    # Twice the middle point: everything is turned about it, in doubled coordinates, so that it may lie between points.
    middle = points.min(axis=0) + points.max(axis=0)
    images = [[_moved(point, middle) for point in cell] for cell in corners]
    found: list[list[int]] = []
    for _ in range(2):
        for _ in range(lattice.transforms // 2):
            at = [tuple(_back(point, middle) for point in cell) for cell in images]
            found.append([numbers[lattice.from_vertices(cell)] for cell in at])
            images = [[lattice.rotate(point) for point in cell] for cell in images]
        images = [[lattice.mirror(point) for point in cell] for cell in images]
    out = np.array(found, np.int16)
    out.flags.writeable = False
    return out


def _moved(point: XY, middle: np.ndarray[tuple[int], np.dtype[np.int64]]) -> XY:
    return 2 * point[0] - int(middle[0]), 2 * point[1] - int(middle[1])


def _back(point: XY, middle: np.ndarray[tuple[int], np.dtype[np.int64]]) -> XY:
    return (point[0] + int(middle[0])) // 2, (point[1] + int(middle[1])) // 2


@cache
def automorphisms(variant_id: str, start: str) -> I16:
    """Symmetries that map each colour's starting cells under a rule to themselves: ``(A, C)``, the identity first.

    >>> [len(automorphisms(*case)) for case in (("duo", "assigned"), ("duo", "marked"), ("classic", "assigned"))]
    [2, 4, 1]

    Raises:
        UnknownVariant: the id is none of the eight.
        RuleError: the start rule does not fit the variant.
    """
    wanted = [_groups(variant_id, start, colour) for colour in range(len(variant(variant_id).colours))]
    return _keeping(variant_id, wanted)


@cache
def own_symmetries(variant_id: str, start: str, colour: int) -> I16:
    """Symmetries that keep the starting cells of one colour (0..), whatever happens to the others': ``(A, C)``.

    They compare shapes of one colour's own first pieces; positions with other colours on the board they do not keep.

    Raises:
        UnknownVariant, RuleError: see `automorphisms`.
    """
    return _keeping(variant_id, [_groups(variant_id, start, colour)])


def _groups(variant_id: str, start: str, colour: int) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(group) for group in start_groups(variant_id, start)[colour])


def _keeping(variant_id: str, wanted: list[frozenset[frozenset[int]]]) -> I16:
    symmetries = board_symmetries(variant(variant_id).board)
    kept = [
        image
        for image in symmetries
        if all(
            frozenset(frozenset(int(image[c]) for c in group) for group in groups) == groups
            for groups in wanted
        )
    ]
    return np.array(kept, np.int16)
