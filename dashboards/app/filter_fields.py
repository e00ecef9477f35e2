"""Fields to choose which games a page counts; what they say is in the address."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.filters import BETWEEN, DEFAULT_RULES, EVERY_RULE, Filters, clear, rules_text, variants
from dashboards.app.opened import ask
from dashboards.app.words import say, words
from engine.variants import variant
from pipeline.game_selection import rulesets


def variant_field(here: str | None, forget: Sequence[str] = (), every: bool = False) -> None:
    """A field to choose the variant; with another one the parameters `forget` leave the address."""
    counts = ask(variants)
    options = [*([""] if every else []), *counts]
    if (here or "") not in options:
        options.append(here or "")

    def changed() -> None:
        links.keep(variant=st.session_state["filter.variant"], **dict.fromkeys(("rules", *forget)))

    def said(name: str) -> str:
        if not name:
            return say("filters.every_variant")
        return say(
            "filters.variant_games",
            name=variant(name).name,
            games=words().counted("filters.games", counts.get(name, 0)),
        )

    st.session_state["filter.variant"] = here or ""
    st.selectbox(say("filters.variant"), options, key="filter.variant", format_func=said, on_change=changed)


def fields(filters: Filters, *, ratings: bool = True, min_games: bool = True, flawed: bool = True) -> None:
    """The fields of all other filters, in an expander that is open where some choose."""
    with st.expander(say("filters.title"), bool(filters.chosen), icon=":material/filter_alt:"):
        top = st.columns(3)
        with top[0]:
            _rules_field(filters)
        _text("player", top[1])
        _text("with", top[2])
        middle = st.columns(4)
        _text("since", middle[0])
        _text("until", middle[1])
        _text("source", middle[2])
        _number(
            "seat", filters.seat, middle[3], least=1, most=4, disabled=not (filters.player or filters.against)
        )
        bottom = st.columns(4, vertical_alignment="bottom")
        if ratings:
            _number("min_rating", filters.ratings[0], bottom[0])
            _number("max_rating", filters.ratings[1], bottom[1])
        if min_games:
            least = filters.min_games if filters.min_games > 1 else None
            _number("min_games", least, bottom[2], least=1, most=10**9)
        if flawed:
            st.session_state["filter.flawed"] = filters.flawed
            bottom[3].checkbox(
                say("filters.flawed"),
                key="filter.flawed",
                on_change=partial(_kept, "flawed"),
                help=say("filters.flawed_help"),
            )
        if filters.chosen:
            st.button(say("filters.clear"), on_click=clear, icon=":material/close:")


def _kept(name: str) -> None:
    value = st.session_state[f"filter.{name}"]
    links.keep(**{name: value.strip() if isinstance(value, str) else value})


def _text(name: str, place: Any) -> None:
    st.session_state[f"filter.{name}"] = links.parameter(name)
    place.text_input(
        say(f"filters.{name}"),
        key=f"filter.{name}",
        on_change=partial(_kept, name),
        placeholder=say(f"filters.{name}_like"),
    )


def _number(
    name: str,
    value: float | None,
    place: Any,
    *,
    least: int | None = None,
    most: int | None = None,
    disabled: bool = False,
) -> None:
    key = f"filter.{name}"
    st.session_state[key] = value if value is None or least is None else min(max(value, least), most or value)
    place.number_input(
        say(f"filters.{name}"),
        least,
        most,
        step=1 if least is not None else 1.0,
        key=key,
        on_change=partial(_kept, name),
        disabled=disabled,
        placeholder=say("filters.any"),
    )


def _rules_field(filters: Filters) -> None:
    """A field to choose one of the rulesets that games of the variant have."""
    options = [EVERY_RULE]
    counts: dict[str, int] = {}
    if filters.variant is not None:
        counts = {rules_text(row["rules"]): row["games"] for row in ask(rulesets, filters.variant)}
        options += counts
    if filters.rules not in options:
        options.append(filters.rules)

    def said(text: str) -> str:
        if text == EVERY_RULE:
            return say("filters.every_rule")
        name = (
            say("filters.default_rules")
            if text == DEFAULT_RULES
            else text.replace(BETWEEN, say("list_comma"))
        )
        return say(
            "filters.variant_games",
            name=name,
            games=words().counted("filters.games", counts.get(text, 0)),
        )

    st.session_state["filter.rules"] = filters.rules
    st.selectbox(
        say("filters.rules"),
        options,
        key="filter.rules",
        format_func=said,
        on_change=partial(_kept, "rules"),
        disabled=filters.variant is None,
    )
