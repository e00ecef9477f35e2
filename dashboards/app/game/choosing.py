"""Which game? A list to search, the newest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import report_words, say, words
from engine.variants import VARIANTS
from pipeline.game_pages import GamePage, page_of_games
from pipeline.queries import GameFilter, Row
from pipeline.store import Reader
from pipeline.svg import words as escaped

SHOWN = 50
"""Games of a page."""

EVERY = ""
"""All variants."""


def show() -> None:
    """Show the search and the games it finds."""
    st.header(say("game.choose"))
    _search()
    variant, player = links.parameter("variant"), links.parameter("player")
    try:
        page = ask(found, variant, player, links.parameter("after"))
    except EXPECTED as error:
        refused(error)
        return
    if not page.rows:
        _nothing(bool(variant or player))
        return
    _table(page)
    _pages(page)


def found(reader: Reader, variant: str, player: str, after: str) -> GamePage:
    """A page of the games that match; raises as `page_of_games`."""
    wanted = GameFilter(variant or None, player or None)
    return page_of_games(reader, wanted, SHOWN, after or None, newest=True)


def _search() -> None:
    st.session_state["game-player"] = links.parameter("player")
    names = (EVERY, *VARIANTS)
    variant = links.parameter("variant")
    st.session_state["game-variant"] = variant if variant in names else EVERY
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            say("game.player"),
            key="game-player",
            max_chars=100,
            on_change=lambda: links.keep(player=st.session_state["game-player"].strip(), after=None),
            width=320,
        )
        st.selectbox(
            say("game.variant"),
            names,
            key="game-variant",
            format_func=lambda name: VARIANTS[name].name if name else say("game.every_variant"),
            on_change=lambda: links.keep(variant=st.session_state["game-variant"], after=None),
            width=260,
        )


def _nothing(filtered: bool) -> None:
    """What stands where no game is."""
    st.info(say("game.none_match" if filtered else "game.none_at_all"), icon=":material/search_off:")
    if filtered:
        st.button(
            say("game.clear"),
            key="game-clear",
            on_click=lambda: links.keep(player=None, variant=None, after=None),
        )
    elif st.button(say("empty.go"), type="primary", key="game-import"):
        links.go("library")


def _table(page: GamePage) -> None:
    rows = [_row(row) for row in page.rows]
    columns = [
        Column("players", say("game.column_players")),
        Column("variant", say("game.variant")),
        Column("date", say("game.column_date"), markup=_date),
        Column("event", say("game.column_event")),
        Column("result", say("game.column_result")),
        Column("plies", say("game.column_plies"), "whole"),
        Column("flags", say("game.column_flags"), "list"),
    ]
    table(
        [column for column in columns if any(row[column.key] for row in rows)],
        rows,
        key="game-list",
        caption=words().counted("game.found", page.total),
        pick=lambda row: f"game:{row['short']}",
        link=lambda row: links.address("game", id=row["short"]),
        then=_open,
    )


def _date(row: Mapping[str, Any]) -> str:
    """A date, which breaks badly."""
    return f'<span style="white-space:nowrap">{escaped(row["date"] or words()("none"))}</span>'


def _row(row: Row) -> Row:
    t = report_words()
    names = t("players_between").join(t.shown(name or t("nobody"), "text") for name in row["players"])
    return {
        "short": row["short"],
        "players": names if any(row["players"]) else say("game.untitled", id=row["short"]),
        "variant": VARIANTS[row["variant"]].name,
        "date": row["date"],
        "event": row["event"],
        "result": _result(row),
        "plies": row["plies"],
        "flags": [t.named("flags", flag) for flag in row["flags"]],
    }


def _result(row: Row) -> str:
    """Who won, in a word or two: the names stand beside it."""
    if row["outcome"] is None:
        return ""
    if row["outcome"] == "draw":
        return say("game.draw")
    seats = words()("list_comma").join(str(seat) for seat in row["winners"])
    return say("game.seat_won", seat=seats)


def _open(event: Event) -> None:
    if event.pick and event.pick.startswith("game:"):
        links.keep(id=event.pick.removeprefix("game:"), ply=None, player=None, variant=None, after=None)


def _pages(page: GamePage) -> None:
    with st.container(horizontal=True):
        if links.parameter("after"):
            st.button(say("game.newest"), key="game-newest", on_click=lambda: links.keep(after=None))
        if page.next:
            st.button(say("game.older"), key="game-older", on_click=lambda: links.keep(after=page.next))
