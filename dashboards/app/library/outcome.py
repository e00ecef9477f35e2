"""What an import brought: counts, what became of every record, and what to do with its games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.app import links, working
from dashboards.app.library import jobs
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import plain_markdown, say, words
from dashboards.work import WorkRefused
from engine.variants import variant
from pipeline.batch_outcomes import games_of_batch, outcomes

PAGE = 15
"""Records of a page."""

MOST = 10_000
"""Games that are judged by their names; of more, all of the library are."""

BUDGETS = ("instant", "quick", "standard", "deep")

Row = Mapping[str, Any]


def show(identity: str) -> None:
    """What a job of the address brought."""
    with st.container(border=True):
        left, right = st.columns([6, 1], vertical_alignment="center")
        right.button(
            say("library.close"),
            icon=":material/close:",
            on_click=lambda: links.keep(job=None, at=None),
            key="library.close",
        )
        if not working.prepared():
            left.caption(say("library.begins"))
            _soon()
            return
        try:
            job = working.told(lambda work: work.job(identity))
        except WorkRefused as error:
            left.warning(plain_markdown(str(error)))
            return
        if job["kind"] != "import" or job["state"] != "done":
            left.info(plain_markdown(jobs.how_it_ended(job)))
            return
        left.subheader(say("library.brought"))
        _brought(job["result"])


@st.fragment(run_every=0.5)
def _soon() -> None:
    if working.prepared(0):
        st.rerun()


def _brought(result: Row) -> None:
    stored = words().counted("library.brought_stored", result["stored"])
    parts = [stored]
    for name in ("duplicates", "refused", "illegal"):
        if result[name]:
            parts.append(words().counted(f"library.brought_{name}", result[name]))
    beside = sum(result[name] for name in ("results", "positions", "piece_lists"))
    if beside:
        parts.append(words().counted("library.n_beside", beside))
    st.markdown(" · ".join(parts))
    for row in (*result["unreadable_files"], *result["other_files"])[:5]:
        st.caption(plain_markdown(f"{row['file']}: {row['reason']}"))
    if result["stored"]:
        _offer(result["batch"])
    _records(result)


def _offer(batch: int) -> None:
    """The next step: without measures and judgements there are no graphs and few statistics."""
    from dashboards.app.library import started

    with st.container(horizontal=True, vertical_alignment="bottom"):
        budget = st.selectbox(
            say("library.budget"), BUDGETS, 1, key="library.offer_budget", format_func=budget_words, width=320
        )
        st.button(
            say("library.measure_and_judge"),
            type="primary",
            icon=":material/monitoring:",
            key="library.offer",
            on_click=_take,
            args=(batch, budget),
            disabled=started.is_under_way("judge"),
        )


def budget_words(name: str) -> str:
    """A budget with what it is good for."""
    return say(f"library.budget_{name}")


def _take(batch: int, budget: str) -> None:
    from dashboards.app.library import started

    ids = ask(games_of_batch, batch)
    started.begin_measuring()
    started.begin_judging(ids if 0 < len(ids) <= MOST else None, budget)


def _records(result: Row) -> None:
    """What became of every record, page by page."""
    wrong = bool(links.parameter("wrong"))
    page = max(1, links.number("at", 1))
    found = ask(outcomes, result["batch"], PAGE, (page - 1) * PAGE, wrong)
    if result["refused"] or result["illegal"]:
        st.session_state["library.wrong"] = wrong
        st.checkbox(
            say("library.only_wrong"),
            key="library.wrong",
            on_change=lambda: links.keep(wrong=st.session_state["library.wrong"], at=None),
        )
    if not found.rows:
        st.caption(say("library.seen_before") if not wrong else say("library.no_match"))
        return
    columns = ("outcome", "place", "variant", "plies", "message")
    event = table(
        [
            Column(name, say(f"library.column_{name}"), "whole" if name == "plies" else "text")
            for name in columns
        ],
        [_said(row) for row in found.rows],
        key="library.outcomes",
        pick=lambda row: row["game"],
        link=lambda row: links.address("game", **_game(row["game"])),
    )
    if event.pick:
        links.go("game", **_game(event.pick))
    pages(found.total, page, "at")


def _said(row: Row) -> Row:
    """A record of an import as the table has it."""
    flags = [words().named("library.flag", flag) for flag in row["flags"] or ()]
    message = row["message"] or ", ".join([*flags, *row["warnings"]])
    return {
        "outcome": say(f"library.outcome_{row['outcome']}"),
        "place": say("library.place", source=row["source"], record=row["record"], line=row["line"]),
        "variant": variant(row["variant"]).name if row["variant"] else None,
        "plies": row["plies"],
        "message": message,
        "game": f"{row['id']} {row['ply'] or ''}".strip() if row["id"] else "",
    }


def _game(pick: str) -> dict[str, str]:
    """Parameters of the page of a game, at the ply where something is wrong."""
    identity, _, ply = pick.partition(" ")
    return {"id": identity, "ply": ply}


def pages(total: int, page: int, name: str, size: int = PAGE) -> None:
    """Buttons from page to page, the number of which is the parameter `name`."""
    last = -(-total // size)
    if last < 2:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        for step, icon, text in ((-1, "chevron_left", "previous"), (1, "chevron_right", "next")):
            st.button(
                say(f"library.{text}"),
                icon=f":material/{icon}:",
                disabled=not 1 <= page + step <= last,
                on_click=lambda there=page + step: links.keep(**{name: there if there > 1 else None}),
                key=f"library.{name}.{text}",
            )
        st.caption(say("library.page_of", n=words().whole(page), last=words().whole(last)))
