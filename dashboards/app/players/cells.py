"""Cells of tables: values with their intervals, in words and drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dashboards.app.words import say, words
from pipeline.charts_axes import AXIS, INK, RULE
from pipeline.pieces_svg import pieces_svg
from pipeline.svg import tag
from pipeline.svg import words as escaped

Row = Mapping[str, Any]

WIDE, HIGH = 96.0, 14.0
"""Size of a drawn interval."""


def share_cell(row: Row) -> str:
    """Share of the result with its interval, drawn from 0 to 1."""
    share = row.get("share")
    if share is None:
        return escaped(say("none"))
    low, high = row.get("share_low"), row.get("share_high")
    span = (
        ""
        if low is None or high is None
        else f' <span class="cw-fine">{escaped(between(low, high, 100, 0))}</span>'
    )
    return f"{escaped(words().share(share))}{span}{_drawn(share, low, high)}"


def _drawn(value: float, low: float | None, high: float | None) -> str:
    def at(part: float) -> float:
        return 4 + part * (WIDE - 8)

    middle = HIGH / 2
    parts = [
        tag("path", d=f"M4 {middle}H{WIDE - 4}", stroke=RULE, stroke_width=1),
        tag("path", d=f"M{WIDE / 2} 2V{HIGH - 2}", stroke=AXIS, stroke_dasharray="2 2"),
    ]
    if low is not None and high is not None:
        parts.append(tag("path", d=f"M{at(low):.1f} {middle}H{at(high):.1f}", stroke=INK, stroke_width=1.6))
    parts.append(tag("circle", cx=at(value), cy=middle, r=3.4, fill="#2b6cd4", stroke=INK))
    return tag("svg", *parts, viewBox=f"0 0 {WIDE:g} {HIGH:g}", class_="cw-interval", aria_hidden="true")


def between(low: float, high: float, times: float = 1, places: int = 1) -> str:
    """Both ends of an interval."""
    t = words()
    return say("players.between", low=t.decimal(low * times, places), high=t.decimal(high * times, places))


def piece_cell(variant_id: str, colour: int, piece: str, uid: str, title: str = "") -> str:
    """A piece as a small drawing."""
    svg = pieces_svg(variant_id, colour, {piece: 1}, title=title or piece, uid=uid, width=58.0)
    return f'<span style="display: inline-block; width: 4.2rem">{svg}</span>'


def with_interval(key: str, low: str, high: str, places: int = 1, times: float = 1) -> Callable[[Row], str]:
    """A cell with a value and its interval behind it."""

    def cell(row: Row) -> str:
        value = row.get(key)
        if value is None:
            return escaped(say("none"))
        text = escaped(words().decimal(value * times, places))
        if row.get(low) is None or row.get(high) is None:
            return text
        return f'{text} <span class="cw-fine">{escaped(between(row[low], row[high], times, places))}</span>'

    return cell


def with_error(key: str, error: str, places: int = 1, times: float = 1) -> Callable[[Row], str]:
    """A cell with a value and its standard error."""

    def cell(row: Row) -> str:
        value = row.get(key)
        if value is None:
            return escaped(say("none"))
        text = escaped(words().decimal(value * times, places))
        if row.get(error) is None:
            return text
        noise = say("players.plus_minus", n=words().decimal(row[error] * times, places))
        return f'{text} <span class="cw-fine">{escaped(noise)}</span>'

    return cell
