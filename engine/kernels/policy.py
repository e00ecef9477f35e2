"""Priors of moves: a softmax over sums of weights for what a placement covers and touches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import PIECES
from engine.geometry import F32, F64, I16, I32, U8, U64, Geometry
from engine.kernels.compile import inner, leaf
from engine.kernels.legal import LIST, legal_of
from engine.kernels.levels import CLASSES, Board
from engine.kernels.randomness import draw
from engine.kernels.state import Rules, State
from engine.kernels.vectors import sum_at

PHASES = 7
"""Phases of a colour's game: pieces it has placed, three together."""

COVER, EDGE, CORNER = range(3)
"""First axis of `Policy.cells`: cells a placement covers, those beside it, those at its corners."""


class Policy(NamedTuple):
    """Weights. N pieces, L places; float32."""

    cells: F32  # (PHASES, 3, CLASSES)
    places: F32  # (PHASES, L) of the covered cells
    pieces: F32  # (PHASES, N)


class Moves(NamedTuple):
    """Room for the legal moves of a colour and their priors. C cells, P placements."""

    listed: I32  # (P + SPARE,) legal placements
    priors: F32  # (P,) of `listed`: over all they add up to 1, but only those ranked are written
    ranked: I32  # (P,) indexes into `listed` of those that were ranked, best first
    values: F32  # (3 C + 1,) weights of the cells in this position: covered, beside, at corners; 0
    buckets: I32  # (P,)
    counts: I32  # (BUCKETS,)
    weights: F64  # (BUCKETS,) what a log weight in the middle of a bucket stands for


BUCKETS, _STEPS = 192, 16.0
"""Log weights are rounded to steps of a sixteenth: sorting and exponentials then cost next to nothing."""

_HALF_UNIT = 2.0**-52


def bucket_weights() -> F64:
    """Weights of the buckets, the best first."""
    weights: F64 = np.exp(-(np.arange(BUCKETS) + 0.5) / _STEPS)
    return weights


@leaf
def phase_of(state: State, colour: int) -> int:
    """Phase of a colour's game."""
    return min(np.int64(state.facts[colour, PIECES]) // 3, PHASES - 1)


@leaf
def cell_values(
    geometry: Geometry,
    board: Board,
    policy: Policy,
    moves: Moves,
    classes: U8,
    row: int,
    phase: int,
    colour: int,
) -> None:
    """Write the weights of all cells, whose classes for the colour are a row of `classes`, ``(R, 64 W)``."""
    cells = len(geometry.cell_bit)
    for cell in range(cells):
        kind = np.int64(classes[row, geometry.cell_bit[cell]])
        place = board.row_of[colour * cells + cell] // CLASSES
        moves.values[cell] = policy.cells[phase, COVER, kind] + policy.places[phase, place]
        moves.values[cells + cell] = policy.cells[phase, EDGE, kind]
        moves.values[2 * cells + cell] = policy.cells[phase, CORNER, kind]
    moves.values[3 * cells] = 0


@leaf
def _rank(moves: Moves, n: int, best: float, most: int) -> int:
    """Sort the best moves into `ranked` by the log weights in `priors`, whose best is given, and make priors of theirs.

    Returns how many those are, at least `most` if there are as many: all that are as good as the last of them.
    """
    moves.counts[:] = 0
    for i in range(n):
        bucket = np.int64((best - moves.priors[i]) * _STEPS)
        if bucket >= BUCKETS:
            bucket = np.int64(BUCKETS - 1)
        moves.buckets[i] = bucket
        moves.counts[bucket] += 1
    at, last = np.int32(0), BUCKETS - 1
    total = 0.0
    for bucket in range(BUCKETS):
        size = moves.counts[bucket]
        moves.counts[bucket] = at
        at += size
        total += size * moves.weights[bucket]
        if at >= most and last == BUCKETS - 1:
            last = bucket
    kept = n if last == BUCKETS - 1 else np.int64(moves.counts[last + 1])
    for i in range(n):
        bucket = np.int64(moves.buckets[i])
        if bucket <= last:
            moves.ranked[moves.counts[bucket]] = i
            moves.counts[bucket] += 1
            moves.priors[i] = moves.weights[bucket] / total
    return kept


@inner
def write_priors(
    geometry: Geometry,
    rules: Rules,
    board: Board,
    touched: I16,
    policy: Policy,
    state: State,
    classes: U8,
    row: int,
    colour: int,
    fitting: int,
    moves: Moves,
    most: int,
    noise: float,
    stream: U64,
) -> int:
    """List and weigh the legal moves of a colour and rank the best `most`; returns their number.

    The classes of the cells for the colour are row `row` of `classes`. `fitting` is the bit set of the pieces that it
    can place, or of more that it has.

    `noise` is added to the log weights, times a number from -1 to 1 of the stream.
    """
    n = legal_of(geometry, rules, state, colour, fitting, LIST, moves.listed)
    phase = phase_of(state, colour)
    cell_values(geometry, board, policy, moves, classes, row, phase, colour)
    best = np.float32(-1e30)
    for i in range(n):
        placement = np.int64(moves.listed[i])
        value = sum_at(moves.values, touched, placement)
        value += policy.pieces[phase, geometry.placement_piece[placement]]
        if noise > 0:
            value += noise * (float(draw(stream) >> np.uint64(11)) * _HALF_UNIT - 1)
        moves.priors[i] = value
        best = max(best, moves.priors[i])
    return min(_rank(moves, n, best, most), most)
