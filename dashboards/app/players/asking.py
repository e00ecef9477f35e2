"""Questions of this page: remembered, and worked out beside the page where they take long."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Concatenate, ParamSpec, TypeVar, cast

import streamlit as st

from dashboards.app.background import OnItsWay, answer, wait_for
from dashboards.app.opened import ask
from dashboards.app.words import say
from pipeline.store import Reader

P = ParamSpec("P")
T = TypeVar("T")


def told(question: Callable[Concatenate[Reader, P], T], *args: Hashable) -> T:
    """What the library says; while that takes long the page says so, and ends here.

    Raises:
        Exception: whatever the question raises.
    """
    try:
        return cast(T, answer(ask, question, *args))
    except OnItsWay:
        wait_for(ask, question, *args, note=say("players.on_its_way"))
        st.stop()
