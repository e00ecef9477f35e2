"""Statistics of the library's games: seats, lengths, pieces, heat maps."""

from __future__ import annotations

import streamlit as st

from dashboards.app import filter_fields, filters, links
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.filters import Filters
from dashboards.app.opened import ask
from dashboards.app.statistics_parts import explaining, heat, pieces, seats
from dashboards.app.statistics_parts import questions as asked
from dashboards.app.words import say, small, words

PARTS = ("seats", "lengths", "pieces", "heat")

OF_ONE_VARIANT = ("pieces", "heat")
"""Parts that are of one variant, by default of that with most games."""


def show() -> None:
    """Show the part that the address names."""
    st.title(say("pages.statistics"))
    part = links.parameter("show")
    part = part if part in PARTS else PARTS[0]
    try:
        chosen = filters.chosen_variant(every=part not in OF_ONE_VARIANT)
    except EXPECTED as error:
        refused(error)
        st.button(say("statistics.every_variant"), on_click=lambda: links.keep(variant=None), type="primary")
        return
    wanted = filters.of_address(chosen)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        filter_fields.variant_field(chosen, ("cell", "colour", "begins"), every=part not in OF_ONE_VARIANT)
    with right:
        _part_field(part)
    if part != "heat":
        filter_fields.fields(wanted, ratings=False, min_games=False, flawed=False)
    try:
        _show(part, wanted)
    except EXPECTED as error:
        refused(error)
        if wanted.chosen:
            st.button(say("filters.clear"), on_click=filters.clear, key="clear", type="primary")
    explaining.show(part)


def _part_field(part: str) -> None:
    def changed() -> None:
        shown = st.session_state["statistics.show"] or part
        links.keep(show=None if shown == PARTS[0] else shown, all=None, cell=None)

    st.session_state["statistics.show"] = part
    st.segmented_control(
        say("statistics.show"),
        PARTS,
        key="statistics.show",
        format_func=lambda name: say(f"statistics.parts.{name}"),
        on_change=changed,
    )


def _show(part: str, wanted: Filters) -> None:
    if part == "heat":
        assert wanted.variant is not None
        heat.show(wanted.variant)
        return
    if part == "pieces":
        left_out = _show_pieces(wanted)
    else:
        found = ask(asked.seats, wanted)
        if not found.lengths:
            filters.known(wanted)
        (seats.show_seats if part == "seats" else seats.show_lengths)(found)
        left_out = found.left_out
    if left_out:
        st.markdown(small(words().counted("statistics.left_out", left_out)))


def _show_pieces(wanted: Filters) -> int:
    """Show the pieces; returns how many games were left out."""
    found = ask(asked.pieces, wanted)
    if not found.games:
        filters.known(wanted)
    pieces.show(found)
    return found.left_out
