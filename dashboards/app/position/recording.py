"""The game so far as a record: who played, its result, saved to the library or downloaded."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.listing import Column, table
from dashboards.app.position import playing
from dashboards.app.position.saving import show_saving, start_saving
from dashboards.app.position.standing import Standing
from dashboards.app.words import plain_markdown, say
from notation.blksgf_write import write
from notation.dates import parse_date
from notation.errors import CannotWrite
from notation.record import CAUSES
from pipeline.lines import record_of_line
from pipeline.svg import words as escaped

LEAVING = "position.leave_box"

LONGEST = 200
"""Characters of a name."""


def show_recording(here: Standing) -> None:
    """The panel: fields, result, and where the game goes."""
    st.caption(say("position.record_about"))
    seats = range(len(here.rules.seats))
    fields = {f"p{seat + 1}": playing.seat_name(here, seat) for seat in seats}
    fields |= {"date": say("position.date"), "event": say("position.event")}
    columns = st.columns(2)
    for at, (name, label) in enumerate(fields.items()):
        with columns[at % 2]:
            _field(name, label)
    problem = parse_date(links.parameter("date")).problem if links.parameter("date") else None
    if problem:
        st.warning(say("position.bad_date", what=plain_markdown(problem)))
    _show_result(here)
    _leavings(here)
    _save(here, len(seats))


def _field(name: str, label: str) -> None:
    key = f"position.{name}"
    st.session_state[key] = links.parameter(name)[:LONGEST]
    hint = say("position.date_hint") if name == "date" else None
    st.text_input(
        label,
        key=key,
        max_chars=LONGEST,
        placeholder=hint,
        on_change=lambda: links.keep(**{name: st.session_state[key].strip()}),
    )


def _show_result(here: Standing) -> None:
    """Points of every seat: the result where the game is over."""
    columns = [
        Column("seat", say("position.seat_heading"), markup=lambda row: escaped(row["seat"])),
        Column("points", say("position.points"), "whole"),
        Column("place", say("position.place"), "whole"),
    ]
    rows = [
        {"seat": _player(here, row["seat"] - 1), "points": row["points"], "place": row["place"]}
        for row in here.score["seats"]
    ]
    caption = say("position.result" if here.over else "position.so_far", scoring=here.rules.scoring)
    table(columns, rows, key="position.result", caption=caption)


def _player(here: Standing, seat: int) -> str:
    name = links.parameter(f"p{seat + 1}")[:LONGEST]
    seat_name = playing.seat_name(here, seat)
    return say("position.player_of", name=name, seat=seat_name) if name else seat_name


def _leavings(here: Standing) -> None:
    """A player who resigns, or whose time is over."""
    if here.over:
        return
    box = st.popover(say("position.leaves"), icon=":material/logout:", key=LEAVING, on_change="rerun")
    if not box.open:
        return
    with box:
        seat = st.selectbox(
            say("position.who_leaves"),
            range(len(here.rules.seats)),
            format_func=lambda number: playing.seat_name(here, number),
            key="position.leaver",
        )
        cause = st.selectbox(
            say("position.cause"),
            CAUSES,
            format_func=lambda name: say(f"position.causes.{name}"),
            key="position.cause",
        )
        st.button(
            say("position.leave"),
            key="position.leave",
            on_click=partial(_leave, here, seat, cause),
        )


def _leave(here: Standing, seat: int, cause: str) -> None:
    st.session_state[LEAVING] = False
    playing.leave(here, seat, cause)


def _save(here: Standing, seats: int) -> None:
    """Save and download, of a game that has a move."""
    if not here.line.played():
        st.caption(say("position.nothing_played"))
        return
    try:
        text = write(_record(here, seats))
    except CannotWrite as error:
        st.error(say("position.refused", what=plain_markdown(error.message)))
        return
    with st.container(horizontal=True, gap="small", key="position-save"):
        st.button(
            say("position.save"),
            key="position.save",
            type="primary",
            icon=":material/library_add:",
            on_click=start_saving,
            args=(text,),
        )
        st.download_button(
            say("position.download"),
            text.encode("utf-8", "replace"),
            file_name=_file_name(here),
            mime="application/x-go-sgf",
            key="position.download",
            icon=":material/download:",
            on_click="ignore",
        )
    if here.line.ply is not None:
        st.caption(say("position.saves_part", ply=here.ply, of=here.line.moves))
    show_saving(text)


def _record(here: Standing, seats: int) -> Any:
    names = [links.parameter(f"p{seat}")[:LONGEST] or None for seat in range(1, seats + 1)]
    headers = {name: links.parameter(name)[:LONGEST] for name in ("date", "event") if links.parameter(name)}
    return record_of_line(here.line, names, headers)


def _file_name(here: Standing) -> str:
    """Players and date, as far as they are letters a file name can have."""
    parts = [here.variant.id, links.parameter("date")]
    parts += [links.parameter(f"p{seat + 1}") for seat in range(len(here.rules.seats))]
    names = [re.sub(r"\W+", "-", part).strip("-") for part in parts]
    return "-".join(name for name in names if name)[:80] + ".blksgf"
