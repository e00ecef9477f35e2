"""Searches of a position: a tree that grows in slices, can be broken off, and is read afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from engine.brains import brain
from engine.errors import EngineError
from engine.facts import OUT, PIECES
from engine.geometry import F64, geometry
from engine.kernels.tree import (
    CHILD,
    EDGES,
    FIRST_EDGE,
    GROWN,
    MOVER,
    PLACEMENT,
    POINTS,
    PRIOR,
    ROOT,
    SHARE,
    STATUS,
    TRIED,
    UNIT,
    VISITS,
    WORTH,
    Taste,
    Tree,
    move_tree,
)
from engine.kernels.turns import NOBODY
from engine.position import Position
from engine.search_tables import search_game
from engine.tree_search import Task, grow_root, new_desk, new_tree, plant, search, taste_for, try_moves

SLICE = 256
"""Simulations between two questions whether to stop: a few milliseconds."""

LOOKED_AT = 24
"""Moves that are valued at most where there is no search, those of the best priors."""

EDGES_A_VISIT = 48
MOST_EDGES = 12_000_000
"""Room for edges; nodes that find none stay leaves."""


class Child(NamedTuple):
    """A move of the root after the search. Values are means over its visits."""

    placement: int
    visits: int
    prior: float
    share: float  # of the mover's unit
    points: F64  # (n,) by colour
    node: int


class Search:
    """A search of one position, at the root of a tree."""

    def __init__(self, position: Position, seed: int, room: int, taste: Taste | None = None) -> None:
        """Plant the tree; `room` is the number of simulations it will have at most.

        Raises:
            EngineError: the seed is not from 0 to 2**64 - 1.
        """
        if not 0 <= seed < 2**64:
            raise EngineError(f"a seed is from 0 to 2**64 - 1, not {seed}")
        self.variant_id = variant_id = position.variant.id
        self.rules = position.rules
        self.game = search_game(variant_id, position.rules)
        self.brain = brain(variant_id)
        self.taste = taste_for(self.game) if taste is None else taste
        self.desk = new_desk(variant_id, position.rules)
        self.room = room
        self.tree = _tree(variant_id, room)
        self._spare: Tree | None = None
        self.state, self.clock = position.for_kernels()
        self.colour = plant(self._task, seed)

    @property
    def _task(self) -> Task:
        return self.game, self.brain, self.taste, self.tree, self.desk, self.state, self.clock

    @property
    def over(self) -> bool:
        """Whether there is nothing to search: nobody can move."""
        return self.colour == NOBODY

    @property
    def visits(self) -> int:
        """Simulations so far, the static evaluation of the root not counted."""
        return int(self.tree.visits[self.tree.cursor[ROOT]]) - 1

    def move_root(self, position: Position, node: int, room: int) -> bool:
        """Make a node the root, whose position is given, in a tree with room for so many simulations more.

        False: what is below the node is too large for that; nothing has changed.
        """
        target = self._spare
        self._spare = None
        if target is None:
            target = _tree(self.variant_id, self.room)
        if int(self.tree.visits[node]) + room > self.room or not move_tree(self.tree, node, target):
            self._spare = target
            return False
        self.tree, self._spare = target, self.tree
        self.state, self.clock = position.for_kernels()
        self.colour = int(target.nodes[0, MOVER])
        return True

    def keep_only(self, wanted: Callable[[int], bool]) -> None:
        """Leave the root only the moves that are wanted.

        Raises:
            EngineError: that leaves no legal move.
        """
        tree = self.tree
        grow_root(self._task)
        root = tree.cursor[ROOT]
        first, count = int(tree.nodes[root, FIRST_EDGE]), int(tree.nodes[root, EDGES])
        kept = [e for e in range(first, first + count) if wanted(int(tree.edges[e, PLACEMENT]))]
        if not kept:
            raise EngineError("no legal move is left: change what is allowed or avoided")
        tree.edges[first : first + len(kept)] = tree.edges[kept]
        tree.weights[first : first + len(kept)] = tree.weights[kept]
        tree.nodes[root, EDGES] = len(kept)
        priors = tree.weights[first : first + len(kept), PRIOR]
        priors /= priors.sum()

    def look(self, moves: int) -> None:
        """Value the positions after the moves of the best priors, without a search."""
        if not self.over:
            grow_root(self._task)
            try_moves(self._task, moves)

    def run(self, simulations: int, stop: Callable[[], bool] | None = None) -> bool:
        """Search until there are so many simulations; false: it was broken off."""
        while not self.over and self.visits < simulations:
            if stop is not None and stop():
                return False
            target = min(self.visits + SLICE, simulations)
            if search(self._task, target + 1) < target + 1:
                break
        return True

    @property
    def lead(self) -> int:
        """How many more visits the root's first move has than the second: with fewer to come, it stays the first."""
        tree, root = self.tree, int(self.tree.cursor[ROOT])
        first, tried = int(tree.nodes[root, FIRST_EDGE]), int(tree.nodes[root, TRIED])
        visits = np.sort(tree.edges[first : first + tried, VISITS])
        return int(visits[-1] - visits[-2]) if tried > 1 else int(visits.sum())

    def shares(self, node: int | None = None) -> F64:
        """Mean shares of the units at a node, by default the root: ``(U,)``."""
        at = int(self.tree.cursor[ROOT]) if node is None else node
        out: F64 = self.tree.sums[at, SHARE, : len(self.game.units_of)] / self.tree.visits[at]
        return out

    def points(self, node: int | None = None) -> F64:
        """Mean points of the colours at a node, by default the root: ``(n,)``."""
        at = int(self.tree.cursor[ROOT]) if node is None else node
        out: F64 = self.tree.sums[at, POINTS] / self.tree.visits[at]
        return out

    @property
    def seat(self) -> int:
        """Seat that makes the move at the root; a shared colour is played by the seats in turn."""
        owner = next((s for s, owned in enumerate(self.rules.seats) if self.colour in owned), None)
        if owner is not None:
            return owner
        seats, facts = self.rules.seats, self.state.facts
        turn = int(facts[self.colour, PIECES])
        order = [(turn + step) % len(seats) for step in range(len(seats))]
        return next((seat for seat in order if not facts[list(seats[seat]), OUT].all()), order[0])

    @property
    def unit(self) -> int:
        """Unit whose value the mover at the root maximises."""
        return int(self.tree.nodes[self.tree.cursor[ROOT], UNIT])

    @property
    def gone(self) -> set[int]:
        """Units that have left the game."""
        left = self.state.facts[:, OUT] == 1
        return {unit for unit, owned in enumerate(self.game.units_of) if left[owned > 0].all()}

    def priors(self) -> tuple[tuple[int, float], ...]:
        """(placement, prior) of all moves of the root, the best prior first."""
        if self.over:
            return ()
        tree = self.tree
        grow_root(self._task)
        root = int(tree.cursor[ROOT])
        first, count = int(tree.nodes[root, FIRST_EDGE]), int(tree.nodes[root, EDGES])
        edges = range(first, first + count)
        return tuple((int(tree.edges[e, PLACEMENT]), float(tree.weights[e, PRIOR])) for e in edges)

    def children(self, node: int | None = None) -> list[Child]:
        """Tried moves of a node, by default the root: most visits first, then most worth, then lowest number."""
        tree = self.tree
        at = int(tree.cursor[ROOT]) if node is None else node
        if tree.nodes[at, STATUS] != GROWN:
            return []
        first, tried = int(tree.nodes[at, FIRST_EDGE]), int(tree.nodes[at, TRIED])
        unit = int(tree.nodes[at, UNIT])
        order = sorted(
            range(first, first + tried),
            key=lambda e: (
                -int(tree.edges[e, VISITS]),
                -float(tree.weights[e, WORTH] / tree.edges[e, VISITS]),
                int(tree.edges[e, PLACEMENT]),
            ),
        )
        out = []
        for e in order:
            child = int(tree.edges[e, CHILD])
            share, points = self.shares(child)[unit], self.points(child)
            placement, visits = int(tree.edges[e, PLACEMENT]), int(tree.edges[e, VISITS])
            out.append(Child(placement, visits, float(tree.weights[e, PRIOR]), float(share), points, child))
        return out

    def variation(self, node: int, length: int = 8) -> list[tuple[int, int]]:
        """(colour, placement) of the moves thought best from a node on."""
        out: list[tuple[int, int]] = []
        while len(out) < length:
            following = self.children(node)
            if not following:
                break
            out.append((int(self.tree.nodes[node, MOVER]), following[0].placement))
            node = following[0].node
        return out


def _tree(variant_id: str, room: int) -> Tree:
    widest = len(geometry(variant_id).placement_piece)
    return new_tree(variant_id, room + 2, min(room * EDGES_A_VISIT, MOST_EDGES) + widest)


def wanted(allow: Collection[int] | None, avoid: Collection[int]) -> Callable[[int], bool]:
    """Whether a placement is among those allowed and not among those to avoid."""
    return lambda placement: (allow is None or placement in allow) and placement not in avoid
