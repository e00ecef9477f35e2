"""Import jobs: uploaded files into the library, as one batch that remembers its job."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import Any

from pipeline.batch_outcomes import batch_of_job
from pipeline.errors import LibraryBusy, NotALibrary
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.portions import Allowed, Inventory
from pipeline.service.jobs import Job, JobStore
from pipeline.store import Counts, open_reader
from pipeline.unit import Reading

LISTED = 100
"""Files without records that an outcome names."""


def import_spec(files: list[str], reading: Reading, allowed: Allowed, processes: int) -> dict[str, Any]:
    """What an import job is told, which the worker makes the same of: files in the job's folder of uploads."""
    return {
        "files": files,
        "format": reading.format,
        "variant": reading.variant,
        "rules": dict(reading.rules.settings),
        "force_rules": reading.rules.forced,
        "strict": reading.rules.strict,
        "expanded_bytes": allowed.expanded,
        "members": allowed.sources,
        "processes": processes,
    }


def reading_of(spec: dict[str, Any]) -> Reading:
    """How a job's records are read and judged."""
    rules = RuleChoice(spec["rules"], spec["force_rules"], spec["strict"])
    return Reading(spec["format"], spec["variant"], rules)


def run_import(store: JobStore, job: Job, library: Path, wait: float) -> dict[str, Any] | None:
    """Import the files of a job; returns what that did, or None where it has to wait for another writer.

    A worker that died behind the end of the batch did all of it: the batch knows its job, and nothing is done twice.

    Raises:
        PipelineError: as `import_paths`.
        KeyboardInterrupt: somebody cancelled the job, or stopped the worker; nothing is stored.
    """
    done = _already(library, job.id)
    if done is not None:
        return done

    def tell(inventory: Inventory, counts: Counts) -> None:
        if store.is_cancelled(job.id):
            raise KeyboardInterrupt
        store.progress(
            job.id,
            counts.games,
            None,
            {"files": inventory.files, "bytes": inventory.bytes_read, "plies": counts.plies},
        )

    allowed = Allowed(job.spec["expanded_bytes"], job.spec["members"])
    try:
        with chdir(store.uploads(job.id)):  # sources are called as the files that were uploaded
            import_paths(
                library,
                job.spec["files"],
                reading_of(job.spec),
                jobs=job.spec["processes"],
                wait=wait,
                progress=tell,
                allowed=allowed,
                job=job.id,
            )
    except LibraryBusy as error:
        store.put_back(job.id, str(error))
        return None
    return _already(library, job.id)


def _already(library: Path, job: str) -> dict[str, Any] | None:
    try:
        with open_reader(library) as reader:
            found = batch_of_job(reader, job)
    except NotALibrary:
        return None
    if found is not None:
        for name in ("other_files", "unreadable_files"):
            found[name] = found[name][:LISTED]
    return found
