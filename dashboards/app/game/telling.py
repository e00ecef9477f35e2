"""What there is to say of a move: who played what, what it was worth, and what was better."""

from __future__ import annotations

import streamlit as st

from dashboards.app import background
from dashboards.app.drawing import drawn
from dashboards.app.game.loaded import Loaded, comments
from dashboards.app.game.place import ply_of
from dashboards.app.opened import ask
from dashboards.app.words import colour, plain_markdown, report_words, say, words
from pipeline.move_quality import ERRORS
from pipeline.queries import Row
from pipeline.reports.common import pass_words
from pipeline.svg import words as escaped
from pipeline.swatches import swatch_svg

SIGNS = {"best": "★", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""Signs that chess players know, beside the words."""


def show(game: Loaded, ply: int) -> None:
    """Show the words of a ply, read out as it changes."""
    lines = [_head(game, ply), *map(escaped, _more(game, ply))]
    drawn(f'<div aria-live="polite">{"<br>".join(lines)}</div>', key="game-move")
    row = game.judged(ply)
    if row is not None and row["label"] in ERRORS:
        _comment(game, ply)


def label_words(row: Row | None) -> str:
    """The label of a judged move with its sign, empty where it has none."""
    if row is None or row["label"] is None:
        return ""
    name = words().named("game", f"label_{row['label']}")
    return f"{SIGNS[row['label']]} {name}" if row["label"] in SIGNS else name


def loss_words(row: Row | None) -> str:
    """What a move lost of the result, with its error, and in points; empty where nothing was to lose."""
    if row is None or row["loss_share"] is None or row["forced"]:
        return ""
    share = words().share(row["loss_share"], 1)
    points = words().decimal(row["loss_points"])
    if row["proven"]:
        return say("game.lost_proven", share=share, points=points)
    error = words().decimal(100 * row["loss_share_error"])
    return say("game.lost", share=share, error=error, points=points)


def move_line(game: Loaded, ply: int) -> str:
    """A ply in a line."""
    if ply == 0:
        return say("game.start")
    move = game.view.moves[ply - 1]
    who = colour(game.variant, move["colour"] - 1)
    cells = " ".join(move["move"].split(","))
    return say("game.move", ply=ply, colour=who, piece=move["piece"], cells=cells)


def _head(game: Loaded, ply: int) -> str:
    if ply == 0:
        return f"<b>{escaped(move_line(game, ply))}</b>"
    swatch = swatch_svg(game.variant, game.view.moves[ply - 1]["colour"] - 1, "move")
    style = "display:inline-block;width:1em;height:1em;vertical-align:-.12em;margin-right:.35em"
    return f'<span style="{style}">{swatch}</span><b>{escaped(move_line(game, ply))}</b>'


def _more(game: Loaded, ply: int) -> list[str]:
    """Its verdict, passes before the next move, and how things stand."""
    row = game.judged(ply)
    verdict = ": ".join(part for part in (label_words(row), loss_words(row)) if part)
    gone = [
        say(
            "game.passed", colour=colour(game.variant, one["colour"] - 1), why=pass_words(report_words(), one)
        )
        for one in game.view.passes
        if one["after_ply"] == ply
    ]
    return [line for line in (verdict, words()("list_comma").join(gone), _standing(game, ply)) if line]


def _standing(game: Loaded, ply: int) -> str:
    """What the position is worth to every seat."""
    shares, points = values(game, ply)
    said = [
        say(
            "game.worth",
            player=seat_name(game, at),
            share=words().share(share),
            points=words().decimal(score),
        )
        for at, (share, score) in enumerate(zip(shares, points, strict=False))
        if share is not None and score is not None
    ]
    return say("game.standing", said=words()("list_comma").join(said)) if said else ""


def values(game: Loaded, ply: int) -> tuple[list[float | None], list[float | None]]:
    """Result shares and expected scores by seat after a ply; empty where nobody judged it."""
    row = game.judged(ply) if ply else None
    if row is not None:
        return row["after_shares"] or [], row["after_points"] or []
    first = game.judged(1) if ply == 0 else None
    return (first["before_shares"] or [], first["before_points"] or []) if first else ([], [])


def seat_name(game: Loaded, at: int) -> str:
    """The player of a seat (0..), of namesakes with the number of the seat, or that number alone."""
    players = [seat["player"] for seat in game.view.seats]
    player = players[at] if at < len(players) else None
    seat = say("game.seat", seat=at + 1)
    if not player:
        return seat
    shown = words().shown(player, "text")
    return shown if players.count(player) == 1 else say("game.namesake", player=shown, seat=seat)


def _comment(game: Loaded, ply: int) -> None:
    """What was wrong with a mistake."""
    found = background.awaited(ask, comments, game.view.game["game_no"], note=say("game.comment_coming"))
    if found and ply == ply_of(game) and ply in found:
        st.markdown(plain_markdown(found[ply].text))
