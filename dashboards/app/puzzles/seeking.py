"""Which solution is shown, and the search for it while it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboards.app import links
from dashboards.app.puzzles import searching
from dashboards.app.puzzles.asked import MOST_SEED, Asked
from dashboards.app.puzzles.searching import Question, Search
from dashboards.app.words import say, words
from engine.puzzle_kinds import Placed
from engine.puzzle_search import ENDED, IMPOSSIBLE

SLOT = "search"
"""Of the visitor's searches, the one for a whole solution."""

AT_ONCE = 0.4
"""Seconds that a page waits for an answer before it shows how far a search is."""


def question(asked: Asked) -> Question:
    """What the seed of the address asks."""
    return Question(asked.puzzle.kind, asked.puzzle.board.name, asked.seed or 1)


def known(asked: Asked) -> tuple[Placed, ...]:
    """The solution of the address, if it needs no search."""
    if asked.solution:
        return asked.solution
    answer = searching.remembered(question(asked)) if asked.seed is not None else None
    return answer.pieces if answer is not None else ()


def solution(asked: Asked) -> tuple[Placed, ...]:
    """The solution of the address; where it is searched for, say how far that is."""
    if asked.solution:
        st.success(say("puzzles.from_file"), icon=":material/verified:")
        return asked.solution
    if asked.seed is None:
        searching.forget(SLOT)
        st.info(say("puzzles.none_yet"), icon=":material/lightbulb:")
        return ()
    answer = searching.remembered(question(asked))
    if answer is None:
        search = searching.of_visitor(SLOT, asked.puzzle, question(asked))
        if not search.wait(AT_ONCE):
            progress(search, say("puzzles.searching"), _stop)
            return ()
        if search.failed or search.answer is None:
            st.error(say("puzzles.failed"))
            return ()
        answer = search.answer
    if answer.outcome.status == IMPOSSIBLE:
        st.warning(say("puzzles.impossible", why=answer.outcome.note))
    elif answer.outcome.status == ENDED:
        st.warning(say("puzzles.ended", seconds=f"{question(asked).seconds:g}"))
    else:
        tries = words().counted("puzzles.attempts", answer.outcome.attempts)
        seconds = words().decimal(answer.seconds)
        st.caption(say("puzzles.found", seed=asked.seed, seconds=seconds, attempts=tries))
    return answer.pieces


@st.fragment(run_every=0.5)
def progress(search: Search, what: str, stop: Callable[[], None]) -> None:
    """Show how far a search is; the page is made anew at its end."""
    if search.done:
        st.rerun()
    part = min(1.0, search.spent / search.question.seconds)
    said = say("puzzles.compiling") if search.compiling else search.words
    seconds = words().decimal(search.spent, 0)
    st.progress(part, text=say("puzzles.progress", what=what, seconds=seconds, words=said))
    st.button(say("puzzles.stop"), key=f"puzzles.stop.{search.question.seconds:g}", on_click=stop)


def _stop() -> None:
    searching.forget(SLOT)
    links.keep(seed=None)


def show_seed(asked: Asked, found: bool) -> None:
    """Ask for the solution of a seed."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = f"puzzles.seed.{asked.seed}"
        st.number_input(
            say("puzzles.seed"),
            1,
            MOST_SEED,
            asked.seed or 1,
            key=key,
            width=170,
            help=say("puzzles.seed_about"),
        )
        st.button(
            say("puzzles.search"),
            key="puzzles.search",
            type="secondary" if found else "primary",
            on_click=lambda: _seek(st.session_state[key]),
        )
        if asked.seed is not None:
            st.button(say("puzzles.another"), key="puzzles.another", on_click=partial(_seek, asked.seed + 1))


def _seek(seed: int) -> None:
    links.keep(seed=seed, solution=None, step=None)
