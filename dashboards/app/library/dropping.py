"""The field that files are dropped into, what they hold, and the button that imports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboards.app import working
from dashboards.app.library import started
from dashboards.app.library.looking import Dropped, How, dropped, look
from dashboards.app.listing import Column, table
from dashboards.app.words import plain_markdown, say, words
from engine.variants import VARIANTS, variant
from notation.formats import FORMATS

if TYPE_CHECKING:
    from pipeline.previews import Preview

LOOK = 0.5
"""Seconds between two looks at whether files have been looked into."""

FIELD = "library.drop"


def show() -> None:
    """The field, and below it what lies in it."""
    working.prepared(0)  # what an import needs is loaded while the visitor chooses files
    files = dropped(
        st.file_uploader(
            say("library.drop"), accept_multiple_files=True, key=FIELD, help=say("library.drop_help")
        )
        or []
    )
    refusal = working.away()
    if refusal is not None:
        _no_service(refusal)
    if not files:
        return
    how = _how()
    previews = {file.digest: look(file, how) for file in files}
    _table(files, previews)
    for file in files:
        _problems(file, previews[file.digest])
    _button(files, previews, how, bool(refusal))
    if None in previews.values():
        _wait(files, how)


def _no_service(refusal: Any) -> None:
    is_away = refusal.code == working.AWAY
    st.warning(
        plain_markdown(str(refusal))
        + "  \n"
        + say("library.service_away" if is_away else "library.service_refused"),
        icon=":material/cloud_off:",
    )
    st.button(say("library.ask_again"), on_click=working.ask_again, icon=":material/refresh:")


def _how() -> How:
    """How the records are read, where they do not say it themselves."""
    with st.expander(say("library.how")):
        left, right = st.columns(2)
        form = left.selectbox(
            say("library.format"),
            ["", *FORMATS],
            key="library.how_format",
            format_func=lambda name: name or say("library.recognised"),
        )
        name = right.selectbox(
            say("library.variant"),
            ["", *VARIANTS],
            key="library.how_variant",
            format_func=lambda name: variant(name).name if name else say("library.as_recorded"),
        )
        strict = st.checkbox(say("library.strict"), key="library.how_strict")
    return How(form or None, name or None, strict)


def _table(files: list[Dropped], previews: dict[str, Preview | None]) -> None:
    rows = [
        {
            "name": file.name,
            "size": _size(file.size),
            "holds": _holds(previews[file.digest]),
            "problems": _wrong(previews[file.digest]),
            "state": say(f"library.file_{started.state_of(file.digest)}"),
        }
        for file in files
    ]
    columns = ("name", "size", "holds", "problems", "state")
    table([Column(name, say(f"library.column_{name}")) for name in columns], rows, key="library.files")


def _size(size: int) -> str:
    """Bytes in words."""
    if size < 1_000_000:
        return say("library.kilobytes", n=words().decimal(size / 1000))
    return say("library.megabytes", n=words().decimal(size / 1e6))


def _holds(found: Preview | None) -> str:
    """What a file holds, in a line."""
    if found is None:
        return say("library.looking")
    if found.refused:
        return say("library.not_taken")
    parts = [words().counted("library.n_games", found.games)] if found.games or not found.beside else []
    if found.variants:
        parts.append(", ".join(f"{variant(name).name} {n}" for name, n in found.variants.most_common()))
    if found.beside:
        parts.append(words().counted("library.n_beside", found.beside))
    if not found.whole:
        parts.append(say("library.only_first"))
    return "; ".join(parts)


def _wrong(found: Preview | None) -> str:
    """What is not as it should be, in a line."""
    if found is None:
        return ""
    if found.refused:
        return found.refused
    told = ("refused", "illegal", "irregular", "unfinished", "empty", "foreign_pieces")
    parts = [
        say("library.n_status", n=words().whole(found.statuses[name]), status=say(f"library.status_{name}"))
        for name in told
        if found.statuses[name]
    ]
    if found.unreadable:
        parts.append(words().counted("library.n_unreadable", len(found.unreadable)))
    if found.other_files:
        parts.append(words().counted("library.n_other", len(found.other_files)))
    return ", ".join(parts)


def _problems(file: Dropped, found: Preview | None) -> None:
    """The problems of a file one by one."""
    if found is None or not (found.problems or found.other_files or found.unreadable):
        return
    rows = [
        {
            "place": say("library.place", source=row.source, record=row.record, line=row.line),
            "what": say(f"library.status_{row.status}"),
            "message": row.message,
        }
        for row in found.problems
    ]
    rows += [
        {"place": name, "what": say("library.no_record"), "message": why} for name, why in found.other_files
    ]
    rows += [
        {"place": name, "what": say("library.unreadable"), "message": why} for name, why in found.unreadable
    ]
    with st.expander(plain_markdown(say("library.problems_of", name=file.name)), icon=":material/report:"):
        columns = ("place", "what", "message")
        table(
            [Column(name, say(f"library.column_{name}")) for name in columns],
            rows,
            key=f"library.problems.{file.digest}",
        )


def _button(files: list[Dropped], previews: dict[str, Preview | None], how: How, is_away: bool) -> None:
    waiting = [
        file
        for file in files
        if started.state_of(file.digest) == "new"
        and ((found := previews[file.digest]) is None or found.holds_something)
    ]
    label = words().counted("library.import", len(waiting)) if waiting else say("library.nothing_to_import")
    st.button(
        label,
        type="primary",
        icon=":material/upload:",
        disabled=not waiting or is_away,
        on_click=started.begin_import,
        args=(waiting, how),
        key="library.import",
    )


@st.fragment(run_every=LOOK)
def _wait(files: list[Dropped], how: How) -> None:
    """Show the page again once all files have been looked into."""
    if all(look(file, how, 0) is not None for file in files):
        st.rerun()
    st.caption(f":material/hourglass_top: {say('library.looking_about')}")
