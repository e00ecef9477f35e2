"""Legal placements of a colour: all shapes of the trie grown together on bit strings."""

from __future__ import annotations

import numpy as np

from engine.facts import BLOCKED, PIECES
from engine.geometry import BLOCK, DIRECTION, I32, NEEDED_BY, OFFSET, PARENT, PIECE, U64, Geometry, Trie
from engine.kernels.bits import AT_ONCE, grow_node, note_words, shifted_copies, write_numbers
from engine.kernels.compile import inner, leaf, part
from engine.kernels.state import Rules, State, start_liberties

LIST, ANY = 0, 1
"""What `legal` does with the legal anchors it finds: list the placements, stop at the first."""

SPARE = AT_ONCE
"""Room behind the last placement that a list needs: placements are written several at a time."""


@part
def start_growth(trie: Trie, work: U64) -> None:
    """Prepare `work` for `grow_at`: it holds the free cells at word 0 and the liberties at word 8 (W + BLOCK)."""
    words = trie.masks.shape[1]
    length = (words + BLOCK) * 8
    shifted_copies(work, 0, length, words // BLOCK)
    shifted_copies(work, 8 * length, length, words // BLOCK)


@part
def grow_at(trie: Trie, work: U64, left: int, t: int) -> bool:
    """Write the anchors of node `t`, whose parent's are known; whether they give legal placements of a piece in `left`.

    The anchors where the shape fits are W words at 16 (W + BLOCK) + t W; those where it touches a liberty T W further.
    """
    nodes, masks = trie.nodes, trie.masks
    words = masks.shape[1]
    length = words + BLOCK
    first, touch_by = 16 * length, len(nodes) * words
    found = 0
    if nodes[t, NEEDED_BY] & left:
        at = first + t * words
        parent = nodes[t, PARENT]
        if parent < 0:
            direction = nodes[t, DIRECTION]
            for w in range(words):
                work[at + w] = work[w] & masks[direction, w]
                work[at + touch_by + w] = work[8 * length + w]
                if work[at + w] & work[at + touch_by + w]:
                    found = 1
        else:
            offset = nodes[t, OFFSET]
            parent_at = (first + parent * words) * 8
            found = grow_node(
                work, at * 8, parent_at, offset, 64 * length + offset, touch_by * 8, words // BLOCK
            )
    piece = nodes[t, PIECE]
    return found != 0 and piece >= 0 and (left >> piece) & 1 != 0


@inner
def grow(trie: Trie, work: U64, left: int, mode: int, out: I32) -> int:
    """Grow all shapes from the free cells and liberties in `work`; `left` is the bit set of the pieces to place.

    `work` is laid out as `start_growth` and `grow_at` say, with room for notes behind.
    """
    words = trie.masks.shape[1]
    first, touch_by = 16 * (words + BLOCK), len(trie.nodes) * words
    notes = first + 2 * touch_by
    start_growth(trie, work)
    end = notes
    for t in range(len(trie.nodes)):
        if grow_at(trie, work, left, t):
            if mode == ANY:
                return 1
            at = first + t * words
            end = note_words(work, at, at + touch_by, words, t * 64 * (words + 1), 64, end)
    return write_numbers(work, notes, end, trie.placement_at, out) if mode == LIST else 0


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
    """Legal placements of a colour by ascending number into `out` (mode LIST), or only whether there are any.

    `out` needs room for as many as there are and SPARE more in LIST, none otherwise. Returns the number of
    placements (ANY: 0 or 1). Whether the colour is on turn or has left the game does not matter.
    """
    return legal_of(geometry, rules, state, colour, pieces_left(state, colour), mode, out)


@part
def legal_of(
    geometry: Geometry, rules: Rules, state: State, colour: int, left: int, mode: int, out: I32
) -> int:
    """What `legal` does, for the pieces of the bit set `left`."""
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
