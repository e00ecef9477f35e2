"""The board at a ply, the controls that step through the game, and what there is to say of the move."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from dashboards.app import background
from dashboards.app.drawing import drawn
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.game import overlays, telling
from dashboards.app.game.loaded import Loaded
from dashboards.app.game.overlays import Laid
from dashboards.app.game.place import KEYS, choose, chosen, go_to, ply_of, stepping
from dashboards.app.words import colour, report_words, say
from pipeline.board_svg import Marks, board_svg
from pipeline.game_board import BoardAt, board_at
from pipeline.reports.boards import strip
from pipeline.svg import words as escaped

TALLEST = "60vh"
"""Of the board: what steps through the game is seen below it."""


def show(game: Loaded) -> None:
    """Show the board of the address with all that belongs to it."""
    ply = ply_of(game)
    at = board_at(game.view, ply)
    _choices(game)
    laid, coming = _laid(game, at)
    svg = board_svg(
        game.variant,
        at.board,
        title=say("game.board", ply=ply),
        description=telling.move_line(game, ply),
        marks=laid.marks,
        heat=laid.heat,
    )
    drawn(svg, key="game-board", keys=KEYS, tallest=TALLEST, then=stepping(game))
    _controls(game, ply)
    if laid.note:
        st.caption(laid.note)
    if coming:
        background.wait_for(*overlays.question(game), note=say("game.overlay_coming"))
    telling.show(game, ply)
    _left(game, at)


def _laid(game: Loaded, at: BoardAt) -> tuple[Laid, bool]:
    """The overlay, none where it cannot be had, and whether it is still being worked out."""
    try:
        return overlays.laid(game, at), False
    except background.OnItsWay:
        return Laid(Marks(last=at.last)), True
    except EXPECTED as error:
        refused(error)
        return Laid(Marks(last=at.last)), False


def _choices(game: Loaded) -> None:
    """What is laid over the board, and of which colour."""
    shown = overlays.overlay_of()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["game-overlay"] = shown
        st.selectbox(
            say("game.overlay"),
            overlays.OVERLAYS,
            key="game-overlay",
            format_func=lambda name: say(f"game.overlay_{name}"),
            on_change=lambda: choose("overlay", overlays.OVERLAYS, st.session_state["game-overlay"]),
            label_visibility="collapsed",
        )
        if shown in overlays.OF_A_COLOUR:
            names = overlays.colours_of(game)
            st.session_state["game-colour"] = chosen("colour", names)
            st.selectbox(
                say("game.of_colour"),
                names,
                key="game-colour",
                format_func=lambda name: _colour_words(game, name),
                on_change=lambda: choose("colour", names, st.session_state["game-colour"]),
                label_visibility="collapsed",
            )


def _colour_words(game: Loaded, name: str) -> str:
    names = overlays.colours_of(game)
    return (
        say("game.colour_next")
        if name == names[0]
        else say("game.of_named", colour=colour(game.variant, names.index(name) - 1))
    )


BUTTONS = (
    ("first", ":material/first_page:", "Home"),
    ("back", ":material/chevron_left:", "←"),
    ("on", ":material/chevron_right:", "→"),
    ("last", ":material/last_page:", "End"),
)


def _controls(game: Loaded, ply: int) -> None:
    """Buttons and a slider."""
    aims = {"first": 0, "back": ply - 1, "on": ply + 1, "last": game.plies}
    if not game.plies:
        st.caption(report_words()("game.no_moves"))
        return
    with st.container(horizontal=True, gap="small", key="game-steps"):
        for name, icon, key in BUTTONS:
            st.button(
                say(f"game.step_{name}"),
                key=f"game-{name}",
                icon=icon,
                help=say("game.step_key", press=key),
                disabled=aims[name] == ply or not 0 <= aims[name] <= game.plies,
                on_click=go_to,
                args=(game, aims[name]),
            )
    st.session_state["game-ply"] = ply
    st.slider(
        say("game.ply_of", n=game.plies),
        0,
        game.plies,
        key="game-ply",
        on_change=lambda: go_to(game, st.session_state["game-ply"]),
    )


@lru_cache(maxsize=512)
def _strip(variant: str, number: int, left: tuple[tuple[str, int], ...]) -> str:
    """The pieces of one colour: a step changes those of one colour alone."""
    shown = strip(report_words(), variant, number, dict(left), f"left{number}")
    caption = (
        f'<figcaption style="font-size:.875rem;margin-bottom:.2rem">{escaped(shown.caption)}</figcaption>'
    )
    return f'<figure style="margin:0">{caption}{shown.svg}</figure>'


def _left(game: Loaded, at: BoardAt) -> None:
    """The pieces that every colour has left, as shapes under its name."""
    strips = "".join(_strip(at.variant, number, tuple(left.items())) for number, left in enumerate(at.left))
    drawn(
        f'<h2 style="font-size:1rem;margin:.4rem 0">{escaped(say("game.left"))}</h2>'
        f'<div style="display:grid;gap:.8rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr))">{strips}</div>',
        key="game-left",
    )
