"""The record on its way into the library: the import that was started, and the game that came of it."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.words import plain_markdown, say, words
from dashboards.app.working import work
from dashboards.work import FINAL, WorkRefused

LOOK = 0.4
"""Seconds between two looks at a job."""

_SAVING, _REFUSED = "position.saving", "position.save_refused"


def show_saving(text: str) -> None:
    """What became of saving this text, where that was asked for."""
    refused: str | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        st.error(say("position.refused", what=plain_markdown(refused)))
    saving: tuple[str, str] | None = st.session_state.get(_SAVING)
    if saving is not None and saving[1] == text:
        _follow(saving[0])


def start_saving(text: str) -> None:
    """Import the record as a file of its own."""
    try:
        job = work().import_files([("recorded-by-hand.blksgf", text.encode("utf-8", "replace"))])
    except WorkRefused as error:
        st.session_state[_REFUSED] = str(error)
        return
    st.session_state[_SAVING] = job, text


def _follow(job: str) -> None:
    try:
        found = work().job(job)
    except WorkRefused as error:
        st.error(say("position.refused", what=plain_markdown(str(error))))
        return
    if found["state"] not in FINAL:
        _wait(job)
    elif found["state"] == "done":
        _show_saved(job)
    else:
        st.error(say("position.not_saved", what=plain_markdown(found["message"] or found["state"])))


@st.fragment(run_every=LOOK)
def _wait(job: str) -> None:
    """What the import does, until it ends."""
    try:
        found = work().job(job)
    except WorkRefused:
        st.rerun()
    if found["state"] in FINAL:
        st.rerun()
    st.info(plain_markdown(found["message"] or say("position.saving")), icon=":material/hourglass_top:")


def _show_saved(job: str) -> None:
    """The game that came of it."""
    row = next(iter(work().outcomes(job)), None)
    if row is None or row["outcome"] == "refused":
        st.error(
            say("position.not_saved", what=plain_markdown(words().shown(row and row["message"], "text")))
        )
        return
    st.success(say("position.saved" if row["outcome"] == "stored" else "position.was_there"))
    if st.button(say("position.open", id=row["id"][:7]), key="position.open", icon=":material/grid_on:"):
        links.go("game", id=row["id"])
