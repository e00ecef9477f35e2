"""Judging the game from its page: with which effort, how far it is, and what made a judgement."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.game.loaded import Loaded
from dashboards.app.opened import reader
from dashboards.app.words import plain_markdown, say, words
from dashboards.app.working import work
from dashboards.work import FINAL, WorkRefused
from pipeline.analysis.queries import GameAnalysis

BUDGETS = ("instant", "quick", "standard")
"""What is offered: deeper ones take an hour a game."""

SECONDS = {"instant": 0.05, "quick": 0.3, "standard": 3.0}
"""About how long one core takes for a move, two searches for many of them."""

LOOK = 0.7
"""Seconds between two looks at how far it is."""


def show(game: Loaded) -> None:
    """Show what stands where a game has no judgement yet: the way to one."""
    if not game.plies:
        st.info(say("game.nothing_to_judge"), icon=":material/info:")
    elif job := links.parameter("job"):
        _follow(job)
    else:
        _offer(game)


def show_made_by(analysis: GameAnalysis) -> None:
    """Say what judged the game, and whether that is of an older program."""
    made = analysis.made_by
    said = say("game.made_by", engine=made["engine"], budget=made["budget"], seed=made["seed"])
    older = " " + say("game.made_older") if analysis.older else ""
    st.caption(plain_markdown(said + older))


def _offer(game: Loaded) -> None:
    with st.container(border=True):
        st.markdown(f"**{say('game.unjudged')}**")
        st.write(say("game.unjudged_about"))
        budget = st.selectbox(
            say("game.budget"),
            BUDGETS,
            index=1,
            key="game-budget",
            format_func=lambda name: say(f"game.budget_{name}", time=_time(game, name)),
        )
        if st.button(say("game.judge"), type="primary", icon=":material/psychology:", key="game-judge"):
            try:
                links.keep(job=work().judge([game.identity], budget))
            except WorkRefused as error:
                st.error(plain_markdown(say("game.judge_refused", message=str(error))))
            else:
                st.rerun()


def _time(game: Loaded, budget: str) -> str:
    seconds = max(5.0, game.plies * SECONDS[budget])
    if seconds < 90:
        return say("game.seconds", n=words().whole(5 * round(seconds / 5)))
    return say("game.minutes", n=words().whole(max(2, round(seconds / 60))))


def _follow(identity: str) -> None:
    """Tell how far a judging is, until it ends."""

    @st.fragment(run_every=LOOK)
    def looking() -> None:
        try:
            job = work().job(identity)
        except WorkRefused as error:
            _ended(plain_markdown(say("game.job_lost", message=str(error))))
            return
        if job["state"] == "done":
            reader().refresh()
            links.keep(job=None)
            st.rerun()
        if job["state"] in FINAL:
            key = "game.job_cancelled" if job["state"] == "cancelled" else "game.job_failed"
            _ended(plain_markdown(say(key, message=job["message"] or words()("none"))))
            return
        _running(identity, job)

    looking()


def _running(identity: str, job: dict[str, Any]) -> None:
    with st.container(border=True):
        said = say("game.job_queued") if job["state"] == "queued" else say("game.job_running")
        st.markdown(f"**:material/hourglass_top: {said}**")
        st.caption(plain_markdown(job["message"]) if job["message"] else say("game.job_about"))
        if st.button(say("game.job_cancel"), key="game-cancel"):
            try:
                work().cancel(identity)
            except WorkRefused as error:
                st.error(plain_markdown(str(error)))
            else:
                st.rerun()


def _ended(message: str) -> None:
    """Say that it came to nothing, and offer to begin again."""
    st.error(message)
    if st.button(say("game.job_again"), key="game-again"):
        links.keep(job=None)
        st.rerun()
