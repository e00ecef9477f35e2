"""How a position begins: variant and rules, a new board, a pasted record or position."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dashboards.app.failing import EXPECTED
from dashboards.app.position import state
from dashboards.app.position.standing import Standing
from dashboards.app.words import say, words
from engine.errors import EngineError
from engine.rulesets import PASS_RULES, START_RULES, parse_rules
from engine.scoring_tables import SCORINGS
from engine.variants import VARIANTS, Variant
from notation.errors import NotationError
from pipeline.lines import line_of_pasted

ENDS = ("all_blocked", "first_blocked", "rounds:25")
"""End rules to choose from; others come with a record or by the address."""

LOADING = "position.load_box"

LARGEST = 4 * 1024 * 1024
"""Bytes of a file that is looked at here; archives are imported."""


def show_beginning(here: Standing) -> None:
    """Variant, rules, what to load, and a new board, in a row."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="position-begin"):
        st.session_state["position.variant"] = here.variant.id
        st.selectbox(
            say("position.variant"),
            list(VARIANTS),
            format_func=lambda name: VARIANTS[name].name,
            key="position.variant",
            on_change=_variant,
            width=230,
        )
        # What is not open is not made: every click makes the page anew.
        rules = st.popover(
            say("position.rules"), icon=":material/tune:", key="position.rules_box", on_change="rerun"
        )
        if rules.open:
            with rules:
                _show_rules(here)
        load = st.popover(
            say("position.load"), icon=":material/content_paste:", key=LOADING, on_change="rerun"
        )
        if load.open:
            with load:
                _show_load()
        st.button(
            say("position.new"),
            key="position.new",
            icon=":material/restart_alt:",
            on_click=partial(state.new, here.variant.id, dict(here.line.rules)),
        )


def _variant() -> None:
    state.new(st.session_state["position.variant"], {})


def _show_rules(here: Standing) -> None:
    """What can be set of the variant's rules; a rule that the moves break ends the line there."""
    st.caption(say("position.rules_about"))
    for key, known in _choices(here.variant).items():
        now = dict(here.line.rules).get(key, "")
        field = f"position.rule.{key}"
        st.session_state[field] = now
        options = ["", *known] if now in ("", *known) else ["", *known, now]
        st.selectbox(
            say(f"position.rule.{key}"),
            options,
            format_func=partial(_rule_name, key),
            key=field,
            on_change=partial(_set_rule, here, key),
        )


def _rule_name(key: str, value: str) -> str:
    if not value:
        return say("position.default_rule")
    return words().named("colours" if key == "neutral" else f"position.{key}_rules", value)


def _choices(row: Variant) -> dict[str, list[str]]:
    """Settings of the rules by key, those that are no more than the variant's own left out."""
    wanted = {
        "start": [rule for rule in START_RULES if rule != row.start],
        "end": list(ENDS[1:]),
        "pass": list(PASS_RULES[1:]),
        "scoring": [table for table in SCORINGS if table != row.scoring],
        "teams": ["yes"],
        "neutral": list(row.colours) if len(row.seats) > 2 else [],
        "three": [f"two_colours:{seat}:{pair}" for seat, pair in ((1, "blue+green"), (2, "yellow+green"))],
    }
    found = {key: [value for value in values if _fits(row.id, key, value)] for key, values in wanted.items()}
    return {key: values for key, values in found.items() if values}


def _fits(variant_id: str, key: str, value: str) -> bool:
    try:
        parse_rules(variant_id, {key: value})
    except EngineError:
        return False
    return True


def _set_rule(here: Standing, key: str) -> None:
    rules = dict(here.line.rules)
    rules[key] = st.session_state[f"position.rule.{key}"]
    kept = {name: value for name, value in rules.items() if value}
    try:
        parse_rules(here.variant.id, kept)
    except EngineError as error:
        state.tell("position.refused_rule", what=str(error))
        return
    state.keep(replace(here.line, rules=tuple(sorted(kept.items()))))


def _show_load() -> None:
    """A text or a file with a record or a position."""
    with st.form("position.load", border=False):
        st.text_area(
            say("position.paste"), key="position.pasted", height=140, help=say("position.paste_about")
        )
        st.file_uploader(say("position.file"), key="position.file")
        with st.container(horizontal=True):
            st.number_input(say("position.game"), 1, None, 1, key="position.game", width=120)
            st.number_input(say("position.at"), 0, None, None, key="position.at", width=120)
        st.form_submit_button(say("position.load_now"), type="primary", on_click=_load)


def _load() -> None:
    """Show what was pasted or chosen, or say what is wrong with it."""
    file = st.session_state.get("position.file")
    data = file.getvalue() if file else st.session_state["position.pasted"].encode("utf-8", "replace")
    name = file.name if file else say("position.pasted")
    if not data.strip():
        state.tell("position.nothing_pasted")
        return
    if len(data) > LARGEST:
        state.tell("position.too_large", mb=LARGEST // 1024**2)
        return
    try:
        line, stop = line_of_pasted(
            data, name, st.session_state["position.game"], st.session_state["position.at"]
        )
    except EXPECTED as error:
        what = error.message if isinstance(error, NotationError) else str(error)
        state.tell("position.not_read", what=" ".join(what.split())[:300])
        return
    state.keep(line)
    st.session_state[LOADING] = False
    if stop is not None:
        why = words().named("reasons", stop.reason)
        state.tell("position.stop", ply=stop.ply, cells=stop.text[:80], why=why)
