"""What the library holds at a glance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dashboards.app import links, opened
from dashboards.app.drawing import drawn
from dashboards.app.library.games import game_table
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import plain_markdown, say, words
from engine.variants import variant
from pipeline import contents, queries
from pipeline.charts import Axes, column_chart
from pipeline.game_pages import page_of_games
from pipeline.svg import words as escaped

FACTS = ("games", "plies", "players", "batches", "results", "positions", "piece_lists", "quarantined")
"""What the header counts; what there is none of is left out."""

LATEST, SOURCES = 8, 8
"""Rows of these tables."""

MONTHS = 60
"""Months that a chart shows one by one; of a longer time it shows years."""

Row = Mapping[str, Any]


def header() -> None:
    """The name of the library, and its totals."""
    st.title(plain_markdown(opened.name()))
    found = ask(queries.info)
    facts = [(name, found[name]) for name in FACTS if found[name] or name == "games"]
    cells = "".join(
        f"<div><dt>{escaped(say(f'library.fact_{name}'))}</dt><dd>{escaped(words().whole(n))}</dd></div>"
        for name, n in facts
    )
    drawn(f'<dl class="cw-facts">{cells}</dl>', key="library.facts")


def show() -> None:
    """Games by variant, by month and by file, and the latest ones."""
    variants = ask(contents.games_by_variant)
    if not variants:
        st.info(say("library.no_games"))
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(say("library.by_variant"))
        _variants(variants)
    with right:
        st.subheader(say("library.by_time"))
        _months()
    st.subheader(say("library.latest"))
    game_table(ask(page_of_games, queries.GameFilter(), LATEST, None, True).rows, key="library.latest")
    st.subheader(say("library.by_source"))
    _sources()


def _variants(rows: list[dict[str, Any]]) -> None:
    most = max(row["games"] for row in rows)
    event = table(
        [
            Column(
                "variant", say("library.variant"), markup=lambda row: escaped(variant(row["variant"]).name)
            ),
            Column("games", say("library.games"), "whole"),
            _bar("games", most),
            Column(
                "measured",
                say("library.measured"),
                markup=_part("measured"),
                about=say("library.measured_about"),
            ),
            Column(
                "judged", say("library.judged"), markup=_part("judged"), about=say("library.judged_about")
            ),
        ],
        rows,
        key="library.variants",
        pick=lambda row: str(row["variant"]),
        link=lambda row: links.address("library", part="games", variant=row["variant"]),
    )
    if event.pick:
        links.go("library", part="games", variant=event.pick)


def _bar(key: str, most: int) -> Column:
    """The same number as a length."""

    def bar(row: Row) -> str:
        return f'<div class="cw-bar" style="width: {100 * row[key] / max(1, most):.1f}%"></div>'

    return Column("bar", say("library.part_of"), markup=bar)


def _part(key: str) -> Callable[[Row], str]:
    """How many of the games that could be, in a word where it is all or none."""

    def part(row: Row) -> str:
        if row[key] >= row["possible"]:
            return escaped(say("library.all"))
        return escaped(words().whole(row[key]) if row[key] else say("library.nothing"))

    return part


def _months() -> None:
    found = ask(contents.games_by_month)
    dated = [(row["period"], row["games"]) for row in found if row["period"]]
    undated = sum(row["games"] for row in found if not row["period"])
    if not dated:
        st.info(say("library.no_dates"))
        return
    by_years = len(dated) > MONTHS
    if by_years:
        years: dict[str, int] = {}
        for period, games in dated:
            years[period[:4]] = years.get(period[:4], 0) + games
        dated = list(years.items())
    title = say("library.years_chart" if by_years else "library.months_chart")
    columns = [(period, float(games)) for period, games in dated]
    drawn(
        column_chart(columns, title=title, uid="months", axes=Axes(y=say("library.games"), whole=True)),
        key="library.months",
    )
    if undated:
        st.caption(words().counted("library.undated", undated))


def _sources() -> None:
    found = ask(contents.games_by_source, SOURCES)
    most = max((row["games"] for row in found.rows), default=1)
    table(
        [
            Column("source", say("library.file")),
            Column("format", say("library.format")),
            Column("games", say("library.games"), "whole"),
            _bar("games", most),
            Column("batch", say("library.batch"), "whole"),
        ],
        found.rows,
        key="library.sources",
    )
    if found.total > len(found.rows):
        st.caption(words().counted("library.more_files", found.total - len(found.rows)))
