"""Jobs in words: how far one is, how it ended, what to do then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.app import working
from dashboards.app.words import plain_markdown, say, words
from dashboards.work import FINAL, WorkRefused

Job = Mapping[str, Any]


def progress(title: str, job: Job) -> None:
    """How far a job is, with a button to cancel it; {}: it is not one yet."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        text = f"**{plain_markdown(title)}:** {plain_markdown(how_far(job))}"
        total = job.get("total")
        with st.container(width="stretch"):
            st.progress(min(1.0, job["done"] / total) if total else 0.0, text=text)
        if job and job["state"] not in FINAL:
            st.button(
                say("library.cancel"),
                key=f"library.cancel.{job['id']}",
                on_click=_cancel,
                args=(job["id"],),
                icon=":material/close:",
            )


def _cancel(identity: str) -> None:
    try:
        working.told(lambda work: work.cancel(identity))
    except WorkRefused as error:
        st.toast(plain_markdown(str(error)))


def how_far(job: Job) -> str:
    """How far a job is that has not ended."""
    if not job:
        return say("library.handing_over")
    if job["message"]:
        return str(job["message"])
    if job["state"] == "queued":
        return say("library.queued")
    if job["total"]:
        n = words().whole(job["done"])
        text = say("library.done_of", n=n, games=words().counted("library.n_games", job["total"]))
    elif job["done"]:
        text = words().counted("library.so_far", job["done"])
    else:
        text = say("library.begins")
    return text if job["attempts"] < 2 else f"{text} {say('library.again', n=job['attempts'])}"


def did(job: Job) -> str:
    """What a job did that is done."""
    found = job["result"] or {}
    if job["kind"] == "judge":
        return words().counted("library.did_judge", found["games"])
    if job["kind"] == "measure":
        return words().counted("library.did_measure", found["games"])
    if job["kind"] == "import":
        return say(
            "library.did_import",
            stored=words().counted("library.n_games", found["stored"]),
            duplicates=words().whole(found["duplicates"]),
            refused=words().whole(found["refused"]),
        )
    return say("library.state_done")


def how_it_ended(job: Job) -> str:
    """How a job ended, or how far it is."""
    if job["state"] == "done":
        return did(job)
    if job["state"] == "cancelled":
        return say("library.was_cancelled")
    if job["state"] == "failed":
        return str(job["message"] or say("library.state_failed"))
    return how_far(job)


def next_step(code: str | None, state: str | None) -> str:
    """What to do about a job that did not do it."""
    if state == "cancelled":
        return say("library.step_cancelled")
    known = ("worker_died", "too_large", "library", "disk_full", "doctype", working.AWAY)
    return say(f"library.step_{code}") if code in known else say("library.step_failed")
