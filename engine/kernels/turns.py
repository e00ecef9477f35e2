"""Whose turn it is: turn slots, forced passes, ends of games."""

from __future__ import annotations

import numpy as np

from engine.facts import ALL_PLACED, OUT, PIECES, SINGLE_LAST
from engine.geometry import U64, Geometry
from engine.kernels.compile import inner, leaf
from engine.kernels.legal import can_move
from engine.kernels.state import END_FIRST_BLOCKED, END_MAX_ROUNDS, END_ROUNDS, Rules, State

FORCED, UNFORCED, VOLUNTARY, LEFT = 0, 1, 2, 3
"""Kinds of passes."""

NOBODY = -1


@inner
def to_move(geometry: Geometry, rules: Rules, state: State, nominal: int) -> int:
    """The first colour from `nominal` on that can move and has not left, NOBODY if there is none."""
    colours = len(state.facts)
    for step in range(colours):
        colour = (nominal + step) % colours
        if not state.facts[colour, OUT] and can_move(geometry, rules, state, colour):
            return colour
    return NOBODY


@inner
def pass_kind(geometry: Geometry, rules: Rules, state: State, colour: int) -> int:
    """What a turn is that a colour lets go by: FORCED, UNFORCED, VOLUNTARY (allowed) or LEFT."""
    if state.facts[colour, OUT]:
        return LEFT
    if not can_move(geometry, rules, state, colour):
        return FORCED
    if rules.voluntary and state.facts[colour, PIECES] > 0:
        return VOLUNTARY
    return UNFORCED


@inner
def someone_blocked(geometry: Geometry, rules: Rules, state: State) -> bool:
    """Whether some seat has no legal move with any of its colours (end rule `first_blocked`)."""
    seats = 0
    for colour in range(len(state.facts)):
        seats = max(seats, rules.seat_of[colour] + 1)
    for seat in range(seats):
        able = False
        for colour in range(len(state.facts)):
            if rules.seat_of[colour] == seat:
                able = able or can_move(geometry, rules, state, colour)
        if not able:
            return True
    return False


@leaf
def last_turn(rules: Rules, state: State, turn: int) -> int:
    """Last turn the end rule `rounds:N` allows, seen after `turn` turns: of round N or of the round just finished."""
    colours = len(state.facts)
    for colour in range(colours):
        if state.facts[colour, ALL_PLACED]:
            return min(rules.rounds * colours, max(1, -(-turn // colours)) * colours)
    return rules.rounds * colours


@inner
def is_over(geometry: Geometry, rules: Rules, state: State, turn: int, limit: int, nominal: int) -> bool:
    """Whether the game has ended after `turn` turns; `limit` is the last turn of rules with rounds."""
    if to_move(geometry, rules, state, nominal) == NOBODY:
        return True
    if rules.end == END_FIRST_BLOCKED:
        return someone_blocked(geometry, rules, state)
    if rules.end == END_ROUNDS or rules.end == END_MAX_ROUNDS:
        colours = len(state.facts)
        for step in range(min(limit - turn, colours)):
            colour = (nominal + step) % colours
            if not state.facts[colour, OUT] and can_move(geometry, rules, state, colour):
                return False
        return True
    return False


@leaf
def position_key(geometry: Geometry, state: State, mover: int, key: U64, row: int) -> None:
    """Write the 128-bit key of the position with `mover` to move (NOBODY: none) to row `row` of `key`."""
    cells = len(geometry.cell_bit)
    high, low = state.key[0], state.key[1]
    keys = geometry.keys
    if mover != NOBODY:
        high ^= keys[mover, cells, 0]
        low ^= keys[mover, cells, 1]
    for colour in range(len(state.facts)):
        if state.facts[colour, OUT]:
            high ^= keys[colour, cells + 1, 0]
            low ^= keys[colour, cells + 1, 1]
        if state.facts[colour, SINGLE_LAST]:
            high ^= keys[colour, cells + 2, 0]
            low ^= keys[colour, cells + 2, 1]
    key[row, 0] = np.uint64(high)
    key[row, 1] = np.uint64(low)
