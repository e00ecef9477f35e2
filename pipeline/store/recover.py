"""What a writer does before it writes: take away what a killed one left behind."""

from __future__ import annotations

import shutil
from contextlib import suppress

import duckdb

from pipeline.errors import LibraryError
from pipeline.store.catalogue import Catalogue, remove_new
from pipeline.store.layout import TEMPORARY
from pipeline.tables import INDEXES, PARTITIONED


def remove_orphans(catalogue: Catalogue) -> None:
    """Remove the partitions that neither the catalogue nor an older snapshot lists, temporary ones included.

    Workers of a batch that is being written must not be running: their unfinished files would go as well.
    """
    listed = catalogue.connection.execute(
        "SELECT kind, file FROM partitions UNION ALL SELECT kind, file FROM retired"
    ).fetchall()
    keep = {catalogue.layout.partition(kind, number) for kind, number in listed}
    for kind in (*PARTITIONED, *INDEXES):
        folder = catalogue.layout.partitions(kind)
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            if path not in keep and (path.suffix == ".parquet" or path.name.endswith(TEMPORARY)):
                path.unlink()


def tidy(catalogue: Catalogue) -> None:
    """Remove the files of something that failed, as far as a failing disk lets us: the next writer does the rest."""
    with suppress(LibraryError, duckdb.Error, OSError):
        catalogue.rollback()
        remove_orphans(catalogue)


def remove_leftovers(catalogue: Catalogue) -> None:
    """Remove what a creation, a spill and a publication left unfinished, snapshots nobody was shown too."""
    layout = catalogue.layout
    remove_new(layout)
    shutil.rmtree(layout.catalogue.with_name(layout.catalogue.name + TEMPORARY), ignore_errors=True)
    layout.snapshots.mkdir(exist_ok=True)
    for path in layout.snapshots.iterdir():
        if path.name.endswith((TEMPORARY, f"{TEMPORARY}.wal")):
            path.unlink()
    pointer = layout.read_pointer()
    for number in layout.snapshot_numbers():
        if pointer is not None and number > pointer.snapshot:
            layout.snapshot(number).unlink()


def is_published(catalogue: Catalogue) -> bool:
    """Whether readers see the catalogue's present revision."""
    pointer = catalogue.layout.read_pointer()
    if pointer is None or not catalogue.layout.snapshot(pointer.snapshot).is_file():
        return False
    return pointer.revision == catalogue.state().revision
