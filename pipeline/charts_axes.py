"""Scales and axes of the charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from pipeline.svg import tag, text_at

AXIS, RULE, INK = "#5c574e", "#dedad2", "#1d1b18"
"""Words and ticks, lines across, and marks."""

SIZE = 10.5
"""Letters of axes."""


def finite(values: Iterable[float | None]) -> list[float]:
    """The values that are numbers."""
    return [value for value in values if value is not None and isfinite(value)]


def ticks(low: float, high: float, about: int = 5, whole: bool = False) -> list[float]:
    """Round values that enclose a range, about so many.

    >>> ticks(0, 87)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    if high <= low:
        high = low + 1
    raw = (high - low) / about
    power = 10.0 ** floor(log10(raw))
    step = next(power * n for n in (1, 2, 2.5, 5, 10) if power * n >= raw * 0.999)
    if whole:
        step = max(1.0, float(ceil(step)))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def said(value: float) -> str:
    """A value at an axis; a true minus sign is as wide as the plus.

    >>> said(-20.0), said(0.25), said(12500)
    ('−20', '0.25', '12,500')
    """
    return f"{value:,.6g}".replace("-", "−") if value != int(value) else f"{int(value):,}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to places: `low` at `start`, `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value stands."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def scale(marks: Sequence[float], start: float, end: float) -> Scale:
    """The scale from the first tick to the last."""
    return Scale(marks[0], marks[-1], start, end)


def level_lines(
    marks: Sequence[float], y: Scale, left: float, right: float, words: Callable[[float], str] = said
) -> Iterator[str]:
    """Lines across with their values on the left."""
    path = "".join(f"M{left:.1f} {y.at(mark):.1f}H{right:.1f}" for mark in marks)
    yield tag("path", d=path, stroke=RULE, stroke_width=1)
    yield tag(
        "g",
        *(text_at(left - 5, y.at(mark) + 3.6, words(mark), SIZE, text_anchor="end") for mark in marks),
        fill=AXIS,
    )


def foot_marks(
    marks: Sequence[float], x: Scale, bottom: float, words: Callable[[float], str] = said
) -> Iterator[str]:
    """The lower axis with its values below."""
    path = f"M{x.start:.1f} {bottom:.1f}H{x.end:.1f}"
    path += "".join(f"M{x.at(mark):.1f} {bottom:.1f}v4" for mark in marks)
    yield tag("path", d=path, stroke=AXIS, stroke_width=1)
    yield tag(
        "g",
        *(text_at(x.at(mark), bottom + 15, words(mark), SIZE, text_anchor="middle") for mark in marks),
        fill=AXIS,
    )
