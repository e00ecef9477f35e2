"""Arrow schemas of what a work unit makes and the library holds. Units stand in the comments of `sql/schema_1.sql`.

`game_no` numbers a game inside one library (unit number * 2**20 + index in the unit); `id` is its identity, the same
everywhere. Colours and seats count from 1, as everywhere outside the program.
"""

from __future__ import annotations

import pyarrow as pa

from pipeline.analysis.columns import ANALYSIS_KINDS
from pipeline.features.columns import FEATURE_KINDS, MEASURE_SUMS

UNIT_GAMES = 1 << 20
"""Game numbers of one work unit; a unit never holds as many games."""

UNIT_FRAGMENTS = 1 << 23
"""The same for results, positions and lists of pieces, which have numbers of their own."""

_NAME = pa.dictionary(pa.int32(), pa.string())

GAMES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("id", pa.string()),
        ("variant", pa.string()),
        ("rules", pa.string()),  # JSON object of settings that differ from the variant's default
        ("scoring", pa.string()),
        ("format", pa.string()),
        ("date_text", pa.string()),
        ("year", pa.int16()),
        ("month", pa.int8()),
        ("day", pa.int8()),
        ("event", pa.string()),
        ("event_round", pa.string()),
        ("plies", pa.int16()),  # legal placements
        ("recorded_plies", pa.int16()),  # all recorded placements
        ("turns", pa.int32()),  # turn of the last placement
        ("passes", pa.int32()),  # up to the last placement
        ("termination", pa.string()),
        ("penalty_applied", pa.bool_()),
        ("outcome", pa.string()),  # win, draw; null: none
        ("winners", pa.list_(pa.int8())),  # seats in first place
        ("illegal", pa.bool_()),
        ("irregular", pa.bool_()),
        ("unfinished", pa.bool_()),
        ("empty", pa.bool_()),
        ("mismatch", pa.bool_()),  # declared against computed result; null: nothing declared
        ("foreign_pieces", pa.bool_()),  # played with another set of pieces
        ("stop_ply", pa.int16()),
        ("stop_reason", pa.string()),
        ("setup", pa.string()),  # position text of the start, null: the empty board
    ]
)

SEATS = pa.schema(
    [
        ("game_no", pa.int64()),
        ("seat", pa.int8()),
        ("player", pa.string()),
        ("colours", pa.list_(pa.int8())),
        ("team", pa.int8()),
        ("neutral", pa.bool_()),
        ("place", pa.int8()),  # shared on ties; null: unfinished, illegal or neutral
        ("share", pa.float64()),  # 1 first, 0 last, by rank: see sql/schema_1.sql
        ("out_cause", pa.string()),
        ("out_ply", pa.int16()),
    ]
)

COLOURS = pa.schema(
    [
        ("game_no", pa.int64()),
        ("colour", pa.int8()),
        ("seat", pa.int8()),  # null: shared
        ("cells_placed", pa.int16()),
        ("pieces_placed", pa.int8()),
        ("all_placed", pa.bool_()),
        ("single_last", pa.bool_()),
        ("blocked", pa.bool_()),  # no legal move after the last placement
        ("passes", pa.int16()),
    ]
)

SIGHTINGS = pa.schema(
    [
        ("game_no", pa.int64()),
        ("id", pa.string()),
        ("source", pa.string()),
        ("digest", pa.string()),  # of the file's bytes, 32 hexadecimal digits
        ("record", pa.int32()),  # from 1
        ("line", pa.int32()),
        ("format", pa.string()),
        ("rules", pa.string()),
        ("players", pa.list_(pa.string())),
        ("headers", pa.string()),  # JSON object as read
        ("declared", pa.string()),  # result as written
        ("declared_winner", pa.int8()),  # seat, 0 a draw
        ("mismatch", pa.bool_()),
        ("rules_differ", pa.bool_()),  # states other rules than the game's first sighting
        ("warnings", pa.list_(pa.string())),
        ("warning_codes", pa.list_(pa.string())),  # of the warnings, one by one
        ("whole", pa.string()),  # the record in our JSON form; null when moves, passes and headers rebuild it
    ]
)

QUARANTINE = pa.schema(
    [
        ("source", pa.string()),
        ("digest", pa.string()),
        ("record", pa.int32()),
        ("line", pa.int32()),
        ("game_no", pa.int64()),  # null: refused, no game
        ("id", pa.string()),
        ("ply", pa.int16()),
        ("code", pa.string()),
        ("message", pa.string()),
        ("text", pa.string()),  # beginning of the offending record
    ]
)

_FOUND = [
    ("source", pa.string()),
    ("digest", pa.string()),
    ("record", pa.int32()),
    ("line", pa.int32()),
    ("format", pa.string()),
    ("variant", pa.string()),  # null: the source does not say it
    ("id", pa.string()),  # of the content, 32 hexadecimal digits
    ("players", pa.list_(pa.string())),
    ("headers", pa.string()),  # JSON object as read
    ("warnings", pa.list_(pa.string())),
    ("warning_codes", pa.list_(pa.string())),
    ("seen_no", pa.int64()),  # unit number * UNIT_FRAGMENTS + index in the unit
]

RESULTS = pa.schema(
    [
        *_FOUND,
        ("key", pa.string()),  # the source's own name of the game
        ("scores", pa.list_(pa.int32())),  # by seat, as the source writes them
        ("places", pa.list_(pa.int8())),
        ("margin", pa.int32()),
        ("plies", pa.int32()),
        ("passes", pa.int32()),
        ("unfinished", pa.bool_()),
    ]
)

POSITIONS = pa.schema([*_FOUND, ("position", pa.string())])

PIECE_LISTS = pa.schema([*_FOUND, ("pieces", pa.list_(pa.string()))])

MOVES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("ply", pa.int16()),
        ("turn", pa.int32()),
        ("round", pa.int16()),
        ("colour", pa.int8()),
        ("seat", pa.int8()),  # who played it; a shared colour is played by the seats in turn
        ("piece", _NAME),
        ("placement", pa.uint16()),
        ("move", _NAME),
        ("key_hi", pa.uint64()),  # position after the ply
        ("key_lo", pa.uint64()),
    ]
)

PASSES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("turn", pa.int32()),
        ("round", pa.int16()),
        ("after_ply", pa.int16()),
        ("colour", pa.int8()),
        ("kind", _NAME),  # forced, unforced, voluntary, out
        ("recorded", pa.bool_()),  # false: inferred by the replay
    ]
)

FRAGMENTS = {"results": RESULTS, "positions": POSITIONS, "piece_lists": PIECE_LISTS}
"""Tables of what is no game, a row for every record that was found."""

CATALOGUE = {
    "games": GAMES,
    "seats": SEATS,
    "colours": COLOURS,
    "sightings": SIGHTINGS,
    "quarantine": QUARANTINE,
    **FRAGMENTS,
}
"""Small tables, kept in the catalogue."""

PARTITIONED = {"moves": MOVES, "passes": PASSES, **FEATURE_KINDS, **ANALYSIS_KINDS}
"""Big tables, kept in Parquet partitions."""

INDEXED_DEPTH = 24
"""Positions with at most so many pieces on the board are found by the index of openings."""

OPENINGS = pa.schema(
    [
        ("depth", pa.uint8()),  # pieces on the board after the move, those set up included
        ("key_hi", pa.uint64()),  # position after the move
        ("key_lo", pa.uint64()),
        ("game_no", pa.int64()),
        ("colour", pa.int8()),
        ("seat", pa.int8()),
        ("placement", pa.uint16()),
    ]
)

ORDERS = pa.schema(
    [
        ("game_no", pa.int64()),
        ("colour", pa.int8()),
        ("seat", pa.int8()),  # null: shared
        # A byte for every piece of the set, in its order, its copies one after the other: round in which it was
        # placed, 0 never.
        ("rounds", pa.binary()),
    ]
)

INDEXES = {"openings": OPENINGS, "orders": ORDERS, **MEASURE_SUMS}
"""Tables made out of the big ones at publication, kept in Parquet partitions too.

See `pipeline.store.indexes` for those of the moves, `pipeline.store.measure_sums` for those of the features.
"""
