"""Read-only tables that the measures need besides those of `engine.geometry`, built once."""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.areas import centre_cells, sector_names, sectors
from engine.geometry import (
    BLOCK,
    CELLS_END,
    I8,
    I16,
    I32,
    OFFSET,
    PARENT,
    U64,
    Geometry,
    geometry,
    placement_cells,
    placements_by_cells,
)
from engine.kernels.reach import Tables
from engine.rulesets import Ruleset
from engine.variants import variant

_ALIKE = ("classic", "duo", "junior", "trigon", "trigon_3")
"""One variant of each geometry."""


@cache
def feature_tables(variant_id: str) -> Tables:
    """Return the tables of a variant; variants with the same board and pieces share one object.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    row = variant(variant_id)
    same = next(v for v in _ALIKE if variant(v).geometry_id == row.geometry_id)
    return feature_tables(same) if same != variant_id else _build(variant_id)


def _build(variant_id: str) -> Tables:
    tables = geometry(variant_id)
    distance, shifts = _distances(tables)
    span, larger = _larger(variant_id, tables)
    built = Tables(distance, shifts, _areas(variant_id, tables), span, larger)
    for table in built:
        table.flags.writeable = False
    return built


def _distances(tables: Geometry) -> tuple[I32, I32]:
    """(row of the second array for every node of the trie, bits from the anchor to the extra cell)."""
    nodes = tables.trie.nodes
    copy_bytes = (len(tables.board_bits) + BLOCK) * 8
    shift = nodes[:, OFFSET] % copy_bytes * 8 + nodes[:, OFFSET] // copy_bytes
    shift[nodes[:, PARENT] < 0] = 0
    shifts, row = np.unique(shift, return_inverse=True)
    assert shifts[-1] <= 64 * (BLOCK - 1), "the sums of the reach kernel have a block of room below"
    return row.astype(np.int32), shifts.astype(np.int32)


def _areas(variant_id: str, tables: Geometry) -> U64:
    """Bits of the cells of every sector, then of the centre."""
    sector_of = np.array(sectors(variant(variant_id).board))
    count = len(sector_names(variant_id))
    out = np.zeros((count + 1, 64 * len(tables.board_bits)), np.uint8)
    out[sector_of, tables.cell_bit] = 1
    out[count, tables.cell_bit[list(centre_cells(variant_id))]] = 1
    return np.packbits(out, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _larger(variant_id: str, tables: Geometry) -> tuple[I32, I16]:
    """(rows of the second array for every placement, extra cells' bits and pieces of five-cell placements).

    Squares only: there the advice is to play no four-cell piece where a five-cell piece fits around it.
    """
    around: dict[int, list[tuple[int, int]]] = {}
    span = np.zeros((len(tables.placement_piece), 2), np.int32)
    if len(sector_names(variant_id)) == 4:
        number = placements_by_cells(variant_id)
        sizes = tables.span[:, CELLS_END] - tables.span[:, 0]
        for placement in np.flatnonzero(sizes == 5).tolist():
            cells = placement_cells(tables, placement)
            for i, extra in enumerate(cells):
                smaller = number.get(cells[:i] + cells[i + 1 :])
                if smaller is not None:
                    rows = around.setdefault(smaller, [])
                    rows.append((int(tables.cell_bit[extra]), int(tables.placement_piece[placement])))
    flat: list[tuple[int, int]] = []
    for smaller in sorted(around):
        span[smaller] = len(flat), len(flat) + len(around[smaller])
        flat += around[smaller]
    return span, np.array(flat, np.int16).reshape(-1, 2)


@cache
def opponents(variant_id: str, rules: Ruleset) -> I8:
    """Whether two colours are of different sides: ``(colours, colours) int8``.

    Colours of one seat or of one team are of one side. A colour that the seats share is nobody's: everybody's opponent.
    """
    colours = len(variant(variant_id).colours)
    side = np.arange(colours)
    for seats in rules.teams or tuple((seat,) for seat in range(len(rules.seats))):
        owned = [colour for seat in seats for colour in rules.seats[seat]]
        side[owned] = min(owned)
    out: I8 = (side[:, None] != side[None, :]).astype(np.int8)
    out.flags.writeable = False
    return out


def work_words(tables: Geometry, more: Tables) -> int:
    """Words of `State.work` that the reach kernel needs, and a list of legal moves as in `state.new_state`."""
    words, nodes = len(tables.board_bits), len(tables.trie.nodes)
    reach, notes = len(more.shifts) * (words + BLOCK) + nodes * words, 2 * nodes * words + 2
    return 16 * (words + BLOCK) + 2 * nodes * words + max(reach, notes)
