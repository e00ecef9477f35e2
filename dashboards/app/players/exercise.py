"""One mistake as an exercise: find the better move on the board, then see what it gains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.players import hand
from dashboards.app.players.answers import show_answer
from dashboards.app.players.asking import told
from dashboards.app.players.mistakes import exercises
from dashboards.app.players.naming import heading, marked
from dashboards.app.players.question import button, show_question
from dashboards.app.words import colour, plain_markdown, say, words
from engine.boards import cells_by_name
from engine.variants import VARIANTS
from pipeline.analysis.exercises import Exercise, exercise
from pipeline.board_svg import Marks, board_svg
from pipeline.errors import LibraryError, NotThere
from pipeline.queries import Row
from pipeline.svg import words as escaped

_REFUSED = "players.refused"


def show_exercise(person: str) -> None:
    """The exercise of the address, with the way to the player's next one."""
    game, ply = links.parameter("game"), links.number("ply", 0)
    try:
        asked = told(exercise, game, ply)
    except (NotThere, LibraryError) as error:
        st.info(plain_markdown(words().shown(str(error), "text")), icon=":material/info:")
        st.button(say("players.all_exercises"), type="primary", on_click=leave)
        return
    chosen = links.parameter("variant")
    rows = exercises(person, chosen if chosen in VARIANTS else None)
    at = next((n for n, row in enumerate(rows) if (row["id"], row["ply"]) == (asked.id, ply)), None)
    _head(asked, at, len(rows))
    _body(asked, _next(rows, at))


def leave() -> None:
    """Go back to the list of mistakes."""
    links.keep(game=None, ply=None, move=None, shown=None)


def _next(rows: Sequence[Row], at: int | None) -> Row | None:
    """The exercise after this one; the first after the last."""
    others = [row for n, row in enumerate(rows) if n != at]
    return None if not others else rows[(0 if at is None else at + 1) % len(rows)]


def _head(asked: Exercise, at: int | None, total: int) -> None:
    st.button(say("players.all_exercises"), icon=":material/list:", type="tertiary", on_click=leave)
    number = say("players.exercise") if at is None else say("players.exercise_of", n=at + 1, of=total)
    players = f" {escaped(say('players.versus'))} ".join(
        marked(name, say("players.unnamed")) for name in asked.players
    )
    about = [VARIANTS[asked.variant].name, say("players.at_ply", game=asked.short, n=asked.ply)]
    about += [asked.date] if asked.date else []
    heading(escaped(number), " · ".join([players, *map(escaped, about)]))


@st.fragment
def _body(asked: Exercise, following: Row | None) -> None:
    """Board and answer; a fragment, for every click on a piece or a cell comes here."""
    tried = _of_address(asked)
    given_up = bool(links.parameter("shown"))
    left, right = st.columns([3, 2], gap="large")
    with left:
        _board(asked, tried, given_up)
    with right:
        if tried is None and not given_up:
            show_question(asked)
        else:
            show_answer(asked, tried)
        _steps(asked, tried is None and not given_up, following)


def _of_address(asked: Exercise) -> int | None:
    """The placement that the address says was tried, if it is one that may be played."""
    names = links.parameter("move")
    if not names:
        return None
    by_name = cells_by_name(asked.position.variant.board)
    cells = tuple(sorted(by_name.get(name, -1) for name in names.split("-")))
    return asked.legal().get(cells)


def _board(asked: Exercise, tried: int | None, given_up: bool) -> None:
    open_still = tried is None and not given_up
    legal = asked.legal()
    board = asked.position.board
    marks = Marks()
    if not open_still:
        by_placement = {placement: cells for cells, placement in legal.items()}
        shown = by_placement[asked.played.placement if tried is None else tried]
        board[list(shown)] = asked.colour
        marks = Marks(last=shown, suggested=() if tried == asked.best.placement else asked.best.cells)
    ghosts = hand.ghosts(asked, legal) if open_still else None
    drawn(
        board_svg(
            asked.variant,
            board,
            title=say("players.exercise_board", ply=asked.ply - 1),
            description=say("players.to_move", colour=colour(asked.variant, asked.colour)),
            uid="exercise",
            marks=marks,
            picks=open_still,
        ),
        key="players.board",
        keys=hand.KEYS if open_still else (),
        ghosts=ghosts,
        tallest="78vh",
        then=partial(_on_board, asked),
    )
    if not open_still:
        st.caption(say("players.board_about"))
    refused = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        st.warning(refused, icon=":material/block:")


def _on_board(asked: Exercise, event: Event) -> None:
    if event.pick is None or not event.pick.startswith("cell:"):
        hand.heard(asked, event)
        return
    cell = int(event.pick.removeprefix("cell:"))
    if hand.held(asked) is None:
        st.session_state[_REFUSED] = say("players.choose_first")
        return
    cells, fits = (hand.ghosts(asked, asked.legal()) or {}).get(cell, ((), False))
    if fits:
        hand.put_back()
        links.keep(move=hand.named(asked, cells))
    else:
        why = words().named("reasons", hand.why_not(asked, cell))
        st.session_state[_REFUSED] = say("players.illegal", why=why)


def _steps(asked: Exercise, open_still: bool, following: Row | None) -> None:
    with st.container(horizontal=True, gap="small", key="players-steps"):
        if open_still:
            button("show", "visibility", lambda: links.keep(shown="1"))
        else:
            button("again", "replay", lambda: links.keep(move=None, shown=None))
        if following is not None and st.button(
            say("players.next_exercise"),
            key="players.next_exercise",
            icon=":material/arrow_forward:",
            type="secondary" if open_still else "primary",
        ):
            links.keep(game=following["short"], ply=following["ply"], move=None, shown=None)
            st.rerun()
        if not open_still and st.button(
            say("players.to_game"), key="players.to_game", icon=":material/grid_on:"
        ):
            links.go("game", id=asked.short, ply=asked.ply)
