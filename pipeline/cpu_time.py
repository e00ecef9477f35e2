"""CPU time of other processes by the operating system's accounting, while they run."""

from __future__ import annotations

import os
import time
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_CHILD_USER, _CHILD_SYSTEM = 13, 14
"""Fields of /proc/PID/stat behind the name: time of children that have ended, in ticks."""


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process and of all its descendants, those that have ended included; 0 where it is gone."""
    return sum(map(_one, _tree(pid)))


def _one(pid: int) -> float:
    try:
        # The kernel's number of the clock of another process: what clock_getcpuclockid returns.
        own = time.clock_gettime((~pid << 3) | 2)
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    fields = stat[stat.rindex(")") + 2 :].split()
    return own + (int(fields[_CHILD_USER]) + int(fields[_CHILD_SYSTEM])) / _TICK


def _tree(pid: int) -> list[int]:
    """The process and its living descendants."""
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        for path in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                todo += map(int, path.read_text(encoding="ascii").split())
            except OSError:
                continue
    return found
