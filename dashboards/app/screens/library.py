"""The library: what it holds, new games for it, and how good its data are."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from dashboards.app import links, opened
from dashboards.app.library import dropping, games, overview, quality, started, tasks
from dashboards.app.words import say
from notation.formats import FORMATS

PARTS: dict[str, Callable[[], None]] = {
    "overview": overview.show,
    "games": games.show,
    "quality": quality.show,
    "tasks": tasks.show,
}
"""The parts of the page, as the address names them."""

CHOSEN = "library.part"


def show() -> None:
    """Show the page, or the first steps where there is no library yet."""
    if not opened.exists():
        _first_steps()
        return
    overview.header()
    dropping.show()
    started.show()
    _parts()


def _first_steps() -> None:
    st.title(say("library.empty_title"))
    st.markdown(say("library.empty_about", n=len(FORMATS)))
    dropping.show()
    started.show()
    with st.container(border=True):
        st.markdown(say("library.empty_then"))


def _parts() -> None:
    here = links.parameter("part", "overview")
    st.session_state[CHOSEN] = here if here in PARTS else "overview"
    st.segmented_control(
        say("library.parts"),
        list(PARTS),
        key=CHOSEN,
        format_func=lambda name: say(f"library.part_{name}"),
        on_change=_changed,
        label_visibility="collapsed",
        required=True,
    )
    PARTS[cast(str, st.session_state[CHOSEN])]()


def _changed() -> None:
    part = st.session_state[CHOSEN]
    links.keep(part=None if part == "overview" else part, cursor=None, code=None, page=None)
