"""Reach of a colour: the cells of all its legal placements at once, by growing shapes and shrinking them again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry import BLOCK, I16, I32, NEEDED_BY, PARENT, PIECE, U64, Trie
from engine.kernels.bits import add_shifted, popcount, spread_node
from engine.kernels.compile import inner
from engine.kernels.legal import grow_at, start_growth


class Tables(NamedTuple):
    """What measures need besides `Geometry`. T nodes of the trie, D distances, S sectors, W words, P placements."""

    distance: I32  # (T,) row of `shifts` of a node: from the anchor to the node's extra cell
    shifts: I32  # (D,) bits, at most 64 (BLOCK - 1)
    areas: U64  # (S + 1, W) cells of every sector, then of the centre
    larger_span: I32  # (P, 2) rows of `larger`; none for placements that do not have four cells
    larger: I16  # (L, 2) bit of the extra cell and piece of a five-cell placement; no rows: no such measure


@inner
def sum_up(tables: Tables, work: U64, sums: int, out: U64, row: int, colour: int) -> None:
    """Write the anchors of every distance, from word `sums` on, shifted by it and added up, to `out`."""
    words = out.shape[2]
    for w in range(words):
        out[row, colour, w] = 0
    to = (row * out.shape[1] + colour) * words * 8
    for d in range(len(tables.shifts)):
        shift = np.int64(tables.shifts[d])
        at = sums + d * (words + BLOCK) + BLOCK - (shift >> 6)
        add_shifted(out, to, work, at * 8, shift & 63, words // BLOCK)


@inner
def grow_reach(
    trie: Trie, tables: Tables, work: U64, left: int, out: U64, row: int, colour: int
) -> tuple[int, int]:
    """(number of legal placements, bit set of their pieces); their cells go to `out[row, colour]`.

    The first half is that of `engine.kernels.legal.grow`, with the same layout of `work`. Then the way back: a legal
    placement of a shape covers the extra cell of that shape and of all it grew out of. So each node hands its legal
    anchors, with those it got from its children, on to its parent, and to the sum of the distance of its extra cell.
    """
    nodes = trie.nodes
    words = trie.masks.shape[1]
    length = words + BLOCK
    blocks = words // BLOCK
    first = 16 * length
    touch_by = len(nodes) * words
    found_at = first + 2 * touch_by
    sums = found_at + touch_by
    for w in range(found_at, sums + len(tables.shifts) * length):
        work[w] = 0
    start_growth(trie, work)
    mobility, fitting = 0, 0
    for t in range(len(nodes)):
        if grow_at(trie, work, left, t):
            at = first + t * words
            n = 0
            for w in range(words):
                legal = work[at + w] & work[at + touch_by + w]
                work[found_at + t * words + w] = legal
                n += popcount(legal)
            mobility += n
            fitting |= 1 << nodes[t, PIECE]
    for t in range(len(nodes) - 1, -1, -1):
        if nodes[t, NEEDED_BY] & fitting == 0:
            continue
        total = (sums + tables.distance[t] * length + BLOCK) * 8
        parent = nodes[t, PARENT]
        # A single cell has no parent; adding twice does no harm.
        to = (found_at + parent * words) * 8 if parent >= 0 else total
        spread_node(work, (found_at + t * words) * 8, to, total, blocks)
    sum_up(tables, work, sums, out, row, colour)
    return mobility, fitting
