"""Positions, results and played moves of a library as one Parquet file, for those who train evaluations.

A row is a position before a legal placement. `COLUMNS` says what each column is; the file says it too, in the metadata
of its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engine.facts import CELLS
from engine.pieces import PIECE_SETS
from engine.position import Position
from notation.record import Move, Out, Pass
from pipeline.appearing import appearing
from pipeline.errors import PipelineError
from pipeline.export import rebuild
from pipeline.judged import Group, RuleChoice, found_colour, group_records, is_over, stop_of
from pipeline.outcomes import ending_of, results_of
from pipeline.store import Reader

FORM = "training"
"""Name of the form on the command line."""

CHUNK = 500
"""Games that are replayed at a time; each such part of a file is a row group."""


class Column(NamedTuple):
    """A column of the file."""

    name: str
    type: pa.DataType
    about: str


COLUMNS = (
    Column("game", pa.string(), "identity of the game, 32 hexadecimal digits"),
    Column("variant", pa.string(), "variant"),
    Column("rules", pa.string(), "JSON object: settings of the rules that differ from the variant's default"),
    Column("ply", pa.int16(), "placements before the position, 0 at the start"),
    Column("colour", pa.int8(), "colour that moves, from 1 in order of play"),
    Column("seat", pa.int8(), "seat of that colour, from 1; null for a shared colour"),
    Column(
        "board",
        pa.binary(),
        "a byte a cell, in the order of engine.boards (row 1 upward, columns from a): 0 empty, else the colour",
    ),
    Column(
        "pieces_left",
        pa.list_(pa.uint8()),
        "copies left of every piece of the set, colour after colour, pieces in the order of engine.pieces",
    ),
    Column("out", pa.list_(pa.int8()), "colours whose player has left before the position"),
    Column("legal_moves", pa.int32(), "legal placements of the colour that moves"),
    Column("placement", pa.int32(), "placement that was played, its number in engine.geometry"),
    Column("move", pa.string(), "the same as names of cells"),
    Column("finished", pa.bool_(), "whether the game was played to the end of its end rule"),
    Column("final_cells", pa.list_(pa.int16()), "cells that every colour has placed at the end"),
    Column(
        "points", pa.list_(pa.int32()), "points of every seat at the end, in the scoring table of the rules"
    ),
    Column(
        "shares",
        pa.list_(pa.float32()),
        "share of the result of every seat, 0 to 1; null for neutral seats and games without a result",
    ),
    Column("places", pa.list_(pa.int8()), "place of every seat, ties share it; null as the shares are"),
)
"""Columns in order."""

SCHEMA = pa.schema(
    [pa.field(column.name, column.type, metadata={"about": column.about}) for column in COLUMNS]
)


@dataclass(slots=True)
class TrainingReport:
    """What was written: games, positions, and games left out because they have no legal placement."""

    games: int = 0
    positions: int = 0
    empty: int = 0


def export_training(
    reader: Reader,
    ids: Sequence[str] | None,
    out: Path,
    progress: Callable[[int], None] = lambda games: None,
) -> TrainingReport:
    """Write the positions of games (None: all) as Parquet; the file appears whole or not at all.

    Of a game that stops at an illegal move the positions before it are written, without shares and places.

    Raises:
        PipelineError: no games, a name that does not end in .parquet, a disk that does not take the file.
    """
    if out.suffix.lower() != ".parquet" or out.is_dir():
        raise PipelineError(f"{out}: training data are one file of Parquet: name a .parquet file")
    numbers = _numbers(reader, ids)
    if not numbers:
        raise PipelineError(f"there are no games in {reader.layout.root}")
    report = TrainingReport()
    with appearing(out, True) as hidden, pq.ParquetWriter(hidden, SCHEMA, compression="zstd") as writer:
        for start in range(0, len(numbers), CHUNK):
            writer.write_table(_chunk(reader, numbers[start : start + CHUNK], report))
            progress(min(start + CHUNK, len(numbers)))
    return report


def _numbers(reader: Reader, ids: Sequence[str] | None) -> list[int]:
    where = "" if ids is None else "WHERE id IN (SELECT unnest($ids::VARCHAR[]))"
    wanted = {} if ids is None else {"ids": list(ids)}
    found: list[int] = reader.table(f"SELECT game_no FROM games {where} ORDER BY game_no", wanted)[
        "game_no"
    ].to_pylist()
    return found


def _chunk(reader: Reader, numbers: Sequence[int], report: TrainingReport) -> pa.Table:
    """The positions of some games, in the order of the games."""
    games = list(rebuild(reader, numbers))
    groups, _ = group_records([record for _, record in games], RuleChoice())
    rows: dict[int, list[dict[str, Any]]] = {}
    for group in groups:
        endings = [ending_of(group, game) for game in range(len(group.records))]
        results = results_of(group, endings)
        for game, index in enumerate(group.index):
            undecided = results.places[game] == 0
            facts = group.replay.verdicts.facts[game]
            same = {
                "game": games[index][0],
                "variant": group.variant,
                "rules": group.rules_text,
                "finished": endings[game].stop is None and is_over(group, game),
                "final_cells": facts[:, CELLS].tolist(),
                "points": results.totals[game].tolist(),
                "shares": _or_null(results.shares[game].tolist(), undecided.tolist()),
                "places": _or_null(results.places[game].tolist(), undecided.tolist()),
            }
            rows[index] = [same | row for row in _positions(group, game)]
    ordered = [row for index in sorted(rows) for row in rows[index]]
    with_moves = sum(bool(found) for found in rows.values())
    report.games += with_moves
    report.empty += len(numbers) - with_moves
    report.positions += len(ordered)
    return pa.Table.from_pylist(ordered, SCHEMA)


def _or_null(values: list[Any], missing: list[bool]) -> list[Any]:
    return [None if gone else value for value, gone in zip(values, missing, strict=True)]


def _positions(group: Group, game: int) -> Iterator[dict[str, Any]]:
    """What every position before a legal placement of a game has of its own."""
    record, rules = group.records[game], group.rules
    stop = stop_of(group, game)
    if stop is not None and stop.event < 0:
        return
    setup = [(piece.colour, piece.placement) for piece in record.setup.pieces]
    position = Position(group.variant, rules, setup, record.setup.to_move or 0)
    seat_of = {colour: seat + 1 for seat, owned in enumerate(rules.seats) for colour in owned}
    pieces = PIECE_SETS[position.variant.pieces].names
    out: set[int] = set()
    ply = 0
    for at, event in enumerate(record.events if stop is None else record.events[: stop.event]):
        if isinstance(event, Move):
            colour = found_colour(group, game, at)
            left = [position.pieces_left(c) for c in range(len(position.variant.colours))]
            yield {
                "ply": ply,
                "colour": colour + 1,
                "seat": seat_of.get(colour),
                "board": (position.board + 1).astype(np.uint8).tobytes(),
                "pieces_left": [of.get(name, 0) for of in left for name in pieces],
                "out": sorted(c + 1 for c in out),
                "legal_moves": position.mobility(colour),
                "placement": event.placement,
                "move": event.text,
            }
            position.play(colour, event.cells)
            ply += 1
        elif isinstance(event, Pass):
            position.pass_turn(found_colour(group, game, at))
        elif isinstance(event, Out) and 0 <= event.seat < len(rules.seats):
            position.leave(event.seat)
            out |= set(rules.seats[event.seat])
