"""What the engine says of the position: asked at a budget, shown while it searches."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.position import thinking
from dashboards.app.position.answer import show_answer
from dashboards.app.position.standing import Standing
from dashboards.app.position.thinking import Known
from dashboards.app.words import colour, plain_markdown, say
from engine.boards import cell_names
from pipeline.evaluations import BUDGETS, Wish
from pipeline.lines import stand
from pipeline.live_evaluation import Question
from pipeline.svg_heat import Heat

TOP = 10
"""Moves that are listed."""


def key_of(here: Standing) -> str:
    """Names the question: the position, the budget and the seed."""
    return f"{here.key} {thinking.budget()} {thinking.seed()}"


def asked(here: Standing) -> Known:
    """What is known of the position by now; the engine is asked where the address wants it."""
    if links.parameter("panel") == "compare":
        return Known()
    key = key_of(here)
    if links.parameter("evaluate"):
        thinking.ask(key, 1, lambda: _questions(here))
    return thinking.known(key)


def _questions(here: Standing) -> list[Question]:
    """Every budget up to the chosen one. The game is played anew for each: a search takes its position over."""
    wishes = [Wish(budget, thinking.seed(), TOP, ("territory",)) for budget in thinking.steps()]
    return [(stand(here.line).reached, wish) for wish in wishes]


def heat(here: Standing, known: Known) -> Heat | None:
    """The expected territory of the colour that the address names."""
    wanted = links.parameter("ground")
    if not known.answers or wanted not in known.answers[0]["territory"]["colours"]:
        return None
    found = known.answers[0]
    column = found["territory"]["colours"].index(wanted)
    cells = found["territory"]["cells"]
    values = [cells[name][column] for name in cell_names(here.variant.board)]
    whose = _owner(here, wanted)
    return Heat(values, "0 %", "100 %", say("position.ground_caption", whose=whose))


def _owner(here: Standing, name: str) -> str:
    row = here.variant
    return colour(row.id, row.colours.index(name)) if name in row.colours else say("position.nobody")


def show_controls(key: str, ask: str) -> None:
    """Budget, seed, and the button that asks."""
    st.session_state["position.budget"] = thinking.budget()
    st.segmented_control(
        say("position.budget"),
        BUDGETS,
        format_func=lambda name: say(f"position.{name}"),
        key="position.budget",
        required=True,
        help=say("position.budget_about"),
        on_change=lambda: links.keep(budget=st.session_state["position.budget"]),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            ask,
            key="position.evaluate",
            type="primary",
            icon=":material/insights:",
            on_click=_ask,
            args=(key,),
        )
        st.session_state["position.seed"] = thinking.seed()
        st.number_input(
            say("position.seed"),
            0,
            thinking.MOST_SEEDS,
            key="position.seed",
            width=130,
            on_change=lambda: links.keep(seed=st.session_state["position.seed"]),
            help=say("position.seed_about"),
        )


def _ask(key: str) -> None:
    thinking.again(key)
    links.keep(evaluate=1)


def show_evaluation(here: Standing, known: Known) -> None:
    """The panel: what is asked, how far it is, and the answer."""
    key = key_of(here)
    show_controls(key, say("position.evaluate"))
    st.session_state["position.live"] = bool(links.parameter("live"))
    st.toggle(
        say("position.live"),
        key="position.live",
        on_change=lambda: links.keep(live=1 if st.session_state["position.live"] else None),
    )
    thinking.show_progress(key, known)
    if known.refused:
        st.error(say("position.refused", what=plain_markdown(known.refused)))
    elif known.answers:
        _ground(here, known.answers[0])
        show_answer(here, known.answers[0])
    elif known.ended:
        st.caption(say("position.stopped"))
    elif not links.parameter("evaluate"):
        st.caption(say("position.not_evaluated"))


def _ground(here: Standing, found: dict[str, Any]) -> None:
    """Whose expected territory lies on the board."""
    st.session_state["position.ground"] = links.parameter("ground")
    st.selectbox(
        say("position.ground"),
        ["", *found["territory"]["colours"]],
        format_func=lambda name: _owner(here, name) if name else say("position.no_ground"),
        key="position.ground",
        on_change=lambda: links.keep(ground=st.session_state["position.ground"]),
        help=say("position.ground_about"),
    )
