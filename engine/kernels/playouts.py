"""Playouts: a position played to its end by a light policy that chooses at random, but not anything.

The policy: among the legal placements of the largest pieces that fit, `tries` are drawn, and the one that is worth most
is played. What a placement is worth is a sum of small whole numbers over the cells that it covers and touches, so the
same draws make the same game on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import BLOCKED, OUT
from engine.geometry import (
    BLOCK,
    CELLS_END,
    CORNERS_END,
    EDGES_END,
    I8,
    I32,
    I64,
    PIECE,
    SIZE,
    U64,
    Geometry,
)
from engine.kernels.bits import popcount, trailing_zeros
from engine.kernels.compile import inner, kernel, leaf, part
from engine.kernels.legal import grow_nodes, pieces_left, write_liberties
from engine.kernels.moving import LAST, NEXT, STOPPED, TURNS, advance, copy_state
from engine.kernels.randomness import draw_below, start_stream
from engine.kernels.state import EMPTY, Rules, State
from engine.kernels.turns import NOBODY

RIVALS, OWN = range(2)
"""Rows of `Scratch.liberties`: corner liberties of all rivals, of the colour that moves."""

COVERED, LOST, JOINED, OPENED = range(4)
"""Columns of `Playing.weights`, each for one cell: a liberty of rivals that is covered, a liberty of the colour's own
that is side by side and so lost, a cell of its own at a corner, a liberty that is opened."""


class Playing(NamedTuple):
    """How playouts play."""

    tries: int  # placements drawn, from 1
    weights: I32  # (4,) COVERED ..
    rivals: I8  # (colours, colours) 1: of different sides


class Scratch(NamedTuple):
    """Scratch of playouts. T nodes of the trie, W words."""

    nodes: I32  # (T,) nodes with legal placements
    ends: I32  # (T,) number of placements at these nodes, summed up
    liberties: U64  # (2, W)


class Sums(NamedTuple):
    """What is kept of n playouts. C cells."""

    facts: I32  # (n, colours, FACTS) at the end
    territory: I64  # (C, colours + 1) how often each colour, last nobody, ended up on a cell; added to


@leaf
def _bit(bits: U64, row: int, index: int) -> int:
    return np.int64(bits[row, index >> 6] >> np.uint64(index & 63)) & 1


@part
def _keep_largest(geometry: Geometry, work: U64, scratch: Scratch, found: int) -> tuple[int, int]:
    """(first of the nodes in `scratch` that have the largest piece, number of placements from there on)."""
    nodes = geometry.trie.nodes
    words = len(geometry.board_bits)
    touch_by = len(nodes) * words
    largest = geometry.pieces[nodes[scratch.nodes[found - 1], PIECE], SIZE]
    first = found - 1
    while first > 0 and geometry.pieces[nodes[scratch.nodes[first - 1], PIECE], SIZE] == largest:
        first -= 1
    n = 0
    for i in range(first, found):
        at = 16 * (words + BLOCK) + scratch.nodes[i] * words
        for w in range(words):
            n += popcount(work[at + w] & work[at + touch_by + w])
        scratch.ends[i] = n
    return first, n


@leaf
def _placement(geometry: Geometry, work: U64, scratch: Scratch, first: int, rank: int) -> int:
    """The placement of a rank, by ascending number, among those of the nodes from `first` on."""
    words = len(geometry.board_bits)
    i = first
    while scratch.ends[i] <= rank:
        i += 1
    if i > first:
        rank -= scratch.ends[i - 1]
    node = np.int64(scratch.nodes[i])
    at = 16 * (words + BLOCK) + node * words
    touch = at + len(geometry.trie.nodes) * words
    w = 0
    bits = work[at] & work[touch]
    while popcount(bits) <= rank:
        rank -= popcount(bits)
        w += 1
        bits = work[at + w] & work[touch + w]
    for _ in range(rank):
        bits &= bits - np.uint64(1)
    return np.int64(geometry.trie.placement_at[node, w * 64 + trailing_zeros(bits)])


@leaf
def _worth(
    geometry: Geometry, playing: Playing, state: State, scratch: Scratch, colour: int, placement: int
) -> int:
    """What a placement is worth to its colour."""
    span, touched, weights = geometry.span, geometry.touched, playing.weights
    liberties = scratch.liberties
    total = 0
    for i in range(span[placement, 0], span[placement, CELLS_END]):
        total += weights[COVERED] * _bit(liberties, RIVALS, np.int64(geometry.cell_bit[touched[i]]))
    for i in range(span[placement, CELLS_END], span[placement, EDGES_END]):
        total += weights[LOST] * _bit(liberties, OWN, np.int64(geometry.cell_bit[touched[i]]))
    for i in range(span[placement, EDGES_END], span[placement, CORNERS_END]):
        cell = touched[i]
        bit = np.int64(geometry.cell_bit[cell])
        if state.board[cell] == colour:
            total += weights[JOINED]
        elif not _bit(state.forbidden, colour, bit) | _bit(state.attach, colour, bit):
            total += weights[OPENED]
    return total


@part
def _write_sides(geometry: Geometry, playing: Playing, state: State, scratch: Scratch, colour: int) -> None:
    """Write the liberties as the policy sees them."""
    for w in range(len(geometry.board_bits)):
        rivals = np.uint64(0)
        for other in range(len(state.facts)):
            if playing.rivals[colour, other] and not state.facts[other, OUT]:
                rivals |= state.attach[other, w] & ~state.forbidden[other, w]
        scratch.liberties[RIVALS, w] = rivals
        scratch.liberties[OWN, w] = state.attach[colour, w] & ~state.forbidden[colour, w]


@inner
def choose_placement(
    geometry: Geometry,
    rules: Rules,
    playing: Playing,
    state: State,
    scratch: Scratch,
    stream: U64,
    colour: int,
) -> int:
    """The placement that the policy plays for a colour, -1 when it has no legal one."""
    left = pieces_left(state, colour)
    if left == 0 or not write_liberties(geometry, rules, state, colour):
        return -1
    found = grow_nodes(geometry.trie, state.work, left, scratch.nodes)
    if found == 0:
        return -1
    first, n = _keep_largest(geometry, state.work, scratch, found)
    tries = playing.tries if n > 1 else 1
    if tries > 1:
        _write_sides(geometry, playing, state, scratch, colour)
    best, most = -1, 0
    for attempt in range(tries):
        rank = draw_below(stream, n) if n > 1 else 0
        placement = _placement(geometry, state.work, scratch, first, rank)
        worth = _worth(geometry, playing, state, scratch, colour, placement) if tries > 1 else 0
        if attempt == 0 or worth > most:
            best, most = placement, worth
    return best


@inner
def play_out(
    geometry: Geometry,
    rules: Rules,
    playing: Playing,
    state: State,
    clock: I64,
    scratch: Scratch,
    stream: U64,
) -> int:
    """Play a position to the end of the game, drawing from `stream`; returns the number of placements played.

    `state` and `clock` (see `engine.kernels.moving`) are changed: then `state.facts` hold the final facts.
    """
    colours, plies = len(state.facts), 0
    while not clock[STOPPED]:
        placement, colour = -1, NOBODY
        for step in range(min(colours, clock[LAST] - clock[TURNS])):
            colour = (clock[NEXT] + step) % colours
            if not state.facts[colour, OUT] and not state.facts[colour, BLOCKED]:
                placement = choose_placement(geometry, rules, playing, state, scratch, stream, colour)
                if placement >= 0:
                    break
                state.facts[colour, BLOCKED] = 1
        if placement < 0:
            break
        advance(geometry, rules, state, clock, colour, placement)
        plies += 1
    return plies


@kernel
def play_outs(
    geometry: Geometry,
    rules: Rules,
    playing: Playing,
    start: State,
    start_clock: I64,
    state: State,
    clock: I64,
    scratch: Scratch,
    stream: U64,
    seed: np.uint64,
    first: np.uint64,
    out: Sums,
) -> int:
    """Play as many playouts of `start` as `out.facts` has rows, from number `first` on; returns their placements."""
    colours, plies = len(start.facts), 0
    for row in range(len(out.facts)):
        copy_state(start, state)
        for k in range(len(clock)):
            clock[k] = start_clock[k]
        start_stream(stream, seed, first + np.uint64(row))
        plies += play_out(geometry, rules, playing, state, clock, scratch, stream)
        for colour in range(colours):
            for k in range(state.facts.shape[1]):
                out.facts[row, colour, k] = state.facts[colour, k]
        for cell in range(len(state.board)):
            owner = np.int64(state.board[cell])
            out.territory[cell, colours if owner == EMPTY else owner] += 1
    return plies
