"""Import: from paths to a batch in the library, all of it or nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.executor import default_jobs, run_in_order
from pipeline.portions import Allowed, Digest, Inventory, portions_of
from pipeline.sources import printable
from pipeline.stopping import check_stop, stoppable
from pipeline.store import Batch, Counts, UnitTables, open_writer
from pipeline.store.joining import Unjoined
from pipeline.store.writer import Writer
from pipeline.unit import Portion, Reading, process_unit

UNIT_BYTES = 4 * 1024 * 1024
UNIT_PORTIONS = 4096
"""A unit is full when it has so many bytes or portions: a matter of the input alone, never of the number of workers."""

Progress = Callable[[Inventory, Counts], None]
"""Told after every unit what was read and what was stored so far."""


@dataclass(frozen=True, slots=True)
class Task:
    """A unit to do."""

    unit: int
    portions: tuple[Portion, ...]


@dataclass(slots=True)
class Summary:
    """What an import did; `counts` as in `pipeline.store.batch.Counts`."""

    batch: int
    counts: Counts
    inventory: Inventory
    seconds: float
    unjoined: list[Unjoined] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The machine-readable summary."""
        return {
            "batch": self.batch,
            "files": self.inventory.files,
            "other_files": len(self.inventory.other_files),
            "unreadable_files": len(self.inventory.unreadable),
            **asdict(self.counts),
            "seconds": round(self.seconds, 3),
            "details": {
                "other_files": [
                    {"file": name, "reason": reason} for name, reason in self.inventory.other_files
                ],
                "unreadable_files": [
                    {"file": name, "reason": reason} for name, reason in self.inventory.unreadable
                ],
                "unjoined_results": [file._asdict() for file in self.unjoined],
            },
        }


def import_paths(
    library: Path,
    paths: list[str],
    reading: Reading | None = None,
    *,
    jobs: int | None = None,
    wait: float = 60.0,
    progress: Progress | None = None,
    waiting: Callable[[str], None] | None = None,
    allowed: Allowed | None = None,
    job: str | None = None,
) -> Summary:
    """Import files, folders and archives as one batch, which remembers the `job` it was for.

    Raises:
        InputTooLarge: the inputs unpack to more than `allowed`; nothing is stored.
        PipelineError: a path does not exist, the library is held by another writer, the disk is full, a worker died;
            nothing of the batch is stored then.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the same.
    """
    started = time.perf_counter()
    reading = reading or Reading()
    inventory = Inventory(allowed=allowed)
    command = f"import {' '.join(paths)}"
    with (
        stoppable(),
        open_writer(library, wait, command=command, waiting=waiting) as writer,
        writer.batch("import", _options(paths, reading, job)) as batch,
    ):
        _fill(writer, batch, paths, reading, inventory, jobs or default_jobs(), progress)
        batch.details |= {
            "files": inventory.files,
            "other_files": inventory.other_files,
            "unreadable_files": inventory.unreadable,
        }
    return Summary(batch.number, batch.counts, inventory, time.perf_counter() - started, batch.unjoined)


def _options(paths: list[str], reading: Reading, job: str | None) -> dict[str, Any]:
    return {
        **({} if job is None else {"job": job}),
        "paths": [printable(path) for path in paths],
        "format": reading.format,
        "variant": reading.variant,
        "rules": dict(reading.rules.settings),
        "force_rules": reading.rules.forced,
        "strict": reading.rules.strict,
    }


def _fill(
    writer: Writer,
    batch: Batch,
    paths: list[str],
    reading: Reading,
    inventory: Inventory,
    jobs: int,
    progress: Progress | None,
) -> None:
    digests: list[Digest] = []
    work = partial(_do, writer.folder, reading)
    tasks = _tasks(portions_of(paths, reading, inventory), writer.next_unit, digests)
    for unit in run_in_order(work, tasks, jobs):
        batch.add_unit(unit)
        if progress is not None:
            progress(inventory, batch.counts)
    for digest in digests:
        check_stop()
        batch.resolve_digest(digest.stand_in, digest.digest)
    check_stop()


def _do(folder: Path, reading: Reading, task: Task) -> UnitTables:
    return process_unit(folder, task.unit, task.portions, reading)


def _tasks(
    portions: Iterable[Portion | Digest], next_unit: Callable[[], int], digests: list[Digest]
) -> Iterator[Task]:
    """Units of portions; digests of large sources are put aside until all units are in."""
    unit: list[Portion] = []
    size = 0
    for portion in portions:
        if isinstance(portion, Digest):
            digests.append(portion)
            continue
        unit.append(portion)
        size += len(portion.chunk.data)
        if size >= UNIT_BYTES or len(unit) >= UNIT_PORTIONS:
            yield Task(next_unit(), tuple(unit))
            unit, size = [], 0
    if unit:
        yield Task(next_unit(), tuple(unit))
