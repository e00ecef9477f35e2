"""Exact covers: pieces that fill a board. Depth-first, always the first empty cell, on bit strings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry import I8, I32, I64, U64
from engine.kernels.bits import trailing_zeros
from engine.kernels.compile import kernel, part

MORE, FOUND, ENDED = 0, 1, 2
"""What a search comes back with: its budget is spent; a cover; every cover has been seen."""

DEPTH, NODES, COVERS = 0, 1, 2
"""Columns of `Path.numbers`; DEPTH is negative once the search has ended."""


class Rows(NamedTuple):
    """What can lie on the board, R rows by their first cell. C cells, W words, S symmetries."""

    start: I32  # (C + 1,) first row of each cell
    piece: I8  # (R,)
    bits: U64  # (R, W) cells covered
    board: U64  # (W,) all cells
    image: I32  # (S, R) the row that a symmetry makes of each; S is 0 where nobody asks


class Path(NamedTuple):
    """Where a search stands, so that it can be stopped and go on. N pieces, D the most rows of a cover."""

    numbers: I64  # (3,)
    left: I32  # (N,) copies not yet placed
    covered: U64  # (W,)
    order: I32  # (R,) rows of each cell in the order in which they are tried
    cell: I32  # (D + 1,) cell to cover at a depth
    following: I32  # (D + 1,) place in `order` that is tried next
    chosen: I32  # (D,) row
    used: I8  # (R,) whether a row is chosen
    kept: I64  # (S,) covers that a symmetry maps to themselves


@part
def _first_empty(rows: Rows, path: Path, word: int) -> int:
    """The first empty cell from a word on, -1 for none."""
    found = -1
    while word < len(rows.board) and found < 0:
        empty = rows.board[word] & ~path.covered[word]
        if empty:
            found = word * 64 + trailing_zeros(empty)
        word += 1
    return found


@part
def _flip(rows: Rows, path: Path, row: int, by: int) -> None:
    """Put a row on the board (`by` -1) or take it off (1)."""
    path.left[rows.piece[row]] += by
    path.used[row] = by < 0
    for word in range(len(rows.board)):
        path.covered[word] ^= rows.bits[row, word]


@part
def _next_row(rows: Rows, path: Path, depth: int) -> int:
    """The next row that fits at a depth, -1 for none."""
    at, found = np.int64(path.following[depth]), -1
    end = rows.start[path.cell[depth] + 1]
    while at < end and found < 0:
        row = path.order[at]
        at += 1
        if path.left[rows.piece[row]] > 0:
            overlap = np.uint64(0)
            for word in range(len(rows.board)):
                overlap |= rows.bits[row, word] & path.covered[word]
            if overlap == 0:
                found = row
    path.following[depth] = at
    return found


@part
def _count(rows: Rows, path: Path, depth: int) -> None:
    """Count a cover, and the symmetries that map it to itself."""
    path.numbers[COVERS] += 1
    for symmetry in range(len(rows.image)):
        same, at = True, 0
        while same and at <= depth:
            same = path.used[rows.image[symmetry, path.chosen[at]]] != 0
            at += 1
        path.kept[symmetry] += same


@kernel
def search_covers(rows: Rows, path: Path, budget: int, every: int) -> int:
    """Go on with a search for at most `budget` placements; stop at the first cover, or count `every` one."""
    depth = path.numbers[DEPTH]
    for _ in range(budget):
        row = _next_row(rows, path, depth)
        while row < 0 and depth > 0:
            depth -= 1
            _flip(rows, path, path.chosen[depth], 1)
            row = _next_row(rows, path, depth)
        if row < 0:
            path.numbers[DEPTH] = -1
            return ENDED
        path.numbers[NODES] += 1
        path.chosen[depth] = row
        _flip(rows, path, row, -1)
        empty = _first_empty(rows, path, path.cell[depth] >> 6)
        if empty >= 0:
            depth += 1
            path.cell[depth] = empty
            path.following[depth] = rows.start[empty]
        elif every:
            _count(rows, path, depth)
            _flip(rows, path, row, 1)
        else:
            path.numbers[DEPTH] = depth
            return FOUND
    path.numbers[DEPTH] = depth
    return MORE
