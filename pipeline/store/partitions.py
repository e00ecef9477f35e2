"""Partitions: immutable Parquet files that hold the big tables of one or more work units.

`write_partition` and `write_unit` need nothing but the library's folder, so that worker processes do the
writing; the writer decides afterwards which games stay and gives the file its name.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.store.files import as_library_errors, sync
from pipeline.store.layout import TEMPORARY
from pipeline.tables import CATALOGUE, PARTITIONED

ROW_GROUP = 122_880
"""Rows of a row group: the number DuckDB hands to one thread."""

WEIGHTS = {"feature_games": 64}
"""How many usual rows a row of a big table is worth, where that is not one: it has kilobytes."""


class PartitionFile(NamedTuple):
    """A partition under a temporary name: its file in the folder of its kind, rows, and games it spans."""

    kind: str
    name: str
    rows: int
    first_game: int
    last_game: int


@dataclass(frozen=True, slots=True)
class UnitTables:
    """What a work unit made: small tables in memory, big ones as partitions. It travels between processes.

    `tables` has the tables of `pipeline.tables.CATALOGUE`, empty ones may be missing; a row of `games` for
    every record that is a game, known or not, numbered unit * UNIT_GAMES + index.
    """

    unit: int
    tables: dict[str, pa.Table]
    partitions: tuple[PartitionFile, ...]


def write_unit(folder: Path | str, unit: int, tables: Mapping[str, pa.Table]) -> UnitTables:
    """Write the big tables of a unit as partitions and keep the small ones.

    Raises:
        LibraryError: the disk refuses; nothing of the unit stays on it.
        KeyError: a table of a name that `pipeline.tables` does not know.
    """
    small = {name: table.cast(CATALOGUE[name]) for name, table in tables.items() if name not in PARTITIONED}
    written: list[PartitionFile] = []
    try:
        for kind in PARTITIONED:
            if kind in tables and tables[kind].num_rows:
                written.append(write_partition(folder, unit, kind, tables[kind]))
    except BaseException:
        discard(folder, written)
        raise
    return UnitTables(unit, small, tuple(written))


def write_partition(folder: Path | str, unit: int, kind: str, table: pa.Table) -> PartitionFile:
    """Write one big table, rows ascending by game, under a temporary name; `table` is not empty.

    Raises:
        LibraryError: the disk refuses; the file is gone again.
    """
    path = Path(folder) / kind / _temporary_name(unit)
    games = pc.min_max(table["game_no"]).as_py()
    with as_library_errors(f"cannot write {kind} of unit {unit} to {path.parent}"):
        try:
            with _writer(path, kind) as out:
                out.write_table(table.cast(PARTITIONED[kind]), row_group_size=_row_group(kind))
            sync(path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    return PartitionFile(kind, path.name, table.num_rows, games["min"], games["max"])


def rewrite(
    folder: Path, kind: str, sources: Iterable[str], drop: pa.Array | None = None
) -> PartitionFile | None:
    """Write the rows of some partitions (file names) as one, temporarily named, without the games in `drop`.

    One row group at a time is in memory. Returns None, and leaves no file, when no row is left.
    """
    path = folder / kind / _temporary_name(0)
    rows, first, last = 0, None, 0
    try:
        with _writer(path, kind) as out:
            for chunk in _chunks(folder / kind, kind, sources, drop):
                out.write_table(chunk, row_group_size=_row_group(kind))
                games = pc.min_max(chunk["game_no"]).as_py()
                first = games["min"] if first is None else min(first, games["min"])
                rows, last = rows + chunk.num_rows, max(last, games["max"])
        sync(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    if first is None:
        path.unlink()
        return None
    return PartitionFile(kind, path.name, rows, first, last)


def _chunks(folder: Path, kind: str, sources: Iterable[str], drop: pa.Array | None) -> Iterable[pa.Table]:
    """Rows of the files in pieces of a row group or more: small files are gathered, large ones split."""
    waiting: list[pa.Table] = []
    count = 0
    for name in sources:
        with pq.ParquetFile(folder / name) as file:
            for group in range(file.num_row_groups):
                table = file.read_row_group(group).cast(PARTITIONED[kind])
                if drop is not None:
                    table = table.filter(pc.invert(pc.is_in(table["game_no"], value_set=drop)))
                waiting.append(table)
                count += table.num_rows
                if count >= _row_group(kind):
                    yield pa.concat_tables(waiting)
                    waiting, count = [], 0
    if count:
        yield pa.concat_tables(waiting)


def discard(folder: Path | str, files: Iterable[PartitionFile]) -> None:
    """Remove partitions that nobody took."""
    for file in files:
        (Path(folder) / file.kind / file.name).unlink(missing_ok=True)


def settle(folder: Path, file: PartitionFile, final: Path) -> int:
    """Give a partition its final name; returns its size in bytes."""
    os.replace(folder / file.kind / file.name, final)
    return final.stat().st_size


def _row_group(kind: str) -> int:
    return ROW_GROUP // WEIGHTS.get(kind, 1)


def _temporary_name(unit: int) -> str:
    return f"unit-{unit}-{uuid.uuid4().hex}{TEMPORARY}"


def _writer(path: Path, kind: str) -> pq.ParquetWriter:
    schema = PARTITIONED[kind]
    # Numbers are not worth a dictionary: looking them up costs more than the bytes it saves.
    names = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    return pq.ParquetWriter(path, schema, compression="zstd", compression_level=1, use_dictionary=names)
