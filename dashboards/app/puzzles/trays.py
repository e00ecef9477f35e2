"""The pieces that are left, as shapes that can be taken, and the one in the hand."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import drawn
from dashboards.app.placing import shape
from dashboards.app.puzzles import checking, hands, naming
from dashboards.app.puzzles.asked import Asked
from dashboards.app.puzzles.state import Hand
from dashboards.app.words import colour, say
from pipeline.pieces_svg import pieces_svg
from pipeline.svg import words as escaped


def show_pieces(asked: Asked) -> None:
    """The piece in the hand and those that are left: of the colour on turn, or of all colours of a tiling."""
    row, mover = asked.puzzle, hands.mover(asked)
    if len(asked.pieces) == row.pieces:
        return
    shared = checking.shared_bag(row)
    if shared:
        st.session_state["puzzles.colour"] = asked.colour
        st.segmented_control(
            say("puzzles.heads.colour"),
            range(len(row.colours)),
            key="puzzles.colour",
            required=True,
            format_func=lambda number: colour(asked.variant, number),
            on_change=lambda: links.keep(colour=st.session_state["puzzles.colour"] or None),
        )
    _hand(asked, hands.hand(asked))
    every = range(len(row.colours))
    mine = [mover] if row.by_rules or shared else list(every)
    drawn(_trays(asked, mine, True), key="puzzles.trays", then=hands.on_tray)
    if row.by_rules:
        with st.expander(say("puzzles.others")):
            drawn(_trays(asked, [c for c in every if c != mover], False), key="puzzles.others")


def _trays(asked: Asked, colours: Sequence[int], picks: bool) -> str:
    """The pieces that colours have left, as HTML."""
    held, out = hands.hand(asked), []
    for number in colours:
        left = checking.left(asked.puzzle, asked.pieces, number)
        count = sum(left.values())
        title = naming.begun(say("puzzles.tray", colour=colour(asked.variant, number), n=count))
        if checking.shared_bag(asked.puzzle):
            title = say("puzzles.tray_of_all", n=count)
        chosen = held[0] if held is not None and picks and number == hands.mover(asked) else ""
        svg = pieces_svg(
            asked.variant,
            number,
            left,
            title=title,
            uid=f"tray{number}{picks}",
            width=330.0,
            picks=picks,
            pick=str(number),
            chosen=chosen,
        )
        out.append(f"<figure><figcaption>{escaped(title)}</figcaption>{svg if left else ''}</figure>")
    return "".join(out)


def _hand(asked: Asked, held: Hand | None) -> None:
    """The piece in the hand as it is turned, and buttons that turn it."""
    if held is None:
        st.caption(say("puzzles.choose"))
        return
    piece, image = held
    pieces = asked.puzzle.piece_set
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width=84):
            svg = pieces_svg(
                asked.variant,
                hands.mover(asked),
                {piece: 1},
                title=say("puzzles.hand", piece=piece),
                uid="hand",
                width=70.0,
                images={piece: shape(pieces, piece, image)},
            )
            drawn(svg, key="puzzles.hand_drawn", tallest="84px")
        st.button(
            say("puzzles.rotate"), key="puzzles.rotate", icon=":material/rotate_right:", on_click=hands.turn
        )
        st.button(say("puzzles.flip"), key="puzzles.flip", icon=":material/flip:", on_click=hands.flip)
