"""Read-only tables that the network and the search need of a variant and a ruleset, built once."""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.boards import BOARDS, neighbours
from engine.feature_tables import feature_tables, opponents
from engine.geometry import F64, I16, U64, geometry
from engine.kernel_rules import kernel_rules
from engine.kernels.levels import CLASSES, Board
from engine.kernels.search import Game
from engine.kernels.vectors import GATHERED
from engine.rulesets import Ruleset, start_groups
from engine.scoring import cells_of_set, units
from engine.scoring_tables import SCORINGS
from engine.symmetries import board_symmetries
from engine.variants import variant


@cache
def places(variant_id: str) -> I16:
    """Place of each cell as each colour sees it: ``(colours, C) int16``.

    The board is turned so that the colour's starting cells lie where the first colour's do; cells that are exchanged by
    symmetries that keep those are one place.
    """
    row = variant(variant_id)
    symmetries = board_symmetries(row.board)
    starts = [{cell for group in groups for cell in group} for groups in start_groups(variant_id, row.start)]
    images = np.array(
        [
            np.min([g for g in symmetries if {int(g[cell]) for cell in start} == starts[0]], axis=0)
            for start in starts
        ]
    )
    numbers = np.unique(images)
    out: I16 = np.searchsorted(numbers, images).astype(np.int16)
    return out


def _open(variant_id: str, step: int) -> U64:
    """Bits of the cells with an edge neighbour `step` rows further."""
    tables = geometry(variant_id)
    row = variant(variant_id)
    stride = BOARDS[row.board].width + 1
    bit = tables.cell_bit.astype(int)
    flags = np.zeros(64 * len(tables.board_bits), np.uint8)
    for cell, (beside, _) in enumerate(neighbours(row.board)):
        flags[bit[cell]] = any(bit[other] // stride == bit[cell] // stride + step for other in beside)
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


@cache
def board_tables(variant_id: str, rules: Ruleset) -> Board:
    """The network's view of a board under a ruleset."""
    of_colour = places(variant_id)
    return Board(
        open_down=_open(variant_id, -1),
        open_up=_open(variant_id, 1),
        stride=BOARDS[variant(variant_id).board].width + 1,
        row_of=(of_colour.astype(np.int32) * CLASSES).reshape(-1),
        places=int(of_colour.max()) + 1,
        shapes=feature_tables(variant_id),
        rivals=opponents(variant_id, rules),
    )


@cache
def touched_rows(variant_id: str) -> I16:
    """Indexes into `Moves.values` of all that a placement covers and touches: ``(P, k GATHERED) int16``.

    Rows are filled up with the index behind the last, where the values hold a zero.
    """
    tables = geometry(variant_id)
    cells, span = len(tables.cell_bit), tables.span.astype(int)
    width = -(-int((span[:, 3] - span[:, 0]).max()) // GATHERED) * GATHERED
    at = np.arange(width)[None, :]
    number = span[:, :1] + at
    kind = (number >= span[:, 1:2]).astype(int) + (number >= span[:, 2:3])
    cell = tables.touched[np.minimum(number, len(tables.touched) - 1)].astype(int)
    out: I16 = np.where(number < span[:, 3:], kind * cells + cell, 3 * cells).astype(np.int16)
    out.flags.writeable = False
    return out


def scoring_row(rules: Ruleset) -> F64:
    """Points of a cell placed, of a cell left, of everything placed, with the single cell last: ``(4,) float64``."""
    table = SCORINGS[rules.scoring]
    return np.array([table.placed, table.left, table.all_placed, table.single_last], np.float64)


@cache
def search_game(variant_id: str, rules: Ruleset) -> Game:
    """What the search knows of a variant under a ruleset.

    Raises:
        UnknownVariant, RuleError: see `engine.kernel_rules`.
    """
    members = units(rules)
    colours = len(variant(variant_id).colours)
    units_of = np.zeros((len(members), colours), np.int8)
    unit_of_seat = np.full(len(rules.seats), -1, np.int8)
    for number, seats in enumerate(members):
        unit_of_seat[list(seats)] = number
        for seat in seats:
            units_of[number, list(rules.seats[seat])] = 1
    return Game(
        geometry=geometry(variant_id),
        rules=kernel_rules(variant_id, rules),
        board=board_tables(variant_id, rules),
        scoring=scoring_row(rules),
        cells=cells_of_set(variant_id),
        touched=touched_rows(variant_id),
        units_of=units_of,
        unit_of_seat=unit_of_seat,
    )
