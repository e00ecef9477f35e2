"""The smallest input found in a while that breaks the same promise."""

from __future__ import annotations

import time
from collections.abc import Callable


def shrunk(data: bytes, breaks: Callable[[bytes], bool], seconds: float = 30.0) -> bytes:
    """Leave out ever smaller parts of `data` as long as `breaks` holds of what remains."""
    end = time.monotonic() + seconds
    size = max(1, len(data) // 2)
    while size and time.monotonic() < end:
        at, smaller = 0, False
        while at < len(data) and time.monotonic() < end:
            less = data[:at] + data[at + size :]
            if breaks(less):
                data, smaller = less, True
            else:
                at += size
        if not smaller or size > len(data):
            size = min(size, len(data)) // 2 if size > 1 else 0
    return data
