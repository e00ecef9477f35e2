"""A slow, obvious twin of the exact solver: plain recursion over `Position`, no table, no bounds."""

from __future__ import annotations

from dataclasses import dataclass

from engine.endgame import PASS
from engine.position import Position
from engine.rulesets import Ruleset
from engine.scoring import results, units


class TooLong(Exception):
    """More positions than the test has time for."""


@dataclass
class Naive:
    """Best play by trying everything; `nodes` counts positions, `most` of them are allowed."""

    most: int
    nodes: int = 0

    def end(self, position: Position) -> tuple[int, ...]:
        """Points of the seats after best play."""
        self.nodes += 1
        if self.nodes > self.most:
            raise TooLong
        if position.is_over:
            return tuple(seat.total for seat in results(position.variant.id, position.rules, position.facts))
        mover = position.to_move
        assert mover is not None
        seat = chooser(position, mover)
        ends = [self.end(after(position, mover, move)) for move in moves(position, mover)]
        return max(ends, key=lambda end: wish(position, seat, end))  # the first of equal ones


def moves(position: Position, colour: int) -> list[int]:
    """Placements by number, a pass last."""
    found: list[int] = position.legal_placements(colour).tolist()
    begun = position.facts[colour].cells_placed > 0
    return found + [PASS] * (position.rules.passing == "voluntary" and begun)


def after(position: Position, colour: int, move: int) -> Position:
    twin = position.copy()
    twin._play(colour, move)
    return twin


def chooser(position: Position, colour: int) -> int:
    rules = position.rules
    for seat, owned in enumerate(rules.seats):
        if colour in owned:
            return seat
    pieces = position._geometry.pieces[:, 1].sum() - sum(position.pieces_left(colour).values())
    order = [(pieces + step) % len(rules.seats) for step in range(len(rules.seats))]
    return int(next(seat for seat in order if seat not in gone(position)))


def gone(position: Position) -> list[int]:
    seats = enumerate(position.rules.seats)
    return [seat for seat, owned in seats if position._state.facts[owned[0], 4]]


def shares(position: Position, end: tuple[int, ...]) -> list[float]:
    """Result of each seat when everybody who has left is last; 0 for a neutral seat."""
    rules: Ruleset = position.rules
    low = min(end) - 1
    still = [low if seat in gone(position) else total for seat, total in enumerate(end)]
    out = [0.0] * len(end)
    members = [seat for unit in units(rules) for seat in unit]
    for seat in members:
        others = [still[other] for other in members if other != seat]
        out[seat] = sum(still[seat] > o for o in others) + sum(still[seat] == o for o in others) / 2
    return out


def wish(position: Position, seat: int, end: tuple[int, ...]) -> tuple[float, ...]:
    """What a seat looks at, in this order."""
    sides = units(position.rules)
    if len(sides) == 2 and not position.rules.neutral:
        mine = next(side for side in sides if seat in side)
        return (float(sum(total if s in mine else -total for s, total in enumerate(end))),)
    return shares(position, end)[seat], float(end[seat]), float(end[seat] - sum(end))
