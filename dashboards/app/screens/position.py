"""Build a position by clicking, evaluate it, compare two moves, record a whole game."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.position import board, evaluating, state
from dashboards.app.position.beginning import show_beginning
from dashboards.app.position.comparing import show_comparison
from dashboards.app.position.recording import show_recording
from dashboards.app.position.standing import standing
from dashboards.app.words import say

PANELS = ("evaluate", "compare", "record")


def show() -> None:
    """Show the position of the address."""
    try:
        here = standing(state.line())
    except EXPECTED as error:
        refused(error)
        st.button(say("position.new"), on_click=lambda: state.new(state.FIRST, {}), type="primary")
        return
    panel = links.parameter("panel", PANELS[0])
    panel = panel if panel in PANELS else PANELS[0]
    show_beginning(here)
    known = evaluating.asked(here)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        board.show_board(here, evaluating.heat(here, known))
    with right:
        board.show_turn(here)
        board.show_tray(here)
        _choose_panel(panel)
        if panel == "compare":
            show_comparison(here)
        elif panel == "record":
            show_recording(here)
        else:
            evaluating.show_evaluation(here, known)
        board.show_others(here)


def _choose_panel(panel: str) -> None:
    st.session_state["position.panel"] = panel
    st.segmented_control(
        say("position.panels"),
        PANELS,
        format_func=lambda name: say(f"position.panel.{name}"),
        key="position.panel",
        required=True,
        label_visibility="collapsed",
        on_change=lambda: links.keep(panel=st.session_state["position.panel"], evaluate=None),
    )
