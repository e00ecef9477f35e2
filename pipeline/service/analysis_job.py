"""Analysis jobs: many positions evaluated, each with one final answer that is kept as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from notation.errors import NotationError
from pipeline.abbreviations import find_game
from pipeline.asking import Asked
from pipeline.errors import IllegalGame, PipelineError
from pipeline.evaluations import Subject, Wish, evaluated
from pipeline.service.jobs import Job, JobStore
from pipeline.stopping import check_stop
from pipeline.store import Reader, open_reader

LOOK = 0.2
"""Seconds between two looks at what somebody cancelled."""

Document = dict[str, Any]
OpenLibrary = Callable[[], Reader]


@dataclass(frozen=True, slots=True)
class Unit:
    """One position of one query; `number` from 0 in the order of queries and plies, `label` what its answer says."""

    number: int
    query: int
    ply: int | None
    label: int | None


def subject_of(query: Document, library: OpenLibrary) -> Subject:
    """The game or position that a query is about.

    Raises:
        PipelineError, EngineError, NotationError: there is none.
    """
    if query.get("game") is not None:
        reader = library()
        return Subject.of_game(reader, find_game(reader, query["game"]))
    moves, rules = tuple(query.get("moves") or ()), query.get("rules") or {}
    return Subject.of(Asked(query.get("variant"), moves, query.get("position"), rules))


def wish_of(query: Document) -> Wish:
    """How a query wants its positions evaluated."""
    allow, avoid = query.get("allow") or {}, query.get("avoid") or {}
    return Wish(
        query.get("budget", "quick"),
        query.get("seed", 1),
        query.get("top", 10),
        tuple(query.get("include") or ()),
        tuple(allow.get("moves") or ()),
        tuple(allow.get("pieces") or ()),
        tuple(avoid.get("moves") or ()),
        tuple(avoid.get("pieces") or ()),
    )


def plies_of(query: Document, subject: Subject) -> list[int | None]:
    """The plies that a query asks for, in its order, each once; all of the legal part with `all`."""
    wanted = query.get("plies")
    if wanted == "all":
        return [None] if subject.text is not None else list(range(subject.plies() + 1))
    return list(dict.fromkeys(wanted)) if wanted else [None]


def units_of(queries: list[Document], library: OpenLibrary) -> list[Unit]:
    """All positions of some queries.

    Raises:
        PipelineError, EngineError, NotationError: a query is about nothing.
    """
    out: list[Unit] = []
    for number, query in enumerate(queries):
        subject = subject_of(query, library)
        out += [
            Unit(len(out) + at, number, ply, subject.label(ply))
            for at, ply in enumerate(plies_of(query, subject))
        ]
    return out


def answer(query: Document, ply: int | None, library: OpenLibrary, stop: Callable[[], bool]) -> Document:
    """The final answer to one query at one ply: an evaluation, or an error of its own."""
    label: Document = {"id": query["id"], "ply": ply}
    try:
        subject = subject_of(query, library)
        label["ply"] = subject.label(ply)
        found = evaluated(subject, ply, wish_of(query), stop)
    except IllegalGame as error:
        problem = {"code": "illegal_move", "reason": error.reason, "message": str(error), "ply": error.ply}
        return {**label, "status": "error", "error": problem}
    except (PipelineError, EngineError, NotationError) as error:
        return {**label, "status": "error", "error": {"code": "refused", "message": str(error)}}
    return {**label, "status": "stopped" if found["stopped"] else "done", "evaluation": found}


def run_analysis(store: JobStore, job: Job, library: Path, threads: int) -> Document:
    """Evaluate what has no final answer yet; returns the numbers of answers by status.

    Raises:
        KeyboardInterrupt: the job was cancelled, or the worker is stopped; answers so far stay.
    """
    run = _Run(store, job, library)
    todo = run.todo()
    with ThreadPoolExecutor(threads) as pool:
        running: dict[Future[Document], Unit] = {}
        try:
            while True:
                for unit in islice(todo, 2 * threads - len(running)):
                    running[pool.submit(run.one, unit)] = unit
                if not running:
                    break
                finished, _ = wait(running, LOOK, FIRST_COMPLETED)
                run.look()
                run.keep({running.pop(future).number: future.result() for future in finished})
        except BaseException:
            run.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return run.counts()


class _Run:
    """One worker's run of a job."""

    def __init__(self, store: JobStore, job: Job, library: Path) -> None:
        self.store, self.job, self.path = store, job, library
        self.queries: list[Document] = job.spec["queries"]
        self.units = [Unit(*unit) for unit in job.spec["units"]]
        self.stop = threading.Event()
        self.unwanted: set[str] = set()
        self.done = store.stored(job.id)
        self.reader: Reader | None = None
        self.guard = threading.Lock()

    def library(self) -> Reader:
        with self.guard:
            if self.reader is None:
                self.reader = open_reader(self.path)
            return self.reader

    def todo(self) -> Iterator[Unit]:
        """Units without an answer, those of urgent queries first."""
        left = [unit for unit in self.units if unit.number not in self.done]
        return iter(sorted(left, key=lambda unit: -self.queries[unit.query].get("priority", 0)))

    def one(self, unit: Unit) -> Document:
        query = self.queries[unit.query]

        def stop() -> bool:
            return self.stop.is_set() or query["id"] in self.unwanted

        if query["id"] not in self.unwanted:
            found = answer(query, unit.ply, self.library, stop)
            if query["id"] not in self.unwanted:
                return found
        return {"id": query["id"], "ply": unit.label, "status": "cancelled"}

    def look(self) -> None:
        """See what somebody cancelled."""
        check_stop()
        if self.store.is_cancelled(self.job.id):
            raise KeyboardInterrupt
        self.unwanted = self.store.cancelled_queries(self.job.id)

    def keep(self, answers: dict[int, Document]) -> None:
        if answers:
            self.store.store(self.job.id, answers.items())
            self.done |= answers.keys()
            self.store.progress(self.job.id, len(self.done), len(self.units))

    def counts(self) -> Document:
        statuses: dict[str, int] = {}
        after = -1
        while page := self.store.results(self.job.id, after, 1000):
            after = page[-1][0]
            for _, found in page:
                statuses[found["status"]] = statuses.get(found["status"], 0) + 1
        return {"answers": len(self.done), "by_status": statuses}
