"""Imports and judgings by processes of this machine, which the program starts and ends itself."""

from __future__ import annotations

import atexit
import io
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Unpack

from typing_extensions import override

from dashboards.refusals import status_and_code
from dashboards.work import Document, Event, ImportSettings, JudgeSettings, Work, WorkRefused, as_work
from engine.errors import EngineError
from engine.variants import variant
from notation.formats import FORMATS
from pipeline.batch_outcomes import batch_of_job, outcomes
from pipeline.errors import PipelineError
from pipeline.executor import default_jobs
from pipeline.judged import RuleChoice
from pipeline.portions import Allowed
from pipeline.rule_checks import check_rules
from pipeline.service.import_job import import_spec
from pipeline.service.jobs import JobStore, job_document
from pipeline.service.judging_job import Judging
from pipeline.service.uploads import keep_file
from pipeline.service.workers import Workers
from pipeline.store import open_reader
from pipeline.store.layout import Layout
from pipeline.unit import Reading

LOOK = 0.2
"""Seconds between two looks for new events."""

PAGE = 1000
"""Outcomes that are asked for at a time."""

ANY_SIZE = Allowed(2**50, 2**30)
"""One's own files may be as large as the disk holds."""


class ByProcesses(Work):
    """Work that processes of this machine do, over the library's own jobs."""

    def __init__(self, library: Path) -> None:
        self._layout = Layout.of(library)
        self.place = str(self._layout.root)
        self._store: JobStore | None = None
        self._workers = Workers(self._layout.root)
        self._workers.start()
        atexit.register(self._workers.stop)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (PipelineError, EngineError, OSError, MemoryError) as error:
            message = str(error) or type(error).__name__
            raise WorkRefused(message, status_and_code(error)[1]) from error

    def _jobs(self) -> JobStore:
        if self._store is None:
            self._store = JobStore(self._layout.service)
        return self._store

    @override
    def import_files(self, files: Sequence[tuple[str, bytes]], **settings: Unpack[ImportSettings]) -> str:
        if not files:
            raise WorkRefused("there is no file to import", "no_files")
        with self._told():
            reading = _reading(settings)
            store = self._jobs()
            job = store.new_id()
            folder = store.uploads(job)
            try:
                names = [keep_file(folder, name, io.BytesIO(content)) for name, content in files]
                spec = import_spec(names, reading, ANY_SIZE, _processes())
                store.add("import", spec, job=job)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        self._workers.wake()
        return job

    @override
    def judge(
        self,
        ids: Sequence[str] | None = None,
        budget: str | int = "quick",
        seed: int = 1,
        **which: Unpack[JudgeSettings],
    ) -> str:
        with self._told():
            wanted = Judging(None if ids is None else tuple(ids), budget=budget, seed=seed, **which)
            with open_reader(self._layout.root) as reader:
                spec = wanted.spec(reader, _processes())
            job = self._jobs().add("judge", spec)
        self._workers.wake()
        return job.id

    @override
    def measure(self) -> str:
        with self._told():
            open_reader(self._layout.root).close()  # there must be a library
            job = self._jobs().add("measure", {"processes": _processes()})
        self._workers.wake()
        return job.id

    @override
    def job(self, identity: str) -> Document:
        with self._told():
            return as_work(job_document(self._jobs().get(identity)))

    @override
    def jobs(self, limit: int = 50, kind: str | None = None) -> list[Document]:
        if not self._layout.service.is_dir():
            return []
        with self._told():
            return [as_work(job_document(job)) for job in self._jobs().listed(kind, limit=limit)]

    @override
    def cancel(self, identity: str) -> Document:
        with self._told():
            job = self._jobs().get(identity)
            if job.is_final:
                raise WorkRefused(f"the job is {job.state} already", "finished")
            return as_work(job_document(self._jobs().cancel(identity)))

    @override
    def outcomes(self, identity: str) -> Iterator[Document]:
        with self._told():
            job = self._jobs().get(identity)
            if job.kind != "import":
                raise WorkRefused("this job is no import", "not_there")
            if job.state != "done":
                raise WorkRefused(f"the job is {job.state}: nothing of it is in the library", "not_done")
            with open_reader(self._layout.root) as reader:
                batch = batch_of_job(reader, identity)
                if batch is None:
                    raise WorkRefused("the import was taken back", "not_there")
                offset = 0
                while rows := outcomes(reader, batch["batch"], PAGE, offset).rows:
                    yield from rows
                    offset += len(rows)

    @override
    def events(self, identity: str, after: int = 0) -> Iterator[Event]:
        with self._told():
            store = self._jobs()
            while True:
                job = store.get(
                    identity
                )  # before the events: the last one of a job that has ended is among them
                found = store.events(identity, after)
                for event in found:
                    after = event.seq
                    yield event.seq, event.type, event.data
                if not found and job.is_final:
                    return
                if not found:
                    time.sleep(LOOK)

    @override
    def close(self) -> None:
        atexit.unregister(self._workers.stop)
        self._workers.stop()


def _reading(settings: ImportSettings) -> Reading:
    """How records are read.

    Raises:
        WorkRefused: there is no such format.
        EngineError: no such variant, or rules that make no sense.
    """
    form, name, rules = settings.get("format"), settings.get("variant"), dict(settings.get("rules", {}))
    if form is not None and form not in FORMATS:
        raise WorkRefused(f"unknown format {form[:40]!r}: choose one of {', '.join(FORMATS)}", "invalid")
    known = None if name is None else variant(name).id
    check_rules(rules, known)
    choice = RuleChoice(rules, settings.get("force_rules", False), settings.get("strict", False))
    return Reading(form, known, choice)


def _processes() -> int:
    """Processes of a job: one processor is left to whoever waits for it."""
    return max(1, default_jobs() - 1)
