"""Measuring jobs: the measures of every game that lacks them, as `features` computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.errors import LibraryBusy
from pipeline.features.compute import compute_features
from pipeline.service.jobs import Job, JobStore
from pipeline.stopping import now_and_then, stopping_when

PATIENCE = 600.0
"""Seconds to wait for another writer before other jobs go first: an import may take its time."""


def run_measuring(store: JobStore, job: Job, library: Path) -> dict[str, Any] | None:
    """Measure what has no measures yet; returns what that did, or None where it has to wait for another writer.

    A worker that goes on for one that died finds what that one stored, and counts it as done.

    Raises:
        PipelineError: as `compute_features`.
        KeyboardInterrupt: somebody cancelled the job, or stopped the worker; finished games stay.
    """
    known = whole = job.total or 0

    def tell(done: int, total: int) -> None:
        # What earlier attempts stored is not among these games any more.
        nonlocal whole
        whole = max(known, total)
        store.progress(job.id, whole - total + done, whole)

    try:
        with stopping_when(now_and_then(lambda: store.is_cancelled(job.id))):
            summary = compute_features(
                library,
                jobs=job.spec["processes"],
                wait=PATIENCE,
                progress=tell,
                waiting=lambda holder: store.say(job.id, f"waits for {holder}"),
            )
    except LibraryBusy as error:
        store.put_back(job.id, str(error))
        return None
    return {
        "games": max(whole, summary.games),
        "older": summary.older,
        "positions": summary.positions,
        "present": summary.present,
        "without": summary.without,
        "version": summary.version,
    }
