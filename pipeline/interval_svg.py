"""A value with its interval as a mark so small that it stands in a cell of a table."""

from __future__ import annotations

from pipeline.charts import COLOURS
from pipeline.charts_axes import AXIS, INK, RULE, Scale
from pipeline.svg import tag, words

WIDTH, HEIGHT = 96.0, 16.0


def interval_svg(
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    reach: tuple[float, float],
    level: float | None = None,
    title: str,
) -> str:
    """A point with whiskers between the ends `reach` of a scale that all cells of a column share.

    `level` is a line to compare with; `title` says the same in words.
    """
    x = Scale(reach[0], reach[1] if reach[1] > reach[0] else reach[0] + 1, 5.0, WIDTH - 5)
    middle = HEIGHT / 2
    drawn = [tag("path", d=f"M5 {middle}H{WIDTH - 5}", stroke=RULE, stroke_width=3.0, stroke_linecap="round")]
    if level is not None:
        drawn.append(tag("path", d=f"M{x.at(level):.1f} 2V{HEIGHT - 2}", stroke=AXIS, stroke_dasharray="2 2"))
    if low is not None and high is not None:
        start, end = x.at(low), x.at(high)
        whiskers = f"M{start:.1f} {middle}H{end:.1f}M{start:.1f} {middle - 4}v8M{end:.1f} {middle - 4}v8"
        drawn.append(tag("path", d=whiskers, stroke=INK, stroke_width=1.4))
    if value is not None:
        drawn.append(tag("circle", cx=x.at(value), cy=middle, r=3.4, fill=COLOURS[0], stroke=INK))
    return tag(
        "svg",
        tag("title", words(title)),
        *drawn,
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        aria_label=title,
        class_="cw-interval",
    )
