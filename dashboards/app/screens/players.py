"""Players: all of them, one, two against each other, and their mistakes as exercises."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.players.asking import told
from dashboards.app.players.naming import person_of
from dashboards.app.words import say
from pipeline.errors import NoSuchPlayer


def show() -> None:
    """Show what the address names."""
    name = links.parameter("name")
    if not name:
        from dashboards.app.players.everybody import show_everybody

        show_everybody()
        return
    try:
        person = told(person_of, name)
        against = links.parameter("against")
        other = told(person_of, against) if against else None
    except NoSuchPlayer as error:
        _nobody(name, error)
        return
    if other is not None:
        from dashboards.app.players.two import show_two

        show_two(person, other)
    else:
        from dashboards.app.players.person import show_person

        show_person(person)


def _nobody(name: str, error: NoSuchPlayer) -> None:
    st.subheader(say("players.nobody"))
    st.text(" ".join(str(error).split()))
    st.button(
        say("players.search_for"),
        type="primary",
        on_click=lambda: links.keep(name=None, against=None, search=name[:60]),
    )
