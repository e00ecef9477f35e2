"""Dates out of the time stamps that programs write."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from notation.dates import parse_date

_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)_\d{6}(?![0-9])", re.A)


def date_of(stamp: object) -> str | None:
    """The date that a time stamp says; None where it says none.

    `20260527_114612`, also with more behind it, is a day of an unknown time zone; a number is seconds since 1970 and
    becomes the time in UTC; other texts have to be dates already.

    >>> date_of("20260527_114612"), date_of(1771716867.02)
    ('2026-05-27', '2026-02-21T23:34:27Z')
    """
    if isinstance(stamp, str):
        match = _COMPACT.match(stamp)
        if match is not None:
            return "-".join(match.groups())
        date = parse_date(stamp)
        return stamp if date.year is not None and date.problem is None else None
    if isinstance(stamp, bool) or not isinstance(stamp, int | float):
        return None
    try:
        return datetime.fromtimestamp(int(stamp), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if stamp > 0 else None
    except (OverflowError, ValueError, OSError):
        return None
