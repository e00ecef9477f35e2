"""Searches for solutions beside the page: in threads that can be stopped, with answers that are kept for everybody."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st
import structlog

from engine.puzzle_kinds import Placed, Puzzle

if TYPE_CHECKING:
    from engine.puzzles import Clock, Outcome

BUDGET, HINT = 60.0, 6.0
"""Seconds for a whole solution, and for a hint."""

KEPT = 300
"""Answers that are kept."""


@dataclass(frozen=True, slots=True)
class Question:
    """A puzzle, the seed of the search, the pieces that are there already, and how long it may take in seconds."""

    kind: str
    board: str
    seed: int
    given: tuple[Placed, ...] = ()
    seconds: float = BUDGET


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search came back with, and how long it took."""

    outcome: Outcome
    seconds: float

    @property
    def pieces(self) -> tuple[Placed, ...]:
        """All pieces of the solution, none without one."""
        return self.outcome.pieces


_answers: OrderedDict[Question, Answer] = OrderedDict()
_lock = threading.Lock()


def remembered(question: Question) -> Answer | None:
    """The answer that was found before, for whomever; searches that were out of time are not kept."""
    with _lock:
        return _answers.get(question)


def _remember(question: Question, answer: Answer) -> None:
    with _lock:
        _answers[question] = answer
        while len(_answers) > KEPT:
            _answers.popitem(last=False)


@dataclass(slots=True)
class Search:
    """A search that runs; `words` are those of the engine on how far it is, `compiling` that it waits for kernels."""

    puzzle: Puzzle
    question: Question
    answer: Answer | None = None
    failed: bool = False
    stopped: bool = False
    compiling: bool = False
    words: str = ""
    _began: float = field(default_factory=time.monotonic)
    _clock: Clock | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._began

    @property
    def done(self) -> bool:
        """Whether it has ended, with an answer or without."""
        return self._ended.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, not longer than that; whether it has come."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """End it soon; whatever it finds is not wanted any more."""
        self.stopped = True
        if self._clock is not None:
            self._clock.seconds = 0.0

    def run(self) -> None:
        """Search, in a thread."""
        try:
            self._search()
        except Exception:
            structlog.get_logger().exception("search failed", kind=self.question.kind)
            self.failed = True
        finally:
            self._ended.set()

    def _search(self) -> None:
        from engine.puzzles import ENDED, Clock, solve
        from pipeline.compiling import BEAM, COVER, announce_compiling

        asked = self.question
        announce_compiling(self._compiles, BEAM if self.puzzle.by_rules else COVER)
        clock = Clock(asked.seconds, self._tell)
        self._clock = clock
        if self.stopped:
            return
        outcome = solve(self.puzzle, asked.seed, clock, asked.given)
        if self.stopped:
            return
        self.answer = Answer(outcome, clock.spent)
        if outcome.status != ENDED:
            _remember(asked, self.answer)

    def _compiles(self, _: str) -> None:
        self.compiling = True

    def _tell(self, words: str) -> None:
        self.compiling, self.words = False, words


def start(puzzle: Puzzle, question: Question) -> Search:
    """Begin to search."""
    search = Search(puzzle, question)
    threading.Thread(target=search.run, name=f"puzzle {question.kind}", daemon=True).start()
    return search


def _key(slot: str) -> str:
    return f"puzzles.searching.{slot}"


def of_visitor(slot: str, puzzle: Puzzle, question: Question) -> Search:
    """The visitor's search for this in a slot; a search for something else that was in it is stopped."""
    key = _key(slot)
    search: Search | None = st.session_state.get(key)
    if search is None or search.question != question or search.stopped:
        if search is not None:
            search.stop()
        search = st.session_state[key] = start(puzzle, question)
    return search


def forget(slot: str) -> None:
    """Stop the visitor's search in a slot."""
    search: Search | None = st.session_state.pop(_key(slot), None)
    if search is not None:
        search.stop()
