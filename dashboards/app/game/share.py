"""Taking the game elsewhere: a link, a file in some format, the report, the pages of openings and positions."""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from dashboards.app import links
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.game.loaded import Loaded
from dashboards.app.game.place import ply_of
from dashboards.app.opened import ask, reader
from dashboards.app.words import plain_markdown, report_words, say
from notation.formats import FORMATS
from pipeline.errors import PipelineError
from pipeline.export_files import exported_file
from pipeline.store import Reader

WRITTEN = tuple(name for name, row in FORMATS.items() if row.write is not None)
"""Formats that are written."""


def show(game: Loaded) -> None:
    """Show all ways out."""
    ply = ply_of(game)
    st.markdown(f"**{say('game.link')}**")
    st.code(_here(), language=None, wrap_lines=True)
    _files(game)
    st.markdown(f"**{say('game.onward')}**")
    with st.container(horizontal=True):
        if st.button(say("game.openings"), icon=":material/account_tree:", key="game-openings"):
            links.go("openings", game=game.short, ply=str(ply))
        if st.button(say("game.evaluate"), icon=":material/edit_square:", key="game-position"):
            _evaluate(game, ply)


def _here() -> str:
    """The address of what is shown, as the visitor's browser reached it."""
    page = (st.context.url or "game").split("?")[0].split("#")[0].rstrip("/")
    return links.address(page, **{name: st.query_params[name] for name in st.query_params if name != "job"})


def _files(game: Loaded) -> None:
    st.markdown(f"**{say('game.files')}**")
    formats = ask(holding, game.identity)
    form = st.selectbox(
        say("game.format"),
        formats,
        key="game-format",
        format_func=lambda name: f"{FORMATS[name].title} ({FORMATS[name].suffixes[0]})",
    )
    with st.container(horizontal=True):
        if form is not None:
            st.download_button(
                say("game.download"),
                lambda: exported(reader(), game.identity, form),
                f"{game.short}{FORMATS[form].suffixes[0]}",
                "application/octet-stream",
                key=f"game-download-{form}",
                on_click="ignore",
                icon=":material/download:",
            )
        st.download_button(
            say("game.report"),
            lambda: report(game.identity),
            f"{game.short}.html",
            "text/html",
            key="game-report",
            on_click="ignore",
            icon=":material/description:",
        )


def holding(library: Reader, identity: str) -> tuple[str, ...]:
    """Formats that can hold a game, tried one by one; the first is the one that all programs read."""
    found = []
    for form in WRITTEN:
        try:
            exported(library, identity, form)
        except PipelineError:
            continue
        found.append(form)
    return tuple(found)


def exported(library: Reader, identity: str, form: str) -> bytes:
    """A game as a file.

    Raises:
        PipelineError: the format cannot hold it.
    """
    folder = Path(tempfile.mkdtemp(prefix="cornerwise-export-"))
    try:
        path, found = exported_file(library, [identity], form, folder)
        if not found.games:
            raise PipelineError("; ".join(reason for _, reason in found.refused))
        return path.read_bytes()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def report(identity: str) -> bytes:
    """The report of a game as a page."""
    from pipeline.reports.game import game_report
    from pipeline.reports.render import html

    t = report_words()
    return html(game_report(reader(), identity, t, datetime.now(UTC).date()), t).encode("utf-8")


def position(library: Reader, identity: str, ply: int) -> str | None:
    """The position after a ply as text; None where the text cannot hold it.

    Raises:
        PipelineError, NotationError: there is no such position.
    """
    from pipeline.evaluations import Subject

    return Subject.of_game(library, identity).reach(ply).text()


def _evaluate(game: Loaded, ply: int) -> None:
    """Go to the position's page."""
    try:
        text = ask(position, game.identity, ply)
    except EXPECTED as error:
        refused(error)
        return
    if text is None:
        st.warning(plain_markdown(say("game.no_text")))
        return
    links.go("position", position=text)
