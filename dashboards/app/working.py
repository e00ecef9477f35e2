"""Who does the long work that pages start: a service where one is set, else processes of this program."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import TypeVar

import streamlit as st

from dashboards.app.settings import AppSettings
from dashboards.work import Work, WorkRefused

T = TypeVar("T")

PATIENCE = 0.7
"""Seconds that a page waits for a service to say how its jobs stand."""

REST = 5.0
"""Seconds for which a service that did not answer is not asked again."""

AWAY = "no_answer"
"""Code of what is refused because the service does not answer."""

_starters = ThreadPoolExecutor(4, "cornerwise-starters")


class _Away:
    """The last time that a service did not answer, and what was said then."""

    until = 0.0
    said = ""


def work() -> Work:
    """The one that all visitors share.

    Raises:
        WorkRefused: the service's address is none.
    """
    settings = AppSettings()
    return _of(settings.service, settings.service_key, str(settings.library.absolute()), None)


def told(question: Callable[[Work], T]) -> T:
    """What the work says of its jobs, soon: a service that is away makes no page wait twice.

    Raises:
        WorkRefused: as the question does; `AWAY`: the service does not answer.
    """
    settings = AppSettings()
    if not settings.service:
        return question(work())
    if time.monotonic() < _Away.until:
        raise WorkRefused(_Away.said, AWAY)
    asked = _of(settings.service, settings.service_key, str(settings.library.absolute()), PATIENCE)
    try:
        return question(asked)
    except WorkRefused as error:
        if error.code == AWAY:
            _Away.until, _Away.said = time.monotonic() + REST, str(error)
        raise


def ask_again() -> None:
    """Let a service that was away be asked at once."""
    _Away.until = 0.0


def away() -> WorkRefused | None:
    """Why nothing can be started now: the service that is set does not answer, or will not; None: all is well."""
    if not AppSettings().service:
        return None
    try:
        told(lambda service: service.jobs(1))
    except WorkRefused as error:
        return error
    return None


def begun(start: Callable[[Work], T]) -> Future[T]:
    """Start something in a thread: files may be large, a service far away, and much to be loaded first."""
    return _starters.submit(lambda: start(work()))


def prepared(seconds: float = 0.3) -> bool:
    """Whether everything is loaded that work of this program needs, which takes a while the first time."""
    if AppSettings().service:
        return True
    loading = _loading()
    try:
        loading.result(seconds)
    except TimeoutError:
        return False
    return True


@st.cache_resource(show_spinner=False)
def _loading() -> Future[object]:
    return _starters.submit(import_module, "dashboards.work_by_processes")


@st.cache_resource(show_spinner=False)
def _of(service: str, key: str, library: str, patience: float | None) -> Work:
    if not service:
        return Work.local(library)
    return Work.at(service, key or None) if patience is None else Work.at(service, key or None, patience)
