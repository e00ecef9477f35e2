"""Answers that may take a while, the first of their kind most of all: worked out beside the page, which goes on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from threading import Lock
from typing import Any, TypeVar, cast

import streamlit as st

T = TypeVar("T")

PATIENCE = 0.6
"""Seconds that a page waits for an answer before it says that it is on its way."""

LOOK = 0.5
"""Seconds between two looks for it."""

_pool = ThreadPoolExecutor(2, "cornerwise-answers")
_guard = Lock()
_asked: dict[tuple[Hashable, ...], Future[Any]] = {}


class OnItsWay(Exception):
    """The answer is not there yet."""


def answer(question: Callable[..., T], *args: Hashable, patience: float = PATIENCE) -> T:
    """What `question(*args)` says. Whoever asks the same meanwhile waits for the same.

    Raises:
        OnItsWay: it is still being worked out: ask again.
        Exception: whatever the question raises.
    """
    key = (question, *args)
    with _guard:
        asked = _asked.get(key)
        if asked is None:
            asked = _asked[key] = _pool.submit(question, *args)
    try:
        found = asked.result(patience)
    except TooLong:
        if not asked.done():
            raise OnItsWay from None
        _forget(key, asked)
        raise
    except BaseException:
        _forget(key, asked)
        raise
    _forget(key, asked)
    return cast(T, found)


def _forget(key: tuple[Hashable, ...], asked: Future[Any]) -> None:
    with _guard:
        if _asked.get(key) is asked:
            del _asked[key]


def is_there(question: Callable[..., object], *args: Hashable) -> bool:
    """Whether an answer that was asked for is there, or what hinders it."""
    with _guard:
        asked = _asked.get((question, *args))
    return asked is None or asked.done()


def wait_for(question: Callable[..., object], *args: Hashable, note: str) -> None:
    """Say that an answer is on its way, and make the page anew when it is there."""

    @st.fragment(run_every=LOOK)
    def looking() -> None:
        st.caption(f":material/hourglass_top: {note}")
        if is_there(question, *args):
            st.rerun()

    looking()


def awaited(question: Callable[..., T], *args: Hashable, note: str) -> T | None:
    """What `question(*args)` says; None while it is on its way, which the page says by `note` and looks for.

    Raises:
        Exception: whatever the question raises.
    """
    try:
        return answer(question, *args)
    except OnItsWay:
        wait_for(question, *args, note=note)
        return None
