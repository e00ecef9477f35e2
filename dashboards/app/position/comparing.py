"""Two moves side by side: the positions after them, searched alike, and the difference with its error."""

from __future__ import annotations

from functools import partial
from math import hypot
from typing import Any

import streamlit as st

from dashboards.app import links
from dashboards.app.drawing import drawn
from dashboards.app.listing import Column, table
from dashboards.app.placing import Cells
from dashboards.app.position import playing, thinking
from dashboards.app.position.answer import share_markup, source, with_error
from dashboards.app.position.evaluating import show_controls
from dashboards.app.position.standing import Standing, piece_of
from dashboards.app.words import plain_markdown, say, words
from notation.moves import move_from_cells, move_from_names
from notation.record import ANY_COLOUR
from pipeline.board_svg import Marks, board_svg
from pipeline.evaluations import Wish
from pipeline.lines import stand
from pipeline.live_evaluation import Question
from pipeline.svg import words as escaped

Document = dict[str, Any]


def show_comparison(here: Standing) -> None:
    """The panel: two moves to choose, and what they are worth."""
    if here.over:
        st.caption(say("position.over"))
        return
    st.caption(say("position.compare_about"))
    moves = [_chosen(here, slot) for slot in playing.SLOTS]
    for at, (column, slot, cells) in enumerate(zip(st.columns(2), playing.SLOTS, moves, strict=True)):
        with column:
            _show_slot(here, slot, cells, at)
    first, second = moves
    if not first or not second:
        return
    if first == second:
        st.warning(say("position.same_move"))
        return
    _show_values(here, first, second)


def _chosen(here: Standing, slot: str) -> Cells:
    """Cells of the move of a slot; none where there is none, or none that is legal here."""
    names = links.parameter(slot)
    cells = move_from_names(here.variant.id, 0, names.split("-")).cells if names else ()
    return cells if cells in here.legal else ()


def _show_slot(here: Standing, slot: str, cells: Cells, at: int) -> None:
    name = say(f"position.{slot}_move")
    if not cells:
        st.markdown(f"**{name}**")
        st.caption(say("position.not_legal_here" if links.parameter(slot) else "position.choose_move"))
        return
    st.markdown(f"**{name}** {piece_of(here, cells)}: {here.named(cells).replace(',', ' ')}")
    board = here.board.copy()
    board[list(cells)] = here.to_move or 0
    svg = board_svg(
        here.variant.id,
        board,
        title=say("position.after", move=here.named(cells).replace(",", " ")),
        uid=f"compare-{slot}",
        marks=Marks(last=cells),
        small=True,
    )
    drawn(svg, key=f"position.slot.{at}", tallest="36vh")
    with st.container(horizontal=True, gap="small"):
        st.button(
            say("position.play"),
            key=f"position.play.{slot}",
            on_click=partial(playing.play, here, cells),
        )
        st.button(
            say("position.take_other"),
            key=f"position.clear.{slot}",
            on_click=lambda: links.keep(**{slot: None, "evaluate": None}),
        )


def _show_values(here: Standing, first: Cells, second: Cells) -> None:
    key = f"{here.key} {first} {second} {thinking.budget()} {thinking.seed()}"
    show_controls(key, say("position.evaluate_both"))
    if not links.parameter("evaluate"):
        return
    thinking.ask(key, 2, lambda: _questions(here, (first, second)))
    known = thinking.known(key)
    if known.refused:
        st.error(say("position.refused", what=plain_markdown(known.refused)))
    thinking.show_progress(key, known)
    if known.answers:
        _show_table(here, (first, second), known.answers)


def _questions(here: Standing, moves: tuple[Cells, Cells]) -> list[Question]:
    """Both positions at every budget up to the chosen one, with one seed."""
    after = [
        here.line.then(move_from_cells(here.variant.id, 0, cells)._replace(colour=ANY_COLOUR))
        for cells in moves
    ]
    wishes = [Wish(budget, thinking.seed(), 1) for budget in thinking.steps()]
    return [(stand(line).reached, wish) for wish in wishes for line in after]


def _show_table(here: Standing, moves: tuple[Cells, Cells], answers: list[Document]) -> None:
    """What both moves are worth to the seat that makes them, and the difference."""
    seats = [answer["seats"][here.seat or 0] for answer in answers]
    rows = [
        {
            "name": here.named(cells).replace(",", " "),
            "share": _share(seat["share"], seat["share_error"]),
            "score": with_error(seat["score"], seat["score_error"]),
        }
        for cells, seat in zip(moves, seats, strict=True)
    ]
    rows.append(
        {
            "name": say("position.difference"),
            "share": escaped(_share_difference(*seats)),
            "score": _signed(
                seats[0]["score"] - seats[1]["score"], hypot(seats[0]["score_error"], seats[1]["score_error"])
            ),
        }
    )
    columns = [
        Column("name", say("position.move")),
        Column("share", say("position.share"), markup=lambda row: str(row["share"])),
        Column("score", say("position.score"), markup=lambda row: escaped(row["score"])),
    ]
    caption = say("position.compared", seat=playing.seat_name(here, here.seat or 0))
    table(columns, rows, key="position.compared", caption=caption, here=lambda row: row is rows[-1])
    st.markdown(_verdict(*seats))
    drawn(f"<p>{escaped(source(answers[0]))}</p>", key="position.compare_source")


def _share(share: float | None, error: float) -> str:
    return escaped(say("none")) if share is None else share_markup(share, error)


def _difference(one: Document, other: Document) -> tuple[float, float] | None:
    """Difference of the shares, and its standard error: two searches err independently."""
    if one["share"] is None or other["share"] is None:
        return None
    return one["share"] - other["share"], hypot(one["share_error"], other["share_error"])


def _share_difference(one: Document, other: Document) -> str:
    found = _difference(one, other)
    if found is None:
        return say("none")
    return words()("numbers.percent", n=_signed(100 * found[0], 100 * found[1]))


def _signed(value: float, error: float) -> str:
    return ("+" if value > 0 else "") + with_error(value, error)


def _verdict(one: Document, other: Document) -> str:
    found = _difference(one, other)
    if found is None:
        return ""
    value, error = found
    if abs(value) <= 2 * error or value == 0:
        return say("position.too_close")
    return say("position.first_better" if value > 0 else "position.second_better")
