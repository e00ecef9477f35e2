"""Heat maps: how often a cell is occupied, in reach, contested or dead, and when it is first covered.

Made to be added up: maps of batches, or of whole libraries, are arrays of counts that `add_heat` sums.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.areas import PHASES, phase_ends
from engine.errors import EngineError
from engine.features import Features, position_counts
from engine.geometry import I32, I64, Geometry, geometry
from engine.kernels import heat as kernels
from engine.replay import Replay
from engine.variants import variant


class HeatMaps(NamedTuple):
    """Counts by group: colours of games that are counted together. C cells, phases as in `engine.areas.PHASES`.

    A position counts once for each of its colours that has a group: divide `occupied` to `dead` by `positions`,
    `contact_plies` by `contact_times`, and `contact_times` by `played`.
    """

    occupied: I64  # (groups, phases, C) positions in which the colour covers the cell
    reach: I64  # (groups, phases, C) positions in which the cell is in the colour's reach
    contested: I64  # (groups, phases, C) those of them in which it is in the reach of another colour, too
    dead: I64  # (groups, phases, C) positions in which the cell is empty and in nobody's reach
    positions: I64  # (groups, phases) positions
    contact_plies: I64  # (groups, C) plies at which the colour covered the cell, summed; 0 for the setup
    contact_times: I64  # (groups, C) how often it did
    played: I64  # (groups,) games


def empty_heat(variant_id: str, groups: int) -> HeatMaps:
    """Maps of no game.

    Raises:
        EngineError: unknown variant, or a negative number of groups.
    """
    if groups < 0:
        raise EngineError(f"no such number of groups: {groups}")
    cells, phases = len(geometry(variant_id).cell_bit), len(PHASES)

    def zeros(*shape: int) -> I64:
        return np.zeros((groups, *shape), np.int64)

    return HeatMaps(
        occupied=zeros(phases, cells),
        reach=zeros(phases, cells),
        contested=zeros(phases, cells),
        dead=zeros(phases, cells),
        positions=zeros(phases),
        contact_plies=zeros(cells),
        contact_times=zeros(cells),
        played=zeros(),
    )


def add_heat(one: HeatMaps, other: HeatMaps) -> HeatMaps:
    """Maps of the games of both.

    Raises:
        EngineError: they are of different boards or numbers of groups.
    """
    if one.occupied.shape != other.occupied.shape:
        raise EngineError(f"maps of different shapes: {one.occupied.shape} and {other.occupied.shape}")
    return HeatMaps._make(a + b for a, b in zip(one, other, strict=True))


def heat_maps(
    variant_id: str,
    replay: Replay,
    found: Features,
    groups: I32 | None = None,
    count: int | None = None,
) -> HeatMaps:
    """Maps of the legal prefixes of a batch, from its replay and its features.

    `groups`, ``(G, colours)``, says for each game and colour in which of `count` groups it counts, -1 for none:
    players, results, whatever is compared. Without it each colour is a group.

    Raises:
        EngineError: unknown variant, features of other games, or groups of another shape or out of range.
    """
    tables, colours = geometry(variant_id), len(variant(variant_id).colours)
    games = len(replay.batch.games)
    counts = position_counts(replay)
    reach = found.reach_bits
    if reach.shape != (counts.sum(), colours, len(tables.board_bits)):
        raise EngineError("these are features of other games")
    if groups is None:
        count = colours
        groups = np.tile(np.arange(colours, dtype=np.int32), (games, 1))
    count = _checked(groups, (games, colours), count)
    sums = kernels.Sums(
        cells=np.zeros((count, len(PHASES), 4, 64 * len(tables.board_bits)), np.int64),
        contact=np.zeros((count, 2, 64 * len(tables.board_bits)), np.int64),
        positions=np.zeros((count, len(PHASES)), np.int64),
        played=np.zeros(count, np.int64),
        occupied=np.zeros((colours + 1, len(tables.board_bits)), np.uint64),
    )
    ends = np.array(phase_ends(variant_id), np.int32)
    plan = kernels.Plan(counts, np.ascontiguousarray(groups, np.int32), ends)
    kernels.add_games(tables, replay.batch, replay.verdicts.events, reach, plan, sums)
    return _by_cell(tables, sums)


def _by_cell(tables: Geometry, sums: kernels.Sums) -> HeatMaps:
    """The kernel's sums by cell instead of by bit."""
    cells = np.ascontiguousarray(np.moveaxis(sums.cells[..., tables.cell_bit], 2, 0))
    contact = sums.contact[..., tables.cell_bit]
    return HeatMaps(
        occupied=cells[kernels.OCCUPIED],
        reach=cells[kernels.REACH],
        contested=cells[kernels.CONTESTED],
        dead=cells[kernels.DEAD],
        positions=sums.positions,
        contact_plies=contact[:, kernels.PLIES],
        contact_times=contact[:, kernels.TIMES],
        played=sums.played,
    )


def _checked(groups: I32, shape: tuple[int, int], count: int | None) -> int:
    """The number of groups."""
    if groups.shape != shape or not np.issubdtype(groups.dtype, np.integer):
        raise EngineError(f"groups are whole numbers of shape {shape}, not {groups.dtype} of {groups.shape}")
    if count is None:
        count = int(groups.max(initial=-1)) + 1
    if count < 0 or (groups.size and (groups.min() < -1 or groups.max() >= count)):
        raise EngineError(f"groups are -1 to {count - 1}, not {groups.min()} to {groups.max()}")
    return count
