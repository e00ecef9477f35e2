"""Pieces: which come first, when each is played and what that goes along with, which are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from dashboards.app import links, listing
from dashboards.app.drawing import drawn
from dashboards.app.intervals import SHARES, interval_column
from dashboards.app.listing import Column
from dashboards.app.words import colour, say, words
from engine.variants import variant
from pipeline.charts import Axes, Bar, interval_chart
from pipeline.move_svg import piece_svg
from pipeline.piece_statistics import PieceStatistics
from pipeline.reports.pieces import rounds_chart
from pipeline.reports.texts import texts
from pipeline.svg import tag
from pipeline.svg import words as escaped

Row = Mapping[str, Any]

FEW = 8
"""First pieces of a colour that are shown at first."""

CORRELATIONS = (-1.0, 1.0)


def show(found: PieceStatistics) -> None:
    """Charts and tables."""
    if all(row["round"] is None for row in found.pieces):
        st.info(say("statistics.none"), icon=":material/search_off:")
        return
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{say('statistics.rounds_chart')}**")
        drawn(rounds_chart(found, texts(words().language)).svg, key="rounds")
    with right:
        st.markdown(f"**{say('statistics.correlation_chart')}**")
        drawn(_correlations(found), key="correlations")
    _first(found)
    listing.table(_columns(found), found.pieces, key="pieces", caption=say("statistics.by_piece"))


def _correlations(found: PieceStatistics) -> str:
    bars = [
        Bar(
            row["piece"],
            row["share_correlation"],
            row["share_correlation_low"],
            row["share_correlation_high"],
            say("statistics.too_few"),
        )
        for row in found.pieces
        if row["round"] is not None
    ]
    axes = Axes(say("statistics.correlation"), reach=(-0.2, 0.2))
    return interval_chart(
        bars, title=say("statistics.correlation_chart"), uid="correlations", axes=axes, level=0.0
    )


def _piece(variant_id: str, row: Row) -> str:
    return f"{piece_svg(variant_id, row['piece'])}<b>{escaped(row['piece'])}</b>"


def _columns(found: PieceStatistics) -> list[Column]:
    rows = found.pieces
    most = max((max(counts, default=0) for counts in found.order.values()), default=0)
    left, own = say("statistics.left_rate"), say("statistics.left_rate_about")
    about = say("statistics.correlation_about")
    return [
        Column("piece", say("statistics.piece"), markup=partial(_piece, found.variant)),
        Column("round", say("statistics.round"), "decimal", say("statistics.round_about")),
        Column(
            "order",
            say("statistics.order"),
            about=say("statistics.order_about"),
            markup=partial(_order, found, most),
        ),
        interval_column(rows, "left_rate", left, own, kind="share", reach=SHARES, ends="left"),
        interval_column(
            rows,
            "share_correlation",
            say("statistics.with_share"),
            about,
            kind="fine",
            reach=CORRELATIONS,
            level=0.0,
        ),
        interval_column(
            rows,
            "score_correlation",
            say("statistics.with_score"),
            about,
            kind="fine",
            reach=CORRELATIONS,
            level=0.0,
        ),
    ]


def _order(found: PieceStatistics, most: int, row: Row) -> str:
    """In how many cases the piece was placed in each round, as columns."""
    counts = found.order[row["piece"]]
    if not sum(counts):
        return escaped(say("none"))
    wide, tall = 112.0, 26.0
    step = wide / max(1, len(counts))
    top = max(counts)
    bars = [
        tag(
            "rect",
            x=at * step + 0.4,
            y=tall - count / top * tall,
            width=step - 0.8,
            height=count / top * tall,
            fill="#6b7f99",
        )
        for at, count in enumerate(counts)
        if count
    ]
    first = 1 + next(at for at, count in enumerate(counts) if count)
    peak = 1 + counts.index(top)
    title = say("statistics.order_words", piece=row["piece"], first=first, peak=peak, n=words().whole(top))
    return tag(
        "svg",
        tag("title", escaped(title)),
        *bars,
        viewBox=f"0 0 {wide:g} {tall:g}",
        role="img",
        aria_label=title,
        class_="cw-spark",
    )


def _first(found: PieceStatistics) -> None:
    """What each colour begins with."""
    owned = variant(found.variant).colours
    options = [number for number in range(len(owned)) if any(r["colour"] == number + 1 for r in found.first)]
    at = min(max(links.number("begins", 1) - 1, 0), len(owned) - 1)
    at = at if at in options else options[0]
    st.session_state["statistics.begins"] = at
    st.segmented_control(
        say("statistics.begins"),
        options,
        key="statistics.begins",
        format_func=partial(colour, found.variant),
        on_change=lambda: links.keep(begins=(st.session_state["statistics.begins"] or 0) + 1),
    )
    rows: Sequence[Row] = [row for row in found.first if row["colour"] == at + 1]
    shown = rows if links.parameter("all") else rows[:FEW]
    rate, about = say("statistics.rate"), say("statistics.rate_about")
    columns = [
        Column("piece", say("statistics.piece"), markup=partial(_piece, found.variant)),
        Column("games", say("statistics.games"), "whole"),
        interval_column(shown, "rate", rate, about, kind="share", reach=SHARES),
        interval_column(
            shown,
            "share",
            say("statistics.share"),
            say("statistics.share_about"),
            kind="share",
            reach=SHARES,
            level=0.5,
        ),
        interval_column(shown, "score", say("statistics.score"), say("statistics.score_about")),
    ]
    caption = say("statistics.first_pieces", shown=words().whole(len(shown)), all=words().whole(len(rows)))
    listing.table(columns, shown, key="first", caption=caption)
    if len(rows) > FEW:
        on = bool(links.parameter("all"))
        label = say("statistics.fewer") if on else say("statistics.all_first", n=words().whole(len(rows)))
        st.button(label, key="all", on_click=lambda: links.keep(all=None if on else 1))
