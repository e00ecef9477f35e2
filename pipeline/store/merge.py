"""Merging small partitions, so that many small imports do not make every query open many files.

Policy: a partition of fewer than SMALL_ROWS rows is small. When a table has MANY small ones, neighbours in
order of games are merged into partitions of about TARGET_ROWS rows, BUDGET_ROWS rows altogether before one
publication (it must stay short; the next one goes on). Rows are those of the moves, or what others weigh in
them. The old files stay until no snapshot lists them.
"""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

from pipeline.store.batch import place, retire
from pipeline.store.catalogue import Catalogue
from pipeline.store.partitions import WEIGHTS, rewrite
from pipeline.tables import PARTITIONED

SMALL_ROWS = 100_000
MANY = 32
TARGET_ROWS = 1_000_000
BUDGET_ROWS = 1_000_000


class Small(NamedTuple):
    """A small partition: number and weight in rows."""

    file: int
    rows: int


def merge_small(catalogue: Catalogue) -> int:
    """Merge what the policy says, in one transaction; returns how many partitions went into others."""
    work = {kind: plan(_small(catalogue, kind)) for kind in PARTITIONED}
    if not any(work.values()):
        return 0
    with catalogue.transaction():
        for kind, groups in work.items():
            for group in groups:
                replace(catalogue, kind, [part.file for part in group])
    return sum(len(group) for groups in work.values() for group in groups)


def _small(catalogue: Catalogue, kind: str) -> list[Small]:
    rows = catalogue.connection.execute(
        "SELECT file, rows * $weight AS weight FROM partitions WHERE kind = $kind AND weight < $small "
        "ORDER BY first_game",
        {"kind": kind, "weight": WEIGHTS.get(kind, 1), "small": SMALL_ROWS},
    ).fetchall()
    return [Small(*row) for row in rows]


def plan(small: list[Small]) -> list[list[Small]]:
    """Return the groups to merge now, given all small partitions of a table in order of games."""
    groups: list[list[Small]] = []
    if len(small) < MANY:
        return groups
    group: list[Small] = []
    taken = 0
    for part in small:
        if taken + part.rows > BUDGET_ROWS:
            break
        taken += part.rows
        group.append(part)
        if sum(p.rows for p in group) >= TARGET_ROWS:
            groups.append(group)
            group = []
    if len(group) > 1:
        groups.append(group)
    return groups


def replace(catalogue: Catalogue, kind: str, files: list[int], drop: pa.Array | None = None) -> None:
    """Put one partition in the place of some, without the games in `drop`; part of a transaction."""
    layout = catalogue.layout
    merged = rewrite(layout.root, kind, [layout.partition(kind, file).name for file in files], drop)
    retire(catalogue, kind, files)
    state = catalogue.state()
    if merged is not None:
        place(catalogue, merged, state.next_file)
    catalogue.advance(state.next_unit, state.next_file + 1)
