"""Partial dates, as SGF and PGN write them: what is known of year, month and day."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

_FIRST = re.compile(
    r"(\d{4}|\?{4})(?:([-./])(\d{1,2}|\?\?)(?:\2(\d{1,2}|\?\?))?)?"
    r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?",
    re.I,
)


class PartialDate(NamedTuple):
    """A date of which parts may be unknown; `problem` says why a text is none."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    problem: str | None = None


@lru_cache(4096)
def parse_date(text: str) -> PartialDate:
    """Return the date of a header; of a list or range the first.

    Forms: `2020-12-30`, `2020.12.30`, `2020/12/30`, with a time behind it, shortened to month or year, with
    question marks for what is unknown, several separated by commas (`1996-05,06`). Anything else is a
    problem and no date.

    >>> parse_date("1996-05,06")
    PartialDate(year=1996, month=5, day=None, problem=None)
    """
    text = text.strip()
    if not text:
        return PartialDate()
    match = _FIRST.fullmatch(text) or _FIRST.fullmatch(text.partition(",")[0].strip())
    if match is None or not text.isascii():
        return PartialDate(problem=f"no date in a known form: {text[:40]!r}")
    year, month, day = (int(part) if part and part[0] != "?" else None for part in match.group(1, 3, 4))
    if year is None:
        return PartialDate()
    try:
        date(year, 1 if month is None else month, 1 if day is None or month is None else day)
    except ValueError:
        return PartialDate(problem=f"no such day: {text[:40]!r}")
    return PartialDate(year, month, day if month is not None else None)
