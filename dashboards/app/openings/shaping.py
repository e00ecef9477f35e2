"""First pieces by shape: a colour's own mirrors counted as one."""

from __future__ import annotations

import streamlit as st

from dashboards.app import filters, links
from dashboards.app.drawing import Event, drawn
from dashboards.app.filters import Filters
from dashboards.app.opened import ask
from dashboards.app.openings.explorer import shapes
from dashboards.app.openings.table import shapes_table
from dashboards.app.words import say, small, words
from engine.variants import variant
from pipeline.board_svg import board_svg
from pipeline.openings.positions import start_spot

MOST = 24
"""Rows that are shown at first."""


def show(wanted: Filters) -> None:
    """Show them, beside an empty board on which they are marked."""
    assert wanted.variant is not None
    rows = ask(shapes, wanted)
    if not rows:
        filters.known(wanted)
        st.info(say("openings.no_first"), icon=":material/search_off:")
        return
    st.markdown(small(say("openings.shape_words")))
    spot = start_spot(wanted.variant)
    shown = rows if links.parameter("all") else rows[:MOST]
    title = say("openings.empty_board", variant=variant(wanted.variant).name)
    board = board_svg(spot.variant, title=title, uid="openings", picks=True)
    caption = say("openings.some_shapes", shown=words().whole(len(shown)), all=words().whole(len(rows)))
    drawn(
        f'<div class="cw-beside"><div>{board}</div><div>{shapes_table(spot, shown, caption)}</div></div>',
        key="shapes",
        tallest="80vh",
        then=_picked,
    )
    if len(rows) > MOST:
        _all(len(rows))


def _picked(event: Event) -> None:
    """Follow a first piece of the first colour, in the view of positions as they are."""
    kind, _, move = (event.pick or "").partition(":")
    if kind == "play":
        links.keep(view=None, moves=move.replace(",", "-"))


def _all(number: int) -> None:
    on = bool(links.parameter("all"))
    label = say("openings.fewer") if on else say("openings.all_shapes", n=words().whole(number))
    st.button(label, key="all", on_click=lambda: links.keep(all=None if on else 1))
