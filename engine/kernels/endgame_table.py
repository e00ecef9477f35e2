"""The table of what the exact solver has proven on its way: keys, looking up, writing down."""

from __future__ import annotations

import numpy as np

from engine.kernels.compile import inner
from engine.kernels.endgame import (
    ABLE,
    ACTIVE,
    COLOURS,
    COUNTED,
    FACTOR_0,
    FACTOR_1,
    GENERATION,
    HASH_AT,
    PER_COLOUR,
    STRIDE,
    Endgame,
    mixed,
)


@inner
def key_of(
    end: Endgame, depth: int, mask: int, mover: int, turn: int, limit: int
) -> tuple[np.uint64, np.uint64]:
    """128-bit key of what is still open for a set of colours."""
    info = end.info
    high, low = np.uint64(mover + 1) * FACTOR_1, np.uint64(mover + 1) * FACTOR_0
    hashes = depth * info[STRIDE] + info[HASH_AT]
    for colour in range(info[COLOURS]):
        counts = (mask >> colour) & 1 or not end.colours[colour, ACTIVE]
        if counts and end.sheet[depth, colour * PER_COLOUR + ABLE]:
            high += end.bits[hashes + 2 * colour]
            low += end.bits[hashes + 2 * colour + 1]
    if info[COUNTED]:
        word = np.uint64(turn * 65536 + limit)
        high, low = mixed(high, word, FACTOR_0), mixed(low, word, FACTOR_1)
    return high, low


@inner
def find(end: Endgame, high: np.uint64, low: np.uint64) -> int:
    """Row of the table that holds a key, -1 if none does."""
    table = end.table
    row = np.int64(low & np.uint64(len(table) - 2))
    for i in range(row, row + 2):
        same = table[i, 0] == high and table[i, 1] == low
        if same and np.int64(table[i, 3] >> np.uint64(32)) == end.info[GENERATION]:
            return i
    return -1


@inner
def keep(end: Endgame, high: np.uint64, low: np.uint64, data: np.uint64, work: int) -> None:
    """Write an entry: over the same key, else over the first of its two rows unless that took more work."""
    table = end.table
    row = np.int64(low & np.uint64(len(table) - 2))
    old = find(end, high, low)
    fresh = np.int64(table[row, 3] >> np.uint64(32)) == end.info[GENERATION]
    if old >= 0:
        row = old
    elif fresh and np.int64(table[row, 3] & np.uint64(0xFFFFFFFF)) > work:
        row += 1
    table[row, 0], table[row, 1], table[row, 2] = high, low, data
    table[row, 3] = np.uint64(end.info[GENERATION]) << np.uint64(32) | np.uint64(min(work, 0xFFFFFFFF))
