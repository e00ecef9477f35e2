"""Measures along one game as charts, and as a table for files."""

from __future__ import annotations

from collections.abc import Iterator

from engine.variants import variant
from pipeline.charts import Axes, Series, line_chart
from pipeline.errors import NoFeatures
from pipeline.features.queries import series
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.queries import GameView
from pipeline.reports.boards import colour_name
from pipeline.reports.document import Block, Column, Figure, Figures, Remark, Row, Table
from pipeline.reports.texts import Texts
from pipeline.store import Reader

SHOWN = ("mobility", "live_corner_liberties", "reach", "exclusive")
"""Measures of the colours that are drawn."""

MEASURES = (Column("ply", "whole"), Column("colour"), *(Column(name, "whole", page=False) for name in SHOWN))


def measure_blocks(reader: Reader, view: GameView, t: Texts) -> Iterator[Block]:
    """A chart of each measure by ply, or a sentence where the game has no features yet."""
    row = variant(view.game["variant"])
    try:
        found = {name: series(reader, view.game["id"], name).values for name in SHOWN}
    except NoFeatures:
        yield Remark(t("game.no_features"))
        return
    figures = []
    for name, values in found.items():
        lines = [
            Series(
                colour_name(t, row.id, at),
                [(float(ply), value) for ply, value in enumerate(values.get(colour, ()))],
                colour=PALETTES[DEFAULT].ink(colour).fill,
            )
            for at, colour in enumerate(row.colours)
        ]
        title, axes = t(f"measures.{name}"), Axes(t("axes.ply"), "", (0.0,), whole=True)
        figures.append(Figure(line_chart(lines, title=title, uid=f"m-{name}", axes=axes), title))
    yield Figures(figures, "charts")
    yield Table("measures", MEASURES, _rows(found), 0)


def _rows(found: dict[str, dict[str, list[float | None]]]) -> list[Row]:
    first = found[SHOWN[0]]
    return [
        {"ply": ply, "colour": colour, **{name: found[name][colour][ply] for name in SHOWN}}
        for colour, values in first.items()
        for ply in range(len(values))
    ]
