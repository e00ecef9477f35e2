"""Watch a solution grow: found by its seed or read from a file, piece by piece."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.listing import Column, table
from dashboards.app.puzzles import naming, seeking
from dashboards.app.puzzles.asked import Asked
from dashboards.app.puzzles.beginning import show_take_away
from dashboards.app.puzzles.files import show_downloads, show_upload
from dashboards.app.puzzles.state import show_notice
from dashboards.app.words import colour, say
from engine.puzzle_kinds import Placed
from engine.puzzle_verify import cell_name
from pipeline.puzzle_svg import puzzle_svg

TALLEST = "min(78vh, 760px)"
"""Height of a board."""

PACE = 0.7
"""Seconds from piece to piece while it plays."""

_PLAYING, _MOVED = "puzzles.playing", "puzzles.moved"


def show(asked: Asked) -> None:
    """Show the solution, or the way to one."""
    board, beside = st.columns([3, 2], gap="medium")
    with beside:
        show_notice()
        solution = seeking.solution(asked)
    with board:
        _board(asked, solution)
    with beside:
        if solution:
            _steps(asked, solution)
            show_take_away(asked, solution, first=True)
            show_downloads(asked, solution)
        seeking.show_seed(asked, bool(solution))
        show_upload(asked)


def _board(asked: Asked, solution: Sequence[Placed]) -> None:
    shown = solution[: asked.step]
    name = naming.title(asked.puzzle)
    title = say("puzzles.board_title", title=name, n=len(shown), of=asked.puzzle.pieces)
    drawn(
        puzzle_svg(
            asked.puzzle,
            shown,
            title,
            about=naming.on_board(asked, shown),
            last=shown[-1].cells if shown else (),
        ),
        key="puzzles.watched",
        keys=("ArrowLeft", "ArrowRight", "Home", "End") if solution else (),
        tallest=TALLEST,
        then=partial(_pressed, len(solution)),
    )


def _pressed(end: int, event: Event) -> None:
    if event.key in ("ArrowLeft", "ArrowRight"):
        _go_by(1 if event.key == "ArrowRight" else -1, end)
    elif event.key is not None:
        _go(end if event.key == "End" else 0, end)


def _go_by(by: int, end: int) -> None:
    """Go on or back from the step that the address has now: who is quick does not wait for the page."""
    _go(links.number("step", end) + by, end)


def _go(step: int, end: int) -> None:
    step = min(max(step, 0), end)
    links.keep(step=None if step == end else str(step))
    st.session_state[_PLAYING] = False


def _steps(asked: Asked, solution: Sequence[Placed]) -> None:
    """The slider, buttons, the piece in words, and all pieces as a table."""
    end = len(solution)
    st.session_state["puzzles.step"] = asked.step
    st.slider(
        say("puzzles.step"),
        0,
        end,
        key="puzzles.step",
        on_change=lambda: _go(st.session_state["puzzles.step"], end),
    )
    playing = bool(st.session_state.get(_PLAYING))
    with st.container(horizontal=True, gap="small"):
        for name, icon, there, action in (
            ("first", "first_page", asked.step == 0, partial(_go, 0, end)),
            ("back", "chevron_left", asked.step == 0, partial(_go_by, -1, end)),
            ("forward", "chevron_right", asked.step == end, partial(_go_by, 1, end)),
            ("last", "last_page", asked.step == end, partial(_go, end, end)),
        ):
            st.button(
                say(f"puzzles.steps.{name}"),
                key=f"puzzles.steps.{name}",
                icon=f":material/{icon}:",
                disabled=there,
                on_click=action,
            )
        st.button(
            say("puzzles.steps.pause") if playing else say("puzzles.steps.play"),
            key="puzzles.steps.play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            on_click=partial(_play, asked, end, not playing),
        )
    if playing:
        _tick(end)
    if asked.step:
        number = say("puzzles.number", n=asked.step, of=end)
        st.markdown(f"**{number}** {naming.piece(asked, solution[asked.step - 1])}")
    else:
        st.markdown(say("puzzles.empty_board"))
    _table(asked, solution)


def _play(asked: Asked, end: int, on: bool) -> None:
    """Play from here, from the beginning at the end; or stop."""
    if on and asked.step == end:
        _go(0, end)
    st.session_state[_PLAYING], st.session_state[_MOVED] = on, time.monotonic()


@st.fragment(run_every=PACE)
def _tick(end: int) -> None:
    """Go one piece on, and make the page anew."""
    step, now = links.number("step", end), time.monotonic()
    if now - st.session_state[_MOVED] < PACE / 2:
        return
    _go(step + 1, end)
    st.session_state[_PLAYING], st.session_state[_MOVED] = step + 1 < end, now
    st.rerun()


def _table(asked: Asked, solution: Sequence[Placed]) -> None:
    rows = [
        {
            "number": number,
            "colour": colour(asked.variant, one.colour),
            "piece": one.piece,
            "cells": " ".join(cell_name(xy) for xy in one.cells),
        }
        for number, one in enumerate(solution, 1)
    ]
    table(
        [
            Column("number", say("puzzles.heads.number")),
            Column("colour", say("puzzles.heads.colour")),
            Column("piece", say("puzzles.heads.piece")),
            Column("cells", say("puzzles.heads.cells")),
        ],
        rows,
        key="puzzles.pieces",
        caption=say("puzzles.pieces"),
        pick=lambda row: f"step:{row['number']}",
        at=lambda row: str(row["number"]),
        now=str(asked.step),
        tall="15rem",
        then=lambda event: _go(int((event.pick or "step:0").removeprefix("step:")), len(solution)),
    )
