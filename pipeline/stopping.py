"""Ctrl-C and SIGTERM as a question that long work asks itself between two steps.

An exception that a signal raises at any place may strike inside a lock, a destructor or a callback of a library:
there it is lost, or leaves something locked for ever. A stop that is looked for where nothing is half done is neither.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

LOOK = 0.2
"""Seconds between two looks at what costs something to look at."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Asked:
    """What the handler knows; it runs on the main thread, between two steps of the interpreter."""

    installed = False
    stop = False
    at_once = False
    wanted: Callable[[], bool] | None = None


_asked = _Asked()


def _ask(number: int, frame: FrameType | None) -> None:
    """Note the wish; one who asks twice cannot wait, and a library outlives even a killed writer."""
    if _asked.stop:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    _asked.stop = True
    if _asked.at_once:
        raise KeyboardInterrupt


@contextmanager
def stoppable() -> Iterator[None]:
    """Let a first Ctrl-C or SIGTERM in the `with` block wait for `check_stop`, where this is the main thread.

    A signal that was ignored, as in a job started with nohup, stays so.
    """
    if _asked.installed or threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in before.items() if handler != signal.SIG_IGN}
    _asked.installed, _asked.stop = True, False
    for number in before:
        signal.signal(number, _ask)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _asked.installed = False


@contextmanager
def stopping_when(wanted: Callable[[], bool]) -> Iterator[None]:
    """Let `check_stop` in the `with` block stop also when this says so, where this is the main thread.

    What has said yes has to go on saying it: a search that is broken off is told apart by asking again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, _asked.wanted = _asked.wanted, wanted
    try:
        yield
    finally:
        _asked.wanted = before


def now_and_then(question: Callable[[], bool]) -> Callable[[], bool]:
    """The question, asked every `LOOK` seconds at most until the answer is yes, which it stays; no in between."""
    last, yes = time.monotonic(), False

    def ask() -> bool:
        nonlocal last, yes
        if not yes and time.monotonic() - last >= LOOK:
            yes = question()
            last = time.monotonic()
        return yes

    return ask


def check_stop() -> None:
    """Stop here if somebody asked for it.

    Raises:
        KeyboardInterrupt: somebody did.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if (_asked.stop and _asked.installed) or (_asked.wanted is not None and _asked.wanted()):
        raise KeyboardInterrupt


def stop_asked() -> bool:
    """Whether somebody asked for a stop, where the answer so far is wanted."""
    try:
        check_stop()
    except KeyboardInterrupt:
        return True
    return False


def interruptible(call: Callable[[int], T], argument: int) -> T:
    """Call what may wait for ever and holds no lock, such as a read from a pipe; a stop breaks it off.

    Raises:
        KeyboardInterrupt: a stop was asked for.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(argument)
    _asked.at_once = True
    try:
        check_stop()
        return call(argument)
    finally:
        _asked.at_once = False
