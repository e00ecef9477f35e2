"""A heat map on a board: a shade for every cell and the scale below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.svg import tag, text_at
from pipeline.svg_inks import EDGE, LABEL, STEPS, shade


@dataclass(frozen=True, slots=True)
class Heat:
    """Values of the cells from 0 to 1, None where there is none; words for both ends of the scale and for what it is.

    Without words for its ends no scale is drawn.
    """

    values: Sequence[float | None]
    low: str = ""
    high: str = ""
    caption: str = ""


def heat_cells(heat: Heat, around: Callable[[Sequence[int]], str]) -> Iterator[str]:
    """A path for every shade that occurs; `around` gives the path around a set of cells."""
    groups: dict[int, list[int]] = {}
    for cell, value in enumerate(heat.values):
        # What is no number has no shade.
        if value is not None and value == value:
            groups.setdefault(round(min(max(value, 0.0), 1.0) * STEPS), []).append(cell)
    for step, group in sorted(groups.items()):
        yield tag("path", d=around(group), fill=shade(step), fill_rule="evenodd")


def heat_legend(heat: Heat, left: float, top: float, scale: float) -> str:
    """The scale: shades from low to high with their ends named, and what it is below; `scale` of its letters."""
    wide, x = 120.0, 8 + 6.2 * len(heat.low)
    part = wide / (STEPS + 1)
    boxes = [
        tag("rect", x=x + i * part, y=0, width=part + 0.3, height=10, fill=shade(i)) for i in range(STEPS + 1)
    ]
    drawn = [
        *boxes,
        tag("rect", x=x, y=0, width=wide, height=10, fill="none", stroke=EDGE),
        text_at(x - 5, 9, heat.low, 10, text_anchor="end"),
        text_at(x + wide + 5, 9, heat.high, 10),
    ]
    if heat.caption:
        drawn.append(text_at(0, 25, heat.caption, 10.5))
    place = f"translate({left:.1f} {top:.1f}) scale({scale:.2f})"
    return tag("g", *drawn, fill=LABEL, transform=place)


def legend_height(heat: Heat | None) -> float:
    """Height of the scale at scale 1; 0: there is none."""
    if heat is None or not (heat.low or heat.high):
        return 0.0
    return 32.0 if heat.caption else 14.0
