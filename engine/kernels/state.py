"""The small mutable arrays of a position, and the few operations on them that everything else uses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import ALL_PLACED, CELLS, FACTS, PIECES, SINGLE_LAST
from engine.geometry import (
    BLOCK,
    CELLS_END,
    COPIES,
    CORNERS_END,
    EDGES_END,
    I8,
    I16,
    I32,
    SIZE,
    U64,
    Geometry,
)
from engine.kernels.compile import inner, leaf

EMPTY = -1


class Rules(NamedTuple):
    """What kernels know of a ruleset. G groups of starting cells, S cells in a group."""

    start_groups: I16  # (colours, G, S) cells, -1 padded; a group is free while none of its cells is covered
    seat_of: I8  # (colours,) seat of a colour, -1: shared
    end: int  # END_ALL_BLOCKED, END_FIRST_BLOCKED, END_ROUNDS, END_MAX_ROUNDS
    rounds: int
    voluntary: int  # 1: colours may pass as they like after their first piece
    strict: int  # 1: an unforced pass stops the replay


END_ALL_BLOCKED, END_FIRST_BLOCKED, END_ROUNDS, END_MAX_ROUNDS = 0, 1, 2, 3


class State(NamedTuple):
    """A position. C cells, N pieces, W words of a bit string."""

    board: I8  # (C,) colour on each cell, EMPTY
    forbidden: U64  # (colours, W) cells occupied or side by side with the colour's own
    attach: U64  # (colours, W) cells that touch the colour's own by a corner only, or did when they were set
    left: I8  # (colours, N) copies of each piece still to place
    facts: I32  # (colours, FACTS)
    key: U64  # (2,) exclusive or of the keys of the covered cells
    work: U64  # scratch of the legal-move kernel
    nothing: I32  # (0,) a list for kernels that want no list


def new_state(geometry: Geometry, colours: int) -> State:
    """Return an empty position for `colours` colours."""
    words = len(geometry.board_bits)
    nodes = len(geometry.trie.nodes)
    return State(
        np.full(len(geometry.cell_bit), EMPTY, np.int8),
        np.zeros((colours, words), np.uint64),
        np.zeros((colours, words), np.uint64),
        np.tile(geometry.pieces[:, COPIES], (colours, 1)),
        np.zeros((colours, FACTS), np.int32),
        np.zeros(2, np.uint64),
        # 8 shifted copies of two bit strings with a spare block behind each, two strings a node, and the notes of a
        # list: two words for every word of a node's string, and two to spare
        np.zeros(16 * (words + BLOCK) + 4 * nodes * words + 2, np.uint64),
        np.zeros(0, np.int32),
    )


@inner
def clear(geometry: Geometry, state: State) -> None:
    """Empty the board and give every colour all its pieces."""
    state.board[:] = EMPTY
    state.forbidden[:] = 0
    state.attach[:] = 0
    for colour in range(len(state.left)):
        for piece in range(len(geometry.pieces)):
            state.left[colour, piece] = geometry.pieces[piece, COPIES]
    state.facts[:] = 0
    state.key[:] = 0


@leaf
def set_bit(bits: U64, row: int, index: int) -> None:
    """Set one bit of a row of bit strings."""
    bits[row, index >> 6] |= np.uint64(1) << np.uint64(index & 63)


@leaf
def get_bit(bits: U64, row: int, index: int) -> bool:
    """Whether one bit of a row of bit strings is set."""
    return (bits[row, index >> 6] >> np.uint64(index & 63)) & np.uint64(1) != 0


@leaf
def start_liberties(cell_bit: I16, groups: I16, board: I8, colour: int, out: U64, first: int) -> None:
    """Set the bits of the colour's free starting cells in the bit string (zeros) at word `first` of `out`."""
    for g in range(groups.shape[1]):
        free = True
        for k in range(groups.shape[2]):
            cell = groups[colour, g, k]
            if cell >= 0 and board[cell] != EMPTY:
                free = False
        for k in range(groups.shape[2]):
            cell = groups[colour, g, k]
            if free and cell >= 0:
                bit = cell_bit[cell]
                out[first + (bit >> 6)] |= np.uint64(1) << np.uint64(bit & 63)


@leaf
def place(geometry: Geometry, state: State, colour: int, placement: int) -> None:
    """Put a placement on the board for a colour, whether legal or not."""
    forbidden, attach = state.forbidden, state.attach
    span, touched = geometry.span, geometry.touched
    for i in range(span[placement, 0], span[placement, CELLS_END]):
        cell = touched[i]
        bit = geometry.cell_bit[cell]
        state.board[cell] = colour
        for other in range(len(forbidden)):
            set_bit(forbidden, other, bit)
        state.key[0] ^= geometry.keys[colour, cell, 0]
        state.key[1] ^= geometry.keys[colour, cell, 1]
    for i in range(span[placement, CELLS_END], span[placement, EDGES_END]):
        set_bit(forbidden, colour, geometry.cell_bit[touched[i]])
    for i in range(span[placement, EDGES_END], span[placement, CORNERS_END]):
        set_bit(attach, colour, geometry.cell_bit[touched[i]])
    piece = geometry.placement_piece[placement]
    state.left[colour, piece] -= 1
    facts = state.facts
    facts[colour, CELLS] += geometry.pieces[piece, SIZE]
    facts[colour, PIECES] += 1
    left = 0
    for other in range(state.left.shape[1]):
        left += state.left[colour, other]
    if left == 0:
        facts[colour, ALL_PLACED] = 1
        facts[colour, SINGLE_LAST] = 1 if geometry.pieces[piece, SIZE] == 1 else 0
