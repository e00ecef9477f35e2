"""How good the data are: what is odd, case by case, and the records that could not be taken as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboards.app import background, links
from dashboards.app.drawing import drawn
from dashboards.app.library.outcome import pages
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import say, words
from pipeline import quality, queries
from pipeline.errors import BadCode
from pipeline.svg import words as escaped

PROBLEMS = 8
"""Records in quarantine on a page."""

CASES = 15

Row = Mapping[str, Any]

_COLUMN = re.compile(r"column (\d+)")


def show() -> None:
    """Codes with their cases, and the quarantine."""
    st.subheader(say("library.quality"))
    _codes()
    if links.parameter("code"):
        _cases(links.parameter("code"))
    st.subheader(say("library.quarantine"))
    _quarantine()


def _codes() -> None:
    found = background.awaited(ask, quality.quality, 1, note=say("library.counting"))
    if found is None:
        return
    if not found:
        st.success(say("library.sound"))
        return
    table(
        [
            Column("code", say("library.code"), "code"),
            Column("count", say("library.cases"), "whole"),
            Column("meaning", say("library.meaning")),
        ],
        found,
        key="library.codes",
        pick=lambda row: str(row["code"]),
        link=lambda row: links.address("library", part="quality", code=row["code"]),
        here=lambda row: bool(row["code"] == links.parameter("code")),
        then=lambda event: links.keep(code=event.pick, page=None) if event.pick else None,
    )


def _cases(code: str) -> None:
    page = max(1, links.number("page", 1))
    try:
        meaning = quality.meaning(code)
    except BadCode as error:
        st.warning(str(error))
        return
    start = (page - 1) * CASES
    found = background.awaited(ask, quality.cases, code, CASES, start, note=say("library.counting"))
    if found is None:
        return
    event = table(
        [
            Column("what", say("library.column_what")),
            Column("place", say("library.column_place")),
            Column("detail", say("library.detail")),
        ],
        [_case(row) for row in found.rows],
        key="library.cases",
        caption=say("library.cases_of", meaning=meaning, n=words().whole(found.total)),
        pick=lambda row: str(row["short"] or ""),
        link=lambda row: links.address("game", id=row["short"]),
    )
    if event.pick:
        links.go("game", id=event.pick)
    pages(found.total, page, "page", CASES)
    st.button(
        say("library.close_cases"),
        icon=":material/close:",
        on_click=lambda: links.keep(code=None, page=None),
        key="library.close_cases",
    )


def _case(row: Row) -> Row:
    place = (
        say("library.record_of", source=row["source"], record=words().whole(row["record"] or 1))
        if row["source"]
        else ""
    )
    return {**row, "what": row["short"] or say("library.no_game"), "place": place}


def _quarantine() -> None:
    page = max(1, links.number("problems", 1))
    found = ask(queries.quarantine, PROBLEMS, (page - 1) * PROBLEMS)
    if not found.total:
        st.success(say("library.no_problems"))
        return
    st.caption(words().counted("library.problems", found.total))
    event = drawn("".join(_problem(row) for row in found.rows), key="library.quarantine")
    if event.pick:
        identity, _, ply = event.pick.partition(" ")
        links.go("game", id=identity, ply=ply)
    pages(found.total, page, "problems", PROBLEMS)


def _problem(row: Row) -> str:
    """A record with what is wrong with it, and its text or the way to the game."""
    place = say("library.place", source=row["source"], record=row["record"], line=row["line"])
    head = f"<h4>{escaped(place)}</h4><p>{escaped(row['message'])} <code>{escaped(row['code'])}</code></p>"
    if row["short"]:
        ply = row["ply"] or ""
        there = escaped(links.address("game", id=row["short"], ply=ply))
        text = escaped(say("library.see_ply", ply=ply) if ply else say("library.see_game"))
        link = f'<a href="{there}" data-pick="{escaped(row["id"])} {ply}">{text}</a>'
        return f'<article class="cw-record">{head}<p>{link}</p></article>'
    return f'<article class="cw-record">{head}{_text(row)}</article>'


def _text(row: Row) -> str:
    """The beginning of a record as it was read, the place of the problem marked where it is known."""
    text = str(row["text"] or "")
    if not text:
        return f"<p>{escaped(say('library.no_text'))}</p>"
    shown = escaped(text)
    found = _COLUMN.search(row["message"] or "")
    if found and "\n" not in text and 0 < int(found[1]) <= len(text):
        at = int(found[1])
        shown = f"{escaped(text[: at - 1])}<mark>{escaped(text[at - 1])}</mark>{escaped(text[at:])}"
    name = escaped(say("library.text_of", line=row["line"]))
    return f'<pre tabindex="0" role="region" aria-label="{name}">{shown}</pre>'
