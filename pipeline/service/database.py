"""The SQLite file of the service: a connection a thread, transactions, and errors as errors of ours."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from pipeline.errors import ServiceFailure

VERSION = 1
PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""


class Database:
    """The service's file; may be shared by threads."""

    def __init__(self, folder: Path) -> None:
        """Open or make the file in `folder`.

        Raises:
            ServiceFailure: the disk refuses, or a later version of the program made it.
        """
        self.folder = folder
        self._local = threading.local()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ServiceFailure(f"cannot make {folder}: {error.strerror}") from error
        with self.transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise ServiceFailure(f"{folder} was made by a later version of the program")
        with self._errors():
            connection.executescript(files("pipeline.service").joinpath("schema.sql").read_text("utf-8"))
            connection.execute(f"PRAGMA user_version = {VERSION}")

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = sqlite3.connect(self.folder / "service.sqlite", timeout=PATIENCE, isolation_level=None)
            found.row_factory = sqlite3.Row
            found.execute("PRAGMA journal_mode = WAL")
            found.execute("PRAGMA synchronous = NORMAL")
            self._local.connection = found
        return found

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            full = "full" in str(error)
            raise ServiceFailure(
                f"cannot keep the service's state in {self.folder}: {error}", full
            ) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection on which the block's statements happen all at once, or not at all."""
        with self._errors():
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def rows(self, question: str, *values: object) -> list[sqlite3.Row]:
        """Rows of a question."""
        with self._errors():
            return self._connection().execute(question, values).fetchall()
