"""What only this visitor's page knows: the piece in the hand, sentences for the next time that the page is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import streamlit as st

from engine.puzzle_kinds import Placed

Pieces = tuple[Placed, ...]

Hand = tuple[str, int]
"""A piece and its image, see `placing`."""

_HAND, _NOTICE, _WAY, _HINT = "puzzles.hand", "puzzles.notice", "puzzles.way", "puzzles.hint_for"


class Notice(NamedTuple):
    """A sentence and lines below it; `kind` is how loud."""

    kind: Literal["error", "warning", "info"]
    text: str
    lines: tuple[str, ...] = ()


def tell(kind: Literal["error", "warning", "info"], text: str, lines: Sequence[str] = ()) -> None:
    """Leave a sentence for the next time that the page is made."""
    st.session_state[_NOTICE] = Notice(kind, text, tuple(lines))


def show_notice() -> None:
    """Show the sentence that was left, once."""
    found: Notice | None = st.session_state.pop(_NOTICE, None)
    if found is None:
        return
    icons = {"error": ":material/error:", "warning": ":material/block:", "info": ":material/info:"}
    {"error": st.error, "warning": st.warning, "info": st.info}[found.kind](
        found.text, icon=icons[found.kind]
    )
    if found.lines:
        st.code("\n".join(found.lines), language=None, wrap_lines=True)


def hand(piece_set: str) -> Hand | None:
    """The piece in the hand, if it is of this set."""
    kept: tuple[str, str, int] | None = st.session_state.get(_HAND)
    return kept[1:] if kept is not None and kept[0] == piece_set else None


def take(piece_set: str, held: Hand | None) -> None:
    """Take a piece, or none."""
    if held is None:
        st.session_state.pop(_HAND, None)
    else:
        st.session_state[_HAND] = (piece_set, *held)


def way() -> Pieces:
    """The last solution that a hint found."""
    found: Pieces = st.session_state.get(_WAY, ())
    return found


def keep_way(found: Pieces) -> None:
    """Remember a solution that a hint found."""
    st.session_state[_WAY] = found


def hint_wanted() -> Pieces | None:
    """The pieces for which a hint is wanted."""
    found: Pieces | None = st.session_state.get(_HINT)
    return found


def want_hint(pieces: Pieces | None) -> None:
    """Want a hint for these pieces, or none."""
    if pieces is None:
        st.session_state.pop(_HINT, None)
    else:
        st.session_state[_HINT] = pieces
