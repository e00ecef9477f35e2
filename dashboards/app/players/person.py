"""One player: who it is, and which part of the page is shown."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.players.asking import told
from dashboards.app.players.cells import between
from dashboards.app.players.choosing import one_of, switch
from dashboards.app.players.everybody import ALL
from dashboards.app.players.naming import heading, marked
from dashboards.app.words import say, words
from engine.variants import VARIANTS
from pipeline.contests import ContestFilter
from pipeline.players.players import PlayerView, player
from pipeline.svg import words as escaped

VIEWS = ("overview", "opponents", "strengths", "mistakes")

OF_A_VIEW = ("game", "ply", "move", "shown", "phase", "page")
"""Parameters that mean nothing in another part."""


def show_person(person: str) -> None:
    """The page of a player."""
    if links.parameter("view") == "mistakes" and links.parameter("game"):
        from dashboards.app.players.exercise import show_exercise

        show_exercise(person)
        return
    whole = told(player, person, ContestFilter())
    st.button(
        say("players.everybody"),
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=lambda: links.keep(name=None, view=None, **dict.fromkeys(OF_A_VIEW)),
    )
    heading(marked(person), _line(whole))
    if not whole.total["games"]:
        st.info(say("players.no_games"), icon=":material/info:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="players-views"):
        chosen = _variant(whole)
        view = switch(
            say("players.view"), "view", {name: say(f"players.view_{name}") for name in VIEWS}, OF_A_VIEW
        )
    shown = whole if chosen is None else told(player, person, ContestFilter(chosen))
    _show(view, shown, chosen)


def _variant(whole: PlayerView) -> str | None:
    known = {row["variant"] for row in whole.by_variant}
    names = [name for name in VARIANTS if name in known]
    options = {ALL: say("players.all_variants")} | {name: VARIANTS[name].name for name in names}
    chosen = one_of(say("players.variant"), "variant", options, ALL, OF_A_VIEW)
    return None if chosen == ALL else chosen


def _show(view: str, shown: PlayerView, chosen: str | None) -> None:
    if view == "opponents":
        from dashboards.app.players.opponents import show_opponents

        show_opponents(shown, chosen)
    elif view == "strengths":
        from dashboards.app.players.strengths import show_strengths

        show_strengths(shown, chosen)
    elif view == "mistakes":
        from dashboards.app.players.mistakes import show_mistakes

        show_mistakes(shown, chosen)
    else:
        from dashboards.app.players.overview import show_overview

        show_overview(shown, chosen)


def _line(view: PlayerView) -> str:
    """What there is to say of a player in a line, as HTML."""
    t, total = words(), view.total
    said = []
    if view.names:
        names = t("list_comma").join(marked(name) for name in view.names[:10])
        more = f"{t('list_comma')}…" if len(view.names) > 10 else ""
        said.append(f"{escaped(say('players.also'))} {names}{more}")
    if total["games"]:
        said.append(escaped(record(total)))
    if view.own_games:
        said.append(escaped(t.counted("players.own_games", view.own_games)))
    return " · ".join(said)


def record(total: dict[str, Any]) -> str:
    """Games, results and share with its interval, in words."""
    t = words()
    parts = [
        t.counted("players.count_games", total["games"]),
        say("players.record", **{key: t.whole(total[key]) for key in ("wins", "draws", "losses")}),
    ]
    if total["share"] is not None:
        share = say("players.share_of", share=t.share(total["share"]))
        if total["share_low"] is not None:
            share += f" ({between(total['share_low'], total['share_high'], 100, 0)})"
        parts.append(share)
    if total.get("last_played"):
        parts.append(say("players.last_on", date=total["last_played"]))
    return " · ".join(parts)
