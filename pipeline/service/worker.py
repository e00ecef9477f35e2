"""The process that does the jobs of one kind: `python -m pipeline.service.worker KIND LIBRARY`.

It takes one job after the other until none is left. One worker attends to a kind at a time, whoever started it;
killed at any moment, the next one goes on with what it left. It ends with whoever started it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.errors import InputTooLarge, LibraryError, PipelineError
from pipeline.service.analysis_job import run_analysis
from pipeline.service.import_job import run_import
from pipeline.service.jobs import KINDS, Job, JobStore
from pipeline.service.judging_job import run_judging
from pipeline.service.measuring_job import run_measuring
from pipeline.stopping import check_stop, stoppable
from pipeline.store.layout import Layout

WAIT = 5.0
"""Seconds that an import waits for another writer before it lets other jobs go first."""

ENDING = 5.0
"""Seconds that a worker whose starter has gone has to put its job back."""

KEPT = 1000
"""Finished jobs that are remembered."""


def work(store: JobStore, kind: str, library: Path, threads: int = 1) -> int:
    """Do the jobs of a kind, if nobody else does; returns how many were taken.

    Raises:
        KeyboardInterrupt: the worker is to stop; its job waits again.
    """
    taken = 0
    with store.attending(kind) as alone:
        while alone and (job := store.claim(kind)) is not None:
            taken += 1
            if not _do(store, job, lambda job=job: _run(store, job, library, threads)):  # type: ignore[misc]
                break
        if alone:
            store.forget(KEPT)
    return taken


def _run(store: JobStore, job: Job, library: Path, threads: int) -> dict[str, Any] | None:
    if job.kind == "import":
        return run_import(store, job, library, WAIT)
    if job.kind == "judge":
        return run_judging(store, job, library)
    if job.kind == "measure":
        return run_measuring(store, job, library)
    return run_analysis(store, job, library, threads)


def _do(store: JobStore, job: Job, run: Callable[[], dict[str, Any] | None]) -> bool:
    """Do a job and write down how it ended; returns whether the next one may come."""
    try:
        outcome = run()
    except KeyboardInterrupt:
        if not store.is_cancelled(job.id):
            store.put_back(job.id)
            raise
        store.finish(job.id, "cancelled")
    except InputTooLarge as error:
        store.finish(job.id, "failed", message=str(error), code="too_large")
    except (PipelineError, OSError, MemoryError) as error:
        code = "library" if isinstance(error, LibraryError) else "failed"
        store.finish(job.id, "failed", message=str(error) or type(error).__name__, code=code)
    except Exception as error:
        traceback.print_exception(error)
        store.finish(job.id, "failed", message="a fault in the program itself", code="fault")
    else:
        if outcome is None:
            return False
        store.finish(job.id, "done", outcome)
    shutil.rmtree(store.uploads(job.id), ignore_errors=True)
    return True


def _end_with_parent() -> None:
    """End when standard input does, whose other end the starter holds."""

    def follow() -> None:
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(ENDING)
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def main(arguments: list[str]) -> int:
    """Run as a process; returns the exit code."""
    kind, library, threads = arguments
    if kind not in KINDS:
        return 2
    _end_with_parent()
    layout = Layout.of(library)
    with stoppable():
        try:
            work(JobStore(layout.service), kind, layout.root, int(threads))
            check_stop()
        except KeyboardInterrupt:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
