"""Lists of games, and the search for some."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import say, words
from engine.variants import VARIANTS, variant
from pipeline.errors import PipelineError
from pipeline.game_pages import page_of_games
from pipeline.queries import GameFilter
from pipeline.svg import words as escaped

PAGE = 25
"""Games of a page."""

FIELDS = ("variant", "player", "since", "until")
"""What is searched by, as the address names it."""

Row = Mapping[str, Any]


def game_table(rows: Sequence[Row], *, key: str, caption: str = "") -> None:
    """A list of games whose rows lead to them."""
    event = table(
        [
            Column("players", say("library.players"), markup=_names),
            Column("result", say("library.result")),
            Column("variant", say("library.variant")),
            Column("date", say("library.date")),
            Column("plies", say("library.plies"), "whole"),
            Column("flags", say("library.remarks")),
            Column("short", say("library.identity")),
        ],
        [_said(row) for row in rows],
        key=key,
        caption=caption,
        pick=lambda row: str(row["short"]),
        link=lambda row: links.address("game", id=row["short"]),
    )
    if event.pick:
        links.go("game", id=event.pick)


def _names(row: Row) -> str:
    """Names with room for them where the table is wider than the screen."""
    return f'<span class="cw-names">{escaped(words().shown(row["players"], "text"))}</span>'


def _said(row: Row) -> Row:
    """A game as the table has it."""
    players = [name or say("library.nobody") for name in row["players"] or []]
    points = [words().shown(p, "whole") for p in row["points"] or []] if row["outcome"] else []
    return {
        "players": say("library.between").join(players)
        if any(row["players"] or [])
        else say("library.unnamed"),
        "result": say("library.against").join(points),
        "variant": variant(row["variant"]).name,
        "date": row["date"],
        "plies": row["plies"],
        "flags": [words().named("library.flag", flag) for flag in row["flags"]],
        "short": row["short"],
    }


def show() -> None:
    """Search the games, page by page."""
    _fields()
    wanted = GameFilter(**{name: links.parameter(name).strip() or None for name in FIELDS})
    try:
        page = ask(page_of_games, wanted, PAGE, links.parameter("cursor") or None, True)
    except PipelineError as error:
        st.warning(" ".join(str(error).split()))
        return
    if not page.total:
        st.info(say("library.no_match"))
        return
    game_table(page.rows, key="library.found", caption=words().counted("library.found", page.total))
    _pages(page.next)


def _fields() -> None:
    columns = st.columns([3, 3, 2, 2])
    _keep_in_step()
    columns[0].selectbox(
        say("library.variant"),
        ["", *VARIANTS],
        key="library.variant",
        format_func=lambda name: variant(name).name if name else say("library.every_variant"),
        on_change=_changed("variant"),
    )
    for column, name in zip(columns[1:], FIELDS[1:], strict=True):
        column.text_input(
            say(f"library.{name}"),
            key=f"library.{name}",
            placeholder=say(f"library.{name}_like"),
            on_change=_changed(name),
        )


def _keep_in_step() -> None:
    """Fields show what the address says, whoever wrote it."""
    for name in FIELDS:
        said = links.parameter(name)
        if name == "variant" and said not in VARIANTS:
            said = ""
        # Only what differs is written: that would take away what somebody is typing while work ends.
        if st.session_state.get(f"library.{name}") != said:
            st.session_state[f"library.{name}"] = said


def _changed(name: str) -> Callable[[], None]:
    def keep() -> None:
        links.keep(**{name: str(st.session_state[f"library.{name}"]).strip()}, cursor=None)

    return keep


def _pages(following: str | None) -> None:
    """Buttons to the next page and back to the first."""
    if following is None and not links.parameter("cursor"):
        return
    left, right, _ = st.columns([1, 1, 3])
    left.button(
        say("library.first_page"),
        icon=":material/first_page:",
        disabled=not links.parameter("cursor"),
        on_click=lambda: links.keep(cursor=None),
        width="stretch",
    )
    right.button(
        say("library.next_page"),
        icon=":material/chevron_right:",
        disabled=following is None,
        on_click=lambda: links.keep(cursor=following),
        width="stretch",
    )
