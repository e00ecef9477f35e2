"""Games of self-play as the kernels of learning read them: played move by move, and as samples of positions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import FACTS
from engine.geometry import F32, I8, I16, I32, I64, U8
from engine.kernels.compile import inner, kernel
from engine.kernels.moving import LAST, NEXT, STOPPED, TURNS, advance, next_mover
from engine.kernels.network import ANYBODY, look, width_of
from engine.kernels.replay import NO_LIMIT
from engine.kernels.search import Desk, Game
from engine.kernels.state import clear


class Samples(NamedTuple):
    """Q positions to learn from. n colours, C cells, N pieces, U units."""

    kinds: U8  # (Q, n, C) class of each cell
    left: I8  # (Q, n, N) copies of the pieces left, negative where the piece does not fit anywhere
    width: I8  # (Q, n) class of the number of legal placements
    facts: I16  # (Q, n, FACTS)
    mover: I8  # (Q,)
    final: I16  # (Q, n, 3) cells, everything placed, single cell last at the end
    share: F32  # (Q, U) what the units' shares are to be


class Play(NamedTuple):
    """Games as they were searched. G games, E plies, T valued moves."""

    first: I64  # (G + 1,) first ply of each game
    events: I32  # (E, 2) colour, placement
    first_move: I64  # (E + 1,) first valued move of each ply
    searched: I32  # (T, 2) placement, weight that its prior is to have


@inner
def clear_desk(game: Game, desk: Desk) -> None:
    """Set the desk to the empty board, the first colour to move, under rules without a limit of turns."""
    clear(game.geometry, desk.state)
    clock = desk.clock
    clock[NEXT], clock[TURNS], clock[LAST], clock[STOPPED] = 0, 0, NO_LIMIT, 0


@kernel
def write_samples(game: Game, desk: Desk, play: Play, number: int, row: int, out: Samples) -> int:
    """Write the positions of a game before each of its plies, from row `row` on; returns the row behind them."""
    state, sheet = desk.state, desk.sheet
    clear_desk(game, desk)
    moved = ANYBODY
    for e in range(play.first[number], play.first[number + 1]):
        look(game.geometry, game.rules, game.board, state, sheet, moved)
        moved = np.int64(play.events[e, 0])
        out.mover[row] = play.events[e, 0]
        for colour in range(len(state.facts)):
            for cell in range(len(game.geometry.cell_bit)):
                out.kinds[row, colour, cell] = sheet.classes[colour, game.geometry.cell_bit[cell]]
            for piece in range(state.left.shape[1]):
                fits = (sheet.fitting[colour, 0] >> piece) & 1
                out.left[row, colour, piece] = (
                    state.left[colour, piece] if fits else -state.left[colour, piece]
                )
            out.width[row, colour] = width_of(sheet.fitting[colour, 1])
            for k in range(FACTS):
                out.facts[row, colour, k] = state.facts[colour, k]
        row += 1
        advance(
            game.geometry,
            game.rules,
            state,
            desk.clock,
            np.int64(play.events[e, 0]),
            np.int64(play.events[e, 1]),
        )
    return row


@kernel
def play_on(game: Game, desk: Desk, colour: int, placement: int) -> int:
    """Play a move on the desk's position; returns the colour that moves next."""
    advance(game.geometry, game.rules, desk.state, desk.clock, colour, placement)
    return next_mover(game.geometry, game.rules, desk.state, desk.clock)


@kernel
def start_game(game: Game, desk: Desk) -> None:
    """Set the desk to the empty board."""
    clear_desk(game, desk)
