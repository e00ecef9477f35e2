"""A unit of features: some games of the library in, partitions out. Pure and repeatable, so that any process may do it.

Games are replayed from the placements that the library stores, with their setups and who left after which ply: nothing
else of a record matters to the measures.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from engine.features import VERSION, Features, colour_columns, features, position_columns
from engine.heat import heat_maps
from engine.kernels.replay import CODE_OUT
from engine.replay import Replay, Script, replay_scripts
from engine.rulesets import Ruleset, parse_rules
from notation.position_text import parse_position
from pipeline.features.columns import FEATURE_KINDS, NEVER, SECTORS
from pipeline.stopping import check_stop
from pipeline.store import PartitionFile, write_partition
from pipeline.tables import MOVES

CHUNK = 64
"""Games measured at a time: as many as fit into the processor's cache."""

Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the library has it; `leaving` are (plies before it, seat from 1)."""

    number: int
    variant: str
    rules: str
    setup: str | None
    leaving: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FeatureTask:
    """A unit to do: games ascending by number, and the files that hold their moves; `older` are computed again."""

    unit: int
    games: tuple[Game, ...]
    moves: tuple[str, ...]
    plies: int
    older: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FeatureFiles:
    """What a unit made of its task."""

    task: FeatureTask
    files: tuple[PartitionFile, ...]


def measure_unit(folder: Path, task: FeatureTask) -> FeatureFiles:
    """Measure the games of a task and write their features as partitions into the library's folder.

    Raises:
        LibraryError: the disk refuses.
    """
    tables = feature_tables(task)
    files = [
        write_partition(folder, task.unit, kind, tables[kind])
        for kind in FEATURE_KINDS
        if tables[kind].num_rows
    ]
    return FeatureFiles(task, tuple(files))


def feature_tables(task: FeatureTask) -> dict[str, pa.Table]:
    """The tables of `FEATURE_KINDS` for the games of a task, ascending by game, ply and colour."""
    moves = _Moves(task)
    groups: dict[tuple[str, str], list[Game]] = {}
    for game in task.games:
        groups.setdefault((game.variant, game.rules), []).append(game)
    parts: dict[str, list[pa.Table]] = {kind: [] for kind in FEATURE_KINDS}
    for (variant_id, rules), games in groups.items():
        for start in range(0, len(games), CHUNK):
            check_stop()
            some = games[start : start + CHUNK]
            for kind, table in _measured(variant_id, _parsed(variant_id, rules), some, moves).items():
                parts[kind].append(table)
    out = {}
    for kind, schema in FEATURE_KINDS.items():
        whole = pa.concat_tables(parts[kind] or [schema.empty_table()])
        # The sort keeps the order of equals: plies and colours stay as they are.
        out[kind] = whole if len(groups) < 2 else whole.sort_by("game_no")
    return out


@cache
def _parsed(variant_id: str, rules: str) -> Ruleset:
    return parse_rules(variant_id, json.loads(rules))


_MOVES = pa.schema([MOVES.field(name) for name in ("game_no", "ply", "colour", "placement")])


class _Moves:
    """Colours from 0 and placements of the games of a task, in order of play."""

    def __init__(self, task: FeatureTask) -> None:
        ends = [("game_no", ">=", task.games[0].number), ("game_no", "<=", task.games[-1].number)]
        tables = [pq.read_table(path, columns=_MOVES.names, filters=ends) for path in task.moves]
        rows = pa.concat_tables(tables or [_MOVES.empty_table()])
        game, ply = rows["game_no"].to_numpy(), rows["ply"].to_numpy()
        events = np.stack([rows["colour"].to_numpy().astype(np.int32) - 1, rows["placement"].to_numpy()], 1)
        order = np.lexsort((ply, game))
        self._games, self._events = game[order], events[order].astype(np.int32)

    def of(self, game: Game) -> npt.NDArray[np.int32]:
        """(colour, placement) of the moves of a game: ``(plies, 2) int32``."""
        start, end = np.searchsorted(self._games, [game.number, game.number + 1])
        return self._events[start:end]


def _script(game: Game, rules: Ruleset, moves: npt.NDArray[np.int32]) -> Script:
    setup = parse_position(game.setup) if game.setup else None
    if game.leaving:
        at = [plies for plies, seat in game.leaving for _ in rules.seats[seat - 1]]
        out = [(colour, CODE_OUT) for _, seat in game.leaving for colour in rules.seats[seat - 1]]
        moves = np.insert(moves, at, np.array(out, np.int32).reshape(-1, 2), axis=0)
    if setup is None:
        return Script(moves)
    return Script(moves, [(piece.colour, piece.placement) for piece in setup.pieces], setup.to_move or 0)


def _measured(variant_id: str, rules: Ruleset, games: Sequence[Game], moves: _Moves) -> dict[str, pa.Table]:
    """Tables of a few games of one variant and ruleset."""
    replay = replay_scripts(variant_id, rules, [_script(game, rules, moves.of(game)) for game in games])
    found = features(variant_id, rules, replay)
    numbers = np.array([game.number for game in games], np.int64)
    of_colours, of_positions = colour_columns(found), position_columns(found)
    for columns in (of_colours, of_positions):
        columns["game_no"] = numbers[columns.pop("game")]
    return {
        "features": _colour_table(of_colours),
        "feature_plies": _position_table(of_positions),
        "feature_games": _game_table(variant_id, replay, found, numbers),
    }


def _colour_table(columns: Columns) -> pa.Table:
    columns["colour"] += 1
    rows = len(columns["colour"])
    missing = {
        f"corner_access_{sector}": pa.nulls(rows, pa.uint8())
        for sector in range(1, SECTORS + 1)
        if f"corner_access_{sector}" not in columns
    }
    return _table({**columns, **missing}, "features")


def _position_table(columns: Columns) -> pa.Table:
    mover, four = columns["mover"], columns["four_inside_five"]
    return _table(
        {
            **columns,
            "mover": pa.array(mover + 1, mask=mover < 0),
            "four_inside_five": pa.array(four > 0, mask=four < 0),
        },
        "feature_plies",
    )


def _game_table(variant_id: str, replay: Replay, found: Features, numbers: npt.NDArray[np.int64]) -> pa.Table:
    """A row for every game that has a position."""
    measured = np.unique(found.game)
    centre = found.centre_contact[measured].astype(np.int16)
    contacts = pa.array(centre.reshape(-1), mask=centre.reshape(-1) < 0)
    ends = pa.array(np.arange(len(measured) + 1, dtype=np.int32) * centre.shape[1])
    return _table(
        {
            "game_no": numbers[measured],
            "version": np.full(len(measured), VERSION, np.int16),
            "centre_contact": pa.ListArray.from_arrays(ends, contacts),
            "maps": _binary(_maps(variant_id, replay, found)[measured]),
        },
        "feature_games",
    )


def _maps(variant_id: str, replay: Replay, found: Features) -> npt.NDArray[np.uint8]:
    """The maps of every game one after the other, see `FEATURE_GAMES`: ``(games, bytes)``."""
    games, colours = found.centre_contact.shape
    every = np.arange(games * colours, dtype=np.int32).reshape(games, colours)
    heat = heat_maps(variant_id, replay, found, every, games * colours)
    cells = heat.dead.shape[-1]
    dead = heat.dead.reshape(games, colours, -1)[:, 0]
    contact = np.where(heat.contact_times > 0, heat.contact_plies, NEVER)
    of_colours = [contact[:, None], heat.reach, heat.contested]
    together = np.concatenate(of_colours, axis=1).reshape(games, -1)
    out = np.concatenate([dead, together], axis=1)
    assert out.max(initial=0) <= NEVER, f"a game of more than {NEVER} plies, on a board of {cells} cells"
    return out.astype(np.uint8)


def _binary(rows: npt.NDArray[np.uint8]) -> pa.Array:
    """Every row of bytes as one value."""
    data = np.ascontiguousarray(rows)
    offsets = np.arange(len(data) + 1, dtype=np.int32) * data.shape[1]
    return pa.Array.from_buffers(
        pa.binary(), len(data), [None, pa.py_buffer(offsets), pa.py_buffer(data.tobytes())]
    )


def _table(columns: dict[str, Any], kind: str) -> pa.Table:
    schema = FEATURE_KINDS[kind]
    return pa.table({name: columns[name] for name in schema.names}).cast(schema)
