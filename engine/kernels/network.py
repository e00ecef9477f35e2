"""The learned evaluation: expected cells, bonuses and strength of every colour, from the classes of all cells.

Every colour has a first layer of WIDTH units: the sum of a row of weights for every cell, by the cell's place and class
as the colour sees them, and of rows for its pieces left (those that fit somewhere, and those that do not any more), how
many legal placements it has, the stage of the game and the distance to its turn. The second layer of a colour reads the
first layers of all colours, from its own on in order of play, and gives OUTPUTS.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.facts import ALL_PLACED, BLOCKED, CELLS, OUT, PIECES, SINGLE_LAST
from engine.geometry import F32, F64, I64, U8, U64, Geometry
from engine.kernels.compile import inner, leaf, part
from engine.kernels.legal import pieces_left, write_liberties
from engine.kernels.levels import CLASSES, Board, colour_levels, write_classes
from engine.kernels.reach import grow_reach
from engine.kernels.state import EMPTY, Rules, State, set_bit
from engine.kernels.turns import NOBODY
from engine.kernels.vectors import WIDTH, add_cells, add_row, weighted_rows

WIDTHS = 11
"""Classes of the number of legal placements of a colour."""

STAGES = 12
"""Stages of a game: pieces a colour has placed, two together."""

REST, ALL, SINGLE, STRENGTH, STEEPNESS = range(5)
"""Columns of the outputs of a colour, before `readings` makes numbers of them."""

OUTPUTS = 5

ANYBODY = -2
"""Instead of the colour that has moved: nothing is known of the position before."""


class Net(NamedTuple):
    """Weights, all float32. n colours; R rows: places times CLASSES, then those of `_add_rest`."""

    rows: F32  # (R, WIDTH)
    hidden: F32  # (n WIDTH + 1, WIDTH), the last row is the bias
    output: F32  # (OUTPUTS, WIDTH + 1), the last column is the bias


class Sheet(NamedTuple):
    """Room for evaluating one position. n colours, W words."""

    occupied: U64  # (n + 1, W) cells of each colour, then of all
    levels: U64  # (n, LEVELS, W)
    flood: U64  # (6, W)
    rival: U64  # (LEVELS - 1,)
    classes: U8  # (n, 64 W)
    fitting: I64  # (n, 2) bit set of the pieces that can be placed, number of legal placements
    reach: U64  # (1, n, W) cells of the legal placements; these two may be given, see `look`
    first: F32  # (n, WIDTH)
    second: F32  # (1, WIDTH)
    outputs: F32  # (n, OUTPUTS)
    readings: F64  # (n, 4) FINAL_CELLS..


FINAL_CELLS, CHANCE_ALL, CHANCE_SINGLE, STRONG = range(4)
"""Columns of `Sheet.readings`: expected cells placed at the end, chances that everything is placed and that it is with
the single cell last, strength (differences of it are log odds of being ahead at the end)."""


@leaf
def _add_rest(
    geometry: Geometry, board: Board, net: Net, state: State, sheet: Sheet, colour: int, mover: int
) -> None:
    """Add the rows of pieces left, stage and distance to the turn to the first layer of a colour."""
    at = board.places * CLASSES
    pieces = len(geometry.pieces)
    for piece in range(pieces):
        if state.left[colour, piece] > 0:
            dead = 0 if (sheet.fitting[colour, 0] >> piece) & 1 else pieces
            add_row(sheet.first, colour, net.rows, at + dead + piece, np.float32(state.left[colour, piece]))
    at += 2 * pieces
    add_row(sheet.first, colour, net.rows, at + width_of(sheet.fitting[colour, 1]), np.float32(1))
    at += WIDTHS
    stage = stage_of(np.int64(state.facts[colour, PIECES]))
    add_row(sheet.first, colour, net.rows, at + stage, np.float32(1))
    if mover != NOBODY:
        distance = (colour - mover) % len(state.facts)
        add_row(sheet.first, colour, net.rows, at + STAGES + distance, np.float32(1))


@leaf
def _is_reach_free(state: State, sheet: Sheet, colour: int) -> bool:
    """Whether all cells of a colour's reach as it was are free to it still: then it has the placements that it had."""
    taken = np.uint64(0)
    for w in range(sheet.reach.shape[2]):
        taken |= sheet.reach[0, colour, w] & state.forbidden[colour, w]
    return taken == 0


@inner
def _find_fitting(
    geometry: Geometry, rules: Rules, board: Board, state: State, sheet: Sheet, colour: int, moved: int
) -> None:
    """Write which pieces of a colour can still be placed, and where; finds out whether it is blocked."""
    open_ = not (state.facts[colour, BLOCKED] or state.facts[colour, OUT])
    left = pieces_left(state, colour) if open_ else 0
    done = left == 0
    if moved not in (ANYBODY, colour):
        # Who has not placed since can only have lost placements.
        left &= sheet.fitting[colour, 0]
        if left and _is_reach_free(state, sheet, colour):
            return
    sheet.fitting[colour, 0], sheet.fitting[colour, 1] = 0, 0
    for w in range(sheet.reach.shape[2]):
        sheet.reach[0, colour, w] = 0
    if done:
        return
    if left and write_liberties(geometry, rules, state, colour):
        found, fitting = grow_reach(geometry.trie, board.shapes, state.work, left, sheet.reach, 0, colour)
        sheet.fitting[colour, 0], sheet.fitting[colour, 1] = fitting, found
    if sheet.fitting[colour, 1] == 0:
        state.facts[colour, BLOCKED] = 1


@leaf
def stage_of(pieces: int) -> int:
    """Stage of a colour that has placed so many pieces."""
    return STAGES - 1 if pieces >= 2 * STAGES else pieces // 2


@leaf
def width_of(placements: int) -> int:
    """Class of the number of legal placements: 0, 1, 2 to 3, 4 to 7, ... up to WIDTHS - 1."""
    found = 0
    while placements > 0 and found < WIDTHS - 1:
        placements >>= 1
        found += 1
    return found


@part
def look(geometry: Geometry, rules: Rules, board: Board, state: State, sheet: Sheet, moved: int) -> None:
    """Write the cells of each colour and the classes of all; also finds out who is blocked.

    `moved` is the colour whose placement led here from the position whose `fitting` and `reach` the sheet holds. With
    ANYBODY what it holds does not matter.
    """
    n = len(state.facts)
    sheet.occupied[:] = 0
    for cell in range(len(geometry.cell_bit)):
        owner = np.int64(state.board[cell])
        if owner != EMPTY:
            set_bit(sheet.occupied, owner, geometry.cell_bit[cell])
            set_bit(sheet.occupied, n, geometry.cell_bit[cell])
    for colour in range(n):
        _find_fitting(geometry, rules, board, state, sheet, colour, moved)
        colour_levels(geometry, board, state, colour, sheet.reach, sheet.levels, sheet.flood)
    for colour in range(n):
        write_classes(board, sheet.occupied, sheet.levels, colour, sheet.rival, sheet.classes)


@inner
def run_network(geometry: Geometry, board: Board, net: Net, state: State, sheet: Sheet, mover: int) -> None:
    """Write the outputs of all colours; `look` has been called. `mover` is the colour to move or NOBODY."""
    n = len(state.facts)
    bits = sheet.classes.shape[1]
    sheet.first[:] = 0
    for colour in range(n):
        at = colour * len(geometry.cell_bit)
        add_cells(
            sheet.first, colour, net.rows, board.row_of, at, sheet.classes, colour * bits, geometry.cell_bit
        )
        _add_rest(geometry, board, net, state, sheet, colour, mover)
    for colour in range(n):
        for h in range(WIDTH):
            sheet.second[0, h] = net.hidden[n * WIDTH, h]
        for r in range(n):
            weighted_rows(sheet.second, 0, net.hidden, r * WIDTH, sheet.first, (colour + r) % n)
        for k in range(OUTPUTS):
            total = net.output[k, WIDTH]
            for h in range(WIDTH):
                if sheet.second[0, h] > 0:
                    total += sheet.second[0, h] * net.output[k, h]
            sheet.outputs[colour, k] = total


@leaf
def logistic(x: float) -> float:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + math.exp(-x))


@leaf
def softplus(x: float) -> float:
    """log(1 + exp(x))."""
    return x if x > 30 else math.log(1 + math.exp(x))


@inner
def read_outputs(scoring: F64, cells: int, state: State, sheet: Sheet) -> None:
    """Make `readings` of the outputs; `scoring` is (placed, left, all placed, single last), `cells` a colour's all."""
    n = len(state.facts)
    steepness = 0.0
    for colour in range(n):
        steepness += sheet.outputs[colour, STEEPNESS]
    steepness = softplus(steepness / n)
    out = sheet.readings
    for colour in range(n):
        placed = float(state.facts[colour, CELLS])
        done = state.facts[colour, ALL_PLACED] or state.facts[colour, BLOCKED] or state.facts[colour, OUT]
        if done:
            out[colour, FINAL_CELLS] = placed
            out[colour, CHANCE_ALL] = state.facts[colour, ALL_PLACED]
            out[colour, CHANCE_SINGLE] = state.facts[colour, SINGLE_LAST]
        else:
            out[colour, FINAL_CELLS] = placed + (cells - placed) * logistic(sheet.outputs[colour, REST])
            every = logistic(sheet.outputs[colour, ALL])
            out[colour, CHANCE_ALL] = every
            out[colour, CHANCE_SINGLE] = every * logistic(sheet.outputs[colour, SINGLE])
        points = colour_points(scoring, cells, out, colour)
        out[colour, STRONG] = sheet.outputs[colour, STRENGTH] + steepness * points / 10


@inner
def read_finals(state: State, sheet: Sheet) -> None:
    """Make `readings` of a finished game."""
    out = sheet.readings
    for colour in range(len(state.facts)):
        out[colour, FINAL_CELLS] = state.facts[colour, CELLS]
        out[colour, CHANCE_ALL] = state.facts[colour, ALL_PLACED]
        out[colour, CHANCE_SINGLE] = state.facts[colour, SINGLE_LAST]
        out[colour, STRONG] = 0


@leaf
def colour_points(scoring: F64, cells: int, readings: F64, colour: int) -> float:
    """Expected points of a colour at the end."""
    placed = readings[colour, FINAL_CELLS]
    single = readings[colour, CHANCE_SINGLE]
    bonus = scoring[2] * (readings[colour, CHANCE_ALL] - single) + scoring[3] * single
    return scoring[0] * placed + scoring[1] * (cells - placed) + bonus
