"""The catalogue: connection, creation, schema versions, and the few numbers that go on counting."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata, resources
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from pipeline.errors import LibraryError, LibraryTooNew, NotALibrary
from pipeline.store.files import reason, sync
from pipeline.store.layout import Layout
from pipeline.tables import INDEXES, PARTITIONED

MIGRATIONS = ("schema_1.sql", "schema_2.sql")
"""Scripts in `pipeline/sql`; number n brings a library from version n - 1 to n."""

MEMORY = "400MB"
"""The writer's limit for the database: a batch larger than that spills to the library's folder."""

Clock = Callable[[], float]
"""Seconds since 1970, as `time.time`."""


class State(NamedTuple):
    """Revision of the catalogue, and the next numbers to give away."""

    revision: int
    next_unit: int
    next_file: int


def script(name: str) -> str:
    """Return the text of a file in `pipeline/sql`."""
    return resources.files("pipeline").joinpath("sql", name).read_text(encoding="utf-8")


def program_version() -> str:
    """Return the version of the installed program; `source` when it is not installed."""
    try:
        return metadata.version("cornerwise")
    except metadata.PackageNotFoundError:
        return "source"


def timestamp(seconds: float) -> datetime:
    """Return a clock's seconds as the catalogue stores time: UTC without a zone."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


def one_row(
    connection: duckdb.DuckDBPyConnection, question: str, values: Sequence[Any] | dict[str, Any] = ()
) -> tuple[Any, ...]:
    """Return the only row of an answer, read to its end: DuckDB refuses the next statement before that."""
    (row,) = connection.execute(question, values).fetchall()
    return tuple(row)


def run_over(
    connection: duckdb.DuckDBPyConnection, statement: str, these_rows: pa.Table
) -> list[tuple[Any, ...]]:
    """Run a statement that reads the Arrow table under the name `these_rows`, and return its answer.

    DuckDB finds the variable by its name. Registering the table instead would keep its rows in memory until the
    end of the transaction, which is that of a whole batch.
    """
    try:
        return connection.execute(statement).fetchall()
    except duckdb.CatalogException as error:
        if "these_rows" in str(error):
            # The variable is there: a signal broke the search for it off, and DuckDB took that for a miss.
            raise KeyboardInterrupt from error
        raise


class Catalogue:
    """A writer's connection to `library.duckdb`, opened when needed and closed while the file is copied."""

    def __init__(self, layout: Layout, clock: Clock) -> None:
        self.layout = layout
        self.clock = clock
        self._connection: duckdb.DuckDBPyConnection | None = None

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The open connection."""
        if self._connection is None:
            self._connection = _connect(self.layout.catalogue)
        return self._connection

    def close(self) -> None:
        """Close the file; what is not committed is lost."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """All or nothing. After a failure the connection is opened afresh: a full disk may have broken it."""
        self.connection.execute("BEGIN TRANSACTION")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            self.rollback()
            raise

    def rollback(self) -> None:
        """Forget the open transaction, and the connection with it."""
        try:
            self.close()
        except duckdb.Error:
            self._connection = None

    def state(self) -> State:
        """Return the running numbers."""
        return State(*one_row(self.connection, "SELECT revision, next_unit, next_file FROM library_state"))

    def advance(self, next_unit: int, next_file: int) -> None:
        """Store the running numbers as one more revision; part of every transaction."""
        self.connection.execute(
            "UPDATE library_state SET revision = revision + 1, next_unit = ?, next_file = ?",
            [next_unit, next_file],
        )

    def checkpoint(self) -> None:
        """Bring everything committed into the one file, and close it."""
        self.connection.execute("CHECKPOINT")
        self.close()
        log = self.layout.catalogue.with_name(self.layout.catalogue.name + ".wal")
        if log.exists():
            raise LibraryError(f"{log.name} is still there after a checkpoint: is another program using it?")


def where_a_copy_is(layout: Layout) -> str:
    """What to do about a catalogue that is lost or damaged; nothing where there is no copy."""
    numbers = layout.snapshot_numbers()
    if not numbers:
        return ""
    newest = layout.snapshot(numbers[-1]).name
    return f"; the newest file in {layout.snapshots} is a copy of it: put {newest} in its place"


def cannot_open(path: Path, error: duckdb.Error) -> LibraryError:
    """The error of a catalogue that the database does not open or read; a damaged one is told where its copy is."""
    text = str(error).lower()
    if not any(sign in text for sign in ("not a valid duckdb", "corrupt", "read enough bytes")):
        return LibraryError(f"{path} cannot be opened: {reason(error)}")
    return LibraryError(
        f"{path} is damaged, or no catalogue: {reason(error)}{where_a_copy_is(Layout(path.parent))}"
    )


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(
            str(path), config={"memory_limit": MEMORY, "autoload_known_extensions": "false"}
        )
    except duckdb.IOException as error:
        if "lock" in str(error).lower():
            raise LibraryError(f"another program has {path} open: {reason(error)}") from error
        raise cannot_open(path, error) from error
    except duckdb.Error as error:
        raise cannot_open(path, error) from error


def create(layout: Layout, clock: Clock) -> None:
    """Make the folders and an empty catalogue, which appears under its name complete or not at all."""
    for kind in (*PARTITIONED, *INDEXES, layout.snapshots.name):
        (layout.root / kind).mkdir(exist_ok=True)
    scratch = layout.new_catalogue
    remove_new(layout)
    connection = _connect(scratch)
    try:
        _migrate(connection, 0, clock)
        connection.execute("CHECKPOINT")
    finally:
        connection.close()
    sync(scratch)
    os.replace(scratch, layout.catalogue)
    sync(layout.root)


def remove_new(layout: Layout) -> None:
    """Remove what an unfinished creation left."""
    for path in layout.root.glob(layout.new_catalogue.name + "*"):
        path.unlink()


def version_of(connection: duckdb.DuckDBPyConnection, where: Path, schema: str = "main") -> int:
    """Return the schema version of an open catalogue.

    Raises:
        NotALibrary: a database, but not one of ours.
        LibraryTooNew: of a version that this program does not know.
    """
    try:
        (version,) = one_row(connection, f"SELECT max(version) FROM {schema}.library_version")
    except (duckdb.CatalogException, duckdb.BinderException):
        version = None
    if version is None:
        raise NotALibrary(f"{where} is a database, but not a library of game records")
    if version > len(MIGRATIONS):
        raise LibraryTooNew(
            f"{where} has schema version {version}, made by a later version of the program; "
            f"this one knows versions up to {len(MIGRATIONS)}"
        )
    return int(version)


def migrate(catalogue: Catalogue) -> None:
    """Bring an older catalogue to the present schema; each step is one transaction.

    Raises:
        NotALibrary, LibraryTooNew: see `version_of`.
    """
    version = version_of(catalogue.connection, catalogue.layout.catalogue)
    if version < len(MIGRATIONS):
        _migrate(catalogue.connection, version, catalogue.clock)


def _migrate(connection: duckdb.DuckDBPyConnection, version: int, clock: Clock) -> None:
    for number, name in enumerate(MIGRATIONS[version:], version + 1):
        connection.execute("BEGIN TRANSACTION")
        connection.execute(script(name))
        connection.execute(
            "INSERT INTO library_version VALUES (?, ?, ?)", [number, program_version(), timestamp(clock())]
        )
        connection.execute("UPDATE library_state SET revision = revision + 1")
        connection.execute("COMMIT")
