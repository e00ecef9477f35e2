"""Order in which orientations grow out of smaller ones, for the legal-move kernel.

Every orientation of two or more cells is a smaller connected shape with the same anchor plus one cell, because at
least two of its cells can be removed without breaking it and only one of them is the anchor. So the anchors where a
shape fits are the anchors where its parent fits AND the extra cell is free: one step of the kernel per shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.lattices import XY
from engine.pieces import Orientation


@dataclass(frozen=True, slots=True)
class Node:
    """A shape of the trie: `parent` is the index of the shape without `extra` (-1: a single cell)."""

    shape: Orientation
    parent: int
    extra: XY


def _is_connected(cells: frozenset[XY], parity: int, triangular: bool) -> bool:
    start = next(iter(cells))
    seen, todo = {start}, [start]
    while todo:
        x, y = todo.pop()
        if triangular:
            points_up = (x + y + parity) % 2 == 0
            around = [(x - 1, y), (x + 1, y), (x, y - 1) if points_up else (x, y + 1)]
        else:
            around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        for cell in around:
            if cell in cells and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return len(seen) == len(cells)


def _parent(shape: Orientation, triangular: bool) -> tuple[Orientation, XY]:
    """The shape without its last removable cell that is not the anchor."""
    for extra in reversed(shape.offsets[1:]):
        rest = tuple(c for c in shape.offsets if c != extra)
        if _is_connected(frozenset(rest), shape.parity, triangular):
            return Orientation(rest, shape.parity), extra
    raise AssertionError("a connected shape always has a removable cell besides its anchor")


def grow(orientations: Iterable[Orientation], triangular: bool) -> list[Node]:
    """Nodes for all orientations and the smaller shapes they need, parents first, orientations in their order."""
    wanted = list(orientations)
    levels: dict[int, dict[Orientation, None]] = {}
    for shape in wanted:
        levels.setdefault(len(shape.offsets), {})[shape] = None
    for size in range(max(levels), 1, -1):
        for shape in levels.get(size, {}):
            levels.setdefault(size - 1, {}).setdefault(_parent(shape, triangular)[0])
    nodes: list[Node] = []
    index: dict[Orientation, int] = {}
    for size in sorted(levels):
        for shape in levels[size]:
            index[shape] = len(nodes)
            if size == 1:
                nodes.append(Node(shape, -1, (0, 0)))
            else:
                parent, extra = _parent(shape, triangular)
                nodes.append(Node(shape, index[parent], extra))
    return nodes
