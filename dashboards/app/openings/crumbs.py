"""The moves that led here, each of them a way back, and ways on to other pages."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.openings.place import Place, moves_text
from dashboards.app.words import colour, say, words
from pipeline.openings.positions import Spot
from pipeline.svg import words as escaped

MOST = 14
"""Moves that are named; of a longer line the last ones."""


def show(here: Place, spot: Spot, own: int) -> None:
    """Show the buttons back and the line of moves."""
    made = own + len(here.moves)
    with st.container(horizontal=True):
        st.button(
            say("openings.to_start"),
            on_click=lambda: here.at(0, own).keep(),
            disabled=not made,
            icon=":material/first_page:",
        )
        st.button(
            say("openings.back"),
            on_click=lambda: here.at(made - 1, own).keep(),
            disabled=not made,
            icon=":material/chevron_left:",
        )
        if here.game:
            if st.button(say("openings.see_game"), icon=":material/grid_on:"):
                links.go("game", id=here.game, ply=here.ply)
        elif st.button(say("openings.evaluate"), icon=":material/edit_square:"):
            _evaluate(here)
    drawn(_line(here, spot, made), key="crumbs", then=partial(_picked, here, own))


def _line(here: Place, spot: Spot, made: int) -> str:
    """The moves as HTML: all but the last lead back."""
    base = say("openings.position_base") if here.position else say("openings.start")
    parts = [base if not made else f'<a href="#" data-pick="back:0">{escaped(base)}</a>']
    pieces = spot.pieces[len(spot.pieces) - made :] if made else ()
    for number, (owner, piece) in enumerate(pieces, 1):
        if number <= made - MOST:
            continue
        said = escaped(
            say("openings.crumb", n=words().whole(number), colour=colour(spot.variant, owner), piece=piece)
        )
        if number == made:
            parts.append(f'<b aria-current="step">{said}</b>')
        else:
            parts.append(f'<a href="#" data-pick="back:{number}">{said}</a>')
    if made > MOST:
        parts.insert(1, "…")
    return f'<nav aria-label="{escaped(say("openings.moves_so_far"))}">{" › ".join(parts)}</nav>'


def _picked(here: Place, own: int, event: Event) -> None:
    kind, _, number = (event.pick or "").partition(":")
    if kind == "back":
        here.at(int(number), own).keep()


def _evaluate(here: Place) -> None:
    base = {"position": here.position} if here.position else {"variant": here.variant}
    links.go("position", **base, moves=moves_text(here.moves))
