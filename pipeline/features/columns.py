"""Arrow schemas of the features and of the sums made out of them; `engine/measures.md` says what each measure is.

Colours and seats count from 1. C is the number of cells of a board, in their canonical order.
"""

from __future__ import annotations

import pyarrow as pa

SECTORS = 6
"""Sectors of a board at most; squares have four, and null in the columns of the others."""

_COLOUR_MEASURES = {
    "mobility": pa.uint16(),  # placements
    "corner_liberties": pa.uint16(),  # cells
    "live_corner_liberties": pa.uint16(),  # cells
    "reach": pa.uint16(),  # cells
    "exclusive": pa.uint16(),  # cells
    "fitting_pieces": pa.uint8(),  # pieces
    "fitting_mask": pa.uint32(),  # bit i: piece i
    "locked_cells": pa.uint8(),  # cells
    "block_liberties": pa.uint16(),  # cells that the move of this ply took from the colour
    "block_mobility": pa.uint16(),  # placements, likewise
    **{f"corner_access_{sector}": pa.uint8() for sector in range(1, SECTORS + 1)},  # cells
}

COLOUR_MEASURES = tuple(name for name in _COLOUR_MEASURES if name != "fitting_mask")
"""Measures of a colour in a position that are numbers."""

POSITION_MEASURES = ("contested", "dead", "occupied", "four_inside_five")
"""Measures of a position as a whole."""

CENTRE_CONTACT = "centre_contact"
"""The measure of a colour in a whole game."""

FEATURES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("ply", pa.uint8()),  # placements before; no set of pieces has as many as 255
        ("colour", pa.uint8()),
        *_COLOUR_MEASURES.items(),
    ]
)

FEATURE_PLIES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("ply", pa.uint8()),
        ("mover", pa.uint8()),  # colour that made the ply; null at ply 0
        ("contested", pa.uint16()),  # cells
        ("dead", pa.uint16()),  # cells
        ("occupied", pa.uint16()),  # cells
        ("four_inside_five", pa.bool_()),  # null at ply 0 and on triangles
    ]
)

FEATURE_GAMES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("version", pa.int16()),  # of the definitions, `engine.features.VERSION`
        ("centre_contact", pa.list_(pa.int16())),  # ply by colour, 0 for the setup; null: never
        # Maps of C bytes: positions in which a cell is dead, by phase; then for every colour the ply at which it
        # covered the cell (NEVER), positions in which it has it in reach by phase, and contested ones by phase.
        ("maps", pa.binary()),
    ]
)

PHASE_COUNT = 3
"""Phases of a game, as in `engine.areas.PHASES`."""

NEVER = 255
"""In the first map of a colour: a cell that it never covered."""

MAPS_OF_GAME, MAPS_OF_COLOUR = PHASE_COUNT, 1 + 2 * PHASE_COUNT

FEATURE_KINDS = {"features": FEATURES, "feature_plies": FEATURE_PLIES, "feature_games": FEATURE_GAMES}
"""Big tables of the features, kept in Parquet partitions."""

HEAT = pa.schema(
    [
        ("variant", pa.string()),
        ("player", pa.string()),  # name as the seats have it; null: everybody together
        ("colour", pa.uint8()),
        ("games", pa.int64()),
        ("positions", pa.list_(pa.int64())),  # by phase
        # HEAT_MAPS maps of C little-endian uint32, see there
        ("maps", pa.binary()),
    ]
)

_BY_PHASE = ("occupied", "reach", "contested", "dead")

HEAT_MAPS = (
    *(f"{what}_{phase}" for what in _BY_PHASE for phase in range(1, PHASE_COUNT + 1)),
    "contact_plies",
    "contact_times",
)
"""What the maps of HEAT count, in order: positions, by phase; plies of first contacts, summed, and their number."""

PLY_SUMS = pa.schema(
    [
        ("variant", pa.string()),
        ("measure", pa.string()),
        ("colour", pa.uint8()),  # null: of the position
        ("ply", pa.uint8()),  # null: of the whole game
        ("rated", pa.bool_()),  # whether the colour's seat has a share of the result
        ("n", pa.int64()),
        ("x", pa.float64()),  # sum of the measure
        ("xx", pa.float64()),  # of its squares
        ("xy", pa.float64()),  # of its products with the share, where there is one
        ("y", pa.float64()),  # of the shares
        ("yy", pa.float64()),  # of their squares
    ]
)

MEASURE_SUMS = {"heat": HEAT, "ply_sums": PLY_SUMS}
"""Sums of the features, made at publication; see `pipeline.store.measure_sums`."""
