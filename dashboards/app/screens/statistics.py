"""Under way."""

from __future__ import annotations

import streamlit as st


def show() -> None:
    """Show the page."""
    st.write("statistics")
