"""One writer at a time: a lock on a file that says who holds it."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
import weakref
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pipeline.errors import LibraryBusy
from pipeline.stopping import check_stop

POLL = 0.1
"""Seconds between two attempts to get the lock."""

Waiting = Callable[[str], None]
"""Told once, with the holder's description, when the lock is not free at once."""


class WriterLock:
    """An exclusive lock between processes, and between writers of one process; it dies with its process."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle: int | None = handle
        _held.add(self)

    @staticmethod
    def take(path: Path, wait: float, command: str, waiting: Waiting | None = None) -> WriterLock:
        """Take the lock, waiting up to `wait` seconds for another holder.

        Raises:
            LibraryBusy: still held then; says by whom.
        """
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _take(handle, path, wait, waiting)
            os.ftruncate(handle, 0)
            os.pwrite(handle, _myself(command).encode(), 0)
        except BaseException:
            os.close(handle)
            raise
        return WriterLock(path, handle)

    def release(self) -> None:
        """Let the next one in; again does nothing."""
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
        self.forget()

    def forget(self) -> None:
        """Close the handle alone."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


_held: weakref.WeakSet[WriterLock] = weakref.WeakSet()


def _forget_all() -> None:
    for lock in list(_held):
        lock.forget()


# A forked worker shares the open file: were the writer killed, its orphans would go on holding the library.
os.register_at_fork(after_in_child=_forget_all)


def _take(handle: int, path: Path, wait: float, waiting: Waiting | None) -> None:
    deadline = time.monotonic() + wait
    told = False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            holder = describe(path)
        if waiting is not None and not told:
            told = True
            waiting(holder)
        left = deadline - time.monotonic()
        if left <= 0:
            text = f"{path.parent} is being written by {holder}; waited {wait:g} s"
            raise LibraryBusy(text, holder)
        check_stop()
        time.sleep(min(POLL, left))


def _myself(command: str) -> str:
    started = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    who = {"pid": os.getpid(), "host": socket.gethostname(), "command": command, "started": started}
    return json.dumps(who) + "\n"


def describe(path: Path) -> str:
    """Return who holds the lock, as the holder wrote it."""
    try:
        who = json.loads(path.read_text(encoding="utf-8"))
        return f"process {who['pid']} on {who['host']} ({who['command']}), since {who['started']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
