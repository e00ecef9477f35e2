"""Positions evaluated in a thread while somebody watches: what is done so far, how far it is, and a stop."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from typing import Any

from pipeline.evaluations import Wish, evaluated_at
from pipeline.positions import Reached

Document = dict[str, Any]
Question = tuple[Reached, Wish]

FORGOTTEN = 120.0
"""Seconds after which a search that nobody looks at any more ends: its page was closed."""

_turns = threading.BoundedSemaphore(max(1, (os.cpu_count() or 2) - 1))
"""Searches at a time: one processor is left to the pages."""


class LiveEvaluation:
    """Questions answered one after the other, in a thread of their own, which takes their positions over.

    `answers` grows; the others are looked at without waiting. An answer that was broken off is not among them.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self.answers: list[Document] = []
        self.error: Exception | None = None
        self.waiting = True
        self._questions = list(questions)
        self._sizes = [_simulations(reached, wish) for reached, wish in questions]
        self._slices = 0
        self._ended = threading.Event()
        self._stopped = threading.Event()
        self._began = self._looked = time.monotonic()
        threading.Thread(target=self._run, name="live evaluation", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether nothing is going on any more: all is answered, or it was stopped, or failed."""
        self._looked = time.monotonic()
        return self._ended.is_set()

    @property
    def stopped(self) -> bool:
        """Whether it was broken off."""
        return self._stopped.is_set()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began

    @property
    def progress(self) -> float:
        """Part of the simulations of all questions that is done, from 0 to 1."""
        from engine.searching import SLICE

        answered = len(self.answers)
        going = self._sizes[answered] if answered < len(self._sizes) else 0
        return min(1.0, (sum(self._sizes[:answered]) + min(going, self._slices * SLICE)) / sum(self._sizes))

    def stop(self) -> None:
        """Break off; returns at once."""
        self._stopped.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done; whether it is."""
        return self._ended.wait(seconds)

    def _run(self) -> None:
        try:
            while not _turns.acquire(timeout=0.1):
                if self._asked():
                    return
            self.waiting = False
            try:
                self._answer()
            finally:
                _turns.release()
        except Exception as error:
            self.error = error
        finally:
            self._ended.set()

    def _answer(self) -> None:
        for reached, wish in self._questions:
            self._slices = 0
            answer = evaluated_at(reached, wish, self._asked)
            if self._stopped.is_set():
                return
            self.answers.append(answer)

    def _asked(self) -> bool:
        """Whether to stop; the search asks between two slices."""
        self._slices += 1
        if time.monotonic() - self._looked > FORGOTTEN:
            self._stopped.set()
        return self._stopped.is_set()


def _simulations(reached: Reached, wish: Wish) -> int:
    """What a question costs, at least 1."""
    from engine.budgets import simulations

    return max(1, simulations(reached.position.variant.id, wish.budget))
