"""The first part of a player's page: rating and results over time, by variant and by seat."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app.drawing import drawn
from dashboards.app.listing import Column, table
from dashboards.app.players.asking import told
from dashboards.app.players.cells import share_cell, with_interval
from dashboards.app.players.curves import (
    family_name,
    points_chart,
    rating_chart,
    results_chart,
    short_variant,
)
from dashboards.app.words import colour, say, words
from engine.variants import VARIANTS
from pipeline.charts import Axes, Bar, interval_chart
from pipeline.competition import LABEL
from pipeline.players.players import PlayerView
from pipeline.ratings import FAMILIES, history

Row = dict[str, Any]


def show_overview(view: PlayerView, chosen: str | None) -> None:
    """Curves on the left, bars on the right; tables below."""
    rated = [
        row
        for row in told(history, view.player)
        if chosen is None or FAMILIES[row["family"]].variant == chosen
    ]
    by_family: dict[str, list[Row]] = {}
    for row in rated:
        by_family.setdefault(row["family"], []).append(row)
    families = {name: by_family[name] for name in FAMILIES if name in by_family}
    left, right = st.columns(2, gap="large")
    with left:
        _rating(families)
    with right:
        _bars(view, chosen)
    left, right = st.columns(2, gap="large")
    with left:
        _over_time(view, families)
    with right:
        _points(families)
    _tables(view)


def _rating(families: dict[str, list[Row]]) -> None:
    st.subheader(say("players.rating_over_time"))
    if not families:
        st.info(say("players.unrated"), icon=":material/info:")
        return
    several = {name: rows for name, rows in families.items() if len(rows) > 1}
    if several:
        drawn(rating_chart(several), key="players.rating_chart")
    else:
        st.caption(say("players.one_rated"))
    columns = [
        Column("family", say("players.variant"), markup=lambda row: family_name(row["family"])),
        Column("games", say("players.rated_games"), "whole"),
        Column("mu", say("players.rating"), markup=with_interval("mu", "low", "high")),
        Column("ordinal", say("players.safe"), "decimal", about=say("players.safe_about")),
        Column("elo", say("players.elo"), "whole"),
    ]
    table(columns, [rows[-1] for rows in families.values()], key="players.ratings")
    st.caption(say("players.rating_about"))


def _bars(view: PlayerView, chosen: str | None) -> None:
    t = words()
    axes = Axes(say("players.share"), reach=(0.0, 1.0), words=t.share)
    several = [row for row in view.by_variant if row["variant"]]
    if chosen is None and len(several) > 1:
        st.subheader(say("players.by_variant"))
        bars = [_bar(short_variant(row["variant"]), row) for row in several]
        title = say("players.by_variant_chart")
        drawn(interval_chart(bars, title=title, uid="variants", axes=axes, level=0.5), key="players.variants")
    seats = [row for row in view.by_seat if row["variant"]]
    if seats:
        st.subheader(say("players.by_seat"))
        bars = [_bar(_seat(row, chosen), row) for row in seats]
        title = say("players.by_seat_chart")
        drawn(interval_chart(bars, title=title, uid="seats", axes=axes, level=0.5), key="players.seats")
        st.caption(say("players.interval_about"))


def _bar(name: str, row: Row) -> Bar:
    return Bar(
        name,
        row["share"],
        row["share_low"],
        row["share_high"],
        remark=words().counted("players.count_games", row["games"]),
    )


def _seat(row: Row, chosen: str | None) -> str:
    if chosen is not None:
        return say("players.seat", n=row["seat"])
    return say("players.variant_seat", variant=short_variant(row["variant"]), n=row["seat"])


def _over_time(view: PlayerView, families: dict[str, list[Row]]) -> None:
    st.subheader(say("players.results_over_time"))
    chart = results_chart(families)
    if chart:
        drawn(chart, key="players.results_chart")
        st.caption(say("players.results_about"))
    rows = [row | {"when": row["year"] or say("players.undated")} for row in view.by_year]
    columns = [
        Column("when", say("players.year")),
        Column("games", say("players.games"), "whole"),
        Column("share", say("players.share"), markup=share_cell),
    ]
    table(columns, rows, key="players.years")


def _points(families: dict[str, list[Row]]) -> None:
    duels = {
        name: [row for row in rows if row["points"] is not None]
        for name, rows in families.items()
        if any(row["points"] is not None for row in rows)
    }
    if not duels:
        return
    st.subheader(say("players.points"))
    several = {name: rows for name, rows in duels.items() if len(rows) > 1}
    if several:
        drawn(points_chart(several), key="players.points_chart")
    columns = [
        Column("family", say("players.variant"), markup=lambda row: family_name(row["family"])),
        Column("points", say("players.points_now"), "whole"),
        Column("highest", say("players.points_highest"), "whole"),
    ]
    rows = [found[-1] | {"highest": max(row["points"] for row in found)} for found in duels.values()]
    table(columns, rows, key="players.points_table")
    st.caption(say("players.points_about", label=LABEL))


def _tables(view: PlayerView) -> None:
    figures = [
        Column("games", say("players.games"), "whole"),
        Column("wins", say("players.won"), "whole"),
        Column("draws", say("players.drawn"), "whole"),
        Column("losses", say("players.lost"), "whole"),
        Column("share", say("players.share"), markup=share_cell),
        Column(
            "mean_score", say("players.score"), markup=with_interval("mean_score", "score_low", "score_high")
        ),
    ]
    variant = Column("variant", say("players.variant"), markup=lambda row: _variant(row["variant"]))
    with st.expander(say("players.figures")):
        for key, column, rows in (
            ("seat", Column("seat", say("players.seat_head"), "whole"), view.by_seat),
            ("colour", Column("colours", say("players.colour_head"), markup=_colours), view.by_colour),
        ):
            columns = [variant, column, *figures]
            table(columns, rows, key=f"players.figures.{key}", caption=say(f"players.figures_{key}"))


def _variant(name: str | None) -> str:
    return VARIANTS[name].name if name in VARIANTS else say("players.unknown")


def _colours(row: Any) -> str:
    if row["variant"] not in VARIANTS:
        return words().shown(row["colours"], "text")
    return words()("list_comma").join(colour(row["variant"], number - 1) for number in row["colours"])
