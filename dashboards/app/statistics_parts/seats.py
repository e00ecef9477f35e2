"""Results by seat and by colour, bonuses, and lengths of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.app import listing
from dashboards.app.drawing import drawn
from dashboards.app.intervals import SHARES, interval_column
from dashboards.app.listing import Column
from dashboards.app.words import say, small, words
from engine.variants import variant
from pipeline.charts import Axes, Bar, interval_chart
from pipeline.reports.seats import seat_chart
from pipeline.reports.texts import texts
from pipeline.seat_statistics import SeatStatistics

Row = dict[str, Any]


def show_seats(found: SeatStatistics) -> None:
    """Charts and tables of seats and colours."""
    if not found.seats:
        st.info(say("statistics.no_results"), icon=":material/scoreboard:")
        return
    rows = _main_rules(found.seats)
    left, right = st.columns(2)
    with left:
        _seat_chart(rows, "win_rate", Axes(say("statistics.win_rate"), reach=SHARES, words=words().share))
    with right:
        if len({row["variant"] for row in rows}) == 1:
            _seat_chart(rows, "score", Axes(say("statistics.score")))
        else:
            # Points of several scoring tables have no common scale.
            _seat_chart(rows, "share", Axes(say("statistics.share"), reach=SHARES, words=words().share), 0.5)
    if len(rows) < len(found.seats):
        st.markdown(small(say("statistics.main_rules")))
    listing.table(_seat_columns(found.seats), found.seats, key="seats", caption=say("statistics.by_seat"))
    listing.table(
        _colour_columns(found.colours), found.colours, key="colours", caption=say("statistics.by_colour")
    )
    _bonus_chart(_main_rules(found.colours))


def _main_rules(rows: Sequence[Row]) -> list[Row]:
    """Of every variant the rows of the ruleset with most games: others cannot be told apart in a chart."""
    best: dict[str, tuple[int, Any]] = {}
    for row in rows:
        if row["games"] > best.get(row["variant"], (0, None))[0]:
            best[row["variant"]] = row["games"], row["rules"]
    return [row for row in rows if row["rules"] == best[row["variant"]][1]]


def _seat_chart(rows: Sequence[Row], name: str, axes: Axes, level: float | None = None) -> None:
    title = say(f"statistics.{name}_chart")
    st.markdown(f"**{title}**")
    figure = seat_chart(rows, name, title, axes, texts(words().language), level)
    drawn(figure.svg, key=f"chart-{name}")


def _bonus_chart(rows: Sequence[Row]) -> None:
    """How often a colour placed everything."""
    bars = [
        Bar(
            f"{row['variant']}, {words().named('colours', row['colour_name'])}",
            row["all_placed_rate"],
            row["all_placed_low"],
            row["all_placed_high"],
            remark=words().counted("filters.games", row["games"]),
        )
        for row in rows
    ]
    title = say("statistics.bonus_chart")
    axes = Axes(say("statistics.all_placed"), reach=(0.0,), words=words().share)
    # Half the page, like its neighbours: over the whole width its letters would be as large as headings.
    half, _ = st.columns(2)
    with half:
        st.markdown(f"**{title}**")
        drawn(interval_chart(bars, title=title, uid="bonus", axes=axes), key="chart-bonus", tallest="70vh")


def _named(rows: Sequence[Row]) -> list[Column]:
    """Variant and rules, where they differ from row to row."""
    columns = []
    if len({row["variant"] for row in rows}) > 1:
        columns.append(
            Column("variant", say("statistics.variant"), markup=lambda row: variant(row["variant"]).name)
        )
    if any(row["rules"] for row in rows):
        columns.append(Column("rules", say("statistics.rules"), markup=_rules))
    return columns


def _rules(row: Any) -> str:
    if not row["rules"]:
        return say("statistics.default_rules")
    return say("list_comma").join(f"{key}={value}" for key, value in sorted(row["rules"].items()))


def _colours(row: Any) -> str:
    return say("list_comma").join(words().named("colours", name) for name in row["colours"])


def _seat_columns(rows: Sequence[Row]) -> list[Column]:
    return [
        *_named(rows),
        Column("seat", say("statistics.seat"), "whole"),
        Column("colours", say("statistics.colours"), markup=_colours),
        Column("games", say("statistics.games"), "whole"),
        interval_column(
            rows,
            "win_rate",
            say("statistics.win_rate"),
            say("statistics.win_rate_about"),
            kind="share",
            reach=SHARES,
        ),
        interval_column(
            rows,
            "share",
            say("statistics.share"),
            say("statistics.share_about"),
            kind="share",
            reach=SHARES,
            level=0.5,
        ),
        interval_column(rows, "score", say("statistics.score"), say("statistics.score_about")),
        Column("draws", say("statistics.draws"), "whole", say("statistics.draws_about")),
    ]


def _colour_columns(rows: Sequence[Row]) -> list[Column]:
    def share(key: str, ends: str = "") -> Column:
        about = say(f"statistics.{key}_about")
        return interval_column(
            rows, key, say(f"statistics.{key}"), about, kind="share", reach=SHARES, ends=ends
        )

    return [
        *_named(rows),
        Column(
            "colour",
            say("statistics.colour"),
            markup=lambda row: words().named("colours", row["colour_name"]),
        ),
        Column("games", say("statistics.games"), "whole"),
        share("win_rate"),
        share("all_placed_rate", "all_placed"),
        share("single_last_rate", "single_last"),
        Column("cells_placed", say("statistics.cells"), "decimal", say("statistics.cells_about")),
        Column("pieces_placed", say("statistics.pieces"), "decimal"),
        Column("passes", say("statistics.passes"), "fine", say("statistics.passes_about")),
    ]


def show_lengths(found: SeatStatistics) -> None:
    """How long games are, how often is passed, how often drawn."""
    if not found.lengths:
        st.info(say("statistics.none"), icon=":material/search_off:")
        return
    rows = _main_rules(found.lengths)
    for name, place in zip(("plies", "passes"), st.columns(2), strict=True):
        title = say(f"statistics.{name}_chart")
        with place:
            st.markdown(f"**{title}**")
            drawn(_spread(rows, name, title), key=f"chart-{name}")
    shown = [
        row
        | {f"{name}_spread": words().shown(row[f"{name}_quartiles"], "list") for name in ("plies", "passes")}
        for row in found.lengths
    ]
    columns = [
        *_named(shown),
        Column("games", say("statistics.games"), "whole"),
        Column("plies", say("statistics.plies"), "decimal", say("statistics.plies_about")),
        Column("plies_spread", say("statistics.spread"), about=say("statistics.spread_about")),
        Column("passes", say("statistics.passes"), "decimal", say("statistics.passes_about")),
        Column("passes_spread", say("statistics.spread"), about=say("statistics.spread_about")),
        Column("turns", say("statistics.turns"), "decimal", say("statistics.turns_about")),
        Column("draws", say("statistics.draws"), "whole", say("statistics.draws_about")),
    ]
    listing.table(columns, shown, key="lengths", caption=say("statistics.lengths"))


def _spread(rows: Sequence[Row], name: str, title: str) -> str:
    bars = []
    for row in rows:
        _, low, middle, high, _ = row[f"{name}_quartiles"]
        remark = words().counted("filters.games", row["games"])
        bars.append(Bar(variant(row["variant"]).name, middle, low, high, remark=remark))
    axes = Axes(say(f"statistics.{name}"), reach=(0.0,), whole=True)
    return interval_chart(bars, title=title, uid=f"spread-{name}", axes=axes)
