"""Places of a chart that can be clicked: a strip for every one, and marks on the lines for those that matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.charts_axes import INK, Scale
from pipeline.svg import tag, words

RADII = (3.4, 4.4, 5.6)
"""Half the width of a mark by its weight: the graver, the larger."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A place along the x axis: `data-pick` and `data-now` that it gets, and what a pointer reads there.

    With `y` it is marked on a line, in its `colour` and by its `weight` (1 to 3), and reached by keyboard.
    """

    x: float
    pick: str
    words: str
    y: float | None = None
    colour: str = INK
    weight: int = 1


def strips(picks: Sequence[Pick], x: Scale, top: float, bottom: float) -> Iterator[str]:
    """For every place a strip as wide as the way to its neighbours, with a line that shows where one is."""
    places = sorted({pick.x for pick in picks})
    half = min((b - a for a, b in pairwise(places)), default=1.0) / 2
    shown = {pick.x: pick for pick in picks}
    for place, pick in shown.items():
        left, right = max(x.at(place - half), x.start), min(x.at(place + half), x.end)
        area = tag("rect", x=left, y=top, width=right - left, height=bottom - top, fill="none")
        line = tag(
            "path",
            d=f"M{x.at(place):.1f} {top:.1f}V{bottom:.1f}",
            stroke=INK,
            stroke_width=1.6,
            stroke_opacity=0,
            class_="cw-cursor",
        )
        yield tag(
            "g",
            tag("title", words(pick.words)),
            area,
            line,
            class_="cw-strip",
            pointer_events="all",
            aria_hidden="true",
            data_pick=pick.pick,
            data_now=pick.pick,
        )


def marks(picks: Sequence[Pick], x: Scale, y: Scale) -> Iterator[str]:
    """The places that are marked, as diamonds."""
    for pick in picks:
        if pick.y is None:
            continue
        half, across, down = RADII[pick.weight - 1], x.at(pick.x), y.at(pick.y)
        path = f"M{across:.1f} {down - half:.1f}l{half} {half}l-{half} {half}l-{half} -{half}z"
        yield tag(
            "path",
            tag("title", words(pick.words)),
            d=path,
            fill=pick.colour,
            stroke=INK,
            stroke_width=1.2,
            class_="cw-point",
            data_pick=pick.pick,
            data_at=pick.words,
        )
