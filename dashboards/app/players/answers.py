"""What a tried move is worth beside the better one and the one that was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.app.background import OnItsWay, answer, wait_for
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.players.cells import piece_cell, with_error
from dashboards.app.words import say, words
from engine.boards import cell_names
from pipeline.analysis.exercises import BUDGET, Exercise, Tried, exercise, tried
from pipeline.store import Reader
from pipeline.svg import words as escaped

Row = dict[str, Any]

MOST_NAMED = 6
"""Cells that a sentence names."""


def valued(reader: Reader, game: str, ply: int, placement: int) -> Tried:
    """What a move in the place of a judged one is worth; raises as `exercise`."""
    return tried(exercise(reader, game, ply), placement)


def show_answer(asked: Exercise, placement: int | None) -> None:
    """The verdict on a move, or without one the solution."""
    rows = [_row("best", asked.best.piece, asked.best.cells, 0.0, 0.0, 0.0)]
    lost = asked.row
    rows.append(
        _row(
            "played",
            asked.played.piece,
            asked.played.cells,
            lost["loss_share"],
            lost["loss_share_error"],
            lost["loss_points"],
        )
    )
    if placement is not None:
        try:
            found = answer(ask, valued, asked.id, asked.ply, placement)
        except OnItsWay:
            st.info(say("players.judging"), icon=":material/hourglass_top:")
            wait_for(ask, valued, asked.id, asked.ply, placement, note=say("players.on_its_way"))
            return
        _verdict(asked, found)
        if placement not in (asked.best.placement, asked.played.placement):
            mine = found.choice
            rows.insert(
                0,
                _row(
                    "yours",
                    mine.piece,
                    mine.cells,
                    found.loss_share,
                    found.loss_share_error,
                    found.loss_points,
                ),
            )
    _table(asked, rows)
    _why(asked)
    _made(asked)


def _row(name: str, piece: str, cells: Sequence[int], loss: float, error: float, points: float) -> Row:
    return {
        "who": say(f"players.move_{name}"),
        "piece": piece,
        "cells": cells,
        "loss": loss,
        "error": error or None,
        "points": points,
    }


def _verdict(asked: Exercise, found: Tried) -> None:
    t = words()
    lost = t.decimal(100 * max(0.0, found.loss_share), 0)
    gained = t.decimal(100 * (asked.row["loss_share"] - max(0.0, found.loss_share)), 0)
    if found.choice.placement == asked.best.placement:
        st.success(say("players.right", gained=gained), icon=":material/check_circle:")
    elif found.choice.placement == asked.played.placement:
        st.error(say("players.same_move", lost=lost), icon=":material/cancel:")
    elif found.found:
        st.success(say("players.as_good", gained=gained), icon=":material/check_circle:")
    elif found.loss_share < asked.row["loss_share"]:
        st.warning(say("players.somewhat", lost=lost, gained=gained), icon=":material/trending_up:")
    else:
        st.error(say("players.no_better", lost=lost), icon=":material/cancel:")


def _table(asked: Exercise, rows: list[Row]) -> None:
    columns = [
        Column("who", say("players.move")),
        Column("piece", say("players.piece"), markup=lambda row: _shape(asked, row)),
        Column("loss", say("players.loss"), markup=with_error("loss", "error", 0, 100)),
        Column("points", say("players.lost_points"), "decimal"),
    ]
    table(columns, rows, key="players.moves", caption=say("players.moves"))


def _shape(asked: Exercise, row: Any) -> str:
    names = cell_names(asked.position.variant.board)
    title = " ".join(names[cell] for cell in row["cells"])
    uid = f"move-{row['cells'][0]}-{len(row['who'])}"
    shape = piece_cell(asked.variant, asked.colour, row["piece"], uid, title)
    return f'{shape}<br><span class="cw-fine">{escaped(title)}</span>'


def _why(asked: Exercise) -> None:
    """What the better move gains, as far as it can be counted."""
    t, comment, row = words(), asked.comment, asked.row
    lines = [
        say(
            "players.gains",
            share=t.decimal(100 * row["loss_share"], 0),
            points=t.decimal(row["loss_points"], 1),
            before=t.share(_inside(asked.best.share)),
            after=t.share(_inside(asked.played.share)),
        )
    ]
    for key, cells in (("given_away", comment.given_away), ("closed", comment.closed)):
        if cells:
            lines.append(
                say(
                    f"players.{key}",
                    corners=t.counted("players.count_corners", len(cells)),
                    cells=_listed(cells),
                )
            )
    if comment.takes > len(comment.taken):
        lines.append(say("players.takes", n=t.whole(comment.takes), of=t.whole(len(comment.taken))))
    st.markdown("\n".join(f"- {line}" for line in lines))


def _inside(share: float) -> float:
    return min(1.0, max(0.0, share))


def _listed(cells: Sequence[str]) -> str:
    more = len(cells) - MOST_NAMED
    shown = say("list_comma").join(cells[:MOST_NAMED])
    return shown if more <= 0 else say("players.and_more", cells=shown, n=more)


def _made(asked: Exercise) -> None:
    made = asked.made_by
    about = say("players.made_by", budget=made["budget"], engine=made["engine"], tried=BUDGET)
    if asked.row["proven"]:
        about = f"{say('players.proven_about')} {about}"
    if asked.older:
        about += " " + say("players.made_older")
    st.caption(about)
