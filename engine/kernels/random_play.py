"""Whole games of random legal moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import BLOCKED
from engine.geometry import I32, SIZE, U64, Geometry
from engine.kernels.compile import inner, kernel, part
from engine.kernels.legal import LIST, can_move, legal
from engine.kernels.randomness import draw, draw_below, start_stream
from engine.kernels.replay import CODE, COLOUR, EVENT_END, EVENT_START, NO_LIMIT
from engine.kernels.state import (
    END_FIRST_BLOCKED,
    END_MAX_ROUNDS,
    END_ROUNDS,
    Rules,
    State,
    clear,
    place,
)
from engine.kernels.turns import NOBODY, last_turn, someone_blocked

_SPREAD = 2_654_435_761
"""A prime above the length of any list: multiplying by it visits every place of a list once."""


class Plan(NamedTuple):
    """What to play. All numbers but the first are ``uint64``."""

    opening_plies: int  # plies of the skewed choice
    skew: np.uint64  # chance of the most popular placement in an opening, in 2**64ths
    seed: np.uint64
    first: np.uint64  # number of the first game


class Played(NamedTuple):
    """Room for G games of at most M placements, and what kernels need meanwhile. P placements of the variant."""

    games: I32  # (G, 5) as `Batch.games`
    events: I32  # (G M, 2) as `Batch.events`, without gaps
    facts: I32  # (G, colours, FACTS) at the end
    moves: I32  # (P + SPARE,) scratch
    stream: U64  # (1,) scratch


@inner
def _moves(geometry: Geometry, rules: Rules, state: State, nominal: int, out: I32) -> tuple[int, int]:
    """(the next colour from `nominal` on that can move, number of its legal placements, listed in `out`)."""
    colours = len(state.facts)
    for step in range(colours):
        colour = (nominal + step) % colours
        if not state.facts[colour, BLOCKED]:
            n = legal(geometry, rules, state, colour, LIST, out)
            if n > 0:
                return colour, n
            state.facts[colour, BLOCKED] = 1
    return NOBODY, 0


@part
def _opening(geometry: Geometry, stream: U64, moves: I32, n: int, skew: np.uint64) -> int:
    """A placement of the biggest piece size there is, some far more often than others.

    One is the most popular and taken with the chance `skew`; else one of the two next with that chance, else one of the
    four next, and so on. Popular placements are spread over the list, and the same whenever the position is the same.
    """
    largest = geometry.pieces[geometry.placement_piece[moves[n - 1]], SIZE]
    first = n - 1
    while first > 0 and geometry.pieces[geometry.placement_piece[moves[first - 1]], SIZE] == largest:
        first -= 1
    size = n - first
    before, room = 0, 1
    while before + room < size and draw(stream) >= skew:
        before += room
        room *= 2
    rank = before + draw_below(stream, min(room, size - before))
    return int(moves[first + rank * _SPREAD % size])


@inner
def _play(geometry: Geometry, rules: Rules, state: State, plan: Plan, out: Played, event: int) -> int:
    """Play one game, writing its placements from row `event` on; returns the row behind them."""
    colours = len(state.facts)
    moves, first = out.moves, event
    turn, nominal = 0, 0
    counted = rules.end == END_ROUNDS or rules.end == END_MAX_ROUNDS
    limit = rules.rounds * colours if counted else NO_LIMIT
    while True:
        colour, n = _moves(geometry, rules, state, nominal, moves)
        if colour == NOBODY:
            break
        turn += (colour - nominal) % colours + 1
        if turn > limit:
            break
        if event - first < plan.opening_plies:
            placement = _opening(geometry, out.stream, moves, n, plan.skew)
        else:
            placement = int(moves[draw_below(out.stream, n)])
        place(geometry, state, colour, placement)
        out.events[event, COLOUR], out.events[event, CODE] = colour, placement
        event += 1
        nominal = (colour + 1) % colours
        if rules.end == END_ROUNDS:
            limit = min(limit, last_turn(rules, state, turn))
        elif rules.end == END_FIRST_BLOCKED and someone_blocked(geometry, rules, state):
            break
    return event


@kernel
def play_games(geometry: Geometry, rules: Rules, state: State, plan: Plan, out: Played) -> int:
    """Play a game for every row of `out.games`; returns the number of placements of all."""
    event = 0
    for game in range(len(out.games)):
        start_stream(out.stream, plan.seed, plan.first + np.uint64(game))
        clear(geometry, state)
        out.games[game, EVENT_START] = event
        event = _play(geometry, rules, state, plan, out, event)
        out.games[game, EVENT_END] = event
        for colour in range(len(state.facts)):
            can_move(geometry, rules, state, colour)  # so that BLOCKED is known
            for k in range(state.facts.shape[1]):
                out.facts[game, colour, k] = state.facts[colour, k]
    return event
