"""Arrow schemas of judged games; `pipeline/move_quality.md` says what the figures are.

Colours and seats count from 1. Lists are by seat; shares of neutral seats are null. Points are those of the game's
scoring table.
"""

from __future__ import annotations

import pyarrow as pa

_NAME = pa.dictionary(pa.int32(), pa.string())
_SEATS = pa.list_(pa.float64())

_MADE_BY = [
    ("budget", _NAME),  # as asked for: a word, or a number of simulations
    ("simulations", pa.int32()),  # that the budget stands for
    ("seed", pa.int64()),
    ("engine", _NAME),  # version of engine, search and weights
    ("version", pa.int16()),  # of the formulas, `move_quality.VERSION`
]

ANALYSED_PLIES = pa.schema(
    [
        ("game_no", pa.int64()),
        ("ply", pa.uint8()),  # the placement that is judged
        ("colour", pa.uint8()),
        ("seat", pa.uint8()),  # who played it; null: a shared colour whose seat left
        ("phase", pa.uint8()),  # 1 opening, 2 middle, 3 end
        ("legal_moves", pa.uint16()),
        ("played", pa.uint16()),  # placement
        ("best", pa.uint16()),  # placement; null: to pass was best
        ("before_shares", _SEATS),  # V of the position before
        ("before_points", _SEATS),
        ("best_shares", _SEATS),  # B: value after the best move
        ("best_points", _SEATS),
        ("after_shares", _SEATS),  # V after the played move
        ("after_points", _SEATS),
        ("loss_share", pa.float64()),  # of the mover; null: a neutral seat
        ("loss_share_error", pa.float64()),
        ("loss_points", pa.float64()),
        ("loss_points_error", pa.float64()),
        ("label", _NAME),
        ("forced", pa.bool_()),  # one legal move
        ("proven", pa.bool_()),  # loss and label are exact
        ("unclear", pa.bool_()),  # the loss is within the noise
        ("accuracy", pa.float64()),  # 0 to 100; null where nothing was decided
        ("accuracy_error", pa.float64()),
        *_MADE_BY,
    ]
)

ANALYSED_GAMES = pa.schema(
    [
        ("game_no", pa.int64()),
        *_MADE_BY,
        ("fingerprint", pa.string()),  # of what the analysis knew of the game
        ("plies", pa.uint8()),
        ("searches", pa.int32()),
        ("proven_from", pa.uint8()),  # plies after which all positions are proven; null: none is
        ("start_shares", _SEATS),  # V of the first position
        ("start_points", _SEATS),
        ("final_shares", _SEATS),  # V of the last position
        ("final_points", _SEATS),
        ("shares", _SEATS),  # the result; null: the game has none
        ("points", _SEATS),
    ]
)

ANALYSIS_KINDS = {"analysed_plies": ANALYSED_PLIES, "analysed_games": ANALYSED_GAMES}
"""Big tables of judged games, kept in Parquet partitions."""
