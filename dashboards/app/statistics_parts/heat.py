"""Heat maps: where colours are, what they reach, what is contested or dead, when cells are first covered."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import Any

import streamlit as st

from dashboards.app import links, listing
from dashboards.app.drawing import Event, drawn
from dashboards.app.listing import Column
from dashboards.app.opened import ask
from dashboards.app.statistics_parts.questions import heat as heat_question
from dashboards.app.words import colour, say, small, words
from engine.areas import PHASES
from engine.boards import cell_names, cells_by_name
from engine.variants import variant
from pipeline.board_svg import board_svg
from pipeline.errors import NoFeatures
from pipeline.heat_maps import FIRST_CONTACT, MEASURES, HeatMap
from pipeline.reports.heat import heat_of, heat_words, phase_words
from pipeline.reports.texts import texts

MOST = 10
"""Cells that the table names."""


def show(variant_id: str) -> None:
    """Fields to choose the map, the map, and its cells with the greatest values."""
    measure = _choice("measure", MEASURES, MEASURES[0])
    colours = [str(number + 1) for number in range(len(variant(variant_id).colours))]
    of_colour = _choice("colour", colours, "")
    phase = "" if measure == FIRST_CONTACT else _choice("phase", PHASES, "")
    _fields(variant_id, measure, of_colour, phase)
    player = links.parameter("player").strip() or None
    try:
        found = ask(
            heat_question, variant_id, measure, int(of_colour) if of_colour else None, player, phase or None
        )
    except NoFeatures:
        st.info(say("statistics.no_features", variant=variant(variant_id).name), icon=":material/grid_view:")
        if st.button(say("statistics.measure_games"), type="primary"):
            links.go("library")
        return
    _show(found)


def _choice(name: str, options: Any, default: str) -> str:
    given = links.parameter(name, default)
    return given if given in options else default


def _fields(variant_id: str, measure: str, of_colour: str, phase: str) -> None:
    places = st.columns([2, 1, 1, 1])
    colours = ["", *(str(number + 1) for number in range(len(variant(variant_id).colours)))]

    def said(number: str) -> str:
        return colour(variant_id, int(number) - 1) if number else say("statistics.every_colour")

    def called(name: str) -> str:
        return words().named("statistics.phases", name) if name else say("statistics.every_phase")

    with places[0]:
        _select("measure", list(MEASURES), measure, partial(words().named, "statistics.measures"))
    with places[1]:
        _select("colour", colours, of_colour, said)
    with places[2]:
        _select("phase", ["", *PHASES], phase, called, disabled=measure == FIRST_CONTACT)
    st.session_state["heat.player"] = links.parameter("player")
    places[3].text_input(
        say("filters.player"),
        key="heat.player",
        placeholder=say("filters.player_like"),
        on_change=lambda: links.keep(player=st.session_state["heat.player"].strip()),
    )


def _select(name: str, options: list[str], value: str, said: Any, disabled: bool = False) -> None:
    st.session_state[f"heat.{name}"] = value
    st.selectbox(
        say(f"statistics.{name}"),
        options,
        key=f"heat.{name}",
        format_func=said,
        disabled=disabled,
        on_change=lambda: links.keep(**{name: st.session_state[f"heat.{name}"]}),
    )


def _show(found: HeatMap) -> None:
    t = texts(words().language)
    counted = words().counted("statistics.heat_games", found.games)
    st.markdown(f"**{heat_words(found, t)}**")
    st.markdown(small(say("list_comma").join([counted, *_missing(found)])))
    heat = heat_of(found, t)
    if heat is None:
        st.info(say("statistics.none"), icon=":material/search_off:")
        return
    by_name = cells_by_name(variant(found.variant).board)
    chosen = by_name.get(links.parameter("cell"))
    left, right = st.columns([3, 2])
    with left:
        drawn(
            board_svg(found.variant, title=heat_words(found, t), uid="heat", heat=heat, picks=True),
            key="heat-map",
            chosen=() if chosen is None else (chosen,),
            tallest="80vh",
            then=partial(_picked, found.variant),
        )
    with right:
        st.markdown(_of_cell(found, chosen) if chosen is not None else say("statistics.click_cell"))
        _table(found)
        if found.measure != FIRST_CONTACT:
            ends = say("list_comma").join(phase_words(found.variant, t))
            st.markdown(small(say("statistics.phase_ends", ends=ends)))


def _missing(found: HeatMap) -> list[str]:
    return [words().counted("statistics.missing", found.missing)] if found.missing else []


def _picked(variant_id: str, event: Event) -> None:
    kind, _, value = (event.pick or "").partition(":")
    if kind == "cell":
        name = cell_names(variant(variant_id).board)[int(value)]
        links.keep(cell=None if links.parameter("cell") == name else name)


def _value(found: HeatMap, cell: int) -> str:
    value = float(found.values[cell])
    if not isfinite(value):
        return say("none")
    if found.measure == FIRST_CONTACT:
        return say("statistics.ply", n=words().decimal(value))
    return words().share(value, 1)


def _of_cell(found: HeatMap, cell: int) -> str:
    key = "statistics.of_cell_first" if found.measure == FIRST_CONTACT else "statistics.of_cell"
    return say(
        key,
        cell=cell_names(variant(found.variant).board)[cell],
        value=_value(found, cell),
        count=words().whole(int(found.counts[cell])),
        of=words().whole(found.of),
    )


def _table(found: HeatMap) -> None:
    """The cells at the dark end of the scale."""
    first = found.measure == FIRST_CONTACT
    known = [cell for cell, value in enumerate(found.values.tolist()) if isfinite(value)]
    known.sort(key=lambda cell: float(found.values[cell]) * (1 if first else -1))
    names = cell_names(variant(found.variant).board)
    rows = [
        {"cell": names[cell], "value": _value(found, cell), "count": int(found.counts[cell])}
        for cell in known[:MOST]
    ]
    columns = [
        Column("cell", say("statistics.cell"), "code"),
        Column("value", say("statistics.value")),
        Column(
            "count",
            say("statistics.cases"),
            "whole",
            say("statistics.cases_about", of=words().whole(found.of)),
        ),
    ]
    caption = say("statistics.earliest_cells") if first else say("statistics.top_cells")
    listing.table(columns, rows, key="heat-cells", caption=caption)
