"""Values of positions: proven by the exact solver or the end of the game, else searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose

from engine.endgame import PASS, solve
from engine.errors import EngineError
from engine.evaluate import evaluate
from engine.scoring import ColourFacts, results, units
from engine.searching import LOOKED_AT
from pipeline.analysis.replay import Station
from pipeline.stopping import check_stop, stop_asked

PROOF_NODES = 10
"""Positions that the exact solver may look at for every simulation of the search."""

FEWEST_NODES, MOST_NODES = 20_000, 10_000_000

KEPT = 2_000
"""Values of early positions that are kept: many games begin alike."""

EARLY = 8
"""Pieces on the board of a position that may well come again."""


@dataclass(frozen=True, slots=True)
class Value:
    """Value of a position by seat, with standard errors; `best` is the placement thought best, None for none."""

    shares: tuple[float | None, ...]
    points: tuple[float, ...]
    share_errors: tuple[float, ...]
    points_errors: tuple[float, ...]
    best: int | None
    proven: bool


class Judge:
    """Values positions with one budget and seed; the same position always gets the same value."""

    def __init__(self, budget: str | int, simulations: int, seed: int) -> None:
        self.budget, self.simulations, self.seed = budget, simulations, seed
        self.nodes = min(max(FEWEST_NODES, PROOF_NODES * simulations), MOST_NODES)
        self.searches = 0
        self._kept: dict[tuple[object, ...], Value] = {}

    def proven(self, station: Station) -> Value | None:
        """The exact value, if the game is over or the solver gets to its end within its budget."""
        position = station.position
        if position.is_over:
            return _exact(station, position.facts, None)
        try:
            found = solve(position, self.nodes, stop_asked)
        except EngineError:  # the game need not end under its rules
            return None
        check_stop()
        if found is None:
            return None
        return _exact(station, found.facts, None if found.best == PASS else found.best)

    def searched(self, station: Station) -> Value:
        """The value by a search."""
        self.searches += 1  # one that is remembered counts too: the figure is the game's, not the process's
        key = _key(station)
        if key is not None and key in self._kept:
            return self._kept[key]
        # Without a search the best move is the best of those that are looked at.
        top = 1 if self.simulations else LOOKED_AT
        # The solver has had its try, with more room than an evaluation gives it.
        found = evaluate(station.position, self.budget, self.seed, top=top, proofs=False, stop=stop_asked)
        check_stop()
        seats = found.seats
        value = Value(
            tuple(seat.share for seat in seats),
            tuple(seat.score for seat in seats),
            tuple(seat.share_error for seat in seats),
            tuple(seat.score_error for seat in seats),
            found.moves[0].placement if found.moves else None,
            found.exact,
        )
        if key is not None and len(self._kept) < KEPT:
            self._kept[key] = value
        return value


def _key(station: Station) -> tuple[object, ...] | None:
    """What names an early position whose past does not matter."""
    position = station.position
    rules = position.rules
    if rules.rounds or rules.shared is not None or station.leavings:
        return None
    if sum(facts.cells_placed for facts in position.facts) > 5 * EARLY:
        return None
    return position.variant.id, rules, position.key


def _exact(station: Station, facts: Sequence[ColourFacts], best: int | None) -> Value:
    position = station.position
    seats = results(position.variant.id, position.rules, facts, station.leavings)
    nothing = (0.0,) * len(seats)
    return Value(
        tuple(seat.share for seat in seats),
        tuple(float(seat.total) for seat in seats),
        nothing,
        nothing,
        best,
        True,
    )


def as_good(station: Station, one: Value, other: Value, seat: int) -> bool:
    """Whether two proven values are worth the same to a seat: share and lead, with more than two sides own points."""
    first, second = one.shares[seat], other.shares[seat]
    if first is None or second is None:
        return isclose(one.points[seat], other.points[seat])
    if not isclose(first, second, abs_tol=1e-9):
        return False
    rules = station.position.rules
    sides = units(rules)
    if len(sides) != 2 or rules.neutral:
        return isclose(one.points[seat], other.points[seat])
    mine = next(side for side in sides if seat in side)
    return isclose(_lead(one, mine), _lead(other, mine))


def _lead(value: Value, side: Sequence[int]) -> float:
    return sum(points if seat in side else -points for seat, points in enumerate(value.points))
