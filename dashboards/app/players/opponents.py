"""Whom a player has met, and how those met most often did among one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.listing import Column, table
from dashboards.app.players.asking import told
from dashboards.app.players.cells import share_cell
from dashboards.app.players.naming import address, in_address, marked, short
from dashboards.app.words import say, words
from pipeline.contests import ContestFilter
from pipeline.players.players import PlayerView, meetings
from pipeline.svg import words as escaped

MOST, CROSSED = 50, 8
"""Opponents that the table shows at first, and players of the matrix."""


def show_opponents(view: PlayerView, chosen: str | None) -> None:
    """The table, and the matrix below it."""
    st.subheader(say("players.opponents"))
    if not view.opponents:
        st.info(say("players.no_opponents"), icon=":material/info:")
        return
    every = (
        st.toggle(say("players.all_opponents"), key="players.every") if len(view.opponents) > MOST else True
    )
    rows = view.opponents if every else view.opponents[:MOST]
    columns = [
        Column("against", say("players.opponent"), markup=lambda row: _against(row)),
        Column("games", say("players.games"), "whole"),
        Column("wins", say("players.won"), "whole"),
        Column("draws", say("players.drawn"), "whole"),
        Column("losses", say("players.lost"), "whole"),
        Column("share", say("players.share"), markup=share_cell),
    ]
    table(
        columns,
        rows,
        key="players.opponents",
        caption=say(
            "players.opponents_of", n=words().counted("players.count_opponents", len(view.opponents))
        ),
        pick=lambda row: f"against:{in_address(row['against'])}" if row["against"] else "",
        link=lambda row: address(view.player, against=in_address(row["against"]), variant=chosen),
        then=_go,
    )
    st.caption(say("players.opponents_about"))
    _matrix(view, chosen)


def _against(row: Mapping[str, Any]) -> str:
    return marked(row["against"], say("players.unnamed"))


def _go(event: Event) -> None:
    if event.pick is not None and event.pick.startswith("against:"):
        links.keep(against=event.pick.removeprefix("against:"))


def _matrix(view: PlayerView, chosen: str | None) -> None:
    """Everybody against everybody, of the player and those met most often."""
    met = [row["against"] for row in view.opponents if row["against"]][: CROSSED - 1]
    names = (view.player, *met)
    if len(names) < 3:
        return
    st.subheader(say("players.matrix"))
    rows = told(meetings, names, ContestFilter(chosen))
    cells = {(row["player"], row["against"]): row for row in rows}
    head = "".join(
        f'<th scope="col" title="{escaped(short(name))}">{at}</th>' for at, name in enumerate(names, 1)
    )
    body = "".join(
        f'<tr><th scope="row">{at} {marked(name)}</th>'
        f"{''.join(_cell(cells.get((name, other)), name, other) for other in names)}</tr>"
        for at, name in enumerate(names, 1)
    )
    caption = say("players.matrix_about")
    drawn(
        f'<div class="cw-scroll" tabindex="0" role="region" aria-label="{escaped(caption)}"><table>'
        f"<caption>{escaped(caption)}</caption>"
        f'<thead><tr><th scope="col">{escaped(say("players.player"))}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>",
        key="players.matrix",
        then=_go_pair,
    )


def _cell(row: Mapping[str, Any] | None, name: str, other: str) -> str:
    if name == other or row is None:
        return f'<td style="text-align: center">{escaped(say("none"))}</td>'
    share = escaped(words().share(row["share"]))
    games = escaped(words().counted("players.count_games", row["games"]))
    target = escaped(address(name, against=in_address(other)))
    pick = escaped(f"pair:{in_address(name)}\n{in_address(other)}")
    # The stronger a result, the deeper its ground: blue above a half, amber below.
    depth = round(60 * abs(row["share"] - 0.5))
    ink = "#2b6cd4" if row["share"] > 0.5 else "#b07f00"
    return (
        f'<td style="text-align: center; background: color-mix(in srgb, {ink} {depth}%, transparent)">'
        f'<a href="{target}" data-pick="{pick}">{share}</a><br><span class="cw-fine">{games}</span></td>'
    )


def _go_pair(event: Event) -> None:
    if event.pick is not None and event.pick.startswith("pair:"):
        name, _, against = event.pick.removeprefix("pair:").partition("\n")
        links.keep(name=name, against=against)
