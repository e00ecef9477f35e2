"""Work on the library: measuring and judging its games, the jobs there are, and the last imports."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import streamlit as st

from dashboards.app import links, working
from dashboards.app.library import jobs, started
from dashboards.app.library.outcome import BUDGETS, budget_words
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import plain_markdown, say, words
from dashboards.work import FINAL, WorkRefused
from engine.variants import variant
from pipeline import contents, queries

LAST = 15
"""Jobs, and imports, that are listed."""

LOOK = 1.5
"""Seconds between two looks at the jobs, while one of them is not finished."""

Row = Mapping[str, Any]


def show() -> None:
    """What can be done, what is being done, what was done."""
    left, right = st.columns(2, gap="large")
    rows = ask(contents.games_by_variant)
    with left:
        _measuring(rows)
    with right:
        _judging(rows)
    st.subheader(say("library.jobs"))
    _jobs()
    st.subheader(say("library.batches"))
    _batches()


def _measuring(rows: list[dict[str, Any]]) -> None:
    st.subheader(say("library.measure_title"))
    st.write(say("library.measure_about"))
    missing = sum(row["possible"] - row["measured"] for row in rows)
    st.button(
        words().counted("library.measure", missing) if missing else say("library.all_measured"),
        icon=":material/straighten:",
        disabled=not missing or started.is_under_way("measure") or working.away() is not None,
        on_click=started.begin_measuring,
        key="library.measure",
    )


def _judging(rows: list[dict[str, Any]]) -> None:
    st.subheader(say("library.judge_title"))
    st.write(say("library.judge_about"))
    missing = {row["variant"]: row["possible"] - row["judged"] for row in rows}
    which, how = st.columns(2)
    name = which.selectbox(
        say("library.variant"),
        ["", *missing],
        key="library.judge_variant",
        format_func=lambda name: variant(name).name if name else say("library.every_variant"),
    )
    budget = how.selectbox(
        say("library.budget"), BUDGETS, 1, key="library.judge_budget", format_func=budget_words
    )
    games = missing[name] if name else sum(missing.values())
    st.button(
        words().counted("library.judge", games) if games else say("library.all_judged"),
        icon=":material/gavel:",
        disabled=not games or started.is_under_way("judge") or working.away() is not None,
        on_click=started.begin_judging,
        args=(None, budget, name or None),
        key="library.judge",
    )


def _jobs() -> None:
    """The last jobs, looked at again while one of them is not finished."""
    if not working.prepared():
        _looked_at_again()
        return
    found = _listed()
    if found is None:
        return
    if any(job["state"] not in FINAL for job in found):
        _looked_at_again()
    else:
        _table(found)


def _listed() -> list[dict[str, Any]] | None:
    try:
        return working.told(lambda work: work.jobs(LAST))
    except WorkRefused as error:
        st.warning(plain_markdown(str(error)), icon=":material/cloud_off:")
        return None


@st.fragment(run_every=LOOK)
def _looked_at_again() -> None:
    if not working.prepared(0):
        st.caption(say("library.begins"))
        return
    found = _listed() or []
    mine = {one.job.get("id") for one in started.mine()}
    active = [job for job in found if job["state"] not in FINAL]
    for job in active:
        if job["id"] not in mine:
            jobs.progress(say(f"library.kind_{job['kind']}"), job)
    if _table(found) or not active:
        st.rerun()


def _table(found: list[dict[str, Any]]) -> bool:
    """The jobs; returns whether one of them was chosen, which is shown above."""
    if not found:
        st.caption(say("library.no_jobs"))
        return False
    event = table(
        [
            Column("kind", say("library.job")),
            Column("state", say("library.column_state")),
            Column("created", say("library.begun")),
            Column("what", say("library.column_message")),
        ],
        [
            {
                "id": job["id"] if job["kind"] == "import" and job["state"] == "done" else "",
                "kind": say(f"library.kind_{job['kind']}"),
                "state": say(f"library.state_{job['state']}"),
                "created": _when(job["created"]),
                "what": _what(job),
            }
            for job in found
        ],
        key="library.jobs",
        pick=lambda row: str(row["id"]),
        link=lambda row: links.address("library", part="tasks", job=row["id"]),
        then=lambda event: links.keep(job=event.pick, at=None) if event.pick else None,
    )
    return event.pick is not None


def _what(job: Row) -> str:
    said = jobs.how_it_ended(job)
    return f"{said} {jobs.next_step(job['code'], job['state'])}" if job["state"] == "failed" else said


def _when(text: str | datetime | None) -> str:
    """A time in UTC."""
    if text is None:
        return say("none")
    when = text if isinstance(text, datetime) else datetime.fromisoformat(text)
    return say("library.utc", time=f"{when:%Y-%m-%d %H:%M}")


def _batches() -> None:
    rows = ask(queries.batches, LAST)
    numbers = ("games", "stored", "duplicates", "refused", "illegal")
    table(
        [
            Column("batch", say("library.batch"), "whole"),
            Column("finished", say("library.finished")),
            *(Column(name, say(f"library.count_{name}"), "whole") for name in numbers),
            Column("command", say("library.command"), "text"),
        ],
        [
            {
                **row,
                "finished": _when(row["finished"]),
                "command": f"{row['command']} ({say('library.undone')})" if row["undone"] else row["command"],
            }
            for row in rows
        ],
        key="library.batches",
    )
