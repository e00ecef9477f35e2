"""A stored game played again, position by position, for its moves to be judged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from engine.position import Position
from engine.rulesets import Ruleset, parse_rules
from engine.scoring import Leaving
from notation.position_text import parse_position


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, by seat; None for a neutral seat."""

    shares: tuple[float | None, ...]
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A placement: colour and seat from 0; no seat where a shared colour is played for one that left."""

    colour: int
    placement: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """What the library knows of a game, as far as its moves depend on it.

    `leaving` are (plies before it, seat from 0, cause) in order, `passes` (plies before it, colour from 0) those that
    were not forced. `replaces`: the library has an analysis of it, which is made again.
    """

    number: int
    variant: str
    rules_text: str
    setup: str | None
    moves: tuple[PlayedMove, ...]
    leaving: tuple[tuple[int, int, str], ...]
    passes: tuple[tuple[int, int], ...]
    result: Result | None
    fingerprint: str
    replaces: bool = False

    @property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return _parsed(self.variant, self.rules_text)


@cache
def _parsed(variant_id: str, rules: str) -> Ruleset:
    return parse_rules(variant_id, json.loads(rules))


@dataclass(frozen=True, slots=True)
class Station:
    """A position of a game, and who had left by then, in order."""

    position: Position
    leavings: tuple[Leaving, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """All positions of a game in order; the move of ply n leads from `before[n - 1]` to `after[n - 1]`.

    The two are neighbours, and the station after a move is the one before the next, unless somebody left or passed of
    his own will in between.
    """

    stations: list[Station]
    before: list[int]
    after: list[int]


def replayed(game: StoredGame) -> Replayed:
    """Play a game as it is stored."""
    setup = parse_position(game.setup) if game.setup else None
    pieces = [(piece.colour, piece.placement) for piece in setup.pieces] if setup else []
    position = Position(game.variant, game.rules, pieces, (setup.to_move if setup else 0) or 0)
    leavings: list[Leaving] = []
    out = Replayed([Station(position.copy())], [], [])
    for ply, move in enumerate(game.moves):
        if _between(game, position, ply, leavings, move.colour):
            out.stations.append(Station(position.copy(), tuple(leavings)))
        out.before.append(len(out.stations) - 1)
        position._play(move.colour, move.placement)
        out.stations.append(Station(position.copy(), tuple(leavings)))
        out.after.append(len(out.stations) - 1)
    return out


def _between(game: StoredGame, position: Position, plies: int, leavings: list[Leaving], mover: int) -> bool:
    """Let happen what is no placement, until it is the mover's turn; whether anything did."""
    happened = False
    for at, seat, cause in game.leaving:
        if at == plies:
            position.leave(seat)
            leavings.append(Leaving(seat, cause, len(leavings)))
            happened = True
    for at, colour in game.passes:
        if at == plies and position.to_move is not None:
            position.pass_turn(colour)
            happened = True
    for _ in position.variant.colours:
        # A record that goes on with another colour means that those before it passed.
        if position.to_move in (mover, None):
            break
        position.pass_turn(position.to_move or 0)
        happened = True
    return happened
