"""Processes that do the jobs: started when there are some, one a kind, started again when they are killed."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress

import structlog

from dashboards.api.state import Service
from pipeline.errors import ServiceFailure
from pipeline.service.jobs import KINDS

LOOK = 0.5
"""Seconds between two looks for jobs; one that this service took itself is seen at once."""

ENDING = 5.0
"""Seconds that a worker has to end."""


class Workers:
    """The workers of one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="workers", daemon=True)
        self._log = structlog.get_logger()

    def start(self) -> None:
        """Begin to look for jobs."""
        self._thread.start()

    def wake(self) -> None:
        """There is a new job."""
        self._wake.set()

    def stop(self) -> None:
        """End the workers: their jobs wait for the next service."""
        self._wake.set()
        self._thread.join(ENDING)
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin is not None:
                process.stdin.close()

    def _watch(self) -> None:
        while not self._service.closing.is_set():
            for kind in KINDS:
                with suppress(ServiceFailure):
                    self._attend(kind)
            self._wake.wait(LOOK)
            self._wake.clear()

    def _attend(self, kind: str) -> None:
        process = self._running.get(kind)
        if process is not None:
            if process.poll() is None:
                return
            if process.returncode < 0:
                self._log.warning("worker died", kind=kind, signal=-process.returncode)
            if process.stdin is not None:
                process.stdin.close()
            del self._running[kind]
        # A folder without jobs stays without a file for them.
        if not (self._service.layout.service / "service.sqlite").exists():
            return
        if self._service.jobs.waits(kind) and not self._is_attended(kind):
            self._running[kind] = self._started(kind)

    def _is_attended(self, kind: str) -> bool:
        """Whether a worker of another service does these jobs."""
        with self._service.jobs.attending(kind) as alone:
            return not alone

    def _started(self, kind: str) -> subprocess.Popen[bytes]:
        threads = str(self._service.settings.analysis_threads)
        command = [
            sys.executable,
            "-m",
            "pipeline.service.worker",
            kind,
            str(self._service.layout.root),
            threads,
        ]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
