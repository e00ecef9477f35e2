"""Equal CPU time in a match: our simulations, adjusted from game to game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Protocol

from pipeline.errors import PipelineError

if TYPE_CHECKING:
    from pipeline.match.contestant import Contestant
    from pipeline.match.match import GameRow, Plan

_STEP = 1.5
"""Simulations of a game are at most so many times more or fewer than those of the one before."""

_RECENT = 20
"""Games from which the cost of a simulation is estimated."""


class Row(Protocol):
    """What of a finished game counts here, see `pipeline.match.match.GameRow`."""

    @property
    def cpu(self) -> tuple[float, float]: ...  # noqa: D102

    @property
    def total_cpu(self) -> tuple[float, float]: ...  # noqa: D102

    @property
    def simulations(self) -> int | None: ...  # noqa: D102


def balanced_simulations(rows: Sequence[Row], side: int, games: int, most: int = 10**8) -> int | None:
    """Simulations a move for the next of `games` games so that both engines end with the same total CPU time.

    Spread over the games that are left is what the other engine is going to have used at the end, less what this one
    has used; a game's CPU time is taken to be proportional to its simulations. None before the first game with moves.
    """
    used = [(row.simulations, row.cpu[side]) for row in rows if row.simulations and row.cpu[side] > 0]
    left = games - len(rows)
    if not used or left < 1:
        return None
    before = used[-1][0]
    cost = median(cpu / n for n, cpu in used[-_RECENT:])
    theirs = rows[-1].total_cpu[1 - side]
    theirs += left * sum(row.cpu[1 - side] for row in rows) / len(rows)
    wanted = (theirs - rows[-1].total_cpu[side]) / left / cost
    return int(min(most, max(1, round(min(before * _STEP, max(before / _STEP, wanted))))))


@dataclass(slots=True)
class Balance:
    """What is adjusted before a game: nothing, or the simulations of the engine that is ours."""

    side: int | None
    contestants: Sequence[Contestant]
    wanted: int | None
    simulations: int | None = None

    @classmethod
    def of(cls, plan: Plan, contestants: Sequence[Contestant], rows: Sequence[GameRow]) -> Balance:
        """The adjustment before the next game.

        Raises:
            PipelineError: equal CPU time is asked for, and neither engine is ours.
        """
        if not plan.balance:
            return cls(None, contestants, None)
        side = next((i for i, c in enumerate(contestants) if c.side.ours), None)
        if side is None:
            raise PipelineError(
                "equal CPU time is reached by adjusting our own engine: neither of these is it"
            )
        return cls(side, contestants, balanced_simulations(rows, side, plan.games))

    def adjust(self) -> None:
        """Set the simulations, once the engines have said what theirs are."""
        if self.side is None:
            return
        contestant = self.contestants[self.side]
        if self.wanted is not None:
            contestant.simulations, contestant.adjusted = self.wanted, True
        self.simulations = contestant.simulations
