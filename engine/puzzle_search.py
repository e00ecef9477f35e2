"""What searches for puzzles share: how long they may take, and what they come back with."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.puzzle_kinds import Placed, Puzzle

SOLVED, IMPOSSIBLE, ENDED = "solved", "impossible", "ended"
"""How a search ends: with a solution; with the proof that there is none; without an answer."""

VERSION = "2"
"""Of the searches: another version may find other solutions from the same seed."""


@dataclass(slots=True)
class Clock:
    """A budget in seconds, running from the beginning; `tell` is told how far a search is, in words."""

    seconds: float
    tell: Callable[[str], None] = lambda words: None
    began: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    @property
    def over(self) -> bool:
        """Whether the budget is spent."""
        return self.spent >= self.seconds


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found. `note` says for people how it ended; `pieces` are in order of play, empty without solution.

    `work` counts positions or placements that were looked at; `attempts` the searches from the start, each with its
    own random order.
    """

    status: str
    pieces: tuple[Placed, ...] = ()
    note: str = ""
    attempts: int = 0
    work: int = 0


def remaining(puzzle: Puzzle, given: Sequence[Placed], colour: int | None = None) -> Counter[str]:
    """Copies of pieces that are not yet on the board: of a colour, or (None) of a tiling."""
    left = Counter(puzzle.bag)
    left.subtract(placed.piece for placed in given if colour is None or placed.colour == colour)
    return Counter({name: copies for name, copies in left.items() if copies > 0})
