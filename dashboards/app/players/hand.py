"""The piece that a visitor holds before a position, and where it may lie."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboards.app.drawing import Event
from dashboards.app.placing import Cells, Ground, as_drawn, flipped, ghost_map, pointed_at, turned
from engine.boards import cell_names
from pipeline.analysis.exercises import Exercise

Hand = tuple[str, int]

KEYS = ("r", "R", "f", "F", "Escape")
"""Keys that turn the piece, turn it over, and put it back."""

_HELD = "players.held"


def held(asked: Exercise) -> Hand | None:
    """The piece in the hand and its image, of this exercise."""
    kept: tuple[str, int, str, int] | None = st.session_state.get(_HELD)
    if kept is None or kept[:2] != (asked.id, asked.ply):
        return None
    return kept[2:]


def hold(asked: Exercise, piece: str, image: int | None = None) -> None:
    """Take a piece; the one that is held already is put back."""
    now = held(asked)
    if image is None and now is not None and now[0] == piece:
        put_back()
        return
    pieces = asked.position.variant.pieces
    shown = as_drawn(pieces, piece) if image is None else image
    st.session_state[_HELD] = (asked.id, asked.ply, piece, shown)


def put_back() -> None:
    """Hold nothing."""
    st.session_state.pop(_HELD, None)


def turn(asked: Exercise, times: int = 1) -> None:
    """Turn the piece clockwise."""
    now = held(asked)
    if now is not None:
        hold(asked, now[0], turned(asked.position.variant.pieces, *now, times))


def flip(asked: Exercise) -> None:
    """Turn the piece over."""
    now = held(asked)
    if now is not None:
        hold(asked, now[0], flipped(asked.position.variant.pieces, *now))


def heard(asked: Exercise, event: Event) -> None:
    """A key of `KEYS`."""
    if event.key in ("r", "R"):
        turn(asked, -1 if event.key == "R" else 1)
    elif event.key in ("f", "F"):
        flip(asked)
    elif event.key == "Escape":
        put_back()


def ghosts(asked: Exercise, legal: Mapping[Cells, int]) -> dict[int, tuple[Cells, bool]] | None:
    """Where the piece in the hand would lie, for every cell."""
    now = held(asked)
    if now is None:
        return None
    row = asked.position.variant
    return ghost_map(Ground.of(row.board), row.pieces, *now, legal)


def why_not(asked: Exercise, cell: int) -> str:
    """The reason for which the piece in the hand cannot lie where it is nearest to a cell."""
    now = held(asked)
    row = asked.position.variant
    ground = Ground.of(row.board)
    number = {xy: at for at, xy in enumerate(ground.cells)}
    place = pointed_at(ground, row.pieces, *now, cell) if now else ()
    cells = tuple(sorted(number[xy] for xy in place if xy in number))
    if len(cells) < len(place) or not cells:
        return "off_board"
    return asked.position.copy().why_illegal(asked.colour, cells) or "not_reached"


def named(asked: Exercise, cells: Cells) -> str:
    """Cells by their names, joined as in addresses: ``j3-k3``."""
    names = cell_names(asked.position.variant.board)
    return "-".join(names[cell] for cell in cells)
