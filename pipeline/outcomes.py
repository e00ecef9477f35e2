"""Results of replayed games: who won, how the game ended, whether the declared result says the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.facts import ALL_PLACED, CELLS, SINGLE_LAST
from engine.rulesets import Ruleset
from engine.scoring import (
    SCORINGS,
    BatchResults,
    ColourFacts,
    Leaving,
    batch_results,
    points,
    remaining_units,
)
from notation.record import Declared, GameRecord, Move
from pipeline.judged import Group, Stop, is_over, leavings_of, stop_of


@dataclass(frozen=True, slots=True)
class Ending:
    """How one game ended: `stop` of the replay, seats that left with their plies, termination, decided or not."""

    stop: Stop | None
    leavings: list[tuple[Leaving, int]]
    termination: str
    decided: bool

    @property
    def unfinished(self) -> bool:
        """Whether the record, legal as far as it goes, stops before the game does."""
        return self.termination == "unfinished" and self.stop is None


def ending_of(group: Group, game: int) -> Ending:
    """How a game ended.

    It is decided when its end rule says so or all seats (or teams) but one have left. A game whose remaining player has
    waived the penalty has no result: it did not end, and nobody lost it.
    """
    record, rules = group.records[game], group.rules
    stop = stop_of(group, game)
    leavings = leavings_of(record, rules, stop) if game in group.expanded else []
    stated = record.termination
    if not leavings and stop is None and record.declared is not None:
        leavings = _loser_by_declaration(record, rules)
    if stop is not None:
        return Ending(stop, leavings, "unfinished", False)
    left = stated == "abandoned" or (stated is None and any(x.cause == "abandoned" for x, _ in leavings))
    if left and record.penalty_applied is False:
        return Ending(None, leavings, "abandoned", False)
    over = is_over(group, game)
    decided = over or (bool(leavings) and remaining_units(rules, [x for x, _ in leavings]) <= 1)
    if not decided:
        return Ending(None, leavings, "unfinished", False)
    if leavings:
        return Ending(None, leavings, leavings[0][0].cause, True)
    return Ending(None, leavings, "normal", True)


def _loser_by_declaration(record: GameRecord, rules: Ruleset) -> list[tuple[Leaving, int]]:
    """The seat that lost on time and the like where the record names only the winner, in games of two."""
    said = record.declared
    cause = record.termination or (said.termination if said else None)
    if (
        cause in (None, "normal", "unfinished")
        or said is None
        or said.winner not in (0, 1)
        or len(rules.seats) != 2
    ):
        return []
    return [(Leaving(1 - said.winner, str(cause), len(record.events)), _plies(record))]


def _plies(record: GameRecord) -> int:
    return sum(isinstance(event, Move) for event in record.events)


def results_of(group: Group, endings: list[Ending]) -> BatchResults:
    """Results of all games of a group."""
    left = np.full((len(endings), len(group.rules.seats)), -1, np.int64)
    for game, ending in enumerate(endings):
        for leaving, _ in ending.leavings:
            left[game, leaving.seat] = leaving.order
    decided = np.array([ending.decided for ending in endings], bool)
    return batch_results(group.variant, group.rules, group.replay.verdicts.facts, left, decided)


def is_mismatch(group: Group, game: int, places: list[int], totals: list[int]) -> bool | None:
    """Whether the declared result differs from the computed one; None when there is nothing to compare."""
    said = group.records[game].declared
    if said is None or not said.says_something or not any(places):
        return None
    first = [seat for seat, place in enumerate(places) if place == 1]
    if said.winner is not None and said.winner != (first[0] if len(first) == 1 else -1):
        return True
    if said.margin is not None and len(totals) == 2 and said.margin != abs(totals[0] - totals[1]):
        return True
    return bool(said.scores) and not _scores_agree(group, game, said)


def _scores_agree(group: Group, game: int, said: Declared) -> bool:
    """Whether the declared scores, by colour or by seat, are right in any of the scoring tables."""
    facts = [
        ColourFacts(int(f[CELLS]), bool(f[ALL_PLACED]), bool(f[SINGLE_LAST]))
        for f in group.replay.verdicts.facts[game]
    ]
    for table in SCORINGS:
        by_colour = [points(table, group.variant, f) for f in facts]
        by_seat = [sum(by_colour[c] for c in owned) for owned in group.rules.seats]
        if list(said.scores) in (by_colour, by_seat):
            return True
    return False
