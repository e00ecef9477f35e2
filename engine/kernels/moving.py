"""Play on from a position: copies of it, whose turn it is, and the end, for searches and playouts."""

from __future__ import annotations

import numpy as np

from engine.facts import OUT, PIECES
from engine.geometry import I64, Geometry
from engine.kernels.compile import inner, leaf
from engine.kernels.state import END_FIRST_BLOCKED, END_ROUNDS, Rules, State, place
from engine.kernels.turns import NOBODY, last_turn, someone_blocked, to_move

NEXT, TURNS, LAST, STOPPED = range(4)
"""Columns of a clock, ``(4,) int64``: colour next in order, turns so far, last turn of the end rule, whether
`first_blocked` has ended the game."""


@leaf
def copy_state(source: State, target: State) -> None:
    """Copy a position; scratch is not copied."""
    # Loops, because a copy of a slice to a slice would allocate.
    for cell in range(len(source.board)):
        target.board[cell] = source.board[cell]
    for colour in range(len(source.facts)):
        for w in range(source.forbidden.shape[1]):
            target.forbidden[colour, w] = source.forbidden[colour, w]
            target.attach[colour, w] = source.attach[colour, w]
        for piece in range(source.left.shape[1]):
            target.left[colour, piece] = source.left[colour, piece]
        for k in range(source.facts.shape[1]):
            target.facts[colour, k] = source.facts[colour, k]
    target.key[0] = source.key[0]
    target.key[1] = source.key[1]


@inner
def next_mover(geometry: Geometry, rules: Rules, state: State, clock: I64) -> int:
    """The colour that makes the next move, NOBODY when the game is over."""
    if clock[STOPPED]:
        return NOBODY
    colours = len(state.facts)
    colour = to_move(geometry, rules, state, clock[NEXT])
    # A colour behind it in order would move later still.
    if colour != NOBODY and clock[TURNS] + (colour - clock[NEXT]) % colours + 1 > clock[LAST]:
        return NOBODY
    return colour


@inner
def advance(geometry: Geometry, rules: Rules, state: State, clock: I64, colour: int, placement: int) -> None:
    """Play a legal placement of a colour; the turns of the colours before it go by."""
    colours = len(state.facts)
    place(geometry, state, colour, placement)
    clock[TURNS] += (colour - clock[NEXT]) % colours + 1
    clock[NEXT] = (colour + 1) % colours
    if rules.end == END_ROUNDS:
        clock[LAST] = min(clock[LAST], last_turn(rules, state, clock[TURNS]))
    elif rules.end == END_FIRST_BLOCKED:
        clock[STOPPED] = 1 if someone_blocked(geometry, rules, state) else 0


@leaf
def seat_on_turn(rules: Rules, state: State, seats: int, colour: int) -> int:
    """The seat that makes the next move of a colour.

    The seats play a shared colour in turn, piece by piece; for one that has left the next does.
    """
    seat = np.int64(rules.seat_of[colour])
    if seat >= 0:
        return seat
    for step in range(seats):
        seat = (np.int64(state.facts[colour, PIECES]) + step) % seats
        for other in range(len(state.facts)):
            if rules.seat_of[other] == seat and not state.facts[other, OUT]:
                return seat
    return seat
