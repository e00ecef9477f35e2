"""Try a puzzle by hand: the board, the pieces left, and what the rules say to it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboards.app.drawing import drawn
from dashboards.app.puzzles import checking, hands, naming, seeking
from dashboards.app.puzzles.asked import Asked
from dashboards.app.puzzles.beginning import show_take_away
from dashboards.app.puzzles.files import show_downloads, show_upload
from dashboards.app.puzzles.hinting import hint
from dashboards.app.puzzles.state import show_notice
from dashboards.app.puzzles.trays import show_pieces
from dashboards.app.puzzles.watching import TALLEST
from dashboards.app.words import colour, say, words
from engine.puzzle_kinds import Placed
from pipeline.puzzle_svg import puzzle_svg


def show(asked: Asked) -> None:
    """Show the board and what can be done."""
    board, beside = st.columns([3, 2], gap="medium")
    with beside:
        _status(asked)
        show_notice()
        suggested = hint(asked)
        show_pieces(asked)
        _actions(asked)
        _beginnings(asked)
        if asked.pieces:
            show_downloads(asked, asked.pieces)
        show_upload(asked)
    with board:
        _board(asked, suggested)


def _board(asked: Asked, suggested: Placed | None) -> None:
    placed, held = asked.pieces, hands.hand(asked)
    title = naming.title(asked.puzzle)
    mine = placed[-1].cells if len(placed) > asked.given else ()
    drawn(
        puzzle_svg(
            asked.puzzle,
            placed,
            say("puzzles.board_title", title=title, n=len(placed), of=asked.puzzle.pieces),
            about=naming.on_board(asked, placed),
            last=mine,
            suggested=suggested.cells if suggested else (),
            picks=True,
        ),
        key="puzzles.tried",
        keys=hands.KEYS,
        ghosts=None if held is None else hands.ghosts(asked, held),
        tallest=TALLEST,
        then=hands.on_board,
    )


def _status(asked: Asked) -> None:
    """How far it is, whose turn it is, and whether it is solved or stuck."""
    row, placed = asked.puzzle, asked.pieces
    if len(placed) == row.pieces:
        _judged(asked)
        return
    turn = checking.on_turn(row, placed)
    count = say("puzzles.count", n=len(placed), of=row.pieces)
    whose = "" if turn is None else naming.begun(say("puzzles.turn", colour=colour(asked.variant, turn)))
    st.markdown(f"**{count}** {whose}")
    dead = checking.dead_end(row, placed) if row.by_rules else None
    if dead is not None:
        st.warning(naming.dead_end(asked, dead), icon=":material/block:")


def _judged(asked: Asked) -> None:
    """What the judge says to a board on which everything lies."""
    from pipeline.puzzles import judge

    problems = judge(asked.puzzle, list(asked.pieces)).problems
    if problems:
        st.error("; ".join(problem.message for problem in problems))
        return
    mine = words().counted("puzzles.by_hand", len(asked.pieces) - asked.given)
    st.success(say("puzzles.solved", mine=mine), icon=":material/celebration:")


def _actions(asked: Asked) -> None:
    """Take back, begin again, a hint."""
    placed = asked.pieces
    with st.container(horizontal=True, gap="small"):
        for name, icon, action, possible in (
            ("take_back", "undo", hands.take_back, bool(placed)),
            (
                "again",
                "restart_alt",
                partial(hands.begin_again, asked.given),
                len(placed) > asked.given,
            ),
            ("empty", "delete", partial(hands.begin_again, 0), bool(placed)),
            ("hint", "lightbulb", hands.want_hint, len(placed) < asked.puzzle.pieces),
        ):
            st.button(
                say(f"puzzles.actions.{name}"),
                key=f"puzzles.actions.{name}",
                icon=f":material/{icon}:",
                disabled=not possible,
                on_click=action,
            )


def _beginnings(asked: Asked) -> None:
    """Begin with a solution whose last pieces are taken away."""
    solution = seeking.known(asked)
    if not solution:
        st.caption(say("puzzles.begin_about"))
        return
    show_take_away(asked, solution, first=False)
