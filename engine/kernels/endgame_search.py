"""Best play of two sides, and packings of one: alpha-beta with a table, split where colours cannot meet any more.

Values are points to come: those of the colours with SIGN 1 less those of the others.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.bits import popcount, trailing_zeros
from engine.kernels.compile import inner, leaf, part
from engine.kernels.endgame import (
    ABLE,
    ACTIVE,
    ALONE,
    BUDGET,
    CELL_WORDS,
    CELLS_EACH,
    COLOURS,
    COUNTED,
    END_WORD,
    FIRST_BLOCKED,
    FIRST_WORD,
    LEGAL_AT,
    NO_MOVE,
    NODES,
    OUT_OF_NODES,
    PASS,
    PER_COLOUR,
    PIECES_LEFT,
    PLACED,
    ROOM,
    ROOT,
    ROW,
    RUNNING,
    SEAT,
    SIGN,
    SLOT,
    STOP,
    STRIDE,
    TOP,
    UNION_AT,
    VOLUNTARY,
    Endgame,
    make,
)
from engine.kernels.endgame_bounds import bounds, closer_bounds
from engine.kernels.endgame_table import find, keep, key_of

PROMISE_SIZE = 16
"""Candidates of the other side that a cell of a move's size is worth, in the order of moves."""

ZERO = np.int64(32768)
"""Where values begin in an entry of the table: 16 bits hold more than any difference of points."""


@inner
def next_able(end: Endgame, depth: int, mask: int, nominal: int) -> int:
    """The first colour of a set, from `nominal` on, that can move; -1 if none can."""
    colours = end.info[COLOURS]
    for step in range(colours):
        colour = (nominal + step) % colours
        if (mask >> colour) & 1 and end.sheet[depth, colour * PER_COLOUR + ABLE]:
            return colour
    return -1


@leaf
def active(end: Endgame) -> int:
    """The colours that have turns, as a bit set."""
    mask = np.int64(0)
    for colour in range(end.info[COLOURS]):
        if end.colours[colour, ACTIVE]:
            mask |= 1 << colour
    return mask


@inner
def group(end: Endgame, depth: int, mask: int, colour: int) -> int:
    """Those of a set of colours that can meet `colour`, or meet one that can, and itself."""
    info, bits = end.info, end.bits
    unions, width = depth * info[STRIDE] + info[UNION_AT], info[CELL_WORDS]
    found, again = 1 << colour, True
    while again:
        again = False
        for other in range(info[COLOURS]):
            if (found >> other) & 1 or not (mask >> other) & 1:
                continue
            if not end.sheet[depth, other * PER_COLOUR + ABLE]:
                continue
            for member in range(info[COLOURS]):
                if (found >> member) & 1 and not (found >> other) & 1:
                    for k in range(width):
                        if bits[unions + member * width + k] & bits[unions + other * width + k]:
                            found |= 1 << other
                            again = True
                            break
    return found


@leaf
def is_out_of_budget(end: Endgame, depth: int) -> bool:
    """Count a position; whether the search has to stop."""
    info = end.info
    info[NODES] += 1
    if info[NODES] > info[BUDGET] or depth + 1 >= info[ROOM]:
        info[STOP] = max(info[STOP], OUT_OF_NODES)
    return info[STOP] != RUNNING


@inner
def limit_after(end: Endgame, depth: int, mover: int, turn: int, limit: int) -> int:
    """Last turn of the game after turn number `turn`, made by a move to the position of `depth`."""
    colours = end.info[COLOURS]
    if end.info[COUNTED] == 2 and end.sheet[depth, mover * PER_COLOUR + PIECES_LEFT] == 0:
        return min(limit, (turn + colours - 1) // colours * colours)
    return limit


@inner
def list_moves(end: Endgame, depth: int, mask: int, mover: int, first_move: int) -> int:
    """Push the moves of a colour on the stack, each with its promise; returns their number.

    Where there is no room for them the search stops.
    """
    info, bits, rows, moves = end.info, end.bits, end.rows, end.moves
    at = depth * info[STRIDE]
    legal = at + info[LEGAL_AT]
    n = info[TOP]
    for w in range(end.colours[mover, FIRST_WORD], end.colours[mover, END_WORD]):
        word = bits[legal + w]
        while word:
            p = w * 64 + trailing_zeros(word)
            word &= word - np.uint64(1)
            if n + 1 >= len(moves):
                info[STOP] = max(info[STOP], OUT_OF_NODES)
                return 0
            row = p * info[ROW]
            taken = 0
            for other in range(info[COLOURS]):
                if (mask >> other) & 1 and other != mover:
                    weight = 0 if end.colours[other, SIGN] == end.colours[mover, SIGN] else 1
                    for v in range(end.colours[other, FIRST_WORD], end.colours[other, END_WORD]):
                        taken += weight * popcount(rows[row + v] & bits[at + v])
            promise = end.slots[end.candidates[p, SLOT], CELLS_EACH] * PROMISE_SIZE + taken
            if p == first_move:
                promise = 1 << 30
            moves[n] = promise << 16 | p
            n += 1
    if info[VOLUNTARY] and end.sheet[depth, mover * PER_COLOUR + PLACED] > 0:
        moves[n] = PASS + (1 << 46 if first_move == PASS else 0)
        n += 1
    return n - info[TOP]


@leaf
def take_best(end: Endgame, at: int, stop: int) -> int:
    """Bring the most promising of the moves from `at` on to the front and return it."""
    moves = end.moves
    best = at
    for i in range(at + 1, stop):
        if moves[i] > moves[best]:
            best = i
    moves[at], moves[best] = moves[best], moves[at]
    return moves[at] & 0xFFFF


@leaf
def able(end: Endgame, depth: int, mask: int) -> int:
    """Those of a set of colours that can move."""
    for colour in range(end.info[COLOURS]):
        if not end.sheet[depth, colour * PER_COLOUR + ABLE]:
            mask &= ~(1 << colour)
    return mask


@leaf
def is_end(end: Endgame, depth: int, mover: int, turn: int, limit: int) -> bool:
    """Whether the game is over when `mover` (-1: nobody) comes next, on turn number `turn`."""
    info = end.info
    if mover < 0 or (info[COUNTED] and turn > limit):
        return True
    if not info[FIRST_BLOCKED]:
        return False
    able_seats = 0
    for colour in range(info[COLOURS]):
        if end.sheet[depth, colour * PER_COLOUR + ABLE]:
            able_seats |= 1 << end.colours[colour, SEAT]
    return able_seats != 3  # this end rule is for two seats


@part
def _read(end: Endgame, entry: int, low: int, high: int) -> tuple[int, int, int]:
    """(bounds, best move) with what an entry of the table says; -1: no entry."""
    if entry < 0:
        return low, high, NO_MOVE
    data = np.int64(end.table[entry, 2])
    low = max(low, ((data >> 16) & 0xFFFF) - ZERO)
    high = min(high, ((data >> 32) & 0xFFFF) - ZERO)
    return low, high, data & 0xFFFF


@part
def _written(value: int, low: int, high: int, alpha: int, beta: int, best: int) -> np.uint64:
    """Data of an entry from the value found in a window."""
    if value > alpha:
        low = value
    if value < beta:
        high = value
    return np.uint64((high + ZERO) << 32 | (low + ZERO) << 16 | best)


@inner
def search(
    end: Endgame, depth: int, mask: int, nominal: int, turn: int, limit: int, alpha: int, beta: int
) -> int:
    """Points still to come for a set of colours, exact inside the window, else a bound on its side of it.

    `nominal` is the colour next in order after `turn` turns; worthless once STOP is set.
    """
    info = end.info
    mover = next_able(end, depth, mask, nominal)
    now = turn + (mover - nominal) % info[COLOURS] + 1
    if is_out_of_budget(end, depth) or is_end(end, depth, mover, now, limit):
        return 0
    low, high = bounds(end, depth, mask)
    if high <= alpha or low >= beta:
        return high if high <= alpha else low
    if info[ALONE]:
        mask = able(end, depth, mask)
        if group(end, depth, mask, mover) != mask:  # the rest never meets these: the values add up
            value = 0
            while mask:
                meeting = group(end, depth, mask, next_able(end, depth, mask, ROOT))
                mask &= ~meeting
                low, high = bounds(end, depth, mask)
                a, b = alpha - value - high, beta - value - low
                value += search(end, depth, meeting, nominal, turn, limit, a, b)
                if value + high <= alpha:
                    return value + high
                if value + low >= beta or info[STOP]:
                    return value + low
            return value
        low, high = closer_bounds(end, depth, mask, low, high)
    key, key_2 = key_of(end, depth, mask, mover, now, limit)
    low, high, best = _read(end, find(end, key, key_2), low, high)
    if high <= alpha or low >= beta or low == high:
        return high if high <= alpha else low
    alpha, beta = max(alpha, low), min(beta, high)
    a, b, before, top = alpha, beta, info[NODES], info[TOP]
    info[TOP] += list_moves(end, depth, mask, mover, best)
    sign = end.colours[mover, SIGN]
    value = -ZERO * sign
    for i in range(top, info[TOP]):
        move = take_best(end, i, info[TOP])
        gain = make(end, depth, move) * sign
        last = limit_after(end, depth + 1, mover, now, limit)
        # All but the first are only asked whether they are better.
        from_, to = (a, b) if i == top else ((a, a + 1) if sign > 0 else (b - 1, b))
        found = gain + search(end, depth + 1, mask, mover + 1, now, last, from_ - gain, to - gain)
        if i > top and a < found < b:
            found = gain + search(end, depth + 1, mask, mover + 1, now, last, a - gain, b - gain)
        if info[STOP]:
            return 0
        if found * sign > value * sign:
            value, best = found, move
            a, b = (max(a, found), b) if sign > 0 else (a, min(b, found))
            if a >= b:
                break
    info[TOP] = top
    value = min(max(value, low), high)
    keep(end, key, key_2, _written(value, low, high, alpha, beta, best), info[NODES] - before)
    return value
