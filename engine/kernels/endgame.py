"""The end of a game as bit sets: everything that may still be placed is a candidate, and a move strikes candidates out.

The candidates of a colour are the placements that fit and can still come to touch its own pieces at a corner. For each
one a row says which candidates go when it is placed (they overlap it, or are the colour's own and beside it) and which
of its own colour can be placed from then on. So a move is a few operations on words, without a board.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry import I32, I64, U64
from engine.kernels.bits import popcount, trailing_zeros
from engine.kernels.compile import inner, leaf, part

DEPTHS = 130
"""Positions on the way from the root, at most: all pieces of four colours, and passes."""

PLACEMENT, SLOT = 0, 1
"""Columns of `Endgame.candidates`. A slot is a piece of a colour that has candidates."""

OWNER, CELLS_EACH, FIRST_BIT, END_BIT = range(4)
"""Columns of `Endgame.slots`: colour, size of the piece, and the range of its candidates."""

FIRST_WORD, END_WORD, FIRST_SLOT, END_SLOT, SIGN, SEAT, LOST, ACTIVE = range(8)
"""Columns of `Endgame.colours`: its candidates' words, its slots; whether its points count for (1) or against (-1);
its seat (-1: shared); its pieces without a candidate; whether it can have a turn."""

UPPER, ABLE, PIECES_LEFT, PLACED = range(4)
"""Columns of a colour in `Endgame.sheet`: bound on the points to come, whether it can move, pieces left and placed."""

PER_COLOUR = 4

(
    COLOURS,
    WORDS,
    LINK_WORDS,
    CELL_WORDS,
    ROW,
    LINKS_AT,
    CELLS_AT,
    STRIDE,
    LEGAL_AT,
    UNION_AT,
    HASH_AT,
    SCRATCH,
    ROOM,
    SLOTS,
    POINTS,
    ALL_BONUS,
    SINGLE_BONUS,
    ALONE,
    COUNTED,
    FIRST_BLOCKED,
    VOLUNTARY,
    SEATS,
    NODES,
    BUDGET,
    STOP,
    GENERATION,
    TOP,
    MANY,
    NEXT_COLOUR,
    TURNS,
    LAST_TURN,
    INFO,
) = range(32)
"""Entries of `Endgame.info`, in three groups: what the arrays look like (words of all candidates, of a colour's, of the
cells; length of a row of `rows` and where its parts begin; length of a row of `bits` and where its parts begin; first
word behind the last row; number of rows; slots); rules (points of a cell and of the two bonuses; whether colours that
cannot meet may be solved alone; whether turns are counted; end rule; voluntary passes; seats); the state of the search
(positions so far and allowed; why it stopped; number of the search; moves on the stack); whether there are more than
two sides; at the root, the colour next in order, the turns gone by, the last turn of the game."""

NEUTRAL, GONE, BASE = 0, 1, 2
"""Columns of `Endgame.seats`: without a place; out of the game; points it has with nothing placed."""

PASS, NO_MOVE = np.int64(65534), np.int64(65535)
"""Moves that are no candidates."""

ROOT, NEXT = np.int64(0), np.int64(1)
"""Depths. Plain numbers would be types of their own in calls, and what is called compiled once more for each."""

RUNNING, OUT_OF_NODES, ASKED = 0, 1, 2
"""Values of STOP; ASKED may be written from outside while a search runs."""


class Endgame(NamedTuple):
    """What the solver works on, made by `engine.endgame.new_endgame`. Rows of `rows` and `bits` are laid flat."""

    candidates: I64  # (N, 2) PLACEMENT, SLOT; each colour's begin at a multiple of 64
    slots: I64  # (S, 4)
    colours: I64  # (colours, 8)
    seats: I64  # (seats, 3)
    rows: U64  # of each candidate: what it strikes out, what it links to (in its colour's words), its cells
    bits: U64  # of each depth: candidates alive, legal, cells of each colour's candidates, a hash of each colour
    sheet: I64  # (DEPTHS, 4 colours + S) PER_COLOUR columns of each colour, copies left in each slot
    totals: I64  # (2 DEPTHS, seats) points so far and at the end, of searches for many sides
    moves: I64  # stack of moves to try, with their promise; while setting up, flags of candidates and numbers of cells
    table: U64  # (2 ** k, 4) two halves of a key, bounds and move, number and work of the search
    fitting: I32  # (P + SPARE,) scratch
    info: I64  # (INFO,)


@leaf
def range_bits(word: int, first: int, end: int) -> np.uint64:
    """The bits of word number `word` that lie in a range of bits which touches it."""
    mask = ~np.uint64(0)
    if word == first >> 6:
        mask &= mask << np.uint64(first & 63)
    if word == (end - 1) >> 6:
        mask &= ~np.uint64(0) >> np.uint64(63 - ((end - 1) & 63))
    return mask


@part
def is_alive(end: Endgame, alive: int, slot: int) -> bool:
    """Whether a slot has a candidate in the bit set at word `alive`."""
    first, last = end.slots[slot, FIRST_BIT], end.slots[slot, END_BIT]
    found = np.uint64(0)
    for w in range(first >> 6, ((last - 1) >> 6) + 1):
        found |= end.bits[alive + w] & range_bits(w, first, last)
    return found != 0


@leaf
def mixed(hash_: np.uint64, word: np.uint64, factor: np.uint64) -> np.uint64:
    """A hash with one more word in it."""
    out = (hash_ ^ word) * factor
    return out ^ (out >> np.uint64(32))


FACTOR_0 = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1 = np.uint64(0xD6E8FEB86659FD93)


@part
def spread(end: Endgame, at: int, colour: int) -> None:
    """Keep of a colour's candidates those that its legal ones lead to, and write the cells of all of them."""
    info, rows, bits = end.info, end.rows, end.bits
    first, last = end.colours[colour, FIRST_WORD], end.colours[colour, END_WORD]
    links, cells, width = info[LINKS_AT] - first, info[CELLS_AT], info[CELL_WORDS]
    legal = at + info[LEGAL_AT]
    union = at + info[UNION_AT] + colour * width
    reached = info[SCRATCH]
    todo = reached + info[WORDS]
    for k in range(width):
        bits[union + k] = 0
    for w in range(first, last):
        bits[reached + w] = bits[legal + w]
        bits[todo + w] = bits[legal + w]
    again = True
    while again:
        again = False
        for w in range(first, last):
            while bits[todo + w]:
                p = w * 64 + trailing_zeros(bits[todo + w])
                bits[todo + w] &= bits[todo + w] - np.uint64(1)
                row = p * info[ROW]
                for k in range(width):
                    bits[union + k] |= rows[row + cells + k]
                for v in range(first, last):
                    new = rows[row + links + v] & bits[at + v] & ~bits[reached + v]
                    if new:
                        bits[reached + v] |= new
                        bits[todo + v] |= new
                        again = again or v < w
    for w in range(first, last):
        bits[at + w] = bits[reached + w]


@inner
def settle(end: Endgame, depth: int, colour: int) -> None:
    """After a change of a colour's candidates: what it can still reach, a bound on its points, its hash."""
    info, bits, sheet = end.info, end.bits, end.sheet
    at = depth * info[STRIDE]
    spread(end, at, colour)
    base = info[COLOURS] * PER_COLOUR
    own = colour * PER_COLOUR
    room = 0
    union = at + info[UNION_AT] + colour * info[CELL_WORDS]
    for k in range(info[CELL_WORDS]):
        room += popcount(bits[union + k])
    total, copies, single = 0, np.uint64(0), False
    everything = end.colours[colour, LOST] == 0
    for slot in range(end.colours[colour, FIRST_SLOT], end.colours[colour, END_SLOT]):
        count = sheet[depth, base + slot]
        if count > 0:
            if is_alive(end, at, slot):
                total += count * end.slots[slot, CELLS_EACH]
                single = single or end.slots[slot, CELLS_EACH] == 1
                if count > 1:
                    copies |= np.uint64(1) << np.uint64(slot - end.colours[colour, FIRST_SLOT])
            else:
                everything = False
    if total > room:
        total, everything = room, False
    everything = everything and total > 0
    upper = total * info[POINTS]
    if everything:
        upper += max(info[ALL_BONUS], info[SINGLE_BONUS]) if single else info[ALL_BONUS]
    sheet[depth, own + UPPER] = upper
    sheet[depth, own + ABLE] = 1 if total > 0 else 0
    begun = sheet[depth, own + PLACED] > 0
    extra = copies * np.uint64(4) + np.uint64(everything) * np.uint64(2) + np.uint64(begun)
    seed = np.uint64(colour + 1)
    high, low = mixed(seed, extra, FACTOR_0), mixed(extra, seed, FACTOR_1)
    legal = at + info[LEGAL_AT]
    for w in range(end.colours[colour, FIRST_WORD], end.colours[colour, END_WORD]):
        high = mixed(mixed(high, bits[at + w], FACTOR_0), bits[legal + w], FACTOR_1)
        low = mixed(mixed(low, bits[legal + w], FACTOR_0), bits[at + w], FACTOR_1)
    bits[at + info[HASH_AT] + 2 * colour] = high
    bits[at + info[HASH_AT] + 2 * colour + 1] = low


@part
def copy_down(end: Endgame, depth: int, to: int) -> None:
    """Copy the position of a depth to another."""
    info = end.info
    here, there = depth * info[STRIDE], to * info[STRIDE]
    for i in range(info[STRIDE]):
        end.bits[there + i] = end.bits[here + i]
    for i in range(info[COLOURS] * PER_COLOUR + info[SLOTS]):
        end.sheet[to, i] = end.sheet[depth, i]


@inner
def make(end: Endgame, depth: int, move: int) -> int:
    """Write the position after a move or a pass to the next depth; returns the mover's points for it."""
    info, bits, rows, sheet = end.info, end.bits, end.rows, end.sheet
    copy_down(end, depth, depth + 1)
    if move == PASS:
        return 0
    slot = end.candidates[move, SLOT]
    mover = end.slots[slot, OWNER]
    at = (depth + 1) * info[STRIDE]
    own = mover * PER_COLOUR
    row = move * info[ROW]
    left = info[COLOURS] * PER_COLOUR + slot
    sheet[depth + 1, left] -= 1
    first, last = end.slots[slot, FIRST_BIT], end.slots[slot, END_BIT]
    if sheet[depth + 1, left] == 0:
        for w in range(first >> 6, ((last - 1) >> 6) + 1):
            bits[at + w] &= ~range_bits(w, first, last)
    links = row + info[LINKS_AT] - end.colours[mover, FIRST_WORD]
    legal = at + info[LEGAL_AT]
    for colour in range(info[COLOURS]):
        hit = np.uint64(0)
        for w in range(end.colours[colour, FIRST_WORD], end.colours[colour, END_WORD]):
            gone = bits[at + w] & rows[row + w]
            bits[at + w] ^= gone
            hit |= gone
            if colour == mover:
                # What a colour that has not begun may place lies on a starting cell: its first piece ends that.
                before = bits[legal + w] if sheet[depth, own + PLACED] > 0 else np.uint64(0)
                bits[legal + w] = before | rows[links + w]
            bits[legal + w] &= bits[at + w]
        if colour == mover:
            sheet[depth + 1, own + PLACED] += 1
            sheet[depth + 1, own + PIECES_LEFT] -= 1
        if colour == mover or hit:
            settle(end, depth + 1, colour)
    size = end.slots[slot, CELLS_EACH]
    gain = size * info[POINTS]
    if sheet[depth + 1, own + PIECES_LEFT] == 0:
        gain += info[SINGLE_BONUS] if size == 1 else info[ALL_BONUS]
    return gain
