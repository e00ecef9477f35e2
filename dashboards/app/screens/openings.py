"""The explorer of openings: what was played from a position, how often, and how it did."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboards.app import filter_fields, filters, links
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.filters import Filters
from dashboards.app.opened import ask
from dashboards.app.openings import explaining, exploring, place, shaping
from dashboards.app.words import say

VIEWS = ("exact", "merged", "shape")
"""How positions are looked at: as they are, images as one, first pieces by shape."""


def show() -> None:
    """Show the position of the address."""
    st.title(say("pages.openings"))
    try:
        here = place.of_address(filters.chosen_variant() or "")
        spot = ask(place.located, here, links.parameter("rules"))
    except EXPECTED as error:
        refused(error)
        st.button(say("openings.start_anew"), on_click=_anew, type="primary", icon=":material/restart_alt:")
        return
    wanted = filters.of_address(spot.variant)
    view = _choices(spot.variant)
    filter_fields.fields(wanted, ratings=view != "shape")
    try:
        _view(view, here, wanted)
    except EXPECTED as error:
        refused(error)
        if wanted.chosen:
            st.button(say("filters.clear"), on_click=filters.clear, key="clear", type="primary")
    explaining.show(view)


def _view(view: str, here: place.Place, wanted: Filters) -> None:
    if view == "shape":
        shaping.show(replace(wanted, ratings=(None, None)))
    else:
        exploring.show(here, wanted, view == "merged")


def _choices(variant_id: str) -> str:
    """Fields for variant and view; returns the view."""
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        filter_fields.variant_field(variant_id, place.PARAMETERS)
    view = links.parameter("view") or VIEWS[0]
    view = view if view in VIEWS else VIEWS[0]

    def changed() -> None:
        chosen = st.session_state["openings.view"] or view
        links.keep(view=None if chosen == VIEWS[0] else chosen, cells=None)

    st.session_state["openings.view"] = view
    right.segmented_control(
        say("openings.view"),
        VIEWS,
        key="openings.view",
        format_func=lambda name: say(f"openings.views.{name}"),
        on_change=changed,
    )
    return view


def _anew() -> None:
    """Back to the empty board, without filters."""
    filters.clear()
    links.keep(**dict.fromkeys(("variant", "view", *place.PARAMETERS)))
