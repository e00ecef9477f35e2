"""Playouts of a position: expected scores, places and territory by playing on at random many times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.errors import EngineError
from engine.facts import FACTS, OUT
from engine.feature_tables import opponents
from engine.geometry import F64, I64, PIECE, Geometry, geometry
from engine.kernel_rules import kernel_rules
from engine.kernels.playouts import Playing, Scratch, Sums, play_outs
from engine.kernels.state import new_state
from engine.position import Position
from engine.rulesets import Ruleset
from engine.scoring import batch_results, units

TRIES = 3
"""Placements that the policy draws, of different shapes, to play the best; see `engine.kernels.playouts`."""

WEIGHTS = {"covered": 10, "lost": -3, "joined": 4, "opened": -2}
"""What a placement is worth to the policy, by the columns of `engine.kernels.playouts.Playing.weights`.

Found by trial on the results of games. That opened liberties count against a move is no slip: random play does not use
them, and shapes that open many of them (the X, the W) do not get anywhere.
"""

NUMBERS = 2**64
"""Seeds and numbers of playouts are below this."""

MOST = 10**8
"""Playouts that one call plays at most."""

_CHUNK = 4096
"""Games whose ends are kept at a time."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """Sums over the ends of playouts. S seats, U seats or teams that have a result, C cells.

    All are whole numbers: the sums of parts add up (``+``) to the same whatever the split.
    """

    games: int
    scores: I64
    """``(S,)`` points of the ruleset's scoring table."""
    squares: I64
    """``(S,)`` their squares."""
    ranks: I64
    """``(S, U, U)`` games by seat, number of those ahead of it, of others level with it; 0 for a neutral seat."""
    territory: I64
    """``(C, colours + 1)`` games in which each colour, last nobody, is on a cell at the end; rows add up to `games`."""

    def __add__(self, other: Playouts) -> Playouts:
        return Playouts(
            self.games + other.games,
            self.scores + other.scores,
            self.squares + other.squares,
            self.ranks + other.ranks,
            self.territory + other.territory,
        )

    @property
    def mean_scores(self) -> F64:
        """Mean points of the seats: ``(S,)``."""
        return self.scores / self.games

    @property
    def spreads(self) -> F64:
        """Standard deviation of the points of the seats over the games: ``(S,)``."""
        # Exact up to the last division: a position that leaves no choice has a spread of 0 and not of rounding errors.
        out: F64 = np.sqrt(self.games * self.squares - self.scores**2) / self.games
        return out

    @property
    def places(self) -> F64:
        """Chance of each place, ties share the better one: ``(S, U)``, NaN for a neutral seat."""
        out: F64 = np.where(self._ranked[:, None], self.ranks.sum(axis=2) / self.games, np.nan)
        return out

    @property
    def shares(self) -> F64:
        """Mean result share of the seats, as in `engine.scoring`: ``(S,)``, NaN for a neutral seat."""
        return self._moment(1)

    @property
    def share_spreads(self) -> F64:
        """Standard deviation of the result share over the games: ``(S,)``, NaN for a neutral seat."""
        return np.sqrt(np.maximum(0, self._moment(2) - self.shares**2))

    @property
    def _ranked(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        out: np.ndarray[tuple[int], np.dtype[np.bool_]] = self.ranks.sum(axis=(1, 2)) > 0
        return out

    def _moment(self, power: int) -> F64:
        ahead, level = np.indices(self.ranks.shape[1:])
        share = 1 - (ahead + level / 2) / (self.ranks.shape[1] - 1)
        means = (self.ranks * share**power).sum(axis=(1, 2)) / self.games
        out: F64 = np.where(self._ranked, means, np.nan)
        return out


def playouts(position: Position, games: int, seed: int = 1, first: int = 0) -> Playouts:
    """Play a position to its end `games` times, by a light random policy; the position stays as it is.

    A game depends on the position, the seed and its number only, `first` and on: any split over workers gives the same
    sums. Nobody passes who can move. Seats that have left come last, all level. A game that is over ends as it is.

    >>> from engine.position import Position
    >>> playouts(Position("duo"), 100).territory.shape
    (196, 3)

    Raises:
        EngineError: no games or too many, or numbers out of range.
    """
    if not 0 < games <= MOST:
        raise EngineError(f"the number of playouts is from 1 to {MOST}, not {games}")
    if not 0 <= seed < NUMBERS:
        raise EngineError(f"a seed is from 0 to 2**64 - 1, not {seed}")
    if not 0 <= first <= NUMBERS - games:
        raise EngineError(f"no such playouts: {games} from number {first} on")
    total = _chunk(position, min(games, _CHUNK), seed, first)
    for start in range(_CHUNK, games, _CHUNK):
        total += _chunk(position, min(games - start, _CHUNK), seed, first + start)
    return total


@cache
def playing(variant_id: str, rules: Ruleset) -> Playing:
    """The policy of playouts for a variant and a ruleset."""
    weights = np.array(list(WEIGHTS.values()), np.int32)
    weights.flags.writeable = False
    nodes = geometry(variant_id).trie.nodes[:, PIECE]
    first_node = np.searchsorted(nodes, np.arange(nodes.max() + 2)).astype(np.int32)
    first_node.flags.writeable = False
    return Playing(TRIES, weights, opponents(variant_id, rules), first_node)


def new_scratch(tables: Geometry, colours: int) -> Scratch:
    """Scratch for the kernels of playouts."""
    nodes, words = len(tables.trie.nodes), len(tables.board_bits)
    shapes, path, grown = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes, np.int8)
    behind = np.zeros(colours, np.int32)
    return Scratch(shapes, path, behind, grown, np.zeros((3, words), np.uint64))


def _chunk(position: Position, games: int, seed: int, first: int) -> Playouts:
    """Playouts whose ends fit into memory."""
    variant_id, rules = position.variant.id, position.rules
    tables = geometry(variant_id)
    start, clock = position.for_kernels()
    colours = len(start.facts)
    sums = Sums(
        np.zeros((games, colours, FACTS), np.int32), np.zeros((len(start.board), colours + 1), np.int64)
    )
    play_outs(
        tables,
        kernel_rules(variant_id, rules),
        playing(variant_id, rules),
        start,
        clock,
        new_state(tables, colours),
        clock.copy(),
        new_scratch(tables, colours),
        np.zeros(1, np.uint64),
        np.uint64(seed),
        np.uint64(first),
        sums,
    )
    gone = [all(start.facts[colour, OUT] for colour in owned) for owned in rules.seats]
    return _summed(variant_id, rules, sums, gone)


def _summed(variant_id: str, rules: Ruleset, sums: Sums, gone: list[bool]) -> Playouts:
    games, members = len(sums.facts), len(units(rules))
    left = np.tile(np.where(gone, 0, -1), (games, 1))
    found = batch_results(variant_id, rules, sums.facts, left, np.ones(games, np.bool_))
    ranks = np.zeros((len(rules.seats), members, members), np.int64)
    for seat in range(len(rules.seats)):
        if found.places[0, seat]:
            ahead = found.places[:, seat].astype(np.int64) - 1
            level = np.rint(2 * ((1 - found.shares[:, seat]) * (members - 1) - ahead)).astype(np.int64)
            np.add.at(ranks[seat], (ahead, level), 1)
    return Playouts(games, found.totals.sum(axis=0), (found.totals**2).sum(axis=0), ranks, sums.territory)
