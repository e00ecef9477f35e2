"""What an exercise asks, and the pieces to answer with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboards.app.drawing import Event, drawn
from dashboards.app.placing import shape
from dashboards.app.players import hand
from dashboards.app.words import colour, say, words
from pipeline.analysis.exercises import Exercise
from pipeline.pieces_svg import pieces_svg


def show_question(asked: Exercise) -> None:
    """What is asked, and the pieces to answer with."""
    name = colour(asked.variant, asked.colour)
    lost = words().decimal(100 * asked.row["loss_share"], 0)
    st.markdown(f"**{say('players.to_move', colour=name)}**")
    st.write(say("players.find", lost=lost, label=say(f"players.label_{asked.row['label']}").lower()))
    now = hand.held(asked)
    title = say("players.tray", colour=name)
    left = asked.position.pieces_left(asked.colour)
    tray = pieces_svg(
        asked.variant,
        asked.colour,
        left,
        title=title,
        uid="tray",
        picks=True,
        chosen=now[0] if now else "",
        width=330.0,
    )
    drawn(tray, key="players.tray", tallest="34vh", then=partial(_on_tray, asked))
    if now is None:
        st.caption(say("players.choose"))
    else:
        _held(asked, *now)


def _on_tray(asked: Exercise, event: Event) -> None:
    if event.pick is not None and event.pick.startswith("piece:"):
        hand.hold(asked, event.pick.removeprefix("piece:"))


def _held(asked: Exercise, piece: str, image: int) -> None:
    pieces = asked.position.variant.pieces
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="players-hand"):
        with st.container(width=84):
            svg = pieces_svg(
                asked.variant,
                asked.colour,
                {piece: 1},
                title=say("players.in_hand", piece=piece),
                uid="hand",
                width=70.0,
                images={piece: shape(pieces, piece, image)},
            )
            drawn(svg, key="players.hand", tallest="84px")
        button("turn", "rotate_right", partial(hand.turn, asked))
        button("flip", "flip", partial(hand.flip, asked))
    st.caption(say("players.keys"))


def button(name: str, icon: str, action: Callable[[], None]) -> None:
    """A button of the exercise."""
    st.button(say(f"players.{name}"), key=f"players.{name}", icon=f":material/{icon}:", on_click=action)
