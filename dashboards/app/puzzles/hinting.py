"""A hint: the next piece of a solution that begins with what is on the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboards.app.puzzles import checking, hands, naming, searching, seeking, state
from dashboards.app.puzzles.asked import Asked
from dashboards.app.puzzles.searching import HINT, Question
from dashboards.app.words import say
from engine.puzzle_kinds import Placed, Puzzle
from engine.puzzle_search import ENDED, IMPOSSIBLE

SLOT = "hint"
"""Of the visitor's searches, the one for a hint."""

AT_ONCE = 0.7
"""Seconds that a page waits for a hint before it shows how far a search is."""


def following(puzzle: Puzzle, placed: Sequence[Placed], way: Sequence[Placed]) -> Placed | None:
    """The piece that a solution places next, if it begins with these pieces; None where it does not."""
    if puzzle.by_rules:
        goes_on = len(way) > len(placed) and list(way[: len(placed)]) == list(placed)
        return way[len(placed)] if goes_on else None
    there = {(one.piece, one.cells) for one in placed}
    if not there <= {(one.piece, one.cells) for one in way}:
        return None
    return next((one for one in way if (one.piece, one.cells) not in there), None)


def hint(asked: Asked) -> Placed | None:
    """The hint, if one is wanted and known; else say how far the search for it is, or that there is none."""
    if state.hint_wanted() != asked.pieces or len(asked.pieces) == asked.puzzle.pieces:
        searching.forget(SLOT)
        return None
    found = _known(asked)
    return _searched(asked) if found is None else _shown(asked, found)


def _known(asked: Asked) -> Placed | None:
    """The next piece of a solution that is at hand."""
    for way in (seeking.known(asked), state.way()):
        found = following(asked.puzzle, asked.pieces, way)
        if found is not None:
            return found
    return None


def _searched(asked: Asked) -> Placed | None:
    row = asked.puzzle
    dead = checking.dead_end(row, asked.pieces)
    if dead is not None:
        st.warning(naming.dead_end(asked, dead), icon=":material/block:")
        return None
    question = Question(row.kind, row.board.name, 1, asked.pieces, HINT)
    answer = searching.remembered(question)
    if answer is None:
        search = searching.of_visitor(SLOT, row, question)
        if not search.wait(AT_ONCE):
            seeking.progress(search, say("puzzles.hinting"), partial(state.want_hint, None))
            return None
        if search.failed or search.answer is None:
            st.error(say("puzzles.failed"))
            return None
        answer = search.answer
    if answer.outcome.status == IMPOSSIBLE:
        st.warning(say("puzzles.no_way", why=answer.outcome.note), icon=":material/block:")
        return None
    if answer.outcome.status == ENDED:
        st.warning(say("puzzles.no_hint", seconds=f"{HINT:g}"), icon=":material/help:")
        return None
    state.keep_way(answer.pieces)
    found = following(row, asked.pieces, answer.pieces)
    return None if found is None else _shown(asked, found)


def _shown(asked: Asked, found: Placed) -> Placed:
    """Say the hint, in a colour that has the piece, with a button that follows it."""
    row = asked.puzzle
    colours = [found.colour, *range(len(row.colours))]
    mine = next(c for c in colours if found.piece in checking.left(row, asked.pieces, c))
    found = found._replace(colour=mine)
    st.info(say("puzzles.hinted", piece=naming.piece(asked, found)), icon=":material/lightbulb:")
    st.button(say("puzzles.follow"), key="puzzles.follow", on_click=partial(hands.place_piece, found))
    return found
