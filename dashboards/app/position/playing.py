"""What a visitor does with the board and the piece in the hand; called before the page is made anew."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event
from dashboards.app.placing import Cells, as_drawn, flipped, turned
from dashboards.app.position import state
from dashboards.app.position.standing import Hand, Standing, ghosts, why_not
from dashboards.app.words import colour, say, words
from notation.moves import move_from_cells
from notation.record import ANY_COLOUR, Out, Pass

KEYS = ("r", "R", "f", "F", "Escape", "ArrowLeft", "ArrowRight")
"""Keys that are heard wherever no field has the focus."""

SLOTS = ("first", "second")
"""Parameters with the two moves that are compared."""

_HAND = "position.hand"


def hand(here: Standing) -> Hand | None:
    """The piece in the hand and how it is turned; None where the colour on turn has no such piece."""
    kept: tuple[str, str, int] | None = st.session_state.get(_HAND)
    if kept is None or here.to_move is None:
        return None
    pieces, piece, image = kept
    mine = pieces == here.variant.pieces and piece in here.left[here.to_move]
    return (piece, image) if mine else None


def take(here: Standing, piece: str) -> None:
    """Take a piece of the tray, or put it back."""
    held = hand(here)
    if held is not None and held[0] == piece:
        st.session_state.pop(_HAND)
    else:
        st.session_state[_HAND] = here.variant.pieces, piece, as_drawn(here.variant.pieces, piece)


def turn(here: Standing, times: int = 1) -> None:
    """Turn the piece in the hand clockwise."""
    held = hand(here)
    if held is not None:
        pieces = here.variant.pieces
        st.session_state[_HAND] = pieces, held[0], turned(pieces, *held, times)


def flip(here: Standing) -> None:
    """Turn the piece in the hand over."""
    held = hand(here)
    if held is not None:
        pieces = here.variant.pieces
        st.session_state[_HAND] = pieces, held[0], flipped(pieces, *held)


def on_board(here: Standing, event: Event) -> None:
    """A click on a cell, or a key."""
    if event.pick is not None and event.pick.startswith("cell:"):
        _put(here, int(event.pick.removeprefix("cell:")))
    elif event.key in ("r", "R"):
        turn(here, -1 if event.key == "R" else 1)
    elif event.key in ("f", "F"):
        flip(here)
    elif event.key == "Escape":
        st.session_state.pop(_HAND, None)
    elif event.key == "ArrowLeft":
        back(here)
    elif event.key == "ArrowRight":
        state.keep(here.line.at(here.ply + 1))


def on_tray(here: Standing, event: Event) -> None:
    """A click on a piece that is left."""
    if event.pick is not None and event.pick.startswith("piece:"):
        take(here, event.pick.removeprefix("piece:"))


def back(here: Standing) -> None:
    """Take one move back; what comes after it can still be gone forward to."""
    state.keep(here.line.at(here.ply) if here.stop is not None else here.line.back())


def _put(here: Standing, cell: int) -> None:
    """Put the piece in the hand where a cell is pointed at, or say why that cannot be."""
    held = hand(here)
    if here.over:
        state.tell("position.over")
    elif held is None:
        state.tell("position.no_piece")
    else:
        cells, fits = ghosts(here.line, held).get(cell, ((), False))
        if fits:
            choose(here, cells)
        else:
            reason, named = why_not(here.line, held, cell)
            why = words().named("reasons", reason)
            state.tell("position.illegal", piece=held[0], cells=named.replace(",", " "), why=why)


def choose(here: Standing, cells: Cells) -> None:
    """Play a legal move, or where moves are compared make it one of the two."""
    if links.parameter("panel") == "compare":
        free = next((slot for slot in SLOTS if not links.parameter(slot)), SLOTS[1])
        st.session_state.pop(_HAND, None)
        links.keep(**{free: here.named(cells).replace(",", "-"), "evaluate": None})
        return
    play(here, cells)


def play(here: Standing, cells: Cells) -> None:
    """Play a legal move of the colour on turn."""
    st.session_state.pop(_HAND, None)
    move = move_from_cells(here.variant.id, here.to_move or 0, cells)
    state.keep(here.line.then(move._replace(colour=ANY_COLOUR)))


def let_pass(here: Standing) -> None:
    """Let the turn go by."""
    state.keep(here.line.then(Pass()))


def leave(here: Standing, seat: int, cause: str) -> None:
    """A player leaves the game."""
    state.keep(here.line.then(Out(seat, cause)))


def seat_name(here: Standing, seat: int) -> str:
    """A seat (from 0) in words: its number and its colours."""
    names = " + ".join(colour(here.variant.id, number) for number in here.rules.seats[seat])
    return say("position.seat", n=seat + 1, colours=names)
