"""One game."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import drawn
from dashboards.app.opened import ask
from pipeline import queries
from pipeline.abbreviations import find_game
from pipeline.board_svg import Marks, board_svg
from pipeline.game_board import board_at


def show() -> None:
    """Show the game of the address."""
    view = ask(queries.game, ask(find_game, links.parameter("id")))
    ply = links.number("ply", 0)
    found = board_at(view, ply)
    variant = view.game["variant"]

    event = drawn(
        board_svg(variant, found.board, title="board", picks=True, marks=Marks(last=found.last)),
        key="board",
        keys=("ArrowLeft", "ArrowRight"),
    )
    st.write(ply, event.pick, event.key)
    if event.key == "ArrowRight":
        links.keep(ply=ply + 1)
        st.rerun()
