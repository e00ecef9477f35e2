"""Where a search ends: positions whose best play is proven, in the words of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.endgame import PASS, Solved, solve
from engine.evaluation import MoveValue, SeatValue
from engine.position import Position
from engine.rulesets import Ruleset
from engine.scoring import units

NODES_A_SIMULATION = 4
"""Positions that the solver may look at for every simulation of the budget: less than half of their time."""

FEW = 60
"""With more legal placements of all colours a proof is not tried: it would hardly ever be found."""


def prove(position: Position, simulations: int, stop: Callable[[], bool] | None = None) -> Solved | None:
    """The proven end of a position, where the budget of a search allows to find it."""
    if simulations == 0 or position.rules.passing == "voluntary":
        return None
    colours = range(len(position.variant.colours))
    if sum(position.mobility(colour) for colour in colours) > FEW or position.is_over:
        return None
    found = solve(position, NODES_A_SIMULATION * simulations, stop)
    return None if found is None or found.best in (None, PASS) else found


def proven_seats(found: Solved, rules: Ruleset) -> tuple[SeatValue, ...]:
    """Values of the seats without any error."""
    size = len(units(rules))
    out = []
    for score, share, place in zip(found.scores, found.shares, found.places, strict=True):
        places = None if place is None else tuple(float(place == p + 1) for p in range(size))
        out.append(SeatValue(float(score), 0.0, 0.0, share, 0.0, places))
    return tuple(out)


def proven_moves(found: Solved, seat: int, searched: Sequence[MoveValue]) -> tuple[MoveValue, ...]:
    """The proven move first, for the seat that makes it, then the others as the search values them."""
    placement = found.variation[0][1]
    share = found.shares[seat]
    exact = 0.0 if share is None else share
    same = [move for move in searched if move.placement == placement]
    empty = MoveValue(placement, 0, 0, 0, 0, 0, 0.0, ())
    best = replace(
        same[0] if same else empty,
        score=float(found.scores[seat]),
        share=exact,
        share_error=0.0,
        bound=exact,
        variation=found.variation,
    )
    return (best, *(move for move in searched if move.placement != placement))
