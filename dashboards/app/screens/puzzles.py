"""The solo puzzles: watch a solution, try one by hand."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.puzzles import naming, overview, trying, watching
from dashboards.app.puzzles.asked import RECTANGLES, TRY, WATCH, Asked, read
from dashboards.app.words import say


def show() -> None:
    """Show the list of the puzzles, or the one of the address."""
    asked = read()
    if asked is None:
        overview.show()
        return
    _head(asked)
    if asked.damaged:
        st.warning(say("puzzles.damaged"))
    if asked.mode == TRY:
        trying.show(asked)
    else:
        watching.show(asked)


def _head(asked: Asked) -> None:
    row = asked.puzzle
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            say("puzzles.all"),
            key="puzzles.all",
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=_leave,
        )
        st.header(naming.title(row), anchor=False, width="content")
        st.session_state["puzzles.mode"] = asked.mode
        st.segmented_control(
            say("puzzles.mode"),
            (WATCH, TRY),
            key="puzzles.mode",
            required=True,
            format_func=lambda mode: say("puzzles.watch") if mode == WATCH else say("puzzles.try"),
            on_change=_switch,
            label_visibility="collapsed",
        )
        if row.kind == "tiling":
            st.session_state["puzzles.board"] = row.board.name
            st.selectbox(
                say("puzzles.heads.board"),
                RECTANGLES,
                key="puzzles.board",
                on_change=_other_board,
                label_visibility="collapsed",
                width=110,
            )
    st.write(naming.asks(row))


def _leave() -> None:
    st.query_params.clear()


def _switch() -> None:
    links.keep(mode=TRY if st.session_state["puzzles.mode"] == TRY else None)


def _other_board() -> None:
    board = st.session_state["puzzles.board"]
    links.keep(board=board, seed=None, solution=None, step=None, pieces=None, given=None)
