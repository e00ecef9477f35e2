"""Playouts: a position played to its end by a light policy that chooses at random, but not anything.

The policy draws shapes (oriented pieces) of the largest size one after the other; of each that has a legal placement it
draws one. Of the first `tries` placements, fewer where there are no more, it plays the one that is worth most. Where no
shape of a size fits, it goes on with the next smaller size, and comes back to the larger ones only when nothing else is
left. So it grows but the shapes that it draws, which is what makes it fast. What a placement is worth is a sum of small
whole numbers over the cells that it covers and touches: the same draws make the same game on every machine.
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
    PARENT,
    SIZE,
    U64,
    Geometry,
)
from engine.kernels.bits import popcount, trailing_zeros
from engine.kernels.compile import inner, kernel, leaf, part
from engine.kernels.legal import grow_at, pieces_left, start_growth, write_liberties
from engine.kernels.moving import LAST, NEXT, STOPPED, TURNS, advance, copy_state
from engine.kernels.randomness import draw_below, start_stream
from engine.kernels.state import EMPTY, Rules, State
from engine.kernels.turns import NOBODY

RIVALS, OWN, CLOSED = range(3)
"""Rows of `Scratch.sides`: corner liberties of all rivals, of the colour that moves; cells that it cannot open any
more, because they are its liberties already or can never be."""

COVERED, LOST, JOINED, OPENED = range(4)
"""Columns of `Playing.weights`, each for one cell: a liberty of rivals that is covered, a liberty of the colour's own
that is side by side and so lost, a cell of its own at a corner, a liberty that is opened."""


class Playing(NamedTuple):
    """How playouts play."""

    tries: int  # placements drawn, from 1
    weights: I32  # (4,) COVERED ..
    rivals: I8  # (colours, colours) 1: of different sides
    first_node: I32  # (N + 1,) first node of the trie of each piece, last their number


class Scratch(NamedTuple):
    """Scratch of playouts. T nodes of the trie, W words."""

    shapes: I32  # (T,) nodes of the shapes that can still be drawn
    path: I32  # (T,) nodes that have to be grown for one
    behind: I32  # (colours,) the largest piece that a colour still tries is before this one
    grown: I8  # (T,) 1: the anchors of a node are known
    sides: U64  # (3, W) RIVALS ..


class Sums(NamedTuple):
    """What is kept of n playouts. C cells."""

    facts: I32  # (n, colours, FACTS) at the end
    territory: I64  # (C, colours + 1) how often each colour, last nobody, ended up on a cell; added to


@leaf
def _bit(geometry: Geometry, bits: U64, row: int, cell: int) -> int:
    # Unsigned: Numba need not ask whether an index counts from the end.
    index = np.uint64(geometry.cell_bit[np.uint64(cell)])
    return np.int64(bits[row, index >> np.uint64(6)] >> (index & np.uint64(63))) & 1


@part
def _list_shapes(
    geometry: Geometry, playing: Playing, left: int, behind: int, shapes: I32
) -> tuple[int, int]:
    """List the nodes of the pieces in `left` that have the size of the last piece before `behind`.

    Pieces and nodes are in order of size. Returns (number of nodes listed, the first piece of the size).
    """
    size = geometry.pieces[behind - 1, SIZE]
    n, piece = 0, behind
    while piece > 0 and geometry.pieces[piece - 1, SIZE] == size:
        piece -= 1
        if (left >> piece) & 1:
            first, end = np.int64(playing.first_node[piece]), np.int64(playing.first_node[piece + 1])
            for t in range(first, end):
                shapes[np.uint64(n + t - first)] = t
            n += end - first
    return n, piece


@part
def _grow_shape(geometry: Geometry, work: U64, left: int, scratch: Scratch, t: int) -> bool:
    """Grow the shape of a node and those that lead to it; whether it has a legal placement."""
    nodes = geometry.trie.nodes
    depth, at = 0, np.int64(nodes[t, PARENT])
    while at >= 0 and not scratch.grown[at]:
        scratch.path[depth] = at
        depth += 1
        at = np.int64(nodes[at, PARENT])
    while depth > 0:
        depth -= 1
        at = np.int64(scratch.path[depth])
        grow_at(geometry.trie, work, left, at)
        scratch.grown[at] = 1
    return grow_at(geometry.trie, work, left, t)


@leaf
def _placement(geometry: Geometry, work: U64, stream: U64, node: int) -> int:
    """One of the placements of a node that has some, drawn."""
    words = len(geometry.board_bits)
    at = 16 * (words + BLOCK) + node * words
    touch = at + len(geometry.trie.nodes) * words
    n = 0
    for w in range(words):
        n += popcount(work[at + w] & work[touch + w])
    rank = draw_below(stream, n)
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
    sides = scratch.sides
    covered, lost, joined, opened, many = 0, 0, 0, 0, len(touched)
    # No branches on what is found: it is anybody's guess. Bounds that always hold (`many`) keep the compiler from
    # making vector code of loops that are too short for it.
    i, end = span[placement, 0], span[placement, CELLS_END]
    while i < end and covered < many:
        covered += _bit(geometry, sides, RIVALS, touched[np.uint64(i)])
        i += 1
    end = span[placement, EDGES_END]
    while i < end and lost < many:
        lost += _bit(geometry, sides, OWN, touched[np.uint64(i)])
        i += 1
    end = span[placement, CORNERS_END]
    while i < end and opened < many:
        cell = touched[np.uint64(i)]
        joined += state.board[np.uint64(cell)] == colour
        opened += 1 - _bit(geometry, sides, CLOSED, cell)
        i += 1
    gained = weights[COVERED] * covered + weights[JOINED] * joined
    return gained + weights[LOST] * lost + weights[OPENED] * opened


@part
def _write_sides(geometry: Geometry, playing: Playing, state: State, scratch: Scratch, colour: int) -> None:
    """Write the board as the policy sees it."""
    for w in range(len(geometry.board_bits)):
        rivals = np.uint64(0)
        for other in range(len(state.facts)):
            if playing.rivals[colour, other] and not state.facts[other, OUT]:
                rivals |= state.attach[other, w] & ~state.forbidden[other, w]
        scratch.sides[RIVALS, w] = rivals
        scratch.sides[OWN, w] = state.attach[colour, w] & ~state.forbidden[colour, w]
        scratch.sides[CLOSED, w] = state.attach[colour, w] | state.forbidden[colour, w]


@leaf
def _best_drawn(
    geometry: Geometry,
    playing: Playing,
    state: State,
    scratch: Scratch,
    stream: U64,
    colour: int,
    left: int,
    behind: int,
) -> tuple[int, int]:
    """(the best of some placements of the largest shapes that fit, of the pieces before `behind`; the end of its size).

    The placement is -1 when there is none.
    """
    best, most, tries, end = -1, 0, 0, behind
    while tries == 0 and behind > 0:
        end = behind
        n, behind = _list_shapes(geometry, playing, left, behind, scratch.shapes)
        while n > 0 and tries < playing.tries:
            drawn = draw_below(stream, n)
            node = np.int64(scratch.shapes[drawn])
            n -= 1
            scratch.shapes[drawn] = scratch.shapes[n]
            if _grow_shape(geometry, state.work, left, scratch, node):
                placement = _placement(geometry, state.work, stream, node)
                worth = _worth(geometry, playing, state, scratch, colour, placement)
                if tries == 0 or worth > most:
                    best, most = placement, worth
                tries += 1
    return best, end


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
    start_growth(geometry.trie, state.work)
    for t in range(len(scratch.grown)):
        scratch.grown[t] = 0
    _write_sides(geometry, playing, state, scratch, colour)
    before, placement = stream[0], -1
    behind = np.int64(scratch.behind[colour])
    while placement < 0 and behind > 0:
        placement, end = _best_drawn(geometry, playing, state, scratch, stream, colour, left, behind)
        scratch.behind[colour] = end
        behind = len(geometry.pieces) if behind < len(geometry.pieces) else 0
    if placement < 0:
        stream[0] = before  # that a colour is blocked may have been known before: the draws must not tell
    return placement


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
        for colour in range(colours):
            scratch.behind[colour] = len(geometry.pieces)
        plies += play_out(geometry, rules, playing, state, clock, scratch, stream)
        for colour in range(colours):
            for k in range(state.facts.shape[1]):
                out.facts[row, colour, k] = state.facts[colour, k]
        for cell in range(len(state.board)):
            owner = np.int64(state.board[cell])
            out.territory[cell, colours if owner == EMPTY else owner] += 1
    return plies
