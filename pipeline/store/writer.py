"""The writer's door: open a library for writing, add batches, publish, undo."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from pipeline.analysis.columns import ANALYSIS_KINDS
from pipeline.errors import LibraryError, NotALibrary
from pipeline.store import catalogue as catalogues
from pipeline.store.analysed import analysed
from pipeline.store.batch import Batch
from pipeline.store.catalogue import Catalogue, Clock, run_over
from pipeline.store.feature_files import add_features
from pipeline.store.files import as_library_errors
from pipeline.store.indexes import are_complete
from pipeline.store.layout import Layout
from pipeline.store.lock import Waiting, WriterLock
from pipeline.store.merge import merge_small
from pipeline.store.partitions import PartitionFile
from pipeline.store.publish import publish
from pipeline.store.recover import is_published, remove_leftovers, remove_orphans, tidy
from pipeline.store.undo import Undone, undo

T = TypeVar("T")


def open_writer(
    path: Path | str,
    wait: float = 60.0,
    *,
    command: str = "cornerwise",
    create: bool = True,
    clock: Clock = time.time,
    waiting: Waiting | None = None,
) -> Writer:
    """Open a library for writing, alone; create it, migrate it, repair what a killed writer left, as needed.

    Args:
        path: the library's folder.
        wait: seconds to wait for another writer.
        command: what others are told this writer does.
        create: whether a missing library is made.
        clock: the time of batches and snapshots, seconds since 1970.
        waiting: told once who holds the library, when somebody does.

    Raises:
        LibraryBusy: another writer still holds it after `wait`.
        NotALibrary: the folder is something else; or missing, with `create` off.
        LibraryTooNew: made by a later version of the program.
        LibraryError: the disk refuses.
    """
    layout = Layout.of(path)
    with as_library_errors(f"cannot open the library {layout.root}"):
        _check_place(layout, create)
        if create:
            layout.root.mkdir(parents=True, exist_ok=True)
        lock = WriterLock.take(layout.lock, wait, command, waiting)
        catalogue = Catalogue(layout, clock)
        try:
            _prepare(catalogue)
            return Writer(catalogue, lock)
        except BaseException as error:
            catalogue.rollback()
            lock.release()
            if isinstance(error, duckdb.Error):
                raise catalogues.cannot_open(layout.catalogue, error) from error
            raise


def _check_place(layout: Layout, create: bool) -> None:
    for sign, name in (("?", "question mark"), ("\\", "backslash")):
        if sign in str(layout.root):
            raise LibraryError(f"{layout.root}: the database cannot have a {name} in its path")
    if str(layout.root).encode("utf-8", "ignore") != os.fsencode(layout.root):
        raise LibraryError(f"{layout.root}: the database cannot have bytes that are no UTF-8 in its path")
    if layout.root.exists() and not layout.root.is_dir():
        raise NotALibrary(f"{layout.root} is a file, not the folder of a library")
    if layout.catalogue.is_file():
        return
    if layout.snapshot_numbers():
        raise LibraryError(f"{layout.catalogue} is missing{catalogues.where_a_copy_is(layout)}")
    if not create:
        raise NotALibrary(f"there is no library at {layout.root}")
    if layout.root.is_dir() and not layout.is_ours():
        raise NotALibrary(f"{layout.root} holds other files; a new library needs an empty or missing folder")


def _prepare(catalogue: Catalogue) -> None:
    if not catalogue.layout.catalogue.is_file():
        catalogues.create(catalogue.layout, catalogue.clock)
    catalogues.migrate(catalogue)
    remove_leftovers(catalogue)
    remove_orphans(catalogue)
    if not is_published(catalogue) or not are_complete(catalogue):
        publish(catalogue)


class Writer:
    """The one process that writes a library; a context manager."""

    def __init__(self, catalogue: Catalogue, lock: WriterLock) -> None:
        self.layout = catalogue.layout
        self._catalogue = catalogue
        self._lock = lock
        self._next_unit = catalogue.state().next_unit
        self._batch: Batch | None = None

    @property
    def folder(self) -> Path:
        """The library's folder, for `write_unit` in a worker."""
        return self.layout.root

    def next_unit(self) -> int:
        """Return a unit number that no other unit of this library has or had."""
        number = self._next_unit
        self._next_unit += 1
        return number

    def known(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the game numbers of those ids that are in the library or in the open batch."""
        asked = pa.table({"id": pa.array(ids, pa.string())})
        question = "SELECT id, game_no FROM games WHERE id IN (SELECT id FROM these_rows)"
        with as_library_errors("cannot look games up"):
            return dict(run_over(self._catalogue.connection, question, asked))

    @contextmanager
    def batch(self, command: str = "", options: Mapping[str, Any] | None = None) -> Iterator[Batch]:
        """Add units in the `with` block; its end commits and publishes them, an error leaves nothing of them.

        Raises:
            LibraryError: the disk or the database refuses; the message says whether the batch is stored.
        """
        self._idle()
        with as_library_errors("cannot begin a batch"):
            batch = Batch(self._catalogue, command, options or {}, self._catalogue.state())
        self._batch = batch
        try:
            yield batch
            batch.commit(self._next_unit)
        finally:
            batch.abort()
            self._batch = None
        stored = f"batch {batch.number} is stored, but readers do not see it yet"
        try:
            self.publish()
        except LibraryError as error:
            raise LibraryError(f"{stored}: {error}; the next writer publishes it") from error
        except KeyboardInterrupt as error:
            raise KeyboardInterrupt(f"stopped: {stored}; the next writer publishes it") from error

    def publish(self) -> int:
        """Merge small partitions and show the present state to readers; returns the snapshot's number.

        Raises:
            LibraryError: the disk refuses; readers go on seeing the snapshot before.
        """
        self._idle()
        try:
            with as_library_errors(f"cannot publish the library {self.layout.root}"):
                merge_small(self._catalogue)
                return publish(self._catalogue)
        except BaseException:
            tidy(self._catalogue)
            raise

    def undo(self, batch: int) -> Undone:
        """Take a batch back and publish.

        Raises:
            NoSuchBatch, BatchUndone: see `store.undo`.
            LibraryError: the disk refuses; the message says whether the batch is taken back.
        """
        self._idle()
        with as_library_errors(f"cannot take batch {batch} back"):
            try:
                result = undo(self._catalogue, batch)
            except BaseException:
                tidy(self._catalogue)
                raise
        self._publish_done(f"batch {batch} is taken back")
        return result

    def change(self, act: Callable[[Catalogue], T], what: str, done: str) -> T:
        """Change small tables of the catalogue, all at once, and publish; returns what `act` returns.

        `what` is what cannot be done if it fails, `done` what is done although readers do not see it yet.

        Raises:
            LibraryError: the disk or the database refuses.
        """
        self._idle()
        with as_library_errors(f"cannot {what}"):
            try:
                with self._catalogue.transaction():
                    result = act(self._catalogue)
                    state = self._catalogue.state()
                    self._catalogue.advance(state.next_unit, state.next_file)
            except BaseException:
                tidy(self._catalogue)
                raise
        self._publish_done(done)
        return result

    def add_features(self, files: Sequence[PartitionFile], instead: Sequence[int] = ()) -> None:
        """Take partitions of features into the library, instead of what it has of some games; publishes nothing.

        Raises:
            LibraryError: the disk or the database refuses; the library is as it was, and the files are gone.
        """
        self._idle()
        with as_library_errors("cannot store features"):
            try:
                add_features(self._catalogue, files, instead)
            except BaseException:
                tidy(self._catalogue)
                raise

    def analysed(self, numbers: Sequence[int]) -> tuple[dict[int, str], set[int]]:
        """Fingerprints of those of some games that are there, and which of them have an analysis.

        Raises:
            LibraryError: the disk or the database refuses.
        """
        with as_library_errors("cannot look games up"):
            return analysed(self._catalogue, numbers)

    def add_analyses(self, files: Sequence[PartitionFile], instead: Sequence[int] = ()) -> None:
        """Take partitions of judged games into the library, see `add_features`.

        Raises:
            LibraryError: the disk or the database refuses; the library is as it was, and the files are gone.
        """
        self._idle()
        with as_library_errors("cannot store judged games"):
            try:
                add_features(self._catalogue, files, instead, ANALYSIS_KINDS.keys())
            except BaseException:
                tidy(self._catalogue)
                raise

    def clear_up(self) -> None:
        """Remove what workers wrote that was not taken into the library; none of them may be running."""
        self._idle()
        tidy(self._catalogue)

    def _publish_done(self, done: str) -> None:
        try:
            self.publish()
        except LibraryError as error:
            raise LibraryError(
                f"{done}, but readers do not see it yet: {error}; the next writer publishes it"
            ) from error

    def close(self) -> None:
        """Abort an open batch, close the catalogue and let the next writer in; again does nothing."""
        try:
            if self._batch is not None:
                self._batch.abort()
            self._catalogue.close()
        finally:
            self._lock.release()

    def _idle(self) -> None:
        if self._batch is not None:
            raise LibraryError(f"batch {self._batch.number} is still open")

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
