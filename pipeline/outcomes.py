"""Results of replayed games: who won, how the game ended, whether the declared result says the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.facts import ALL_PLACED, CELLS, SINGLE_LAST
from engine.rulesets import Ruleset
from engine.scoring import (
    BatchResults,
    ColourFacts,
    Leaving,
    batch_results,
    points,
    remaining_units,
    units,
)
from engine.scoring_tables import SCORINGS
from notation.record import CAUSES, Declared, GameRecord, Move
from pipeline.judged import Group, Stop, is_over, leavings_of, stop_of


@dataclass(frozen=True, slots=True)
class Ending:
    """How one game ended: `stop` of the replay, seats that left with their plies, termination, decided or not.

    `ahead` is the seat that is first because the record declares it (-1: none); `waived` says that abandoning cost
    nobody anything.
    """

    stop: Stop | None
    leavings: list[tuple[Leaving, int]]
    termination: str
    decided: bool
    ahead: int = -1
    waived: bool = False

    @property
    def unfinished(self) -> bool:
        """Whether the record, legal as far as it goes, stops before the game does."""
        return self.termination == "unfinished" and self.stop is None


def ending_of(group: Group, game: int) -> Ending:
    """How a game ended.

    It is decided when its end rule says so or all seats (or teams) but one have left. Where no event says who left, a
    declared result decides a game that stopped by time, resignation, leaving or violation: of two seats or teams the
    other one lost; of more seats nobody knows which one left, so the winner is first and the others follow by points,
    unless the end rule has ended the game: then points decide.

    A game whose penalty for leaving was waived has no result: it did not end, and nobody lost it. Our reading for three
    or four seats: when others played it to the end rule's end, points decide as if nobody had left.
    """
    record, rules = group.records[game], group.rules
    stop = stop_of(group, game)
    leavings = leavings_of(record, rules, stop) if game in group.expanded else []
    if stop is not None:
        return Ending(stop, leavings, "unfinished", False)
    over = is_over(group, game) or _is_called_over(record, rules)
    remaining = remaining_units(rules, [x for x, _ in leavings])
    declared = None if leavings else _declared_winner(record, rules)
    if declared is not None and len(units(rules)) == 2:
        leavings = _losers(record, rules, *declared)
    if _is_waived(record, leavings):
        played_on = over and remaining > 1 and len(rules.seats) > 2
        return Ending(None, leavings, "abandoned", played_on, waived=True)
    if leavings and (over or remaining <= 1 or declared is not None):
        return Ending(None, leavings, leavings[0][0].cause, True)
    if over:
        return Ending(None, leavings, "normal", True)
    if declared is not None:
        winner, cause = declared
        return Ending(None, [], cause, True, winner)
    return Ending(None, leavings, "unfinished", False)


def _is_called_over(record: GameRecord, rules: Ruleset) -> bool:
    """Whether the record says that its game ended as it should, under a rule that leaves the last round open.

    Programs that referee by `max_rounds` differ about the last round: one stops when its counter reaches N.
    """
    return rules.end == "max_rounds" and record.termination == "normal"


def _declared_winner(record: GameRecord, rules: Ruleset) -> tuple[int, str] | None:
    """The declared winner and why the game stopped; None where the declared result decides nothing."""
    said = record.declared
    if said is None or said.winner is None:
        return None
    cause = record.termination or said.termination
    if cause not in CAUSES or not any(said.winner in unit for unit in units(rules)):
        return None
    return said.winner, cause


def _losers(record: GameRecord, rules: Ruleset, winner: int, cause: str) -> list[tuple[Leaving, int]]:
    """The seats of the other side, where the record names only the winner."""
    order, plies = len(record.events), _plies(record)
    losers = next(unit for unit in units(rules) if winner not in unit)
    return [(Leaving(seat, cause, order), plies) for seat in losers]


def _is_waived(record: GameRecord, leavings: list[tuple[Leaving, int]]) -> bool:
    """Whether somebody left and the penalty was waived."""
    stated = record.termination
    left = stated == "abandoned" or (stated is None and any(x.cause == "abandoned" for x, _ in leavings))
    return left and record.penalty_applied is False


def _plies(record: GameRecord) -> int:
    return sum(isinstance(event, Move) for event in record.events)


def results_of(group: Group, endings: list[Ending]) -> BatchResults:
    """Results of all games of a group."""
    left = np.full((len(endings), len(group.rules.seats)), -1, np.int64)
    for game, ending in enumerate(endings):
        for leaving, _ in ending.leavings:
            if ending.waived and leaving.cause == "abandoned":
                continue
            left[game, leaving.seat] = leaving.order
    decided = np.array([ending.decided for ending in endings], bool)
    ahead = np.array([ending.ahead for ending in endings], np.int64)
    return batch_results(group.variant, group.rules, group.replay.verdicts.facts, left, decided, ahead)


def is_mismatch(group: Group, game: int, places: list[int], totals: list[int]) -> bool | None:
    """Whether the declared result differs from the computed one; None when there is nothing to compare."""
    said = group.records[game].declared
    if said is None or not said.says_something or not any(places):
        return None
    first = tuple(seat for seat, place in enumerate(places) if place == 1)
    won = first in units(group.rules)  # otherwise several share the first place
    if said.winner is not None and (said.winner not in first if won else said.winner != -1):
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
