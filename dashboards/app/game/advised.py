"""What the rule texts advise, and how far each colour followed it in this game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dashboards.app import background
from dashboards.app.failing import EXPECTED, refused
from dashboards.app.game.loaded import Loaded, advice
from dashboards.app.listing import Column, table
from dashboards.app.opened import ask
from dashboards.app.words import colour, report_words, say, words
from pipeline.advice import EARLY, Followed
from pipeline.svg import words as escaped


def show(game: Loaded) -> None:
    """Show the advice, a row each, with a column for every colour."""
    try:
        found = background.awaited(ask, advice, game.identity, note=say("game.measure_coming"))
    except EXPECTED as error:
        refused(error)
        return
    if found is None:
        return
    if not game.plies or not found:
        st.caption(report_words()("game.no_moves"))
        return
    columns = [Column("name", say("game.column_advice"), markup=_named)]
    columns += [Column(str(one.colour), colour(game.variant, one.colour)) for one in found]
    rows = [
        {"name": say(f"game.advice_{name}", n=EARLY), "about": say(f"game.advice_{name}_about", n=EARLY)}
        | {str(one.colour): shown(one) for one in found}
        for name, shown in ADVICE.items()
        if any(shown(one) for one in found)
    ]
    table(columns, rows, key="game-advice", caption=say("game.advice_caption"))


def _named(row: Mapping[str, Any]) -> str:
    small = f'<br><small style="opacity:.85">{escaped(row["about"])}</small>'
    return f"<b>{escaped(row['name'])}</b>{small}"


def _sides(one: Followed) -> str:
    if one.sides is None:
        return ""
    return say("game.of", n=words().decimal(one.sides), of=words().whole(one.sectors))


def _disputed(one: Followed) -> str:
    shares = [words().shown(part, "share") for part in (one.disputed_early, one.disputed_late)]
    return say("game.then", first=shares[0], second=shares[1])


def _single(one: Followed) -> str:
    if one.single_move is None:
        return say("game.single_left")
    return say("game.own_move", n=one.single_move, of=one.own_moves)


ADVICE: dict[str, Callable[[Followed], str]] = {
    "centre": lambda one: say("game.never") if one.centre is None else say("game.at_ply", ply=one.centre),
    "big": lambda one: say("game.of", n=one.early_cells, of=one.early_most),
    "fives": lambda one: "" if one.four_inside_five is None else words().whole(one.four_inside_five),
    "close": lambda one: words().whole(one.closed),
    "sides": _sides,
    "disputed": _disputed,
    "protected": lambda one: say("game.then", first=one.protected, second=one.protected_left),
    "single": _single,
}
