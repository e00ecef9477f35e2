"""Which turns of a text in shorthand belong together: its lines sorted into games and lists of pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from notation.record import Problem
from notation.shorthand_lines import BROKEN, Play, Turn, read_line

LAST_TURN = 42
"""A larger number begins no turn: a colour has 21 pieces."""

VARIATIONS = 1000
"""Variations that are read of a text: each repeats the turns before it."""


class Said(NamedTuple):
    """A play with the number of its turn (0 without), its colour (-1 unknown) and the index of its line."""

    turn: int
    colour: int
    play: Play
    line: int


@dataclass(slots=True)
class Sequence:
    """Turns that belong together; `first` is the index of the first line, `end` that behind the last.

    `stop` is the index of the line from where on it could not be read, -1 where it could; `gap` says that a turn is
    missing there. `refused` says why it is no sequence at all; `texts` are the lines of text around it.
    """

    first: int
    plays: list[Said] = field(default_factory=list)
    players: list[str | None] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    stop: int = -1
    gap: Problem | None = None
    end: int = 0
    texts: list[int] = field(default_factory=list)
    refused: str = ""

    @property
    def last_turn(self) -> int:
        """Number of the last turn; 0 where turns have no numbers."""
        return self.plays[-1].turn if self.plays else 0


def sequences(lines: list[str]) -> list[Sequence]:
    """Return the sequences of a text."""
    return _Sorter(lines).found


class _Sorter:
    def __init__(self, lines: list[str]) -> None:
        self.found: list[Sequence] = []
        self._players: list[str | None] = [None, None]
        self._texts: list[int] = []
        self._variations = 0
        for at, text in enumerate(lines):
            line = read_line(text)
            if line.player is not None:
                self._players[line.player[0]] = line.player[1]
            taken = [self._turn(turn, at) for turn in line.turns]
            if line.rest or not all(taken):
                (self.found[-1].texts if self.found else self._texts).append(at)
        for sequence, following in zip(self.found, self.found[1:], strict=False):
            sequence.end = following.first
        if self.found:
            self.found[-1].end = len(lines)

    def _turn(self, turn: Turn, at: int) -> bool:
        """Take a turn; False when it is part of the text around."""
        last = self.found[-1] if self.found else None
        if turn.number > LAST_TURN:
            return False
        if turn.number == 0:
            sequence = self._without_number(turn, last, at)
        elif turn.number == 1:
            sequence = self._first(turn.plays[0], at)
        elif last is None or (last.plays and last.last_turn == 0):
            sequence = None if turn.plays[0].name == BROKEN else self._begin(at)
            if sequence is not None:
                sequence.refused = f"turn {turn.number} comes first: those before it are missing"
        elif last.refused or (last.stop >= 0 and turn.number > last.last_turn):
            return True  # goes with what is refused or kept as text
        else:
            sequence = self._with_number(turn, last, at)
        if sequence is None:
            return False
        for place, play in enumerate(turn.plays):
            colour = place if turn.number else turn.colour
            sequence.plays.append(Said(turn.number, colour, play, at))
            if play.name == BROKEN:
                sequence.stop = at
        return True

    def _first(self, play: Play, at: int) -> Sequence | None:
        """The sequence that turn 1 begins; `1. I - think` is text."""
        if play.name != BROKEN:
            return self._begin(at)
        if "(" in play.text:
            self._begin(at).refused = f"the first move cannot be read: {play.text[:40]!r}"
        return None

    def _without_number(self, turn: Turn, last: Sequence | None, at: int) -> Sequence | None:
        """The sequence of a turn without number: among numbered turns such a move is part of the text."""
        if last is not None and last.stop < 0 and not last.refused:
            return None if last.last_turn else last
        return None if turn.plays[0].name == BROKEN else self._begin(at)

    def _with_number(self, turn: Turn, last: Sequence, at: int) -> Sequence | None:
        """The sequence of a turn with a number: the next one, or one that begins a variation."""
        due = last.last_turn + 1
        if turn.number == due:
            return last
        if turn.plays[0].name == BROKEN:
            return None
        if turn.number > due:
            last.stop = at
            message = f"turn {turn.number} follows turn {due - 1}: the rest is kept as text"
            last.gap = Problem("missing_turn", message, at, len(last.plays) + 1)
            return None
        sequence = self._begin(at)
        self._variations += 1
        if self._variations > VARIATIONS:
            sequence.refused = f"more than {VARIATIONS} variations: up to the next turn 1 nothing is read"
            return None
        sequence.plays = [said for said in last.plays if said.turn < turn.number]
        sequence.players = sequence.players or list(last.players)
        message = f"a variation: the turns before {turn.number} are those of the moves above"
        sequence.problems.append(Problem("variation", message, at))
        return sequence

    def _begin(self, at: int) -> Sequence:
        sequence = Sequence(at, texts=self._texts)
        if any(self._players):
            sequence.players, self._players = self._players, [None, None]
        self._texts = []
        self.found.append(sequence)
        return sequence
