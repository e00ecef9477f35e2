"""How well who played: accuracy beside what the colour alone says, losses, gifts, and the worst moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dashboards.app.game import telling
from dashboards.app.game.loaded import Loaded
from dashboards.app.game.place import pick_of, ply_of, stepping
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import say, words
from pipeline.analysis.comments import shown_accuracy
from pipeline.analysis.queries import GameAnalysis
from pipeline.move_quality import ERRORS
from pipeline.queries import Row
from pipeline.seat_statistics import baseline
from pipeline.svg import words as escaped

WORST = 5
"""Moves that are listed as the worst."""

DECISIONS = 0.0005
"""Losses in share below this are no loss."""


def show(game: Loaded) -> None:
    """Show the figures of every seat."""
    if game.analysis is None:
        st.info(say("game.players_unjudged"), icon=":material/info:")
        return
    seats = [f"seat{at}" for at in range(len(game.analysis.seats))]
    columns = [Column("name", say("game.column_figure"), markup=_named)]
    columns += [Column(seat, telling.seat_name(game, at), "list") for at, seat in enumerate(seats)]
    rows = [
        {"name": say(f"game.figure_{name}"), "about": say(f"game.figure_{name}_about")}
        | dict(zip(seats, map(shown, game.analysis.seats), strict=True))
        for name, shown in FIGURES.items()
    ]
    table(columns, rows, key="game-figures", caption=say("game.figures_caption"))
    st.caption(_baseline(game))
    _worst(game, game.analysis)


def _named(row: Mapping[str, Any]) -> str:
    """The name of a figure; a pointer reads what it is."""
    return f'<span title="{escaped(row["about"])}">{escaped(row["name"])}</span>'


def _accuracy(seat: Row) -> str:
    if seat["accuracy"] is None:
        return ""
    error = seat["accuracy_error"]
    value = shown_accuracy(seat["accuracy"])
    return value if error is None else say("game.with_error", value=value, error=words().decimal(error))


def _loss(seat: Row) -> str:
    if seat["mean_loss"] is None:
        return ""
    value = words().share(seat["mean_loss"], 1)
    error = seat["mean_loss_error"]
    return value if error is None else say("game.with_error", value=value, error=words().decimal(100 * error))


def _errors(seat: Row) -> str:
    return words()("list_comma").join(
        words().counted(f"game.count_{name}", seat["labels"][name]) for name in ERRORS if seat["labels"][name]
    ) or (say("game.no_errors") if seat["decisions"] else "")


def _of_balance(part: str) -> Callable[[Row], str]:
    def shown(seat: Row) -> str:
        value = seat["balance_shares"][part]
        if value is None:
            return ""
        change = -value if part == "losses" else value
        sign = "+" if change > 0 and part not in ("start", "result") else ""
        return sign + words().share(change or 0.0, 1)

    return shown


FIGURES: dict[str, Callable[[Row], str]] = {
    "accuracy": _accuracy,
    "decisions": lambda seat: words().whole(seat["decisions"]),
    "loss": _loss,
    "points": lambda seat: words().shown(seat["mean_loss_points"], "fine"),
    "errors": _errors,
    "best": lambda seat: words().shown(seat["best_rate"], "share"),
    "start": _of_balance("start"),
    "losses": _of_balance("losses"),
    "gifts": _of_balance("gifts"),
    "reevaluation": _of_balance("reevaluation"),
    "result": _of_balance("result"),
}
"""What stands in the rows: the last five lead from the first value to the result."""


def _baseline(game: Loaded) -> str:
    """What the colour alone says, from the library's games."""
    found = ask(baseline, game.variant)
    if found.accuracy is None or found.low is None or found.high is None:
        return say("game.no_baseline")
    return say(
        "game.baseline",
        seat=found.guess,
        share=words().share(found.accuracy),
        low=words().decimal(100 * found.low, 0),
        high=words().decimal(100 * found.high, 0),
        games=words().whole(found.games),
    )


def _worst(game: Loaded, analysis: GameAnalysis) -> None:
    """The costliest moves; a click goes there."""
    lost = [row for row in analysis.moves if (row["loss_share"] or 0) > DECISIONS and not row["forced"]]
    worst = sorted(lost, key=lambda row: -row["loss_share"])[:WORST]
    if not worst:
        st.caption(say("game.no_worst"))
        return
    rows = [
        {
            "ply": row["ply"],
            "move": telling.move_line(game, row["ply"]),
            "label": telling.label_words(row),
            "loss": row["loss_share"],
            "better": ""
            if row["best"] == row["played"]
            else f"{row['best_piece']}, {row['best_move'].replace(',', ' ')}",
        }
        for row in worst
    ]
    columns = [
        Column("move", say("game.column_worst")),
        Column("label", say("game.column_label")),
        Column("loss", say("game.column_loss"), "share"),
        Column("better", say("game.column_better")),
    ]
    table(
        columns,
        rows,
        key="game-worst",
        caption=say("game.worst_caption"),
        pick=lambda row: pick_of(row["ply"]),
        at=lambda row: pick_of(row["ply"]),
        now=pick_of(ply_of(game)),
        then=stepping(game),
    )
