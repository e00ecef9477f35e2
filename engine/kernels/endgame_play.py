"""Entries of the exact solver: set up a position, its value, best play move by move."""

from __future__ import annotations

import numpy as np

from engine.facts import ALL_PLACED, CELLS, OUT, SINGLE_LAST
from engine.geometry import Geometry
from engine.kernels.compile import inner, kernel, part
from engine.kernels.endgame import (
    ALL_BONUS,
    ALONE,
    BASE,
    COLOURS,
    COUNTED,
    FIRST_BLOCKED,
    GENERATION,
    GONE,
    LAST_TURN,
    LOST,
    MANY,
    NEXT,
    NEXT_COLOUR,
    NO_MOVE,
    NODES,
    PASS,
    PER_COLOUR,
    PIECES_LEFT,
    PLACEMENT,
    POINTS,
    ROOT,
    RUNNING,
    SEAT,
    SEATS,
    SIGN,
    SINGLE_BONUS,
    STOP,
    TOP,
    TURNS,
    VOLUNTARY,
    Endgame,
    copy_down,
    make,
)
from engine.kernels.endgame_search import (
    ZERO,
    able,
    active,
    group,
    is_end,
    limit_after,
    list_moves,
    next_able,
    search,
    take_best,
)
from engine.kernels.endgame_seats import best_for_all, owners
from engine.kernels.endgame_setup import prepare
from engine.kernels.endgame_table import find, key_of
from engine.kernels.state import END_FIRST_BLOCKED, END_MAX_ROUNDS, END_ROUNDS, Rules, State

OVER, UNPROVEN = -1, -2
"""Answers of `best_step` that are no moves."""


@part
def _read_rules(rules: Rules, end: Endgame) -> None:
    """Write what the end rule means for this position: turns are counted only where they can run out."""
    info, colours = end.info, end.info[COLOURS]
    info[VOLUNTARY] = rules.voluntary
    most, everything = 0, False
    for colour in range(colours):
        left = end.sheet[0, colour * PER_COLOUR + PIECES_LEFT]
        most = max(most, left)
        everything = everything or (left > 0 and end.colours[colour, LOST] == 0)
    binding = rules.voluntary or info[LAST_TURN] - info[TURNS] < colours * (most + 1)
    info[COUNTED] = 0
    if rules.end == END_ROUNDS and (binding or everything):
        info[COUNTED] = 2
    elif rules.end == END_MAX_ROUNDS and binding:
        info[COUNTED] = 1
    info[ALONE] = 0 if info[COUNTED] or info[FIRST_BLOCKED] else 1


@part
def _points_so_far(state: State, end: Endgame) -> None:
    """Points of every seat in row 0 of the totals."""
    info = end.info
    for seat in range(info[SEATS]):
        end.totals[0, seat] = end.seats[seat, BASE]
        end.seats[seat, GONE] = 0
    for colour in range(info[COLOURS]):
        seat = end.colours[colour, SEAT]
        if seat >= 0:
            facts = state.facts[colour]
            points = facts[CELLS] * info[POINTS]
            if facts[ALL_PLACED]:
                points += info[SINGLE_BONUS] if facts[SINGLE_LAST] else info[ALL_BONUS]
            end.totals[0, seat] += points
            if facts[OUT]:
                end.seats[seat, GONE] = 1


@part
def _attaining(end: Endgame, mask: int, mover: int, nominal: int, turn: int, limit: int, value: int) -> int:
    """A move of `mover` at depth 0 that attains the proven value of a set of colours."""
    info = end.info
    now = turn + (mover - nominal) % info[COLOURS] + 1
    high, low = key_of(end, ROOT, mask, mover, now, limit)
    entry = find(end, high, low)
    hint = NO_MOVE if entry < 0 else np.int64(end.table[entry, 2] & np.uint64(0xFFFF))
    sign = end.colours[mover, SIGN]
    top = info[TOP]
    info[TOP] = top + list_moves(end, ROOT, mask, mover, hint)
    chosen = NO_MOVE
    for i in range(top, info[TOP]):
        move = take_best(end, i, info[TOP])
        gain = make(end, ROOT, move) * sign
        rest = value - gain
        last = limit_after(end, NEXT, mover, now, limit)
        alpha = rest - 1 if sign > 0 else rest
        found = search(end, NEXT, mask, mover + 1, now, last, alpha, alpha + 1)
        if info[STOP]:
            break
        if found * sign >= rest * sign:
            chosen = move
            break
    info[TOP] = top
    return chosen


@part
def _lowest(end: Endgame, colour: int) -> int:
    """The legal move of a colour with the lowest placement, at depth 0."""
    best = NO_MOVE
    top = end.info[TOP]
    for i in range(top, top + list_moves(end, ROOT, ROOT, colour, NO_MOVE)):
        move = end.moves[i] & 0xFFFF
        if move != PASS and (
            best == NO_MOVE or end.candidates[move, PLACEMENT] < end.candidates[best, PLACEMENT]
        ):
            best = move
    return best


@part
def _best_move(end: Endgame, mover: int, nominal: int, turn: int, limit: int) -> int:
    """The best move of a colour at depth 0; row 0 of the totals is left changed."""
    info = end.info
    mask = active(end)
    if info[ALONE]:
        mask = able(end, ROOT, mask)
    meeting = group(end, ROOT, mask, mover) if info[ALONE] else mask
    if info[MANY]:
        seats = owners(end, meeting)
        if seats & (seats - 1) or not info[ALONE]:
            return best_for_all(end, ROOT, mask, nominal, turn, limit)
        if seats == 1:
            return _lowest(end, mover)  # a shared colour that meets nobody
    value = search(end, ROOT, meeting, nominal, turn, limit, -ZERO, ZERO)
    if info[STOP]:
        return NO_MOVE
    return _attaining(end, meeting, mover, nominal, turn, limit, value)


@kernel
def best_step(end: Endgame) -> int:
    """Make the best move at depth 0: colour << 32 | placement or 2 ** 32 - 1 for a pass; or OVER, or UNPROVEN.

    Row 0 of the totals are the points so far: at the end of the game, those of best play.
    """
    info, totals = end.info, end.totals
    nominal, turn, limit = info[NEXT_COLOUR], info[TURNS], info[LAST_TURN]
    mover = next_able(end, ROOT, active(end), nominal)
    now = turn + (mover - nominal) % info[COLOURS] + 1
    if is_end(end, ROOT, mover, now, limit):
        return OVER
    spare = len(totals) - 1
    for seat in range(info[SEATS]):
        totals[spare, seat] = totals[0, seat]
    move = _best_move(end, mover, nominal, turn, limit)
    if info[STOP] or move == NO_MOVE:
        return UNPROVEN
    gain = make(end, ROOT, move)
    copy_down(end, NEXT, ROOT)
    for seat in range(info[SEATS]):
        totals[0, seat] = totals[spare, seat] + (gain if end.colours[mover, SEAT] == seat else 0)
    info[NEXT_COLOUR], info[TURNS] = (mover + 1) % info[COLOURS], now
    info[LAST_TURN] = limit_after(end, ROOT, mover, now, limit)
    return mover << 32 | (0xFFFFFFFF if move == PASS else end.candidates[move, PLACEMENT])


@kernel
def set_up(geometry: Geometry, rules: Rules, state: State, end: Endgame) -> bool:
    """Make ready for a search of a position; false when it has too many candidates.

    Before it, write to `info`: NEXT_COLOUR, TURNS, LAST_TURN, BUDGET, and RUNNING to STOP.
    """
    info = end.info
    info[NODES], info[TOP] = 0, 0
    info[GENERATION] += 1
    info[FIRST_BLOCKED] = 1 if rules.end == END_FIRST_BLOCKED else 0
    if not prepare(geometry, rules, state, end):
        return False
    _read_rules(rules, end)
    _points_so_far(state, end)
    return True


@inner
def prove(end: Endgame) -> bool:
    """Whether the value of the position that was set up is proven within the budget; for searches that meet endings.

    Row 1 of the totals becomes the points of best play at the end; of two sides only the difference means something.
    """
    info, totals = end.info, end.totals
    nominal, turn, limit = info[NEXT_COLOUR], info[TURNS], info[LAST_TURN]
    if info[MANY]:
        best_for_all(end, ROOT, active(end), nominal, turn, limit)
        return info[STOP] == RUNNING
    value = search(end, ROOT, active(end), nominal, turn, limit, -ZERO, ZERO)
    for seat in range(info[SEATS]):
        totals[1, seat] = totals[0, seat]
    for colour in range(info[COLOURS]):
        if end.colours[colour, SEAT] >= 0 and end.colours[colour, SIGN] > 0:
            totals[1, end.colours[colour, SEAT]] += value
            break
    return info[STOP] == RUNNING
