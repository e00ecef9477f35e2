"""The tree of a search: nodes and edges in flat arrays, choice of the edge to follow, values on the way back."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.geometry import F64, I32, I64, U8, U64
from engine.kernels.compile import kernel, leaf

FIRST_EDGE, EDGES, TRIED, MOVER, UNIT, STATUS = range(6)
"""Columns of `Tree.nodes`: first edge and number of edges (sorted by prior), how many of them have a child, colour to
move, whose value it maximises, NEW, GROWN or OVER."""

NEW, GROWN, OVER = range(3)

PLACEMENT, CHILD, VISITS = range(3)
"""Columns of `Tree.edges`."""

PRIOR, WORTH = range(2)
"""Columns of `Tree.weights`: prior, sum of what the mover got by this edge."""

UTILITY, SHARE, POINTS = range(3)
"""First axis of values: what a unit maximises, its share (both by unit), the points of a colour (by colour)."""

USED_NODES, USED_EDGES, ROOT = range(3)
"""Columns of `Tree.cursor`."""


class Tree(NamedTuple):
    """M nodes, E edges, n colours; there are at most as many units (seats or teams that have a result)."""

    nodes: I32  # (M, 6)
    visits: I32  # (M,)
    sums: F64  # (M, 3, n) of the values of all visits
    kinds: U8  # (M, 64 W) classes of the cells for the colour to move, for the priors of its moves
    reach: U64  # (M, n, W) cells of the legal placements of each colour
    fitting: I32  # (M, n, 2) bit set of the pieces that each colour can place, number of its legal placements
    edges: I32  # (E, 3)
    weights: F64  # (E, 2); in single precision a million small values would not add up
    cursor: I64  # (3,)
    path: I32  # (2, DEPTH) nodes and edges of the visit that is under way


class Taste(NamedTuple):
    """How edges are chosen."""

    exploration: float  # factor of prior times root of the visits
    urgency: float  # how much less than its parent an untried move is thought to be worth
    noise: float  # of the priors, in log units
    width: int  # edges a node keeps at most; the root keeps all
    score_share: float  # weight of points in what a unit maximises at the end, the rest is its share
    score_early: float  # how much more weight they have while all cells are to be placed, see `score_weight`


@leaf
def new_node(tree: Tree) -> int:
    """Number of a new node, -1: no room."""
    node = tree.cursor[USED_NODES]
    if node >= len(tree.nodes):
        return -1
    tree.cursor[USED_NODES] = node + 1
    tree.nodes[node, EDGES], tree.nodes[node, TRIED], tree.nodes[node, STATUS] = 0, 0, NEW
    tree.visits[node] = 0
    tree.sums[node] = 0
    return node


@leaf
def choose(tree: Tree, taste: Taste, node: int) -> int:
    """Number of the edge to follow from a grown node (PUCT): the tried ones and the best that is not."""
    first, tried = np.int64(tree.nodes[node, FIRST_EDGE]), np.int64(tree.nodes[node, TRIED])
    visits = float(tree.visits[node])
    spread = taste.exploration * math.sqrt(visits)
    best, best_value = -1, -1e30
    for edge in range(first, first + tried):
        n = float(tree.edges[edge, VISITS])
        value = tree.weights[edge, WORTH] / n + spread * tree.weights[edge, PRIOR] / (1 + n)
        if value > best_value:
            best, best_value = edge, value
    if tried < tree.nodes[node, EDGES]:
        edge = first + tried
        mean = tree.sums[node, UTILITY, tree.nodes[node, UNIT]] / visits
        if mean - taste.urgency + spread * tree.weights[edge, PRIOR] > best_value:
            best = edge
    return best


@leaf
def back_up(tree: Tree, depth: int, leaf_node: int, values: F64) -> None:
    """Add the values of a leaf to it and to all nodes and edges of the path to it."""
    columns = values.shape[1]
    for step in range(depth + 1):
        node = np.int64(tree.path[0, step]) if step < depth else leaf_node
        tree.visits[node] += 1
        for kind in range(3):
            for column in range(columns):
                tree.sums[node, kind, column] += values[kind, column]
        if step < depth:
            edge = np.int64(tree.path[1, step])
            tree.edges[edge, VISITS] += 1
            tree.weights[edge, WORTH] += values[UTILITY, tree.nodes[node, UNIT]]


@kernel
def move_tree(source: Tree, node: int, target: Tree) -> bool:
    """Copy the part of a tree below a node into another, as its root; false: the other has no room for it."""
    target.cursor[:] = 0
    target.cursor[USED_NODES] = 1
    for k in range(source.nodes.shape[1]):
        target.nodes[0, k] = source.nodes[node, k]
    _copy_values(source, node, target, 0)
    here = 0
    while here < target.cursor[USED_NODES]:
        # Until its turn comes, a copied node tells where its edges were.
        old = np.int64(target.nodes[here, FIRST_EDGE])
        first, count = target.cursor[USED_EDGES], np.int64(target.nodes[here, EDGES])
        if first + count > len(target.edges):
            return False
        target.nodes[here, FIRST_EDGE] = first
        target.cursor[USED_EDGES] = first + count
        for i in range(count):
            for k in range(3):
                target.edges[first + i, k] = source.edges[old + i, k]
            target.weights[first + i, PRIOR] = source.weights[old + i, PRIOR]
            target.weights[first + i, WORTH] = source.weights[old + i, WORTH]
            if i < target.nodes[here, TRIED]:
                child, copied = np.int64(source.edges[old + i, CHILD]), target.cursor[USED_NODES]
                if copied >= len(target.nodes):
                    return False
                target.cursor[USED_NODES] = copied + 1
                for k in range(source.nodes.shape[1]):
                    target.nodes[copied, k] = source.nodes[child, k]
                _copy_values(source, child, target, copied)
                target.edges[first + i, CHILD] = copied
        here += 1
    return True


@leaf
def _copy_values(source: Tree, node: int, target: Tree, to: int) -> None:
    target.visits[to] = source.visits[node]
    for bit in range(source.kinds.shape[1]):
        target.kinds[to, bit] = source.kinds[node, bit]
    for colour in range(source.reach.shape[1]):
        for w in range(source.reach.shape[2]):
            target.reach[to, colour, w] = source.reach[node, colour, w]
        for k in range(2):
            target.fitting[to, colour, k] = source.fitting[node, colour, k]
    for kind in range(3):
        for column in range(source.sums.shape[2]):
            target.sums[to, kind, column] = source.sums[node, kind, column]
