"""Measures of every colour at every ply of a batch of games; `engine/measures.md` says what they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.facts import OUT, PIECES
from engine.geometry import BLOCK, CELLS_END, I8, I16, I32, SIZE, U16, U64, Geometry
from engine.kernels.bits import popcount
from engine.kernels.compile import inner, kernel, part
from engine.kernels.legal import pieces_left, write_liberties
from engine.kernels.reach import Tables, grow_reach
from engine.kernels.replay import CODE, CODE_OUT, EVENT_END, EVENT_START, OF_COLOUR, STATUS, Batch, set_up
from engine.kernels.state import EMPTY, Rules, State, get_bit, place, set_bit
from engine.kernels.verdicts import LEGAL

(
    MOBILITY,
    LIBERTIES,
    LIVE,
    REACH,
    EXCLUSIVE,
    FITTING,
    LOCKED,
    BLOCK_LIBERTIES,
    BLOCK_MOBILITY,
    ACCESS,
) = range(10)
"""Rows of `Sheets.colours`; from ACCESS on one for every sector."""

MOVER, CONTESTED, DEAD, OCCUPIED, FOUR_INSIDE_FIVE = range(5)
"""Rows of `Sheets.positions`."""

NEVER, UNDEFINED = -1, -1


class Sheets(NamedTuple):
    """Room for the measures of Q positions of G games, position by position. S sectors, W words."""

    colours: U16  # (ACCESS + S, Q, colours)
    fitting: I32  # (Q, colours) bit set of the pieces that fit
    reach: U64  # (Q, colours, W) cells in reach
    positions: I16  # (5, Q)
    centre: I16  # (G, colours) ply of the first contact with the centre, NEVER
    occupied: U64  # (1, W) scratch
    opponents: I8  # (colours, colours) 1: the colour of the row and of the column are of different sides


@part
def _larger_fits(geometry: Geometry, tables: Tables, state: State, colour: int, placement: int) -> int:
    """Whether some legal placement has the cells of this legal one of four and one more: 0, 1 or UNDEFINED."""
    if len(tables.larger) == 0:
        return UNDEFINED
    for i in range(tables.larger_span[placement, 0], tables.larger_span[placement, 1]):
        # It touches what the smaller one touches, so only its extra cell can be wrong.
        piece = tables.larger[i, 1]
        if state.left[colour, piece] > 0 and not get_bit(state.forbidden, colour, tables.larger[i, 0]):
            return 1
    return 0


@inner
def _measure(
    geometry: Geometry, rules: Rules, tables: Tables, state: State, out: Sheets, row: int, colour: int
) -> None:
    """Measures of one colour at position `row` from scratch, all but the comparisons with other colours and plies."""
    words = len(geometry.board_bits)
    liberties_at = 8 * (words + BLOCK)
    work, sheet = state.work, out.colours
    left = 0 if state.facts[colour, OUT] else pieces_left(state, colour)
    mobility, fitting = 0, 0
    if write_liberties(geometry, rules, state, colour) and left:
        mobility, fitting = grow_reach(geometry.trie, tables, work, left, out.reach, row, colour)
    else:
        for w in range(words):
            out.reach[row, colour, w] = 0
    liberties, live, reach = 0, 0, 0
    for w in range(words):
        here = out.reach[row, colour, w]
        liberties += popcount(work[liberties_at + w])
        live += popcount(work[liberties_at + w] & here)
        reach += popcount(here)
    sheet[MOBILITY, row, colour] = mobility
    sheet[LIBERTIES, row, colour] = liberties
    sheet[LIVE, row, colour] = live
    sheet[REACH, row, colour] = reach
    for s in range(len(tables.areas) - 1):
        n = 0
        for w in range(words):
            n += popcount(work[liberties_at + w] & out.reach[row, colour, w] & tables.areas[s, w])
        sheet[ACCESS + s, row, colour] = n
    fit, locked = 0, 0
    for piece in range(state.left.shape[1]):
        if (fitting >> piece) & 1:
            fit += state.left[colour, piece]
        else:
            locked += state.left[colour, piece] * geometry.pieces[piece, SIZE]
    out.fitting[row, colour] = fitting
    sheet[FITTING, row, colour] = fit
    sheet[LOCKED, row, colour] = locked


@part
def _keep(geometry: Geometry, state: State, out: Sheets, row: int, colour: int) -> None:
    """Measures of a colour whose legal placements are those of the position before; only its liberties may differ."""
    sheet = out.colours
    for k in range(len(sheet)):
        sheet[k, row, colour] = sheet[k, row - 1, colour]
    out.fitting[row, colour] = out.fitting[row - 1, colour]
    liberties = 0
    for w in range(len(geometry.board_bits)):
        out.reach[row, colour, w] = out.reach[row - 1, colour, w]
        free = geometry.board_bits[w] & ~state.forbidden[colour, w]
        liberties += popcount(state.attach[colour, w] & free)
    sheet[LIBERTIES, row, colour] = liberties


@part
def _is_touched(geometry: Geometry, state: State, out: Sheets, row: int, colour: int, placement: int) -> bool:
    """Whether a placement of another colour can change what this one may place."""
    if state.facts[colour, OUT] or state.facts[colour, PIECES] == 0:
        return True  # gone since, or its starting cells may have been taken
    for i in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
        bit = geometry.cell_bit[geometry.touched[i]]
        if (out.reach[row - 1, colour, bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1):
            return True
    return False


@inner
def _compare(geometry: Geometry, state: State, out: Sheets, row: int) -> None:
    """What the reaches of all colours say together."""
    sheet, reach = out.colours, out.reach
    for colour in range(len(state.facts)):
        sheet[EXCLUSIVE, row, colour] = 0
    contested, dead, occupied = 0, 0, 0
    for w in range(len(geometry.board_bits)):
        once, twice = np.uint64(0), np.uint64(0)
        for colour in range(len(state.facts)):
            twice |= once & reach[row, colour, w]
            once |= reach[row, colour, w]
        for colour in range(len(state.facts)):
            sheet[EXCLUSIVE, row, colour] += popcount(reach[row, colour, w] & ~twice)
        contested += popcount(twice)
        occupied += popcount(out.occupied[0, w])
        dead += popcount(geometry.board_bits[w] & ~(once | out.occupied[0, w]))
    out.positions[CONTESTED, row] = contested
    out.positions[DEAD, row] = dead
    out.positions[OCCUPIED, row] = occupied


@part
def _block(state: State, out: Sheets, row: int, colour: int, mover: int) -> None:
    """What the move before position `row` took from a colour; nothing from one that had left, or is on its side."""
    sheet = out.colours
    counts = out.opponents[mover, colour] == 1 and not state.facts[colour, OUT]
    for to, of in ((BLOCK_LIBERTIES, LIVE), (BLOCK_MOBILITY, MOBILITY)):
        sheet[to, row, colour] = sheet[of, row - 1, colour] - sheet[of, row, colour] if counts else 0


@part
def _cover(
    geometry: Geometry, tables: Tables, out: Sheets, game: int, colour: int, cell: int, ply: int
) -> None:
    bit = geometry.cell_bit[cell]
    set_bit(out.occupied, 0, bit)
    if out.centre[game, colour] == NEVER and get_bit(tables.areas, len(tables.areas) - 1, bit):
        out.centre[game, colour] = ply


@part
def _first_row(
    geometry: Geometry, rules: Rules, tables: Tables, state: State, out: Sheets, game: int, row: int
) -> None:
    """The position before the first move, and what its setup covers."""
    for w in range(len(geometry.board_bits)):
        out.occupied[0, w] = 0
    for colour in range(len(state.facts)):
        out.centre[game, colour] = NEVER
    for cell in range(len(state.board)):
        if state.board[cell] != EMPTY:
            _cover(geometry, tables, out, game, np.int64(state.board[cell]), cell, 0)
    for colour in range(len(state.facts)):
        _measure(geometry, rules, tables, state, out, row, colour)
        out.colours[BLOCK_LIBERTIES, row, colour] = 0
        out.colours[BLOCK_MOBILITY, row, colour] = 0
    out.positions[MOVER, row] = UNDEFINED
    out.positions[FOUR_INSIDE_FIVE, row] = UNDEFINED
    _compare(geometry, state, out, row)


@part
def _move_row(
    geometry: Geometry,
    rules: Rules,
    tables: Tables,
    state: State,
    out: Sheets,
    row: int,
    mover: int,
    placement: int,
) -> None:
    """Play a legal placement and measure the position behind it."""
    out.positions[MOVER, row] = mover
    out.positions[FOUR_INSIDE_FIVE, row] = _larger_fits(geometry, tables, state, mover, placement)
    place(geometry, state, mover, placement)
    for colour in range(len(state.facts)):
        if colour == mover or _is_touched(geometry, state, out, row, colour, placement):
            _measure(geometry, rules, tables, state, out, row, colour)
        else:
            _keep(geometry, state, out, row, colour)
        _block(state, out, row, colour, mover)


@kernel
def measure_games(
    geometry: Geometry, rules: Rules, tables: Tables, state: State, batch: Batch, verdicts: I32, out: Sheets
) -> int:
    """Measure every position of the legal prefix of every game; returns the number of positions.

    `verdicts` is `Verdicts.events` of a replay of the batch. A game whose setup does not fit has no position.
    """
    row = np.int64(0)  # a plain 0 would be a type of its own: everything below compiled twice
    for game in range(len(batch.games)):
        for colour in range(len(state.facts)):
            out.centre[game, colour] = NEVER
        if not set_up(geometry, state, batch, game):
            continue
        _first_row(geometry, rules, tables, state, out, game, row)
        row += 1
        ply = np.int64(0)
        for e in range(batch.games[game, EVENT_START], batch.games[game, EVENT_END]):
            if verdicts[e, STATUS] != LEGAL:
                break
            code, mover = np.int64(batch.events[e, CODE]), np.int64(verdicts[e, OF_COLOUR])
            if code == CODE_OUT:
                state.facts[mover, OUT] = 1
            if code >= 0:
                ply += 1
                _move_row(geometry, rules, tables, state, out, row, mover, code)
                for i in range(geometry.span[code, 0], geometry.span[code, CELLS_END]):
                    _cover(geometry, tables, out, game, mover, np.int64(geometry.touched[i]), ply)
                _compare(geometry, state, out, row)
                row += 1
    return row
