"""Sums over positions, cell by cell, for heat maps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry import CELLS_END, I32, I64, U64, Geometry
from engine.kernels.bits import trailing_zeros
from engine.kernels.compile import kernel, leaf, part
from engine.kernels.replay import (
    CODE,
    COLOUR,
    EVENT_END,
    EVENT_START,
    OF_COLOUR,
    SETUP_END,
    SETUP_START,
    STATUS,
    Batch,
)
from engine.kernels.state import set_bit
from engine.kernels.verdicts import LEGAL

OCCUPIED, REACH, CONTESTED, DEAD = range(4)
"""Third index of `Sums.cells`."""

PLIES, TIMES = 0, 1
"""Second index of `Sums.contact`."""


class Sums(NamedTuple):
    """What is added up, by group: colours of games that are counted together. W words; cells by their bits."""

    cells: I64  # (groups, phases, 4, 64 W) positions in which the cell is OCCUPIED.. by or for the colour
    contact: (
        I64  # (groups, 2, 64 W) PLIES at which the colour covered the cell, summed, and how many TIMES it did
    )
    positions: I64  # (groups, phases) positions counted, once for each colour
    played: I64  # (groups,) games counted, once for each colour
    occupied: U64  # (colours + 1, W) scratch: cells of every colour and of all


class Plan(NamedTuple):
    """How to count G games."""

    positions: I32  # (G,) positions of each game, 0: leave it out
    groups: I32  # (G, colours) group of each colour, -1: do not count it
    phase_ends: I32  # (phases - 1,) last ply of each phase but the last


@leaf
def _count(sums: I64, group: int, phase: int, kind: int, word: int, bits: np.uint64) -> None:
    while bits:
        sums[group, phase, kind, word * 64 + trailing_zeros(bits)] += 1
        bits &= bits - np.uint64(1)


@part
def _cover(
    geometry: Geometry, plan: Plan, sums: Sums, game: int, colour: int, placement: int, ply: int
) -> None:
    group = plan.groups[game, colour]
    for i in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
        bit = geometry.cell_bit[geometry.touched[i]]
        set_bit(sums.occupied, colour, bit)
        set_bit(sums.occupied, len(sums.occupied) - 1, bit)
        if group >= 0:
            sums.contact[group, PLIES, bit] += ply
            sums.contact[group, TIMES, bit] += 1


@part
def _add_position(
    geometry: Geometry, reach: U64, plan: Plan, sums: Sums, game: int, ply: int, row: int
) -> None:
    colours = reach.shape[1]
    phase = 0
    for end in plan.phase_ends:
        phase += 1 if ply > end else 0
    for colour in range(colours):
        if plan.groups[game, colour] >= 0:
            sums.positions[plan.groups[game, colour], phase] += 1
    for w in range(len(geometry.board_bits)):
        once, twice = np.uint64(0), np.uint64(0)
        for colour in range(colours):
            twice |= once & reach[row, colour, w]
            once |= reach[row, colour, w]
        dead = geometry.board_bits[w] & ~(once | sums.occupied[colours, w])
        for colour in range(colours):
            group = plan.groups[game, colour]
            if group >= 0:
                _count(sums.cells, group, phase, OCCUPIED, w, sums.occupied[colour, w])
                _count(sums.cells, group, phase, REACH, w, reach[row, colour, w])
                _count(sums.cells, group, phase, CONTESTED, w, reach[row, colour, w] & twice)
                _count(sums.cells, group, phase, DEAD, w, dead)


@kernel
def add_games(geometry: Geometry, batch: Batch, verdicts: I32, reach: U64, plan: Plan, sums: Sums) -> int:
    """Add all positions of a batch to the sums; `reach` is `Sheets.reach` of the same batch. Returns their number."""
    row = np.int64(0)
    for game in range(len(batch.games)):
        if plan.positions[game] == 0:
            continue
        sums.occupied[:] = 0
        for i in range(batch.games[game, SETUP_START], batch.games[game, SETUP_END]):
            colour, code = np.int64(batch.setup[i, COLOUR]), np.int64(batch.setup[i, CODE])
            _cover(geometry, plan, sums, game, colour, code, 0)
        for colour in range(reach.shape[1]):
            if plan.groups[game, colour] >= 0:
                sums.played[plan.groups[game, colour]] += 1
        ply = np.int64(0)
        _add_position(geometry, reach, plan, sums, game, ply, row)
        row += 1
        for e in range(batch.games[game, EVENT_START], batch.games[game, EVENT_END]):
            if verdicts[e, STATUS] != LEGAL:
                break
            code = np.int64(batch.events[e, CODE])
            if code >= 0:
                ply += 1
                _cover(geometry, plan, sums, game, np.int64(verdicts[e, OF_COLOUR]), code, ply)
                _add_position(geometry, reach, plan, sums, game, ply, row)
                row += 1
    return row
