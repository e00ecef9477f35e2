"""An evaluation as tables: the seats with their scores and shares, and the best moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from dashboards.app import links
from dashboards.app.drawing import Event, drawn
from dashboards.app.listing import Column, table
from dashboards.app.position import playing
from dashboards.app.position.standing import Standing
from dashboards.app.words import say, words
from notation.moves import move_from_names
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.svg import tag
from pipeline.svg import words as escaped

Document = Mapping[str, Any]

WIDE, NARROW, TALL = 110.0, 48.0, 16.0
"""Width of a bar, also where there is little room, and its height."""


def show_answer(here: Standing, found: Document) -> None:
    """Who made the answer, every seat's values, the best moves."""
    drawn(f"<p>{escaped(source(found))}</p>", key="position.source")
    show_seats(here, found, "position.seats")
    if found["moves"]:
        _show_moves(here, found)


def source(found: Document) -> str:
    """What made an answer, in words."""
    if found["over"]:
        return say("position.by_rules")
    effort = (
        say("position.static")
        if found["budget"] == "instant"
        else say(
            "position.searched",
            n=words().whole(found["simulations"]),
            budget=words().named("position", found["budget"]),
        )
    )
    parts = [effort, say("position.seeded", seed=found["seed"]), found["engine"]]
    if found["exact"]:
        parts.insert(0, say("position.proven"))
    return say("list_comma").join(parts)


def show_seats(here: Standing, found: Document, key: str) -> None:
    """Expected score with its spread and share with its error, by seat."""
    exact = bool(found["exact"])
    columns = [
        Column("seat", say("position.seat_heading"), markup=partial(_seat, here)),
        Column(
            "score", say("position.score"), "decimal", say("position.score_about"), partial(_score, exact)
        ),
        Column("spread", say("position.spread"), "decimal", say("position.spread_about")),
        Column(
            "share", say("position.share"), "text", say("position.share_about"), partial(_share, here, exact)
        ),
    ]
    table(columns, found["seats"], key=key, caption=say("position.seats"))


def _seat(here: Standing, row: Document) -> str:
    return escaped(playing.seat_name(here, row["seat"] - 1))


def _score(exact: bool, row: Document) -> str:
    return escaped(with_error(row["score"], 0.0 if exact else row["score_error"]))


def with_error(value: float, error: float, places: int = 1) -> str:
    """A value with its standard error: two decimals where that is small."""
    places = 2 if 0 < error < 0.1 else places
    shown = words().decimal(value, places)
    return say("position.plus_minus", value=shown, error=words().decimal(error, places)) if error else shown


def _share(here: Standing, exact: bool, row: Document) -> str:
    if row["share"] is None:
        return escaped(say("none"))
    first = here.variant.colours[here.rules.seats[row["seat"] - 1][0]]
    error = 0.0 if exact else row["share_error"]
    return share_markup(row["share"], error, PALETTES[DEFAULT].ink(first).fill)


def share_markup(share: float, error: float, fill: str = "#6b7f99", wide: float = WIDE) -> str:
    """A share as a bar with a whisker of two standard errors, and in figures."""
    shown = words().decimal(100 * share, 1)
    if error:
        shown = say("position.plus_minus", value=shown, error=words().decimal(100 * error, 1))
    figures = escaped(words()("numbers.percent", n=shown))
    return f'<span style="white-space:nowrap">{_bar(share, error, fill, wide)} {figures}</span>'


def _bar(share: float, error: float, fill: str, wide: float) -> str:
    at = wide * min(max(share, 0.0), 1.0)
    parts = [
        tag("rect", x=0, y=3, width=wide, height=TALL - 6, fill="currentColor", fill_opacity=0.12),
        tag("rect", x=0, y=3, width=at, height=TALL - 6, fill=fill),
    ]
    if error:
        low, high = max(0.0, at - 2 * wide * error), min(wide, at + 2 * wide * error)
        path = f"M{low:.1f} 8H{high:.1f}M{low:.1f} 4v8M{high:.1f} 4v8"
        parts.append(tag("path", d=path, stroke="currentColor", stroke_width=1.4, fill="none"))
    size = f"width:{wide:.0f}px;height:{TALL:.0f}px;display:inline-block;vertical-align:-3px"
    return tag("svg", *parts, viewBox=f"0 0 {wide:.0f} {TALL:.0f}", style=size, aria_hidden="true")


def _show_moves(here: Standing, found: Document) -> None:
    """The best moves: a click draws one on the board, buttons play it or take it to be compared."""
    shown = links.parameter("show")
    columns = [
        Column("move", say("position.move")),
        Column("piece", say("position.piece")),
        Column("share", say("position.share"), "text", say("position.move_share_about"), _move_share),
        Column("score", say("position.score"), "decimal"),
        Column("visits", say("position.visits"), "whole", say("position.visits_about")),
        Column("prior", say("position.prior"), "share", say("position.prior_about")),
        Column("do", say("position.do"), markup=_buttons),
    ]
    rows = [row | {"move": row["move"].replace(",", " ")} for row in found["moves"]]
    table(
        columns,
        rows,
        key="position.moves",
        caption=say("position.moves"),
        pick=lambda row: f"show:{_code(row)}",
        here=lambda row: _code(row) == shown,
        then=partial(_on_move, here),
    )


def _code(row: Document) -> str:
    return str(row["move"]).replace(" ", "-")


def _move_share(row: Document) -> str:
    return share_markup(row["share"], row["share_error"], wide=NARROW)


def _buttons(row: Document) -> str:
    code, cells = escaped(_code(row)), escaped(row["move"])
    made = []
    for what in ("play", "compare"):
        name, label = (
            escaped(say(f"position.{what}")),
            escaped(say(f"position.{what}_label", move=row["move"])),
        )
        made.append(f'<a href="#" data-pick="{what}:{code}" aria-label="{label}" title="{cells}">{name}</a>')
    return f'<span style="white-space:nowrap">{"<br>".join(made)}</span>'


def _on_move(here: Standing, event: Event) -> None:
    if event.pick is None:
        return
    what, _, code = event.pick.partition(":")
    if what == "play":
        playing.play(here, move_from_names(here.variant.id, 0, code.split("-")).cells)
    elif what == "compare":
        slot = next((name for name in playing.SLOTS if not links.parameter(name)), playing.SLOTS[1])
        links.keep(panel="compare", evaluate=None, show=None, **{slot: code})
    else:
        links.keep(show=None if links.parameter("show") == code else code)
