"""The readers' door: the newest snapshot, read-only, with views over its partitions."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from engine.boards import cells
from engine.pieces import PIECE_SETS
from engine.scoring_tables import SCORINGS
from engine.variants import VARIANTS
from pipeline.errors import LibraryError, LibraryTooOld, NotALibrary, QueryFailed
from pipeline.store.catalogue import MIGRATIONS, run_over, script, version_of
from pipeline.store.files import as_library_errors, ctrl_c
from pipeline.store.layout import Layout, Pointer
from pipeline.store.lockdown import SETTINGS, check_question
from pipeline.store.summaries import show
from pipeline.tables import INDEXES, PARTITIONED

ATTEMPTS = 5
"""Times to look for the newest snapshot again when it vanishes between reading its name and opening it."""


class Answer(NamedTuple):
    """Rows of a question; `complete` is false when there were more than asked for."""

    table: pa.Table
    complete: bool


class Derived(NamedTuple):
    """A table that questions need and no snapshot holds: `make` makes it, in memory, when it is first wanted."""

    name: str
    make: Callable[[duckdb.DuckDBPyConnection], None]


def open_reader(path: Path | str, *, memory: str = "1GB", threads: int | None = None) -> Reader:
    """Open the newest snapshot of a library; `memory` and `threads` bound what a query may take.

    Raises:
        NotALibrary: there is none at this path.
        LibraryTooNew, LibraryTooOld: made by another version of the program.
    """
    return Reader(Layout.of(path), memory, threads or os.cpu_count() or 1)


class Reader:
    """Questions to one library. `cursor`, `table` and `ask` move on to the newest snapshot first.

    May be shared by threads: each call works on a cursor of its own.
    """

    def __init__(self, layout: Layout, memory: str, threads: int) -> None:
        self.layout = layout
        self._config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": memory,
            "threads": threads,
            "temp_directory": str(Path(tempfile.gettempdir()) / f"cornerwise-{os.getpid()}-{id(self):x}"),
        }
        self._guard = threading.RLock()
        self._pointer = Pointer(0, 0)
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._summarised = False
        self._running: set[duckdb.DuckDBPyConnection] = set()
        self._making = threading.Lock()
        self.refresh()

    @property
    def snapshot(self) -> int:
        """Number of the snapshot in use."""
        return self._pointer.snapshot

    @property
    def summarised(self) -> bool:
        """Whether the newest snapshot has the tables of `pipeline.store.summaries`."""
        with self._guard:
            self.refresh()
            return self._summarised

    def refresh(self) -> bool:
        """Move on to the newest snapshot; returns whether there was a newer one.

        Cursors given out before stay on the snapshot they were made for.

        Raises:
            NotALibrary, LibraryTooNew, LibraryTooOld: see `open_reader`.
        """
        with self._guard:
            for attempt in range(ATTEMPTS):
                pointer = self.layout.read_pointer()
                if pointer is None:
                    raise _nothing_to_read(self.layout)
                if pointer == self._pointer and self._connection is not None:
                    return False
                try:
                    fresh, summarised = _open(self.layout, pointer, self._config)
                except LibraryError:
                    if attempt == ATTEMPTS - 1 or self.layout.read_pointer() == pointer:
                        raise
                    continue
                # Not closed: that would end the cursors other threads have of it. It goes with the last of them.
                self._connection, self._pointer, self._summarised = fresh, pointer, summarised
                return True
            raise LibraryError(f"{self.layout.root}: no snapshot stays long enough to be opened")

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor on the newest snapshot, for the program's own questions."""
        with self._guard:
            self.refresh()
            assert self._connection is not None
            return self._connection.cursor()

    def table(
        self,
        question: str,
        parameters: Sequence[Any] | dict[str, Any] = (),
        needs: Sequence[Derived] = (),
    ) -> pa.Table:
        """Answer one of the program's own questions, for which the tables in `needs` are made, in their order.

        Raises:
            QueryFailed: the database cannot.
        """
        with self.cursor() as cursor:
            return self._run(cursor, question, parameters, None, needs).table

    def ask(self, text: str, max_rows: int | None = None) -> Answer:
        """Answer an outsider's question: one SELECT over the library's tables and views; Ctrl-C stops it.

        Raises:
            QueryRefused: it would write, or look outside the library.
            QueryFailed: the database cannot answer it.
        """
        with self.cursor() as cursor, ctrl_c():
            check_question(cursor, text)
            return self._run(cursor, text, (), max_rows)

    def _run(
        self,
        cursor: duckdb.DuckDBPyConnection,
        question: str,
        parameters: Sequence[Any] | dict[str, Any],
        max_rows: int | None,
        needs: Sequence[Derived] = (),
    ) -> Answer:
        with self._guard:
            self._running.add(cursor)
        try:
            with ctrl_c():
                self._make(cursor, needs)
                batches = cursor.sql(question, params=parameters or None).to_arrow_reader()
                return _gather(batches, max_rows)
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            raise QueryFailed(str(error).strip()) from error
        finally:
            with self._guard:
                self._running.discard(cursor)

    def _make(self, cursor: duckdb.DuckDBPyConnection, needs: Sequence[Derived]) -> None:
        """Make the tables that this snapshot does not have yet; several threads may want the same one."""
        there = (
            "SELECT 1 FROM duckdb_tables() WHERE database_name = 'memory' AND table_name = $1 "
            "UNION ALL SELECT 1 FROM duckdb_views() WHERE database_name = 'memory' AND view_name = $1"
        )
        for derived in needs:
            if cursor.execute(there, [derived.name]).fetchall():
                continue
            with self._making:
                if not cursor.execute(there, [derived.name]).fetchall():
                    derived.make(cursor)

    def interrupt(self) -> None:
        """Stop the questions that other threads are waiting for; they fail with `QueryFailed`."""
        with self._guard:
            for cursor in self._running:
                cursor.interrupt()

    def close(self) -> None:
        """Close the snapshot; again does nothing."""
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _gather(batches: pa.RecordBatchReader, max_rows: int | None) -> Answer:
    if max_rows is None:
        return Answer(batches.read_all(), True)
    taken: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        taken.append(batch)
        rows += batch.num_rows
        if rows > max_rows:
            break
    table = pa.Table.from_batches(taken, batches.schema)
    return Answer(table.slice(0, max_rows), rows <= max_rows)


def _nothing_to_read(layout: Layout) -> LibraryError:
    if layout.catalogue.is_file():
        return LibraryError(f"{layout.root} has no snapshot for readers yet: the next import makes one")
    return NotALibrary(f"there is no library at {layout.root}")


def _open(layout: Layout, pointer: Pointer, config: dict[str, Any]) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """A connection to a snapshot, and whether it has summaries."""
    path = layout.snapshot(pointer.snapshot)
    with as_library_errors(f"cannot read {path}"):
        connection = duckdb.connect(":memory:", config=config)
        try:
            connection.execute(f"ATTACH {_quoted(str(path))} AS library (READ_ONLY)")
            version = version_of(connection, path, "library")
            if version < len(MIGRATIONS):
                raise LibraryTooOld(
                    f"{layout.root} has schema version {version}, this program reads {len(MIGRATIONS)}: "
                    "the next import brings it up to date"
                )
            reference_tables(connection)
            allowed = [
                path for kind in (*PARTITIONED, *INDEXES) for path in raw_view(connection, layout, kind)
            ]
            connection.execute(script("views.sql"))
            summarised = show(connection)
            connection.execute(f"SET allowed_paths = [{', '.join(allowed)}]")
            for setting in SETTINGS:
                connection.execute(setting)
        except BaseException:
            connection.close()
            raise
        return connection, summarised


def raw_view(connection: duckdb.DuckDBPyConnection, layout: Layout, kind: str) -> list[str]:
    """Make `<kind>_raw` over the listed partitions; returns the paths it needs, as literals."""
    rows = connection.execute(
        "SELECT file FROM library.partitions WHERE kind = ? ORDER BY first_game", [kind]
    ).fetchall()
    paths = [str(layout.partition(kind, file)) for (file,) in rows]
    patterns = [file_pattern(Path(path)) for path in paths]
    if paths:
        connection.execute(f"CREATE VIEW {kind}_raw AS FROM read_parquet([{', '.join(patterns)}])")
    else:
        run_over(
            connection,
            f"CREATE TABLE {kind}_raw AS FROM these_rows",
            (PARTITIONED | INDEXES)[kind].empty_table(),
        )
    # DuckDB asks for leave twice: for the pattern, and for the file it finds.
    return sorted({*patterns, *map(_quoted, paths)})


def reference_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that say what the engine knows of variants, their colours and scoring tables."""
    rows = list(VARIANTS.values())
    variants = {
        "variant": [v.id for v in rows],
        "name": [v.name for v in rows],
        "board_cells": [len(cells(v.board)) for v in rows],
        "set_cells": [PIECE_SETS[v.pieces].cells for v in rows],
    }
    named = [(v.id, number, name) for v in rows for number, name in enumerate(v.colours, 1)]
    colours = {
        column: [row[at] for row in named] for at, column in enumerate(("variant", "colour", "colour_name"))
    }
    tables = list(SCORINGS.values())
    points = {
        "per_cell_placed": [t.placed for t in tables],
        "per_cell_left": [t.left for t in tables],
        "all_placed": [t.all_placed for t in tables],
        "single_last": [t.single_last for t in tables],
    }
    scorings = {"scoring": [t.id for t in tables], **{k: pa.array(v, pa.int8()) for k, v in points.items()}}
    for name, columns in (("variants", variants), ("colour_names", colours), ("scorings", scorings)):
        run_over(connection, f"CREATE TABLE {name} AS FROM these_rows", pa.table(columns))


def file_pattern(path: Path) -> str:
    """A path as a literal that DuckDB takes for this one file."""
    return _quoted(_without_wildcards(str(path)))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _without_wildcards(path: str) -> str:
    """A path that DuckDB's file patterns take literally."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in path)
