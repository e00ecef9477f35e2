"""The list of the puzzles: what each asks, its board and its pieces."""

from __future__ import annotations

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.puzzles import naming
from dashboards.app.words import say, words
from engine.puzzle_kinds import PUZZLES, Puzzle
from pipeline.svg import words as escaped


def show() -> None:
    """Show the list."""
    st.title(say("pages.puzzles"))
    st.write(say("puzzles.about"))
    cards = "".join(map(_card, PUZZLES.values()))
    drawn(f'<ul class="cw-cards">{cards}</ul>', key="puzzles.list", then=_open)


def _card(row: Puzzle) -> str:
    facts = [naming.board(row), words().counted("puzzles.pieces_in_all", row.pieces)]
    facts.append(words().counted("puzzles.holes", row.holes) if row.holes else say("puzzles.no_holes"))
    address = escaped(links.address("puzzles", kind=row.kind))
    link = f'<a href="{address}" data-pick="kind:{escaped(row.kind)}">{escaped(naming.title(row))}</a>'
    return f'<li>{link}<p>{escaped(naming.asks(row))}</p><p class="cw-fine">{escaped(" · ".join(facts))}</p></li>'


def _open(event: Event) -> None:
    if event.pick is not None:
        links.keep(kind=event.pick.removeprefix("kind:"))
