"""Publishing: a numbered copy of the catalogue for readers, and the end of what no reader needs any more."""

from __future__ import annotations

import os
from itertools import pairwise

from pipeline.store.catalogue import Catalogue
from pipeline.store.files import copy_whole, write_whole
from pipeline.store.indexes import update_indexes
from pipeline.store.layout import Layout, Pointer
from pipeline.store.measure_sums import update_measure_sums
from pipeline.store.summaries import are_due, summarise

KEPT = 3
"""Snapshots that always stay."""

KEPT_SECONDS = 3600.0
"""A snapshot also stays until this long after the next one took its place: someone may be reading it."""


def publish(catalogue: Catalogue) -> int:
    """Show the catalogue's present state to readers; returns the snapshot's number.

    The catalogue is closed while it is copied: reading the file of an open database through another handle
    and closing that would drop the database's own lock on it.
    """
    layout = catalogue.layout
    update_indexes(catalogue)
    update_measure_sums(catalogue)
    revision, summaries = catalogue.state().revision, are_due(catalogue)
    number = layout.next_snapshot()
    catalogue.checkpoint()
    target = layout.snapshot(number)
    copy_whole(layout.catalogue, target, (lambda copy: summarise(layout, copy)) if summaries else None)
    now = catalogue.clock()
    os.utime(target, (now, now))
    write_whole(layout.pointer, Pointer(number, revision).text())
    _retire_snapshots(layout, now)
    _remove_retired(catalogue)
    return number


def _retire_snapshots(layout: Layout, now: float) -> None:
    numbers = layout.snapshot_numbers()
    for number, successor in list(pairwise(numbers))[: 1 - KEPT]:
        if layout.snapshot(successor).stat().st_mtime < now - KEPT_SECONDS:
            layout.snapshot(number).unlink()


def _remove_retired(catalogue: Catalogue) -> None:
    """Delete the partitions that only snapshots before the oldest kept one listed."""
    layout = catalogue.layout
    oldest = min(layout.snapshot_numbers())
    gone = catalogue.connection.execute(
        "SELECT kind, file FROM retired WHERE snapshot <= ?", [oldest]
    ).fetchall()
    for kind, file in gone:
        layout.partition(kind, file).unlink(missing_ok=True)
    if gone:
        catalogue.connection.execute("DELETE FROM retired WHERE snapshot <= ?", [oldest])
