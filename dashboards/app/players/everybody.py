"""All players: a table that is searched, ordered and gone through by pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event
from dashboards.app.listing import Column, table
from dashboards.app.players.asking import told
from dashboards.app.players.cells import share_cell, with_error, with_interval
from dashboards.app.players.choosing import one_of, text
from dashboards.app.players.curves import short_variant
from dashboards.app.players.naming import address, in_address, marked, short
from dashboards.app.words import say, words
from engine.variants import VARIANTS
from pipeline import queries
from pipeline.players.listing import ORDERS, in_order, listed_players, played_variants
from pipeline.svg import words as escaped

Row = dict[str, Any]

PAGE = 50
"""Players of a page."""

OFFERED = 300
"""Names that can be chosen from when two players are compared: a list of thousands is none."""

ALL = "all"


def show_everybody() -> None:
    """The list of the address: variant, search, order, page."""
    st.title(say("pages.players"))
    names = played_variants(told(listed_players))
    if not names and not told(listed_players):
        _empty()
        return
    chosen = _fields(names, told(queries.most_played))
    known = told(listed_players, None if chosen == ALL else chosen)
    rows = in_order(known, links.parameter("order", "games"), links.parameter("search"))
    if not rows:
        st.info(say("players.none_found"), icon=":material/search_off:")
        return
    last = (len(rows) - 1) // PAGE
    page = min(max(links.number("page", 1) - 1, 0), last)
    _table(rows[page * PAGE : (page + 1) * PAGE], chosen)
    _pages(page, last, len(rows))
    st.caption(say("players.all_about") if chosen == ALL else say("players.variant_about"))
    if len(known) > 1:
        _two(known)


def _empty() -> None:
    st.subheader(say("players.empty"))
    st.write(say("players.empty_about"))
    if st.button(say("players.import"), type="primary"):
        links.go("library")


def _fields(names: list[str], most: str) -> str:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="players-fields"):
        options = {name: VARIANTS[name].name for name in names} | {ALL: say("players.all_variants")}
        default = most if most in options else ALL
        chosen = one_of(say("players.variant"), "variant", options, default, ("page",))
        text(say("players.search"), "search", ("page",))
        kept = [name for name in ORDERS if chosen != ALL or name not in ("rating", "score", "accuracy")]
        orders = {name: say(f"players.order_{name}") for name in kept}
        one_of(say("players.order"), "order", orders, "games", ("page",), 200)
    return chosen


def _table(rows: list[Row], chosen: str) -> None:
    columns = [
        Column("player", say("players.player"), markup=lambda row: marked(row["player"])),
        Column("games", say("players.games"), "whole"),
        Column("share", say("players.share"), about=say("players.share_about"), markup=share_cell),
    ]
    if chosen == ALL:
        columns.append(
            Column("variants", say("players.variants"), markup=lambda row: _variant_names(row["variants"]))
        )
    else:
        columns += _of_variant(rows)
    columns.append(Column("last_played", say("players.last")))
    table(
        columns,
        rows,
        key="players.list",
        caption=words().counted("players.count_players", len(rows)),
        pick=lambda row: f"player:{in_address(row['player'])}",
        link=lambda row: address(row["player"], variant=None if chosen == ALL else chosen),
        then=lambda event: _go(event, chosen),
    )


def _of_variant(rows: list[Row]) -> list[Column]:
    columns = [
        Column(
            "mean_score",
            say("players.score"),
            about=say("players.score_about"),
            markup=with_interval("mean_score", "score_low", "score_high"),
        ),
        Column(
            "mu",
            say("players.rating"),
            about=say("players.rating_about"),
            markup=with_interval("mu", "low", "high"),
        ),
    ]
    if any(row["team_rating"] is not None for row in rows):
        columns.append(Column("team_rating", say("players.team_rating"), "decimal"))
    if any(row["accuracy"] is not None for row in rows):
        columns.append(
            Column(
                "accuracy",
                say("players.accuracy"),
                about=say("players.accuracy_about"),
                markup=with_error("accuracy", "accuracy_error"),
            )
        )
    return columns


def _variant_names(names: list[str]) -> str:
    known = words().shown([short_variant(name) for name in names if name in VARIANTS], "text")
    return f'<span style="display: inline-block; min-width: 10rem">{escaped(known)}</span>'


def _go(event: Event, chosen: str) -> None:
    if event.pick is not None and event.pick.startswith("player:"):
        kept = None if chosen == ALL else chosen
        links.keep(name=event.pick.removeprefix("player:"), variant=kept, search=None, order=None, page=None)


def _pages(page: int, last: int, total: int) -> None:
    if last == 0:
        return
    first = page * PAGE + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            say("players.previous"),
            disabled=page == 0,
            on_click=lambda: links.keep(page=None if page == 1 else page),
        )
        st.button(say("players.next"), disabled=page == last, on_click=lambda: links.keep(page=page + 2))
        shown = {"first": first, "last": min(first + PAGE - 1, total), "total": total}
        st.caption(say("players.page", **{key: words().whole(value) for key, value in shown.items()}))


def _two(rows: list[Row]) -> None:
    """Choose two players to see against each other."""
    names = [row["player"] for row in rows[:OFFERED]]
    with (
        st.expander(say("players.compare")),
        st.form("players.two", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        for at, slot in enumerate(("one", "other")):
            st.selectbox(
                say(f"players.{slot}"),
                names,
                index=at,
                format_func=short,
                key=f"players.{slot}",
                width=260,
            )
        st.form_submit_button(say("players.compare_now"), type="primary", on_click=_compare)


def _compare() -> None:
    one, other = (st.session_state[f"players.{slot}"] for slot in ("one", "other"))
    links.keep(name=in_address(one), against=in_address(other), search=None, order=None, page=None)
