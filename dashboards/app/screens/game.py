"""One game: the board at every ply, what the moves were worth, who played how well; or a list to choose from."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.failing import guarded, refused
from dashboards.app.game import advised, board, choosing, graphs, header, judging, moves, players, share
from dashboards.app.game.loaded import Loaded, load
from dashboards.app.game.place import choose, chosen
from dashboards.app.opened import ask
from dashboards.app.words import say
from pipeline.errors import AmbiguousGame, NoIdentity, NoSuchGame

PARTS = {"moves": moves.show, "players": players.show, "advice": advised.show, "share": share.show}
"""What is shown beside the board; the first is the default."""


def show() -> None:
    """Show the game of the address."""
    text = links.parameter("id")
    if not text:
        choosing.show()
        return
    try:
        game = ask(load, text)
    except (NoIdentity, NoSuchGame, AmbiguousGame) as error:
        refused(error)
        choosing.show()
        return
    header.show(game)
    _replay(game)


@st.fragment
def _replay(game: Loaded) -> None:
    """All that changes from ply to ply, made anew alone."""

    def shown() -> None:
        left, right = st.columns([11, 9], gap="medium")
        with left:
            board.show(game)
        with right:
            if game.analysis is None:
                judging.show(game)
            graphs.show(game)
            _part(game)

    guarded(shown)()


def _part(game: Loaded) -> None:
    names = tuple(PARTS)
    shown = chosen("part", names)
    st.session_state["game-part"] = shown
    st.segmented_control(
        say("game.part"),
        names,
        key="game-part",
        format_func=lambda name: say(f"game.part_{name}"),
        on_change=lambda: choose("part", names, st.session_state["game-part"]),
        label_visibility="collapsed",
        required=True,
    )
    PARTS[shown](game)
