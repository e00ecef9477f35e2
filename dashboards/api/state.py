"""What a running service has: the library, threads for questions and for evaluations, the cache, jobs and keys."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

from fastapi import Request, Response
from pydantic import BaseModel

from dashboards.api.figures import Figures
from dashboards.api.problems import too_busy
from dashboards.api.remembered import Remembered
from dashboards.api.settings import Settings
from pipeline.evaluations import Cache, Document, Subject, Wish, evaluated
from pipeline.service.jobs import JobStore
from pipeline.service.keys import Keys
from pipeline.store import Reader, open_reader
from pipeline.store.layout import Layout

T = TypeVar("T")


class Service:
    """The state of one service; made when it starts, closed when it ends."""

    def __init__(self, settings: Settings, figures: Figures) -> None:
        self.settings = settings
        self.figures = figures
        self.layout = Layout.of(settings.library)
        self.cache = Cache(settings.cache)
        self._remembered = Remembered(settings.answer_bytes)
        self.warm = threading.Event()
        self.closing = threading.Event()
        self._asking = ThreadPoolExecutor(settings.readers, "questions")
        self._evaluating = ThreadPoolExecutor(settings.evaluators, "evaluations")
        self._keeping = ThreadPoolExecutor(2, "jobs")
        self._waiting = 0
        self._guard = threading.Lock()
        self._reader: Reader | None = None
        self._jobs: JobStore | None = None
        self._keys: Keys | None = None

    @property
    def jobs(self) -> JobStore:
        """The jobs of the library."""
        with self._guard:
            if self._jobs is None:
                self._jobs = JobStore(self.layout.service)
            return self._jobs

    @property
    def keys(self) -> Keys:
        """The keys of the service."""
        with self._guard:
            if self._keys is None:
                self._keys = Keys(self.layout.service)
            return self._keys

    def reader(self) -> Reader:
        """The library.

        Raises:
            NotALibrary, LibraryTooNew, LibraryTooOld: it cannot be read, or not yet.
        """
        with self._guard:
            if self._reader is None:
                self._reader = open_reader(self.layout.root, memory=self.settings.memory)
            return self._reader

    async def ask(self, question: Callable[[Reader], T]) -> T:
        """Answer a question to the library, off the event loop."""
        return await self._run(self._asking, lambda: question(self.reader()))

    async def tell(self, name: str, question: BaseModel, about: Callable[[Reader], Document]) -> Response:
        """Answer a kind of question to the library, by its name, from memory where it was asked for before.

        The answer may hang on the snapshot and the parameters in `question` only.
        """
        body = await self.ask(lambda reader: self._remembered.body(reader, name, question, about))
        return Response(body, media_type="application/json")

    async def compute(self, work: Callable[[], T]) -> T:
        """Do short work, off the event loop."""
        return await self._run(self._asking, work)

    async def keep(self, work: Callable[[], T]) -> T:
        """Read or write jobs and keys, off the event loop and beside all questions."""
        return await self._run(self._keeping, work)

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work)

    async def evaluate(
        self,
        subject: Subject,
        ply: int | None,
        wish: Wish,
        seconds: float | None = None,
        unwanted: Callable[[], bool] = lambda: False,
    ) -> Document:
        """Evaluate a position when a thread is free; what its client leaves behind, or is `unwanted`, is broken off.

        Raises:
            ApiError: too many wait already.
        """
        if self._waiting >= self.settings.waiting + self.settings.evaluators:
            raise too_busy(f"{self._waiting} evaluations are under way or waiting")
        gone = threading.Event()
        limit = min(seconds or self.settings.seconds, self.settings.seconds)

        def work() -> Document:
            until = time.monotonic() + limit

            def stop() -> bool:
                return gone.is_set() or self.closing.is_set() or unwanted() or time.monotonic() > until

            return evaluated(subject, ply, wish, stop, self.cache)

        self._waiting += 1
        self.figures.waiting.set(self._waiting)
        try:
            found = await self._run(self._evaluating, work)
        finally:
            gone.set()
            self._waiting -= 1
            self.figures.waiting.set(self._waiting)
        self.figures.evaluations.labels("cache" if found["cached"] else "search").inc()
        return found

    def warm_up(self) -> None:
        """Load the kernels that requests need, so that the first one is not slow."""
        from engine.evaluate import evaluate
        from engine.position import Position

        evaluate(Position("duo"), "instant")
        self.warm.set()

    def close(self) -> None:
        """Let running work end soon, and the library go."""
        self.closing.set()
        for pool in (self._asking, self._evaluating, self._keeping):
            pool.shutdown(wait=False, cancel_futures=True)
        if self._reader is not None:
            self._reader.close()


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    return cast(Service, request.app.state.service)
