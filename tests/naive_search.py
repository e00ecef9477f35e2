"""The slow twin of the tree search: nodes are objects, positions are played by `engine.position.Position`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.kernels.tree import Taste
from engine.position import Position
from engine.scoring import units
from tests.naive_endgame import chooser
from tests.naive_network import Values

Leaf = Callable[[Position], Values]
Moves = Callable[[Position], list[tuple[int, float]]]


@dataclass
class Edge:
    placement: int
    prior: float
    child: Node | None = None
    visits: int = 0
    worth: float = 0.0


@dataclass
class Node:
    position: Position
    value: Values
    mover: int | None
    unit: int
    edges: list[Edge] | None = None
    visits: int = 0
    sums: list[list[float]] = field(default_factory=list)

    def add(self, value: Values) -> None:
        rows = [value.utility, value.share, value.points]
        self.visits += 1
        self.sums = [
            [a + b for a, b in zip(*pair, strict=True)] for pair in zip(self.sums, rows, strict=True)
        ]


class Naive:
    """A search that asks others for the values of leaves and for the priors of moves."""

    def __init__(self, position: Position, taste: Taste, leaf: Leaf, moves: Moves) -> None:
        self.taste, self.leaf, self.moves = taste, leaf, moves
        self.root = self.node(position)
        self.root.add(self.root.value)

    def node(self, position: Position) -> Node:
        value = self.leaf(position)
        mover = None if position.is_over else position.to_move
        unit = 0
        if mover is not None:
            seat = chooser(position, mover)
            # A neutral seat plays as if for the first unit.
            unit = next((u for u, seats in enumerate(units(position.rules)) if seat in seats), 0)
        rows = [[0.0] * len(row) for row in (value.utility, value.share, value.points)]
        return Node(position, value, mover, unit, sums=rows)

    def run(self, simulations: int) -> None:
        for _ in range(simulations):
            if self.root.mover is not None:
                self.visit()

    def visit(self) -> None:
        node, path = self.root, []
        while node.mover is not None:
            if node.edges is None:
                listed = self.moves(node.position)
                kept = listed if node is self.root else listed[: self.taste.width]
                node.edges = [Edge(*move) for move in kept]
            edge = self.choose(node)
            path.append((node, edge))
            if edge.child is None:
                after = node.position.copy()
                after._play(node.mover, edge.placement)
                edge.child = node = self.node(after)
                break
            node = edge.child
        for above, edge in path:
            above.add(node.value)
            edge.visits += 1
            edge.worth += node.value.utility[above.unit]
        node.add(node.value)

    def choose(self, node: Node) -> Edge:
        """The edge of the highest value; of equal ones that of the best prior."""
        assert node.edges is not None
        spread = self.taste.exploration * math.sqrt(node.visits)
        tried = [edge for edge in node.edges if edge.visits]
        options = [(e.worth / e.visits + spread * float(e.prior) / (1 + e.visits), e) for e in tried]
        if len(tried) < len(node.edges):
            fresh = node.edges[len(tried)]
            mean = node.sums[0][node.unit] / node.visits
            options.append((mean - self.taste.urgency + spread * float(fresh.prior), fresh))
        return max(options, key=lambda option: option[0])[1]

    def visits(self) -> dict[tuple[int, ...], tuple[int, list[list[float]]]]:
        """Visits and sums of all nodes, by the placements that lead to them."""
        found, waiting = {}, [((), self.root)]
        while waiting:
            way, node = waiting.pop()
            found[way] = node.visits, node.sums
            waiting += [((*way, e.placement), e.child) for e in node.edges or [] if e.child is not None]
        return found
