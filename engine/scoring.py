"""Points by the scoring tables, totals of seats and teams, places and shares.

Facts of a colour are cells placed, everything placed, single cell last; every table is computed from them
(rule page, "Scoring").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.facts import ALL_PLACED, CELLS, SINGLE_LAST
from engine.pieces import PIECE_SETS
from engine.rulesets import Ruleset
from engine.scoring_tables import SCORINGS
from engine.variants import variant


@dataclass(frozen=True, slots=True)
class ColourFacts:
    """What is stored of a colour at the end of a game or at a ply."""

    cells_placed: int
    all_placed: bool = False
    single_last: bool = False


@dataclass(frozen=True, slots=True)
class Leaving:
    """A seat left the game: `order` grows with time; the later, the better its place."""

    seat: int
    cause: str
    order: int


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Result of a seat. `total` in points of the ruleset's table; `place` from 1, ties share it; `share` from 0 to 1.

    Place and share are None when the game has no result or the seat is neutral.
    """

    total: int
    place: int | None
    share: float | None


def cells_of_set(variant_id: str) -> int:
    """Cells of all pieces of one colour: 89, Junior 88, triangles 110."""
    return PIECE_SETS[variant(variant_id).pieces].cells


def points(scoring: str, variant_id: str, facts: ColourFacts) -> int:
    """Points of a colour by a scoring table.

    >>> points("board", "duo", ColourFacts(54))
    -35
    """
    table = SCORINGS[scoring]
    left = cells_of_set(variant_id) - facts.cells_placed
    bonus = 0
    if facts.all_placed:
        bonus = table.single_last if facts.single_last else table.all_placed
    return table.placed * facts.cells_placed + table.left * left + bonus


def units(rules: Ruleset) -> list[tuple[int, ...]]:
    """Seats that share a result: the teams, or every seat that is not neutral for itself."""
    if rules.teams:
        return list(rules.teams)
    return [(seat,) for seat in range(len(rules.seats)) if seat not in rules.neutral]


def remaining_units(rules: Ruleset, leavings: Sequence[Leaving]) -> int:
    """How many seats or teams are still in; a team is out when all its seats are."""
    gone = {leaving.seat for leaving in leavings}
    return sum(not all(seat in gone for seat in unit) for unit in units(rules))


class BatchResults(NamedTuple):
    """Results of G games and S seats. Places and shares of undecided games and neutral seats are 0 and NaN."""

    totals: npt.NDArray[np.int64]  # (G, S) points of the ruleset's table
    places: npt.NDArray[np.int8]  # (G, S) from 1, ties share it
    shares: npt.NDArray[np.float64]  # (G, S)


def _totals(variant_id: str, rules: Ruleset, facts: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """Points of the seats: ``(G, S)``."""
    table = SCORINGS[rules.scoring]
    placed = facts[:, :, CELLS].astype(np.int64)
    bonus = np.where(facts[:, :, SINGLE_LAST] > 0, table.single_last, table.all_placed)
    points = table.placed * placed + table.left * (cells_of_set(variant_id) - placed)
    points = points + np.where(facts[:, :, ALL_PLACED] > 0, bonus, 0)
    return np.stack([points[:, list(owned)].sum(axis=1) for owned in rules.seats], axis=1)


def _ranks(
    members: list[tuple[int, ...]],
    totals: npt.NDArray[np.int64],
    left: npt.NDArray[np.integer[Any]],
    ahead: npt.NDArray[np.integer[Any]] | None,
) -> npt.NDArray[np.int64]:
    """One number a seat or team, greater is better: everybody still in is ahead of everybody who left."""
    unit_totals = np.stack([totals[:, list(unit)].sum(axis=1) for unit in members], axis=1)
    unit_left = np.stack([left[:, list(unit)] for unit in members], axis=1)
    out = (unit_left >= 0).all(axis=2)
    rank = np.where(out, unit_left.max(axis=2) - (1 << 40), unit_totals)
    if ahead is not None:
        first = np.stack([np.isin(ahead, unit) for unit in members], axis=1)
        rank = np.where(first, 1 << 40, rank)
    return rank


def batch_results(
    variant_id: str,
    rules: Ruleset,
    facts: npt.NDArray[np.integer[Any]],
    left: npt.NDArray[np.integer[Any]],
    decided: npt.NDArray[np.bool_],
    ahead: npt.NDArray[np.integer[Any]] | None = None,
) -> BatchResults:
    """Results of a batch.

    Args:
        variant_id: the variant of all games.
        rules: their ruleset.
        facts: ``(G, colours, 3 or more)`` cells placed, pieces placed, everything placed, single cell last.
        left: ``(G, S)`` when a seat left the game, growing with time; -1 for those that did not.
        decided: ``(G,)`` whether the game has a result.
        ahead: ``(G,)`` the seat that is first (with its team) whatever the points, -1 where there is none.

    Those still in come first, by points; then those that left, the later the better. The share is 1 for a sole win and
    0 for a sole last place; tied seats share the mean of their ranks: ``1 - (better + (tied - 1) / 2) / (n - 1)``
    for n seats (or teams).
    """
    totals = _totals(variant_id, rules, facts)
    members = units(rules)
    rank = _ranks(members, totals, left, ahead)
    better = (rank[:, None, :] > rank[:, :, None]).sum(axis=2)
    tied = (rank[:, None, :] == rank[:, :, None]).sum(axis=2)
    places = np.zeros(totals.shape, np.int8)
    shares = np.full(totals.shape, np.nan)
    share = 1 - (better + (tied - 1) / 2) / (len(members) - 1)
    for u, unit in enumerate(members):
        for seat in unit:
            places[:, seat] = np.where(decided, better[:, u] + 1, 0)
            shares[:, seat] = np.where(decided, share[:, u], np.nan)
    return BatchResults(totals, places, shares)


def results(
    variant_id: str,
    rules: Ruleset,
    facts: Sequence[ColourFacts],
    leavings: Sequence[Leaving] = (),
    decided: bool = True,
) -> list[SeatResult]:
    """Result of every seat of one game, see `batch_results`; `decided` false gives totals only."""
    columns = [[(f.cells_placed, 0, f.all_placed, f.single_last) for f in facts]]
    left = np.full((1, len(rules.seats)), -1)
    for leaving in leavings:
        left[0, leaving.seat] = leaving.order
    batch = batch_results(variant_id, rules, np.array(columns, np.int64), left, np.array([decided]))
    return [
        SeatResult(int(total), int(place) or None, None if place == 0 else float(share))
        for total, place, share in zip(batch.totals[0], batch.places[0], batch.shares[0], strict=True)
    ]
