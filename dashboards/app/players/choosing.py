"""Fields whose values are in the address, which alone says what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dashboards.app import links

Clears = Sequence[str]
"""Parameters that leave the address when a field changes: what they named is no longer shown."""


def one_of(
    label: str,
    name: str,
    options: Mapping[str, str],
    default: str = "",
    clears: Clears = (),
    width: int = 230,
) -> str:
    """A list to choose from: options with their words; the default is not written into the address."""
    now = links.parameter(name, default)
    now = now if now in options else default if default in options else next(iter(options))
    field = f"players.{name}"
    st.session_state[field] = now
    st.selectbox(
        label,
        list(options),
        format_func=lambda value: options.get(value, value),
        key=field,
        on_change=_keep(name, field, default, clears),
        width=width,
    )
    return now


def switch(label: str, name: str, options: Mapping[str, str], clears: Clears = ()) -> str:
    """A row of buttons of which one is on; the first option is the default."""
    first = next(iter(options))
    now = links.parameter(name, first)
    now = now if now in options else first
    field = f"players.{name}"
    st.session_state[field] = now
    st.segmented_control(
        label,
        list(options),
        format_func=lambda value: options.get(value, value),
        key=field,
        on_change=_keep(name, field, first, clears),
        label_visibility="collapsed",
        required=True,
        wrap=True,
    )
    return now


def text(label: str, name: str, clears: Clears = (), placeholder: str = "") -> str:
    """A line to write in."""
    field = f"players.{name}"
    st.session_state[field] = links.parameter(name)
    st.text_input(
        label,
        key=field,
        max_chars=100,
        placeholder=placeholder,
        on_change=_keep(name, field, "", clears),
        icon=":material/search:",
        width=260,
    )
    return links.parameter(name)


def _keep(name: str, field: str, default: str, clears: Clears) -> Callable[[], None]:
    def keep() -> None:
        value = st.session_state[field]
        links.keep(**{name: None if value == default else value, **dict.fromkeys(clears)})

    return keep
