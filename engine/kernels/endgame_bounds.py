"""Bounds on the points still to come, without a search."""

from __future__ import annotations

import numpy as np

from engine.kernels.bits import trailing_zeros
from engine.kernels.compile import inner, leaf
from engine.kernels.endgame import (
    ABLE,
    ALL_BONUS,
    CELL_WORDS,
    CELLS_AT,
    CELLS_EACH,
    COLOURS,
    END_BIT,
    END_WORD,
    FIRST_BIT,
    FIRST_WORD,
    LEGAL_AT,
    LINKS_AT,
    PER_COLOUR,
    PIECES_LEFT,
    POINTS,
    ROW,
    SCRATCH,
    SIGN,
    SINGLE_BONUS,
    SLOT,
    STRIDE,
    UNION_AT,
    UPPER,
    WORDS,
    Endgame,
    range_bits,
)


@inner
def sure(end: Endgame, depth: int, mask: int, colour: int) -> int:
    """Points a colour gets whatever others do: one placement after the other where nobody else can come."""
    info, bits, rows = end.info, end.bits, end.rows
    at = depth * info[STRIDE]
    legal = at + info[LEGAL_AT]
    first, last = end.colours[colour, FIRST_WORD], end.colours[colour, END_WORD]
    unions, width = at + info[UNION_AT], info[CELL_WORDS]
    mine, open_ = info[SCRATCH], info[SCRATCH] + info[WORDS]
    for w in range(first, last):
        bits[mine + w], bits[open_ + w] = bits[at + w], bits[legal + w]
    points, placed = 0, 0
    w = first
    while w < last:
        if not bits[open_ + w]:
            w += 1
            continue
        p = w * 64 + trailing_zeros(bits[open_ + w])
        bits[open_ + w] &= bits[open_ + w] - np.uint64(1)
        row = p * info[ROW]
        free = True
        for other in range(info[COLOURS]):
            if other != colour and (mask >> other) & 1 and end.sheet[depth, other * PER_COLOUR + ABLE]:
                for k in range(width):
                    free = free and not (rows[row + info[CELLS_AT] + k] & bits[unions + other * width + k])
        if not free:
            continue
        slot = end.candidates[p, SLOT]
        size = end.slots[slot, CELLS_EACH]
        points += size * info[POINTS]
        placed += 1
        begin, stop = end.slots[slot, FIRST_BIT], end.slots[slot, END_BIT]
        links = row + info[LINKS_AT] - first
        for v in range(first, last):
            gone = rows[row + v]
            if begin >> 6 <= v <= (stop - 1) >> 6:
                gone |= range_bits(v, begin, stop)
            bits[mine + v] &= ~gone
            bits[open_ + v] = (bits[open_ + v] | rows[links + v]) & bits[mine + v]
        w = first
    if placed and placed == end.sheet[depth, colour * PER_COLOUR + PIECES_LEFT]:
        points += min(info[ALL_BONUS], info[SINGLE_BONUS])
    return points


@leaf
def bounds(end: Endgame, depth: int, mask: int) -> tuple[int, int]:
    """The least and the greatest value that a set of colours can still come to, roughly."""
    low, high = 0, 0
    for colour in range(end.info[COLOURS]):
        if (mask >> colour) & 1:
            if end.colours[colour, SIGN] > 0:
                high += end.sheet[depth, colour * PER_COLOUR + UPPER]
            else:
                low -= end.sheet[depth, colour * PER_COLOUR + UPPER]
    return low, high


@inner
def closer_bounds(end: Endgame, depth: int, mask: int, low: int, high: int) -> tuple[int, int]:
    """The bounds with what each colour has for sure; only where the game does not end before all are blocked."""
    for colour in range(end.info[COLOURS]):
        if (mask >> colour) & 1 and end.sheet[depth, colour * PER_COLOUR + ABLE]:
            points = sure(end, depth, mask, colour)
            if end.colours[colour, SIGN] > 0:
                low += points
            else:
                high -= points
    return low, high
