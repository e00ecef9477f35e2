"""Who could get to a cell, and how soon: the classes of cells that the learned evaluation and the priors look at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import PIECES
from engine.geometry import I8, I32, U8, U64, Geometry
from engine.kernels.compile import inner, leaf
from engine.kernels.reach import Tables
from engine.kernels.state import State
from engine.kernels.vectors import class_bytes

LEVELS = 5
LIBERTY, REACHED, NEAR, FREE, BARRED = range(LEVELS)
"""Level of an empty cell for a colour: a corner liberty that a legal placement covers; another cell of one; up to four
steps from there through cells that it may cover; free but farther; forbidden to it."""

CLASSES = LEVELS * LEVELS + 4
"""Class of a cell for a colour: 1 + LEVELS (own level) + (best level of a rival) where it is empty; then OWN, ALLY,
RIVAL. Class 0 is unused."""

OWN, ALLY, RIVAL = range(LEVELS * LEVELS + 1, CLASSES)


class Board(NamedTuple):
    """What levels need of a variant and a ruleset. W words, C cells."""

    open_down: U64  # (W,) cells with a neighbour in the row below
    open_up: U64  # (W,) cells with a neighbour in the row above
    stride: int  # bits from a row to the next
    row_of: I32  # (colours C,) CLASSES times a cell's place as the colour sees it: alike cells share one
    places: int
    shapes: Tables  # of the reach kernel
    rivals: I8  # (colours, colours) 1: of different sides


@leaf
def _spread(board: Board, free: U64, at: int, source: U64, words: int, row: int, to: int) -> None:
    """Write the cells of `source[row]` with their free neighbours to `source[to]`."""
    stride = np.uint64(board.stride)
    back = np.uint64(64) - stride
    one, high = np.uint64(1), np.uint64(63)
    for w in range(words):
        here = source[row, w]
        below = source[row, w - 1] if w > 0 else np.uint64(0)
        above = source[row, w + 1] if w + 1 < words else np.uint64(0)
        grown = here | (here << one) | (below >> high) | (here >> one) | (above << high)
        up = (here & board.open_up[w]) << stride
        if w > 0:
            up |= (below & board.open_up[w - 1]) >> back
        down = (here & board.open_down[w]) >> stride
        if w + 1 < words:
            down |= (above & board.open_down[w + 1]) << back
        source[to, w] = here | ((grown | up | down) & free[at, w])


@inner
def colour_levels(
    geometry: Geometry, board: Board, state: State, colour: int, reach: U64, levels: U64, flood: U64
) -> None:
    """Write the sets of cells of each level of a colour to ``levels[colour]``, ``(LEVELS, W)``.

    ``reach[0, colour]``, ``(W,)``, are the cells of its legal placements; for a colour without any, because it is
    blocked or has left, every empty cell is BARRED. `flood` is scratch, ``(6, W)``.
    """
    words = len(geometry.board_bits)
    found = np.uint64(0)
    for w in range(words):
        flood[0, w] = reach[0, colour, w]
        flood[5, w] = geometry.board_bits[w] & ~state.forbidden[colour, w]
        found |= flood[0, w]
    for step in range(4):
        _spread(board, flood, 5, flood, words, step, step + 1)
    begun = state.facts[colour, PIECES] > 0
    for w in range(words):
        free = flood[5, w] if found else np.uint64(0)
        liberties = state.attach[colour, w] & flood[0, w] if begun else np.uint64(0)
        levels[colour, LIBERTY, w] = liberties
        levels[colour, REACHED, w] = flood[0, w] & ~liberties
        levels[colour, NEAR, w] = flood[4, w] & ~flood[0, w]
        levels[colour, FREE, w] = free & ~flood[4, w]
        levels[colour, BARRED, w] = geometry.board_bits[w] & ~free


@leaf
def rival_levels(board: Board, levels: U64, colour: int, w: int, out: U64) -> None:
    """Write word `w` of the sets of the best level that a rival of a colour has, but for BARRED, to `out`."""
    seen = np.uint64(0)
    for level in range(LEVELS - 1):
        found = np.uint64(0)
        for other in range(len(levels)):
            if board.rivals[colour, other]:
                found |= levels[other, level, w]
        out[level] = found & ~seen
        seen |= found


@inner
def write_classes(board: Board, occupied: U64, levels: U64, colour: int, rival: U64, out: U8) -> None:
    """Write the class of every cell for a colour to row `colour` of `out`, ``(n, 64 W)`` by bit.

    `occupied`, ``(n + 1, W)``, and `levels` of all colours are known; `rival` is scratch, ``(LEVELS - 1,)``.
    """
    words = levels.shape[2]
    for w in range(words):
        rival_levels(board, levels, colour, w, rival)
        ally, enemy = np.uint64(0), np.uint64(0)
        for other in range(len(levels)):
            if board.rivals[colour, other]:
                enemy |= occupied[other, w]
            elif other != colour:
                ally |= occupied[other, w]
        at = (colour * words + w) * 64
        mine = colour * LEVELS * words + w
        class_bytes(out, at, levels, mine, rival, occupied[colour, w], ally, enemy)
