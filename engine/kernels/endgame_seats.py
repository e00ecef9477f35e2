"""Best play of three or more sides: every seat looks for its own best, those that meet nobody are counted at once."""

from __future__ import annotations

import numpy as np

from engine.kernels.compile import inner, leaf, part
from engine.kernels.endgame import (
    ALONE,
    COLOURS,
    FACTOR_0,
    FACTOR_1,
    GONE,
    NEUTRAL,
    NO_MOVE,
    NODES,
    PASS,
    PER_COLOUR,
    PLACED,
    PLACEMENT,
    ROOT,
    SEAT,
    SEATS,
    STOP,
    TOP,
    Endgame,
    make,
    mixed,
)
from engine.kernels.endgame_search import (
    ZERO,
    able,
    group,
    is_end,
    is_out_of_budget,
    limit_after,
    list_moves,
    next_able,
    search,
    take_best,
)
from engine.kernels.endgame_table import find, keep, key_of

OUT_RANK = -(1 << 20)


@leaf
def chooser(end: Endgame, depth: int, mover: int) -> int:
    """The seat that moves a colour. A shared one is moved in turn; whoever has left is passed over."""
    seats = end.info[SEATS]
    seat = end.colours[mover, SEAT]
    if seat < 0:
        first = end.sheet[depth, mover * PER_COLOUR + PLACED] % seats
        for step in range(seats):
            seat = (first + step) % seats
            if not end.seats[seat, GONE]:
                break
    return seat


@leaf
def wish(end: Endgame, row: int, seat: int) -> int:
    """How much a seat likes an end, as one number: its share, then its points, then few points of the others."""
    totals, seats = end.totals, end.seats
    others, better, tied = 0, 0, 0
    own = OUT_RANK if seats[seat, GONE] else totals[row, seat]
    for other in range(end.info[SEATS]):
        if other != seat:
            others += totals[row, other]
            if not seats[other, NEUTRAL]:
                theirs = OUT_RANK if seats[other, GONE] else totals[row, other]
                better += 1 if theirs > own else 0
                tied += 1 if theirs == own else 0
    share = 0 if seats[seat, NEUTRAL] else 2 * (end.info[SEATS] - better) - tied
    return (share << 40) + (totals[row, seat] << 20) - others


@leaf
def owners(end: Endgame, mask: int) -> int:
    """The seats of a set of colours as a bit set, bit 0 for a shared colour."""
    found = 0
    for colour in range(end.info[COLOURS]):
        if (mask >> colour) & 1:
            found |= 1 << (end.colours[colour, SEAT] + 1)
    return found


@part
def count_alone(end: Endgame, depth: int, mask: int, nominal: int) -> int:
    """Give colours that meet none of another seat their best; returns the colours that are left.

    More points of its own never hurt a seat, so what nobody else can touch is played for points.
    """
    rest = mask = able(end, depth, mask)
    while rest:
        meeting = group(end, depth, rest, next_able(end, depth, rest, ROOT))
        rest &= ~meeting
        seats = owners(end, meeting)
        if seats & (seats - 1) == 0:
            mask &= ~meeting
            for seat in range(end.info[SEATS]):
                if seats == 2 << seat:
                    points = search(end, depth, meeting, nominal, ROOT, ROOT, -ZERO, ZERO)
                    end.totals[2 * depth, seat] += points
    return mask


@leaf
def full_key(
    end: Endgame, depth: int, mask: int, mover: int, turn: int, limit: int
) -> tuple[np.uint64, np.uint64]:
    """Key of what is open, with the points so far and whose turn it is to move the shared colour."""
    high, low = key_of(end, depth, mask, mover, turn, limit)
    for seat in range(end.info[SEATS]):
        word = np.uint64(end.totals[2 * depth, seat] + ZERO)
        high, low = mixed(high, word, FACTOR_0), mixed(low, word, FACTOR_1)
    for colour in range(end.info[COLOURS]):
        if (mask >> colour) & 1 and end.colours[colour, SEAT] < 0:
            word = np.uint64(end.sheet[depth, colour * PER_COLOUR + PLACED] % end.info[SEATS] + 1)
            high, low = mixed(high, word, FACTOR_0), mixed(low, word, FACTOR_1)
    return high, low


@leaf
def pack(end: Endgame, row: int) -> np.uint64:
    """The totals of a row, 16 bits each."""
    data = np.uint64(0)
    for seat in range(end.info[SEATS]):
        data |= np.uint64(end.totals[row, seat] + ZERO) << np.uint64(16 * seat)
    return data


@leaf
def unpack(end: Endgame, row: int, data: np.uint64) -> None:
    """The inverse of `pack`."""
    for seat in range(end.info[SEATS]):
        end.totals[row, seat] = np.int64((data >> np.uint64(16 * seat)) & np.uint64(0xFFFF)) - ZERO


@leaf
def number(end: Endgame, move: int) -> int:
    """Number by which equal moves are told apart: the lowest placement, a pass last."""
    return np.int64(1 << 20) if move == PASS else end.candidates[move, PLACEMENT]


@inner
def best_for_all(end: Endgame, depth: int, mask: int, nominal: int, turn: int, limit: int) -> int:
    """The best move of the next colour; row 2 depth of the totals is the points so far, the next gets the end's.

    Each seat takes the move whose end it wishes most (`wish`), of equal ones the lowest placement.
    """
    info, totals = end.info, end.totals
    if is_out_of_budget(end, depth):
        return NO_MOVE
    if info[ALONE]:
        mask = count_alone(end, depth, mask, nominal)
    own, result = 2 * depth, 2 * depth + 1
    for seat in range(info[SEATS]):
        totals[result, seat] = totals[own, seat]
    mover = next_able(end, depth, mask, nominal)
    now = turn + (mover - nominal) % info[COLOURS] + 1
    if info[STOP] or is_end(end, depth, mover, now, limit):
        return NO_MOVE
    high, low = full_key(end, depth, mask, mover, now, limit)
    entry = find(end, high, low)
    if depth > 0 and entry >= 0:
        unpack(end, result, end.table[entry, 2])
        return NO_MOVE
    seat = chooser(end, depth, mover)
    owner = end.colours[mover, SEAT]
    before, top = info[NODES], info[TOP]
    info[TOP] = top + list_moves(end, depth, mask, mover, NO_MOVE)
    best, most = NO_MOVE, np.int64(0)
    for i in range(top, info[TOP]):
        move = take_best(end, i, info[TOP])
        gain = make(end, depth, move)
        for other in range(info[SEATS]):
            totals[own + 2, other] = totals[own, other]
        if owner >= 0:
            totals[own + 2, owner] += gain
        last = limit_after(end, depth + 1, mover, now, limit)
        best_for_all(end, depth + 1, mask, mover + 1, now, last)
        if info[STOP]:
            break
        liked = wish(end, own + 3, seat)
        equal = best != NO_MOVE and liked == most and number(end, move) < number(end, best)
        if best == NO_MOVE or liked > most or equal:
            best, most = move, liked
            for other in range(info[SEATS]):
                totals[result, other] = totals[own + 3, other]
    info[TOP] = top
    if not info[STOP]:
        keep(end, high, low, pack(end, result), info[NODES] - before)
    return best
