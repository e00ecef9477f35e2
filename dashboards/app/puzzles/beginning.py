"""Begin by hand with a solution whose last pieces are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboards.app.puzzles import state
from dashboards.app.puzzles.asked import LAST, Asked, keep_pieces, without_last
from dashboards.app.words import say
from engine.puzzle_kinds import Placed


def show_take_away(asked: Asked, solution: Sequence[Placed], first: bool) -> None:
    """How many of the last pieces are to be taken away; `first`: it is the main thing to do here."""
    most = len(solution)
    key = f"puzzles.count.{asked.puzzle.kind}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(say("puzzles.take_away"), 1, most, min(LAST, most), key=key, width=170)
        st.button(
            say("puzzles.try_last"),
            key="puzzles.try_last",
            type="primary" if first else "secondary",
            on_click=partial(_take_away, asked, solution, key),
        )


def _take_away(asked: Asked, solution: Sequence[Placed], key: str) -> None:
    # The number as it is now: it may be newer than the page.
    begun = without_last(solution, st.session_state[key])
    keep_pieces(asked, begun, given=len(begun))
    state.take(asked.puzzle.piece_set, None)
