"""Figures with their intervals in tables: a point with whiskers on a scale that all rows share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from dashboards.app.listing import Column
from dashboards.app.words import say, words
from pipeline.interval_svg import interval_svg
from pipeline.svg import words as escaped

Row = Mapping[str, Any]

SHARES = (0.0, 1.0)


def interval_column(
    rows: Sequence[Row],
    key: str,
    heading: str,
    about: str = "",
    *,
    kind: str = "decimal",
    reach: tuple[float, float] | None = None,
    level: float | None = None,
    ends: str = "",
) -> Column:
    """A column of values with intervals, `KEY_low` and `KEY_high` (or those of `ends` in place of the key).

    `kind` is share, decimal or fine. `reach` are the ends of the scale, by default what the rows need; `level`
    is a line to compare with.
    """
    bounds = ends or key
    names = (key, f"{bounds}_low", f"{bounds}_high")
    known = [value for row in rows for name in names if (value := row[name]) is not None and isfinite(value)]
    scale = reach or (min(known, default=0.0), max(known, default=1.0))

    def drawn(row: Row) -> str:
        value, low, high = (row[name] for name in names)
        if value is None:
            return escaped(say("none"))
        said = words().shown(value, kind)
        title = said
        if low is not None and high is not None:
            title = say("interval", value=said, low=words().shown(low, kind), high=words().shown(high, kind))
        picture = interval_svg(value, low, high, reach=scale, level=level, title=title)
        return f'<span class="cw-value">{escaped(said)}</span> {picture}'

    return Column(key, heading, about=about, markup=drawn)
