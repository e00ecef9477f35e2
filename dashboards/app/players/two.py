"""Two players against each other."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.listing import Column, table
from dashboards.app.players.asking import told
from dashboards.app.players.cells import share_cell
from dashboards.app.players.curves import family_name, some
from dashboards.app.players.naming import heading, in_address, marked, short
from dashboards.app.players.person import record
from dashboards.app.words import say, words
from engine.variants import VARIANTS
from pipeline.charts import Axes, Series, line_chart
from pipeline.contests import ContestFilter
from pipeline.players.players import HeadToHead, head_to_head
from pipeline.ratings import FAMILIES, history
from pipeline.svg import words as escaped

LAST = 50
"""Games that are listed, the latest ones."""


def show_two(person: str, other: str) -> None:
    """The page of two players."""
    with st.container(horizontal=True, gap="small"):
        st.button(
            say("players.back"),
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=lambda: links.keep(against=None),
        )
        st.button(
            say("players.swap"),
            icon=":material/swap_horiz:",
            type="tertiary",
            on_click=lambda: links.keep(name=in_address(other), against=in_address(person)),
        )
    pair = None if person == other else told(head_to_head, person, other, ContestFilter(), LAST)
    title = f"{marked(person)} – {marked(other)}"
    if pair is None or not pair.total["games"]:
        heading(title)
        st.info(say("players.same" if pair is None else "players.never_met"), icon=":material/info:")
        return
    heading(title, escaped(record(pair.total)))
    _show(pair)


def _show(pair: HeadToHead) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(say("players.by_variant"))
        rows = [*pair.by_variant, *([pair.total | {"variant": None}] if len(pair.by_variant) > 1 else [])]
        columns = [
            Column("variant", say("players.variant"), markup=_variant),
            Column("games", say("players.games"), "whole"),
            Column("wins", say("players.won"), "whole"),
            Column("draws", say("players.drawn"), "whole"),
            Column("losses", say("players.lost"), "whole"),
            Column("share", say("players.share"), markup=share_cell),
        ]
        table(columns, rows, key="players.pair")
        st.caption(say("players.pair_about"))
    with right:
        _ratings(pair)
    st.subheader(say("players.latest"))
    _games(pair)


def _variant(row: Any) -> str:
    name = row["variant"]
    return VARIANTS[name].name if name in VARIANTS else say("players.all_variants")


def _ratings(pair: HeadToHead) -> None:
    """Both ratings over each one's own games, in the family in which they met most often."""
    st.subheader(say("players.ratings_beside"))
    met = [row["variant"] for row in pair.by_variant]
    curves: dict[str, list[Series]] = {}
    for name in (pair.player, pair.against):
        for family in (family for family in FAMILIES if FAMILIES[family].variant in met):
            rows = [row for row in told(history, name) if row["family"] == family]
            if rows:
                points = [(float(row["games"]), row["mu"]) for row in some(rows)]
                band = [(row["low"], row["high"]) for row in some(rows)]
                curves.setdefault(family, []).append(Series(short(name, 24), points, band))
    both = [family for family, lines in curves.items() if len(lines) == 2]
    if not both:
        st.info(say("players.unrated_pair"), icon=":material/info:")
        return
    family = min(both, key=lambda name: met.index(FAMILIES[name].variant))
    axes = Axes(say("players.rated_games"), say("players.rating"))
    title = say("players.ratings_beside_chart", variant=family_name(family))
    drawn(line_chart(curves[family], title=title, uid="beside", axes=axes), key="players.beside")
    st.caption(title)


def _games(pair: HeadToHead) -> None:
    rows = [row | {"result": _result(row)} for row in pair.last]
    columns = [
        Column("date", say("players.game"), markup=_when),
        Column("variant", say("players.variant"), markup=_variant),
        Column("result", say("players.result")),
    ]
    if any(row["event"] for row in rows):
        columns.append(Column("event", say("players.event"), markup=_event))
    if any(row["event_round"] for row in rows):
        columns.append(Column("event_round", say("players.round")))
    table(
        columns,
        rows,
        key="players.meetings",
        caption=say("players.latest_of", n=words().counted("players.count_games", len(rows))),
        pick=lambda row: f"game:{row['id']}" if row["id"] else "",
        link=lambda row: links.address("game", id=row["id"]),
        tall="32rem",
        then=_remember,
    )
    if (wanted := st.session_state.pop("players.wanted", None)) is not None:
        links.go("game", id=wanted)


def _remember(event: Event) -> None:
    """Another page cannot be gone to before this one is made."""
    if event.pick is not None and event.pick.startswith("game:"):
        st.session_state["players.wanted"] = event.pick.removeprefix("game:")


def _event(row: Any) -> str:
    return marked(row["event"], say("none"))


def _when(row: Any) -> str:
    date = row["date"] or say("players.undated")
    return escaped(date if row["id"] is None else say("players.game_of", date=date, id=row["id"][:7]))


def _result(row: dict[str, Any]) -> str:
    """Of the row's player: won, drawn, lost; of several seats all of it."""
    if row["wins"] + row["draws"] + row["losses"] > 1:
        return say("players.record", wins=row["wins"], draws=row["draws"], losses=row["losses"])
    return say("players.won" if row["wins"] else "players.drawn" if row["draws"] else "players.lost")
