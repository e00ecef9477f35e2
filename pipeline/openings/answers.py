"""The explorer's answers: out of sums where a snapshot has them, else game by game, to the same figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.position_keys import Key
from pipeline.game_selection import Selection, uses_sums
from pipeline.openings.moves import Places, Tally
from pipeline.openings.questions import Question
from pipeline.openings.sums import Sums
from pipeline.store import Reader


class Answers:
    """Answers about some positions (with their images); `start` bounds the games to a start rule."""

    def __init__(
        self,
        reader: Reader,
        places: Places,
        wanted: Selection,
        start: str | None,
        ratings: Mapping[str, float] | None,
    ) -> None:
        self._rated: Question | None = None
        self._games = Question(reader, places, wanted, start, ratings)
        self._parts: list[Question | Sums] = [self._games]
        if not uses_sums(reader, wanted):
            return
        sums = Sums(reader, places, wanted, start)
        set_up = sums.set_up_games()
        if set_up is None:
            return
        self._parts = [sums]
        if set_up:
            # Without ratings: those of all games are asked for together.
            self._parts.append(Question(reader, places, wanted, start, None, set_up=True))
        self._rated = self._games if ratings else None

    def played(self, scoring: str) -> list[dict[str, Any]]:
        """Rows of what was played from there, see `Question.played`; of one move there may be several.

        Raises:
            PipelineError: there is no such scoring table.
        """
        rows = [row for part in self._parts for row in part.played(scoring)]
        if self._rated is not None:
            rows += self._rated.rated()
        return rows

    def reached(self, tallies: Sequence[Tally]) -> list[int]:
        """Games that have the position after each move, or an image of it that counts."""
        keys: list[tuple[int, Key]] = [(n, key) for n, tally in enumerate(tallies) for key in tally.keys]
        if not keys:
            return []
        counts = [part.reached(keys) for part in self._parts]
        return [sum(count.get(number, 0) for count in counts) for number in range(len(tallies))]

    def other_start_rule(self) -> int:
        """Games that the start rule leaves out."""
        return self._games.other_start_rule()
