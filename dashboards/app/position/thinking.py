"""Evaluations that this visitor asked for: what is known, and the one that is going on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.failing import EXPECTED
from dashboards.app.words import say
from pipeline import compiling
from pipeline.evaluations import BUDGETS
from pipeline.live_evaluation import LiveEvaluation, Question

Document = dict[str, Any]

KEPT = 40
"""Answers that are remembered, so that going back to a position costs nothing."""

SOON = 0.15
"""Seconds that a page waits for an answer before it shows how far it is."""

MOST_SEEDS = 2**53 - 1
"""The last seed that a field in a browser holds."""

LOOK = 0.5
"""Seconds between two looks at what is going on."""


@dataclass
class Known:
    """The last answers to a question: one for every position of it, of the largest budget so far.

    `rounds` are the budgets that are done; `ended`: nothing more will come; `refused`: why there is no answer.
    """

    answers: list[Document] = field(default_factory=list)
    rounds: int = 0
    complete: bool = False
    ended: bool = False
    refused: str = ""


@dataclass
class Going:
    """What is going on: its key, how many positions a round has, and whether kernels are compiled first."""

    key: str
    live: LiveEvaluation
    positions: int
    compiles: bool


def budget() -> str:
    """The budget in the address."""
    found = links.parameter("budget", "quick")
    return found if found in BUDGETS else "quick"


def seed() -> int:
    """The seed in the address."""
    return min(max(links.number("seed", 1), 0), MOST_SEEDS)


def steps() -> Sequence[str]:
    """Budgets on the way: each shows its answer while the next is searched."""
    return BUDGETS[: BUDGETS.index(budget()) + 1]


def known(key: str) -> Known:
    """What is known by now of a question."""
    _gather()
    return _all().get(key, Known())


def ask(key: str, positions: int, questions: Callable[[], list[Question]]) -> None:
    """Begin to answer a question, unless it is answered or under way; another one stops.

    `questions` come in rounds, one for every position in each.
    """
    going = _going()
    if known(key).ended or (going is not None and going.key == key):
        return
    if going is not None:
        going.live.stop()
    compiles: list[str] = []
    compiling.announce_compiling(compiles.append, compiling.SEARCH)
    live = LiveEvaluation(questions())
    st.session_state["position.going"] = Going(key, live, positions, bool(compiles))
    live.wait(SOON)


def again(key: str) -> None:
    """Forget a question that has not been answered to its end."""
    if not known(key).complete:
        _all().pop(key, None)


def stop() -> None:
    """Break off what is going on; what is known stays."""
    going = _going()
    if going is not None:
        going.live.stop()
        found = known(going.key)
        _remember(going.key, replace(found, ended=True))
        st.session_state.pop("position.going", None)


def show_progress(key: str, shown: Known) -> None:
    """How far a question is, as long as it is under way; `shown` is what the page shows of it."""
    going = _going()
    if going is not None and going.key == key:
        _progress(key, shown.rounds)


@st.fragment(run_every=LOOK)
def _progress(key: str, rounds: int) -> None:
    found, going = known(key), _going()
    if going is None or going.key != key or found.rounds != rounds:
        st.rerun()
    live = going.live
    text = "waiting" if live.waiting else "compiling" if going.compiles and not rounds else "searching"
    part = int(100 * live.progress)
    shown = say(
        f"position.{text}", seconds=f"{live.seconds:.0f}", percent=part, budget=say(f"position.{budget()}")
    )
    st.progress(part, text=shown)
    st.button(say("position.stop_search"), key="position.stop", icon=":material/stop_circle:", on_click=stop)


def _gather() -> None:
    """Remember what the thread has found by now."""
    going = _going()
    if going is None:
        return
    live = going.live
    done = live.done
    rounds = len(live.answers) // going.positions
    last = live.answers[max(0, rounds - 1) * going.positions : rounds * going.positions]
    error = live.error if done else None
    if error is not None and not isinstance(error, EXPECTED):
        st.session_state.pop("position.going")
        raise error
    whole = done and not live.stopped and error is None
    _remember(going.key, Known(last, rounds, whole, done, str(error) if error else ""))
    if done:
        st.session_state.pop("position.going")


def _going() -> Going | None:
    found: Going | None = st.session_state.get("position.going")
    return found


def _all() -> OrderedDict[str, Known]:
    found: OrderedDict[str, Known] = st.session_state.setdefault("position.known", OrderedDict())
    return found


def _remember(key: str, what: Known) -> None:
    kept = _all()
    kept[key] = what
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)
