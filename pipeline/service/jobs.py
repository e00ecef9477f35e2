"""Jobs that survive a restart: what is to be done, how far it is, what came out."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection, Row
from typing import Any

from pipeline.errors import NoSuchJob
from pipeline.service.database import Database

KINDS = ("import", "analysis", "judge", "measure")
STATES = ("queued", "running", "done", "failed", "cancelled")
FINAL = frozenset({"done", "failed", "cancelled"})

ATTEMPTS = 3
"""Times that a worker may die over a job before it is given up."""

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands; times are seconds since 1970, `done` counts units of `total`."""

    id: str
    number: int
    kind: str
    state: str
    priority: int
    spec: Document
    done: int
    total: int | None
    message: str | None
    code: str | None
    outcome: Document | None
    created: float
    started: float | None
    finished: float | None
    attempts: int
    cancel: bool

    @property
    def is_final(self) -> bool:
        """Whether nothing will happen to it any more."""
        return self.state in FINAL


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of a job; `seq` counts from 1."""

    seq: int
    type: str
    data: Document


class JobStore:
    """The jobs of a library; may be shared by threads and processes."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._data = Database(folder)
        self._clock = clock

    def uploads(self, job: str) -> Path:
        """The folder of a job's uploaded files."""
        return self.folder / "uploads" / job

    def new_id(self) -> str:
        """An id that no job has and nobody can guess."""
        return secrets.token_hex(12)

    def add(
        self, kind: str, spec: Mapping[str, Any], priority: int = 0, total: int | None = None, job: str = ""
    ) -> Job:
        """Queue a job; its events begin with that."""
        job = job or self.new_id()
        with self._data.transaction() as data:
            (number,) = data.execute("SELECT coalesce(max(number), 0) + 1 FROM jobs").fetchone()
            data.execute(
                "INSERT INTO jobs VALUES (?, ?, ?, 'queued', ?, ?, 0, ?, NULL, NULL, NULL, ?, NULL, NULL, 0, 0)",
                (job, number, kind, priority, json.dumps(spec), total, self._clock()),
            )
            _note(data, job, "state", {"state": "queued"})
        return self.get(job)

    def get(self, job: str) -> Job:
        """A job by its id.

        Raises:
            NoSuchJob: there is none.
        """
        rows = self._data.rows("SELECT * FROM jobs WHERE id = ?", job)
        if not rows:
            raise NoSuchJob(f"there is no job {job[:40]}")
        return _job(rows[0])

    def listed(
        self, kind: str | None = None, state: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[Job]:
        """Jobs, newest first, with numbers below `before`."""
        rows = self._data.rows(
            "SELECT * FROM jobs WHERE coalesce(kind = ?, 1) AND coalesce(state = ?, 1) AND coalesce(number < ?, 1) "
            "ORDER BY number DESC LIMIT ?",
            *(kind, state, before, limit),
        )
        return [_job(row) for row in rows]

    def counts(self) -> dict[tuple[str, str], int]:
        """Number of jobs by kind and state."""
        rows = self._data.rows("SELECT kind, state, count(*) FROM jobs GROUP BY kind, state")
        return {(kind, state): n for kind, state, n in rows}

    def waits(self, kind: str) -> bool:
        """Whether there is a job of this kind that is not finished."""
        question = "SELECT 1 FROM jobs WHERE kind = ? AND state IN ('queued', 'running') LIMIT 1"
        return bool(self._data.rows(question, kind))

    def claim(self, kind: str) -> Job | None:
        """Take the next job of a kind, for the one worker that attends to this kind.

        One that is said to run was left by a worker that died, and goes first; one that cost several workers their
        lives fails.
        """
        with self._data.transaction() as data:
            row = data.execute(
                "SELECT * FROM jobs WHERE kind = ? AND state IN ('queued', 'running') "
                "ORDER BY state DESC, priority DESC, number LIMIT 1",
                (kind,),
            ).fetchone()
            if row is None:
                return None
            job = _job(row)
            if not job.cancel and job.attempts < ATTEMPTS:
                data.execute(
                    "UPDATE jobs SET state = 'running', attempts = attempts + 1, started = coalesce(started, ?) "
                    "WHERE id = ?",
                    (self._clock(), job.id),
                )
                _note(data, job.id, "state", {"state": "running", "attempt": job.attempts + 1})
                return _job(data.execute("SELECT * FROM jobs WHERE id = ?", (job.id,)).fetchone())
        if job.cancel:
            self.finish(job.id, "cancelled")
        else:
            self.finish(job.id, "failed", message=f"its worker died {ATTEMPTS} times", code="worker_died")
        return self.claim(kind)

    def put_back(self, job: str, message: str | None = None) -> None:
        """Let a job wait again, which the worker could not or may not go on with; counts as no attempt."""
        with self._data.transaction() as data:
            data.execute(
                "UPDATE jobs SET state = 'queued', attempts = attempts - 1, message = ? WHERE id = ? "
                "AND state = 'running'",
                (message, job),
            )
            _note(data, job, "state", {"state": "queued", "message": message})

    def say(self, job: str, message: str) -> None:
        """Say what a job waits for, until it goes on."""
        with self._data.transaction() as data:
            data.execute("UPDATE jobs SET message = ? WHERE id = ? AND state = 'running'", (message, job))

    def progress(self, job: str, done: int, total: int | None, data: Document | None = None) -> None:
        """Say how far a job is."""
        with self._data.transaction() as connection:
            connection.execute(
                "UPDATE jobs SET done = ?, total = ?, message = NULL WHERE id = ?", (done, total, job)
            )
            _note(connection, job, "progress", {"done": done, "total": total, **(data or {})})

    def finish(
        self,
        job: str,
        state: str,
        outcome: Mapping[str, Any] | None = None,
        message: str | None = None,
        code: str | None = None,
    ) -> None:
        """End a job, once: a job that is finished stays as it is."""
        with self._data.transaction() as data:
            changed = data.execute(
                "UPDATE jobs SET state = ?, outcome = ?, message = ?, code = ?, finished = ? "
                "WHERE id = ? AND state IN ('queued', 'running')",
                (state, None if outcome is None else json.dumps(outcome), message, code, self._clock(), job),
            ).rowcount
            if changed:
                _note(data, job, "state", {"state": state, "message": message, "code": code})

    def cancel(self, job: str) -> Job:
        """Ask for a job's end: at once where it waits, else as soon as its worker notices.

        Raises:
            NoSuchJob: there is none.
        """
        with self._data.transaction() as data:
            data.execute("UPDATE jobs SET cancel = 1 WHERE id = ?", (job,))
        found = self.get(job)
        if found.state == "queued":
            self.finish(job, "cancelled")
        return self.get(job)

    def is_cancelled(self, job: str) -> bool:
        """Whether somebody asked for a job's end."""
        return bool(self._data.rows("SELECT 1 FROM jobs WHERE id = ? AND cancel = 1", job))

    def cancel_queries(self, job: str, queries: Iterable[str]) -> None:
        """Ask that some queries of an analysis are left."""
        with self._data.transaction() as data:
            data.executemany(
                "INSERT OR IGNORE INTO cancelled_queries VALUES (?, ?)", [(job, query) for query in queries]
            )

    def cancelled_queries(self, job: str) -> set[str]:
        """Queries of an analysis that somebody does not want any more."""
        return {row[0] for row in self._data.rows("SELECT query FROM cancelled_queries WHERE job = ?", job)}

    def store(self, job: str, results: Iterable[tuple[int, Document]]) -> None:
        """Keep final answers by their units; of one that is there already the first stays."""
        with self._data.transaction() as data:
            data.executemany(
                "INSERT OR IGNORE INTO results VALUES (?, ?, ?)",
                [(job, unit, json.dumps(answer)) for unit, answer in results],
            )

    def stored(self, job: str) -> set[int]:
        """Units that have their final answer."""
        return {row[0] for row in self._data.rows("SELECT unit FROM results WHERE job = ?", job)}

    def results(self, job: str, after: int = -1, limit: int = 100) -> list[tuple[int, Document]]:
        """Final answers by their units, in order, of units behind `after`."""
        rows = self._data.rows(
            "SELECT unit, data FROM results WHERE job = ? AND unit > ? ORDER BY unit LIMIT ?",
            job,
            after,
            limit,
        )
        return [(unit, json.loads(text)) for unit, text in rows]

    def events(self, job: str, after: int = 0, limit: int = 500) -> list[Happened]:
        """What happened to a job after the event of that number."""
        rows = self._data.rows(
            "SELECT seq, type, data FROM events WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?",
            job,
            after,
            limit,
        )
        return [Happened(seq, kind, json.loads(data)) for seq, kind, data in rows]

    def forget(self, keep: int) -> None:
        """Remove all but the last finished jobs, with their events and results."""
        with self._data.transaction() as data:
            old = "SELECT id FROM jobs WHERE finished IS NOT NULL ORDER BY number DESC LIMIT -1 OFFSET ?"
            for table in ("events", "results", "cancelled_queries"):
                data.execute(f"DELETE FROM {table} WHERE job IN ({old})", (keep,))
            data.execute(f"DELETE FROM jobs WHERE id IN ({old})", (keep,))

    @contextmanager
    def attending(self, kind: str) -> Iterator[bool]:
        """Attend to the jobs of a kind, alone among all processes; False where another one does.

        The claim dies with its process.
        """
        handle = os.open(self.folder / f"{kind}.lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        finally:
            os.close(handle)


def job_document(job: Job) -> Document:
    """A job for those who ask: without what it was told to do, times as text."""
    names = ("id", "kind", "state", "priority", "done", "total", "message", "code", "outcome", "attempts")
    out = {name: getattr(job, name) for name in names}
    for name in ("created", "started", "finished"):
        seconds = getattr(job, name)
        out[name] = None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
    return out


def _note(data: Connection, job: str, kind: str, about: Document) -> None:
    data.execute(
        "INSERT INTO events SELECT ?, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE job = ?), ?, ?",
        (job, job, kind, json.dumps({key: value for key, value in about.items() if value is not None})),
    )


def _job(row: Row) -> Job:
    values = dict(row)
    values["spec"] = json.loads(values["spec"])
    values["outcome"] = None if values["outcome"] is None else json.loads(values["outcome"])
    values["cancel"] = bool(values["cancel"])
    return Job(**values)
