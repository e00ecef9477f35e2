"""What the words of the page mean, one click away."""

from __future__ import annotations

import streamlit as st

from dashboards.app.words import say

PARTS = ("games", "transpositions", "intervals", "views", "names", "keys")


def show(view: str) -> None:
    """A popover with the definitions."""
    parts = [part for part in PARTS if view != "shape" or part in ("intervals", "views")]
    with st.popover(say("openings.explain"), icon=":material/help:"):
        for part in parts:
            st.markdown(say(f"openings.explained.{part}"))
