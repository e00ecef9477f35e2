"""What the figures mean, one click away; measures as `engine/measures.md` defines them."""

from __future__ import annotations

import streamlit as st

from dashboards.app.words import say
from engine.measures import definitions, measures_page

OF_PART = {
    "seats": ("win_rate", "share", "score", "bonus", "intervals"),
    "lengths": ("plies", "turns", "passes"),
    "pieces": ("round", "correlation", "left", "intervals"),
    "heat": ("heat",),
}

OF_HEAT = ("reach", "contested", "dead", "occupied")
"""Measures that heat maps count."""


def show(part: str) -> None:
    """A popover with the definitions of a part of the page."""
    with st.popover(say("statistics.explain"), icon=":material/help:"):
        for name in OF_PART[part]:
            st.markdown(say(f"statistics.explained.{name}"))
        if part == "heat":
            known = definitions()
            for name in OF_HEAT:
                if name in known:
                    st.markdown(f"**{name}** ({known[name].unit}): {known[name].definition}")
        if st.checkbox(say("statistics.all_measures")):
            st.markdown(measures_page())
