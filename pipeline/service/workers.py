"""The processes that do the jobs: started when there are some, one a kind, started again when they are killed."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pipeline.errors import ServiceFailure
from pipeline.service.jobs import KINDS, JobStore
from pipeline.store.layout import Layout

LOOK = 0.5
"""Seconds between two looks for jobs; one that this process took itself is seen at once."""

ENDING = 5.0
"""Seconds that workers have to end."""

Died = Callable[[str, int], None]
"""Told the kind of a worker that died, and the signal that killed it."""


class Workers:
    """The workers that one process starts for a library; they end with it.

    Where another process's worker attends to a kind, its jobs are left to that one.
    """

    def __init__(self, library: Path, threads: int = 1, died: Died | None = None) -> None:
        """Nothing runs before `start`; `threads` are those of an analysis."""
        self._layout = Layout.of(library)
        self._threads = threads
        self._died = died
        self._jobs: JobStore | None = None
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="workers", daemon=True)

    def start(self) -> None:
        """Begin to look for jobs."""
        self._thread.start()

    def wake(self) -> None:
        """There is a new job."""
        self._wake.set()

    def stop(self) -> None:
        """End the workers: their jobs wait for whoever comes next."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(ENDING)
        for process in self._running.values():
            process.terminate()
        until = time.monotonic() + ENDING
        for kind, process in self._running.items():
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self._put_back(kind)
            if process.stdin is not None:
                process.stdin.close()
        self._running.clear()

    def _put_back(self, kind: str) -> None:
        """Let the job wait whose worker was too busy to do it itself: its death is not the job's doing."""
        if self._jobs is None:
            return
        with suppress(ServiceFailure, OSError), self._jobs.attending(kind) as alone:
            for job in self._jobs.listed(kind, "running") if alone else ():
                self._jobs.put_back(job.id)

    def _watch(self) -> None:
        while not self._closing.is_set():
            for kind in KINDS:
                with suppress(ServiceFailure, OSError):
                    self._attend(kind)
            self._wake.wait(LOOK)
            self._wake.clear()

    def _attend(self, kind: str) -> None:
        process = self._running.get(kind)
        if process is not None:
            if process.poll() is None:
                return
            if process.returncode < 0 and self._died is not None:
                self._died(kind, -process.returncode)
            if process.stdin is not None:
                process.stdin.close()
            del self._running[kind]
        # A folder without jobs stays without a file for them.
        if self._jobs is None and not (self._layout.service / "service.sqlite").exists():
            return
        self._jobs = self._jobs or JobStore(self._layout.service)
        if self._jobs.waits(kind) and not self._is_attended(self._jobs, kind):
            self._running[kind] = self._started(kind)

    def _is_attended(self, jobs: JobStore, kind: str) -> bool:
        """Whether a worker of another process does these jobs."""
        with jobs.attending(kind) as alone:
            return not alone

    def _started(self, kind: str) -> subprocess.Popen[bytes]:
        module = "pipeline.service.worker"
        command = [sys.executable, "-m", module, kind, str(self._layout.root), str(self._threads)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
