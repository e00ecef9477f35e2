"""Charts: valid XML whatever the values, nothing that is no number is drawn, lines told apart without colour."""

from __future__ import annotations

import itertools
import math

import pytest
from defusedxml.ElementTree import fromstring

from pipeline.charts import Axes, Bar, Series, column_chart, interval_chart, line_chart, panels_chart
from pipeline.charts_axes import scale, ticks
from pipeline.charts_picks import Pick

SVG = "{http://www.w3.org/2000/svg}"
NAN, INF = float("nan"), float("inf")

LINES = [
    [],
    [Series("empty", [])],
    [Series("one", [(1, 3.0)])],
    [Series("same", [(0, 5.0), (1, 5.0), (2, 5.0)])],
    [Series("odd", [(0, NAN), (1, None), (2, INF), (3, -2.0)], [(None, None), (NAN, 1), (0, INF), (-3, -1)])],
    [Series(f"<{i}&", [(x, x * i - 7.5) for x in range(100)]) for i in range(6)],
]


@pytest.mark.parametrize("series", LINES)
def test_lines_of_whatever_values(series: list[Series]) -> None:
    for text in (
        line_chart(series, title="a <b>", description="d", axes=Axes("x", "y")),
        panels_chart({"a & b": series, "c": series}, title="t"),
        panels_chart({}, title="t"),
    ):
        root = fromstring(text)
        assert root.find(SVG + "title") is not None
        assert "nan" not in text and "inf" not in text


def test_a_line_is_broken_where_a_value_is_missing() -> None:
    text = line_chart([Series("a", [(0, 1.0), (1, 2.0), (2, None), (3, 4.0), (4, 3.0)])], title="t")
    (path,) = [e.get("d") for e in fromstring(text).iter(SVG + "path") if e.get("stroke-width") == "1.9"]
    assert path is not None and path.count("M") == 2


def test_lines_differ_by_dashes() -> None:
    series = [Series(str(i), [(0, 1.0), (1, float(i))], colour="#000000") for i in range(4)]
    lines = [
        e
        for e in fromstring(line_chart(series, title="t")).iter(SVG + "path")
        if e.get("stroke-width") == "1.9"
    ]
    assert len({e.get("stroke-dasharray") for e in lines}) == 4


def test_a_bar_without_a_value_says_why() -> None:
    bars = [Bar("a", 0.5, 0.25, 0.75), Bar("b", None, note="no games"), Bar("c", NAN, note="nothing")]
    root = fromstring(interval_chart(bars, title="t", level=0.5))
    words = [e.text for e in root.iter(SVG + "text")]
    assert {"a", "b", "c", "no games", "nothing"} <= set(words)
    assert len(list(root.iter(SVG + "circle"))) == 1
    fromstring(interval_chart([], title="t"))


def test_columns_stand_on_their_line() -> None:
    root = fromstring(column_chart([("2020-01", 0), ("2020-02", 5), ("2020-03", 10)], title="t"))
    heights = [float(e.get("height") or 0) for e in root.iter(SVG + "rect")]
    assert heights[0] == 0 and heights[2] == pytest.approx(2 * heights[1])
    many = fromstring(column_chart([(f"y{i}", i) for i in range(300)], title="t"))
    assert len([e for e in many.iter(SVG + "text") if (e.text or "").startswith("y")]) < 40
    fromstring(column_chart([], title="t"))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 87), (5, 5), (0, 1e9), (0.49, 0.52), (-1e-3, 1e-3)])
def test_ticks_enclose_their_range(low: float, high: float) -> None:
    marks = ticks(low, high)
    assert marks[0] <= low and marks[-1] >= high and 2 <= len(marks) <= 9
    steps = [b - a for a, b in itertools.pairwise(marks)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps)
    assert scale(marks, 0, 100).at(marks[-1]) == 100


def test_places_that_can_be_clicked_are_everywhere_and_the_marked_ones_on_the_line() -> None:
    line = Series("a", [(float(x), float(x)) for x in range(5)])
    picks = [Pick(float(x), f"ply:{x}", f"<{x}>", y=2.0 if x == 2 else None) for x in range(5)]
    root = fromstring(line_chart([line], title="t", picks=picks))
    strips = [e for e in root.iter(SVG + "g") if e.get("class") == "cw-strip"]
    assert [e.get("data-pick") for e in strips] == [f"ply:{x}" for x in range(5)]
    assert all(e.get("aria-hidden") == "true" for e in strips)
    (mark,) = [e for e in root.iter(SVG + "path") if e.get("class") == "cw-point"]
    assert (mark.get("data-pick"), mark.get("data-at")) == ("ply:2", "<2>")
    boxes = [next(e.iter(SVG + "rect")) for e in strips]
    ends = [(float(b.get("x") or 0), float(b.get("width") or 0)) for b in boxes]
    assert all(x + w == pytest.approx(y, abs=0.05) for (x, w), (y, _) in itertools.pairwise(ends))
