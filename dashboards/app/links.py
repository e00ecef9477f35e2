"""Addresses of what a page shows: game, ply, filter and position are query parameters, so that links can be shared."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import urlencode

import streamlit as st


def parameter(name: str, default: str = "") -> str:
    """A query parameter, the default where it is not there."""
    return st.query_params.get(name, default)


def number(name: str, default: int) -> int:
    """A query parameter that is a number; the default where it is not there or is none."""
    text = parameter(name)
    return int(text) if text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() else default


def keep(**values: object) -> None:
    """Write what the page shows into its address; what is None, empty or False leaves it."""
    before = st.query_params.to_dict()
    gone = {name for name, value in values.items() if value is None or value is False or value == ""}
    shown = before | {name: str(value) for name, value in values.items() if name not in gone}
    shown = {name: value for name, value in shown.items() if name not in gone}
    if shown != before:
        # At once: every change of its own would be a step of the browser's way back.
        st.query_params.from_dict(shown)


def address(page: str, **values: object) -> str:
    """Address of a page, to be shown or copied: ``game?id=88c2a9b&ply=12``."""
    shown = {name: value for name, value in values.items() if value not in (None, "", False)}
    return f"{page}?{urlencode(shown)}" if shown else page


def go(page: str, **values: object) -> NoReturn:
    """Leave for another page."""
    from dashboards.app.main import PAGES

    shown = {name: str(value) for name, value in values.items() if value not in (None, "", False)}
    st.switch_page(PAGES[page].page(), query_params=shown)
