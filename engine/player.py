"""A player: chooses moves, and keeps what it has searched from move to move."""

from __future__ import annotations

import numpy as np

from engine.budgets import MOST
from engine.errors import EngineError
from engine.facts import OUT
from engine.geometry import I64, placement_cells
from engine.kernels.moving import NEXT, TURNS
from engine.kernels.tree import CHILD, FIRST_EDGE, GROWN, MOVER, PLACEMENT, ROOT, STATUS, TRIED
from engine.position import Position
from engine.proofs import prove
from engine.rulesets import Ruleset
from engine.searching import LOOKED_AT, Search

LOOKS, LEAST = 16, 20
"""How often it is looked whether the best move is settled, and how many simulations there are between two looks."""

ROOM = 4
"""Searches that a tree has room for: what is kept from earlier moves, and the one to come."""


class Player:
    """Plays one game at a time, whatever colours it is asked for.

    >>> from engine.position import Position
    >>> start = Position("duo")
    >>> Player("duo", start.rules).choose(start, 50) in start.legal_placements(0)
    True
    """

    def __init__(self, variant_id: str, rules: Ruleset, seed: int = 1) -> None:
        """Start without a tree; the same seed and the same questions give the same moves."""
        self.variant_id, self.rules, self.seed = variant_id, rules, seed
        self._search: Search | None = None
        self._board = np.zeros(0, np.int8)
        self._gone: list[int] = []

    def choose(self, position: Position, simulations: int) -> int:
        """Return the placement to play, after so many simulations beyond those kept from earlier moves.

        There are fewer where they could not change the choice any more.

        With 0 simulations the moves of the best priors are valued without a search.

        Raises:
            EngineError: the game is over, it is one of another variant or ruleset, or no number of simulations.
        """
        if not 0 <= simulations <= MOST:
            raise EngineError(f"a player needs 0 to {MOST:,} simulations, not {simulations:,}")
        if (position.variant.id, position.rules) != (self.variant_id, self.rules):
            raise EngineError(f"this player plays {self.variant_id} under other rules than the position's")
        search = self._kept(position, simulations)
        if search is None:
            search = Search(position, self.seed, max(simulations, LOOKED_AT) * ROOM)
        self._search, self._board, self._gone = search, position.board, _gone(position)
        if search.over:
            raise EngineError("nobody can move: the game is over")
        proven = prove(position, simulations)
        if proven is not None and proven.best is not None:
            return proven.best
        if simulations == 0:
            search.look(LOOKED_AT)
            return max(search.children(), key=lambda child: (child.share, -child.placement)).placement
        _choose(search, simulations)
        return search.children()[0].placement

    def _kept(self, position: Position, simulations: int) -> Search | None:
        """The last search, moved on to the position, if it led there and has room for more."""
        search = self._search
        if search is None or search.over or simulations == 0 or self._gone != _gone(position):
            return None
        node = self._follow(search, position)
        if node is None or not search.move_root(position, node, simulations):
            return None
        return search

    def _follow(self, search: Search, position: Position) -> int | None:
        """The node of the tree that the moves since the last search lead to."""
        board = position.board
        covered = np.flatnonzero(board != self._board)
        if (self._board[covered] != -1).any():
            return None
        new = {
            int(colour): set(covered[board[covered] == colour].tolist())
            for colour in np.unique(board[covered])
        }
        node, clock = int(search.tree.cursor[ROOT]), search.clock.copy()
        while new:
            colour = int(search.tree.nodes[node, MOVER])
            cells = new.pop(colour, None)
            found = None if cells is None else self._child(search, node, cells)
            if found is None:
                return None
            node = found
            clock[TURNS] = _turn(clock, colour, len(position.variant.colours))
            clock[NEXT] = colour + 1
        colour = int(search.tree.nodes[node, MOVER])
        turns = [
            _turn(at, colour, len(position.variant.colours)) for at in (clock, position.for_kernels()[1])
        ]
        # Who passes and need not changes nothing on the board, but whose turn it is, and how many are left.
        return node if colour == position.to_move and turns[0] == turns[1] else None

    @staticmethod
    def _child(search: Search, node: int, cells: set[int]) -> int | None:
        tree = search.tree
        if tree.nodes[node, STATUS] != GROWN:
            return None
        first = int(tree.nodes[node, FIRST_EDGE])
        for edge in range(first, first + int(tree.nodes[node, TRIED])):
            if set(placement_cells(search.game.geometry, int(tree.edges[edge, PLACEMENT]))) == cells:
                return int(tree.edges[edge, CHILD])
        return None


def _choose(search: Search, simulations: int) -> None:
    """Search until so many simulations more could not change which move is visited most."""
    goal = search.visits + simulations
    step = max(LEAST, simulations // LOOKS)
    while search.visits < goal:
        before = search.visits
        search.run(min(goal, before + step))
        if search.visits == before or search.lead > goal - search.visits:
            break


def _gone(position: Position) -> list[int]:
    """Colours that have left the game."""
    facts = position.for_kernels()[0].facts
    return np.flatnonzero(facts[:, OUT]).tolist()


def _turn(clock: I64, colour: int, colours: int) -> int:
    """Turn in which a colour makes the next move."""
    return int(clock[TURNS] + (colour - clock[NEXT]) % colours + 1)
