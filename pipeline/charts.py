"""Small charts as SVG: lines with bands, values with intervals, columns, and several panels alike.

They print in black and white: lines differ by dashes and markers, not only by colour. What is no number is left out: a
line is broken there, a row of a chart says so. Words come from the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from pipeline.charts_axes import (
    AXIS,
    INK,
    RULE,
    SIZE,
    Scale,
    finite,
    foot_marks,
    level_lines,
    said,
    scale,
    ticks,
)
from pipeline.charts_picks import Pick, marks, strips
from pipeline.svg import picture, tag, text_at

WIDTH = 460.0
"""Units across: on a phone a letter is still read, on a desktop two charts stand side by side."""

DASHES = ("", "7 3", "2 3", "9 3 2 3")
COLOURS = ("#2b6cd4", "#b07f00", "#cc3333", "#2e9440")
"""How the first four lines of a chart look, unless they bring their colour."""

MARKERS = 24
"""Points of a line over the whole width above which it has no markers."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line: (x, y), y None where there is no value; `band` (low, high) around it, one for every point or none."""

    name: str
    points: Sequence[tuple[float, float | None]]
    band: Sequence[tuple[float | None, float | None]] = ()
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval; `note` stands where there is no value, `remark` behind it (a count, say)."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Axes:
    """Words along the axes and what they must reach."""

    x: str = ""
    y: str = ""
    reach: Sequence[float] = ()
    words: Callable[[float], str] = said
    whole: bool = False


PLAIN = Axes()


def line_chart(
    series: Sequence[Series],
    *,
    title: str,
    description: str = "",
    uid: str = "chart",
    axes: Axes = PLAIN,
    picks: Sequence[Pick] = (),
) -> str:
    """Lines over numbers, with a key above them where there are several; `picks` are places that can be clicked."""
    head = _key_height(series) + (16.0 if axes.y else 6.0)
    height = 210.0 + head
    parts = [*_key(series)] if len(series) > 1 else []
    if axes.y:
        parts.append(text_at(2, head - 2, axes.y, SIZE, fill=AXIS))
    limits, box = _limits(series, axes), (44.0, head + 6, WIDTH - 12, height - 38)
    parts += _panel(series, axes, limits, box)
    if picks:
        x, y = scale(limits[0], box[0], box[2]), scale(limits[1], box[3], box[1])
        parts += [*strips(picks, x, box[1], box[3]), *marks(picks, x, y)]
    parts.append(text_at(WIDTH - 12, height - 6, axes.x, SIZE, text_anchor="end", fill=AXIS))
    return picture((WIDTH, height), title, description, uid, parts)


def panels_chart(
    panels: Mapping[str, Sequence[Series]],
    *,
    title: str,
    description: str = "",
    uid: str = "panels",
    axes: Axes = PLAIN,
    across: int = 2,
) -> str:
    """Small charts side by side, all on the same scales, each under its name."""
    every = [line for lines in panels.values() for line in lines]
    limits = _limits(every, axes)
    wide, tall = WIDTH / across, 118.0
    first = next(iter(panels.values()), ())
    head = _key_height(first)
    parts = [*_key(first)] if len(first) > 1 else []
    for at, (name, lines) in enumerate(panels.items()):
        x, y = wide * (at % across), head + tall * (at // across)
        parts.append(text_at(x + 34, y + 12, name, SIZE + 0.5, font_weight="bold", fill=INK))
        parts += _panel(lines, axes, limits, (x + 34, y + 20, x + wide - 12, y + tall - 20))
    height = head + tall * -(-len(panels) // across) + 16
    note = ", ".join(word for word in (axes.y, axes.x) if word)
    parts.append(text_at(WIDTH - 12, height - 4, note, SIZE, text_anchor="end", fill=AXIS))
    return picture((WIDTH, height), title, description, uid, parts)


def interval_chart(
    bars: Sequence[Bar],
    *,
    title: str,
    description: str = "",
    uid: str = "intervals",
    axes: Axes = PLAIN,
    level: float | None = None,
) -> str:
    """A row for every value: a point with its interval on a common scale; `level` is a line to compare with."""
    values = finite([*(v for bar in bars for v in (bar.value, bar.low, bar.high)), *axes.reach, level])
    marks = ticks(min(values, default=0), max(values, default=1), 4, axes.whole)
    left = 18 + 5.9 * min(max((len(bar.name) for bar in bars), default=0), 26)
    right = WIDTH - 22 - 6.2 * max((len(bar.remark) for bar in bars), default=0)
    x = scale(marks, left, right)
    bottom = 8.0 + 22.0 * len(bars)
    lines = "".join(f"M{x.at(mark):.1f} 4V{bottom:.1f}" for mark in marks)
    parts = [tag("path", d=lines, stroke=RULE), *foot_marks(marks, x, bottom, axes.words)]
    if level is not None:
        parts.append(tag("path", d=f"M{x.at(level):.1f} 4V{bottom:.1f}", stroke=AXIS, stroke_dasharray="4 3"))
    for at, bar in enumerate(bars):
        parts += _interval(bar, x, 19.0 + 22 * at, axes.words)
    parts.append(text_at(x.end, bottom + 30, axes.x, SIZE, text_anchor="end", fill=AXIS))
    return picture((WIDTH, bottom + 36), title, description, uid, parts)


def column_chart(
    columns: Sequence[tuple[str, float]],
    *,
    title: str,
    description: str = "",
    uid: str = "columns",
    axes: Axes = PLAIN,
) -> str:
    """A column for every count; where there are many, only some have their names below."""
    marks = ticks(0, max(finite([n for _, n in columns]), default=1), 4, axes.whole)
    left, right, top, bottom = 44.0, WIDTH - 8, 22.0 if axes.y else 8.0, 178.0
    y = scale(marks, bottom, top)
    wide = (right - left) / max(1, len(columns))
    parts = [*level_lines(marks, y, left, right, axes.words)]
    longest = max((len(name) for name, _ in columns), default=1) * 6.4
    each = max(1, -(-int(longest + 8) // max(1, int(wide))))
    for at, (name, count) in enumerate(columns):
        x, thick = left + wide * (at + 0.12), wide * 0.76
        up = y.at(count) if isfinite(count) else bottom
        parts.append(tag("rect", x=x, y=up, width=thick, height=bottom - up, fill="#6b7f99"))
        if at % each == 0:
            parts.append(text_at(x + thick / 2, bottom + 15, name, SIZE, text_anchor="middle", fill=AXIS))
    parts.append(tag("path", d=f"M{left} {bottom}H{right:.1f}", stroke=AXIS))
    if axes.y:
        parts.append(text_at(2, 11, axes.y, SIZE, fill=AXIS))
    return picture((WIDTH, bottom + 22), title, description, uid, parts)


def _limits(series: Sequence[Series], axes: Axes) -> tuple[list[float], list[float]]:
    """Ticks of both axes."""
    xs = finite(x for line in series for x, _ in line.points)
    ys = finite(y for line in series for _, y in line.points)
    ys += finite([*(edge for line in series for pair in line.band for edge in pair), *axes.reach])
    across = ticks(min(xs, default=0), max(xs, default=1), 6, True)
    return across, ticks(min(ys, default=0), max(ys, default=1), 4, axes.whole)


def _panel(
    series: Sequence[Series],
    axes: Axes,
    limits: tuple[list[float], list[float]],
    box: tuple[float, float, float, float],
) -> Iterator[str]:
    """Axes and lines inside left, top, right, bottom."""
    left, top, right, bottom = box
    x, y = scale(limits[0], left, right), scale(limits[1], bottom, top)
    yield from level_lines(limits[1], y, left, right, axes.words)
    few = limits[0] if right - left > 250 else limits[0][::2]
    yield from foot_marks(few, x, bottom)
    for line in series:
        yield from _band(line, x, y, _look(series, line)[0])
    for line in series:
        yield from _line(line, x, y, *_look(series, line))


def _look(series: Sequence[Series], line: Series) -> tuple[str, str]:
    """Colour and dashes of a line."""
    at = next(i for i, other in enumerate(series) if other is line)
    return line.colour or COLOURS[at % len(COLOURS)], DASHES[at % len(DASHES)]


def _band(line: Series, x: Scale, y: Scale, colour: str) -> Iterator[str]:
    places = [
        (x.at(point[0]), y.at(low), y.at(high))
        for point, (low, high) in zip(line.points, line.band, strict=False)
        if low is not None and high is not None and isfinite(low) and isfinite(high)
    ]
    if len(places) > 1:
        upper = [f"{at:.1f} {high:.1f}" for at, _, high in places]
        lower = [f"{at:.1f} {low:.1f}" for at, low, _ in reversed(places)]
        yield tag("path", d="M" + "L".join(upper + lower) + "Z", fill=colour, fill_opacity=0.16)


def _line(line: Series, x: Scale, y: Scale, colour: str, dashes: str) -> Iterator[str]:
    pieces: list[list[str]] = [[]]
    for across, value in line.points:
        if value is None or not isfinite(value):
            pieces.append([])
        else:
            pieces[-1].append(f"{x.at(across):.1f} {y.at(value):.1f}")
    path = "".join("M" + "L".join(piece) for piece in pieces if len(piece) > 1)
    if path:
        yield tag(
            "path", d=path, fill="none", stroke=colour, stroke_width=1.9, stroke_dasharray=dashes or None
        )
    seen = [place for piece in pieces for place in piece]
    alone = [piece[0] for piece in pieces if len(piece) == 1]
    for place in seen if len(seen) <= MARKERS * (x.end - x.start) / WIDTH else alone:
        left, down = place.split()
        yield tag("circle", cx=left, cy=down, r=2.3, fill=colour)


def _key_columns(series: Sequence[Series]) -> int:
    """Entries of the key in a line: four where their names are short."""
    return 4 if max((len(line.name) for line in series), default=0) <= 11 else 3


def _key_height(series: Sequence[Series]) -> float:
    return 18.0 * -(-len(series) // _key_columns(series)) + 2 if len(series) > 1 else 0.0


def _key(series: Sequence[Series]) -> Iterator[str]:
    """What the lines are, some a row."""
    across = _key_columns(series)
    for at, line in enumerate(series):
        colour, dashes = _look(series, line)
        x, y = 8 + (WIDTH - 16) / across * (at % across), 10 + 18.0 * (at // across)
        path = f"M{x:.1f} {y:.1f}h26"
        yield tag("path", d=path, stroke=colour, stroke_width=2.2, stroke_dasharray=dashes or None)
        yield text_at(x + 31, y + 4, _cut(line.name, 18), 11, fill=INK)


def _interval(bar: Bar, x: Scale, y: float, words: Callable[[float], str]) -> Iterator[str]:
    yield text_at(x.start - 8, y + 3.6, _cut(bar.name, 26), 11, text_anchor="end", fill=INK)
    if bar.value is None or not isfinite(bar.value):
        yield text_at(x.start + 6, y + 3.6, bar.note, SIZE, font_style="italic", fill=AXIS)
        return
    at = x.at(bar.value)
    if bar.low is not None and bar.high is not None:
        low, high = x.at(bar.low), x.at(bar.high)
        path = f"M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8"
        yield tag("path", d=path, stroke=INK, stroke_width=1.4)
    yield tag("circle", cx=at, cy=y, r=4.2, fill=COLOURS[0], stroke=INK)
    yield text_at(x.end + 10, y + 3.6, bar.remark, SIZE, fill=AXIS)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
