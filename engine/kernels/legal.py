"""Legal placements of a colour: all shapes of the trie grown together on bit strings."""

from __future__ import annotations

import numpy as np

from engine.facts import BLOCKED, PIECES
from engine.geometry import BLOCK, DIRECTION, I32, NEEDED_BY, OFFSET, PARENT, PIECE, U16, U64, Geometry, Trie
from engine.kernels.bits import grow_node, popcount, shifted_copies, trailing_zeros
from engine.kernels.compile import inner, leaf, part
from engine.kernels.state import Rules, State, start_liberties

LIST, COUNT, ANY = 0, 1, 2
"""What `legal` does with the legal anchors it finds: list the placements, count them, stop at the first."""

SPARE = 4
"""Room behind the last placement that a list needs: placements are written four at a time."""


@leaf
def _emit(work: U64, fit: int, touch: int, words: int, placement_at: U16, t: int, out: I32, n: int) -> int:
    """Append the placements at the anchors that fit and touch to `out` from `n`; returns the new length."""
    for w in range(words):
        bits = work[fit + w] & work[touch + w]
        more = popcount(bits)
        base = w * 64
        end = n + more
        # Four at a time whether there are as many or not: a wrong guess of the branch costs more than the writes.
        while n < end:
            for k in range(4):
                out[n + k] = placement_at[t, base + trailing_zeros(bits)]
                bits &= bits - np.uint64(1)
            n += 4
        n = end
    return n


@inner
def grow(trie: Trie, work: U64, left: int, mode: int, out: I32) -> int:
    """Grow all shapes from the free cells and liberties in `work`; `left` is the bit set of the pieces to place.

    `work` holds the free cells at word 0 and the liberties at word 8 (W + BLOCK), see `State.work`.
    """
    nodes, masks = trie.nodes, trie.masks
    words = masks.shape[1]
    length = words + BLOCK
    blocks = words // BLOCK
    first = 16 * length
    touch_by = len(nodes) * words
    shifted_copies(work, 0, length * 8, blocks)
    shifted_copies(work, 64 * length, length * 8, blocks)
    n = 0
    for t in range(len(nodes)):
        if nodes[t, NEEDED_BY] & left == 0:
            continue
        at = first + t * words
        parent = nodes[t, PARENT]
        if parent < 0:
            found = 2
            direction = nodes[t, DIRECTION]
            for w in range(words):
                work[at + w] = work[w] & masks[direction, w]
                work[at + touch_by + w] = work[8 * length + w]
        else:
            offset = nodes[t, OFFSET]
            parent_at = (first + parent * words) * 8
            found = grow_node(work, at * 8, parent_at, offset, 64 * length + offset, touch_by * 8, blocks)
        piece = nodes[t, PIECE]
        if found == 2 and piece >= 0 and (left >> piece) & 1:
            if mode == LIST:
                n = _emit(work, at, at + touch_by, words, trie.placement_at, t, out, n)
            else:
                for w in range(words):
                    n += popcount(work[at + w] & work[at + touch_by + w])
                if mode == ANY and n > 0:
                    return 1
    return n


@leaf
def pieces_left(state: State, colour: int) -> int:
    """Bit set of the pieces a colour still has."""
    left = 0
    for piece in range(state.left.shape[1]):
        if state.left[colour, piece] > 0:
            left |= 1 << piece
    return left


@part
def write_liberties(geometry: Geometry, rules: Rules, state: State, colour: int) -> bool:
    """Write free cells and liberties to the scratch; false: no liberty."""
    words = len(geometry.board_bits)
    second = 8 * (words + BLOCK)
    work = state.work
    if state.facts[colour, PIECES] == 0:
        for w in range(words):
            work[second + w] = 0
        start_liberties(geometry.cell_bit, rules.start_groups, state.board, colour, work, second)
    else:
        for w in range(words):
            work[second + w] = state.attach[colour, w]
    found = np.uint64(0)
    for w in range(words):
        free = geometry.board_bits[w] & ~state.forbidden[colour, w]
        work[w] = free
        work[second + w] &= free
        found |= work[second + w]
    return found != 0


@inner
def legal(geometry: Geometry, rules: Rules, state: State, colour: int, mode: int, out: I32) -> int:
    """Legal placements of a colour by ascending number into `out` (mode LIST), or only their number.

    `out` needs room for as many as there are and SPARE more in LIST, none otherwise. Returns the number of
    placements (ANY: 0 or 1). Whether the colour is on turn or has left the game does not matter.
    """
    left = pieces_left(state, colour)
    if left == 0 or not write_liberties(geometry, rules, state, colour):
        return 0
    return grow(geometry.trie, state.work, left, mode, out)


@part
def can_move(geometry: Geometry, rules: Rules, state: State, colour: int) -> bool:
    """Whether a colour has a legal move; remembers in `state.blocked` that it has none."""
    if state.facts[colour, BLOCKED]:
        return False
    if state.left[colour, 0] > 0 and state.facts[colour, PIECES] > 0:
        # Piece 0 is the single cell: any liberty will do, and none of the growing is needed.
        for w in range(len(geometry.board_bits)):
            if geometry.board_bits[w] & state.attach[colour, w] & ~state.forbidden[colour, w]:
                return True
    elif legal(geometry, rules, state, colour, ANY, state.nothing):
        return True
    state.facts[colour, BLOCKED] = 1
    return False
