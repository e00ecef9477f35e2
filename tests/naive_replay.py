"""The slow twin of `engine.replay`: events one by one on a `tests.naive.Game`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.naive import Cells, Game

PASS = "pass"
LEAVE = "leave"
ANYBODY = -1

Event = tuple[int, Cells | str | None]
"""(colour or ANYBODY, cells, None for cells off the board, PASS or LEAVE)."""


@dataclass
class Outcome:
    """What the replay of a game says; `passes` are (turn, plies before it, colour, kind, recorded)."""

    events: list[tuple[str, int, int]] = field(default_factory=list)
    passes: list[tuple[int, int, int, str, bool]] = field(default_factory=list)
    identities: list[tuple[Any, ...] | None] = field(default_factory=list)
    stop: int | None = None


def _colour(game: Game, colour: int, what: Cells | str | None) -> int:
    if colour != ANYBODY:
        return colour
    if what == PASS:
        n = len(game.colours)
        return next(
            (c % n for c in range(game.nominal, game.nominal + n) if c % n not in game.out), game.nominal
        )
    mover = game.to_move()
    return game.nominal if mover is None else mover


class Twin:
    """Replays one game."""

    def __init__(self, game: Game, strict: bool = False) -> None:
        self.game, self.strict = game, strict
        self.said = Outcome()
        self.since: list[tuple[int, int, int, str, bool]] = []
        """Passes since the last placement."""

    def let_go_by(self, recorded: bool) -> tuple[int, int, int, str, bool]:
        game = self.game
        colour = game.nominal
        row = (game.turn + 1, game.plies, colour, game.pass_kind(colour), recorded)
        game.turn += 1
        game.nominal = (colour + 1) % len(game.colours)
        return row

    def is_refused(self, rows: list[tuple[int, int, int, str, bool]]) -> bool:
        return self.strict and any(row[3] == "unforced" for row in rows)

    def skip(self, colour: int) -> tuple[str, int]:
        """(verdict, turn) of a recorded pass."""
        game = self.game
        turn, nominal = game.turn, game.nominal
        rows = []
        while game.nominal != colour:
            rows.append(self.let_go_by(False))
        rows.append(self.let_go_by(True))
        mine = game.turn
        if self.is_refused(rows):
            game.turn, game.nominal = turn, nominal
            return "unforced_pass", mine
        self.since += rows
        return "legal", mine

    def play(self, colour: int, cells: Cells | None) -> tuple[str, int]:
        """(verdict, turn) of a placement."""
        game = self.game
        turn, nominal = game.turn, game.nominal
        reason = game.verdict(colour, cells)
        skipped = []
        while game.nominal != colour:
            skipped.append(self.let_go_by(False))
        mine = game.turn + 1
        if reason == "legal" and self.is_refused(skipped):
            reason = "unforced_pass"
        if reason != "legal" or cells is None:
            game.turn, game.nominal = turn, nominal
            return reason, mine
        game.turn += 1
        game.put(colour, cells)
        game.nominal = (colour + 1) % len(game.colours)
        self.said.passes += self.since + skipped
        self.since = []
        return reason, mine

    def event(self, colour: int, what: Cells | str | None) -> tuple[str, int, int]:
        game = self.game
        if what == LEAVE:
            game.out.add(colour)
            return "legal", game.turn, colour
        colour = _colour(game, colour, what)
        if what == PASS:
            return (*self.skip(colour), colour)
        assert not isinstance(what, str)
        return (*self.play(colour, what), colour)

    def replay(self, events: Sequence[Event]) -> Outcome:
        said = self.said
        for index, (colour, what) in enumerate(events):
            plies = self.game.plies
            if said.stop is not None:
                row = ("not_reached", 0, colour)
            elif not self.game.fits:
                row = ("bad_setup", 0, colour)
            else:
                row = self.event(colour, what)
            said.events.append(row)
            said.identities.append(self.game.identity() if self.game.plies > plies else None)
            if row[0] != "legal" and said.stop is None:
                said.stop = index
        said.passes += [row for row in self.since if row[4] or row[3] == "unforced"]
        return said
