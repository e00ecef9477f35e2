"""Results by seat and colour, for the report of a library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.charts import Axes, Bar, interval_chart
from pipeline.game_selection import Selection
from pipeline.queries import GameFilter
from pipeline.reports.document import Block, Column, Figure, Figures, Remark, Row, Table
from pipeline.reports.texts import Texts
from pipeline.seat_statistics import seat_statistics
from pipeline.store import Reader

SEATS = (
    Column("variant"), Column("rules"), Column("seat", "whole"), Column("colours", "list"), Column("games", "whole"),
    Column("win_rate", "share", interval=True), Column("share", "share", interval=True),
    Column("score", "decimal", interval=True), Column("scoring", page=False), Column("wins", "whole", page=False),
    Column("draws", "whole", page=False), Column("losses", "whole", page=False),
)  # fmt: skip
COLOURS = (
    Column("variant"), Column("rules"), Column("colour"), Column("games", "whole"), Column("mean_cells", "decimal"),
    Column("pieces_placed", "decimal"), Column("passes", "decimal"), Column("all_placed_rate", "share", interval=True),
    Column("single_last_rate", "share", interval=True), Column("share", "share", interval=True, page=False),
)  # fmt: skip

MOST_BARS = 24
"""Seats that the chart shows."""


def seat_blocks(reader: Reader, wanted: GameFilter, t: Texts) -> Iterator[Block]:
    """Chart and tables of seats and colours.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    found = seat_statistics(reader, Selection(wanted.variant, since=wanted.since, until=wanted.until))
    if not found.seats:
        yield Remark(t("library.none_decided"))
        return
    rows = [row for row in found.seats if not row["rules"]]
    if rows:
        axes = Axes(t("axes.share"), reach=(0.0, 1.0), words=t.share)
        yield Figures([seat_chart(rows, "share", t("library.seats_chart"), axes, t, 0.5)])
    yield Table("seat_results", SEATS, [_seat(row, t) for row in found.seats], note=t("library.seats_note"))
    colours = [_colour(row, t) for row in found.colours]
    yield Table("colour_results", COLOURS, colours, note=t("library.colours_note"))


def seat_chart(
    rows: Sequence[Row], name: str, title: str, axes: Axes, t: Texts, level: float | None = None
) -> Figure:
    """A figure of seats with its interval, `name` the column of rows of `seat_statistics`."""
    bars = [
        Bar(
            t("library.seat_of", variant=row["variant"], seat=row["seat"]),
            row[name],
            row[f"{name}_low"],
            row[f"{name}_high"],
            remark=t.counted("games", row["games"]),
        )
        for row in rows[:MOST_BARS]
    ]
    return Figure(interval_chart(bars, title=title, uid=f"seats-{name}", axes=axes, level=level), title)


def _seat(row: Row, t: Texts) -> Row:
    colours = [t.named("colours", name) for name in row["colours"]]
    return {**row, "rules": _rules(row, t), "colours": colours}


def _colour(row: Row, t: Texts) -> Row:
    ends = {
        f"{what}_rate_{end}": row[f"{what}_{end}"]
        for what in ("all_placed", "single_last")
        for end in ("low", "high")
    }
    named = {"rules": _rules(row, t), "colour": t.named("colours", row["colour_name"])}
    return {**row, **ends, **named, "mean_cells": row["cells_placed"]}


def _rules(row: Row, t: Texts) -> str | None:
    return t("list_comma").join(f"{key} {value}" for key, value in row["rules"].items()) or None
