"""The moves of the game as a table, the one on the board marked; a click goes there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboards.app import links
from dashboards.app.drawing import drawn
from dashboards.app.game import telling
from dashboards.app.game.loaded import Loaded
from dashboards.app.game.place import pick_of, ply_of, stepping
from dashboards.app.listing import Column, markup
from dashboards.app.words import colour, report_words, say
from engine.variants import variant
from pipeline.queries import Row
from pipeline.reports.common import pass_words
from pipeline.svg import words as escaped
from pipeline.swatches import swatch_css

TALL = "46vh"
"""Height from which on the list scrolls."""

SWATCH = "display: inline-block; width: .9em; height: .9em; vertical-align: -.1em; margin-right: .35em;"


def show(game: Loaded) -> None:
    """Show all moves, and what they are worth where the game is judged."""
    made = game.once("moves", lambda: _inks(game) + _list(game))
    drawn(made, key="game-moves", now=pick_of(ply_of(game)), then=stepping(game))


def _inks(game: Loaded) -> str:
    """Styles of the squares before the names of colours: as pictures they would make up most of the list."""
    inks = range(len(variant(game.variant).colours))
    rules = "".join(f".ink{n} {{ background-image: {swatch_css(game.variant, n)}; }}" for n in inks)
    return f"<style>[class^=ink] {{ {SWATCH} }}{rules}</style>"


def _list(game: Loaded) -> str:
    return markup(
        _columns(game),
        _rows(game),
        caption=say("game.moves_caption"),
        pick=lambda row: pick_of(row["ply"]) if row["ply"] else "",
        link=lambda row: links.address("game", id=game.short, ply=row["ply"]),
        at=lambda row: pick_of(row["ply"]) if row["ply"] else "",
        tall=TALL,
    )


def _columns(game: Loaded) -> list[Column]:
    columns = [
        Column("ply", say("game.column_ply"), "whole", markup=lambda row: escaped(row["ply"] or "")),
        Column("colour", say("game.column_colour"), markup=lambda row: _coloured(game, row["colour"])),
        Column("piece", say("game.column_piece")),
    ]
    if game.analysis:
        columns += [
            Column("label", say("game.column_label"), markup=lambda row: escaped(row["label"])),
            Column(
                "loss_share", say("game.column_loss"), "share", say("game.column_loss_about"), _lost("share")
            ),
            Column("loss_points", say("game.column_points"), "decimal", markup=_lost("points")),
        ]
    return columns


def _coloured(game: Loaded, number: int) -> str:
    """A colour (from 1) as its square with its name."""
    return f'<i class="ink{number - 1}"></i>{escaped(colour(game.variant, number - 1))}'


def _lost(what: str) -> Any:
    """A loss in percent or points; nothing where nothing was to lose."""

    def shown(row: Mapping[str, Any]) -> str:
        value = row[f"loss_{what}"]
        if value is None or row["forced"]:
            return ""
        words = report_words()
        return escaped(words.share(value, 1) if what == "share" else words.decimal(value))

    return shown


def _rows(game: Loaded) -> list[Row]:
    """Moves and passes by turn."""
    rows: list[Row] = []
    for move in game.view.moves:
        judged = game.judged(move["ply"])
        rows.append(
            {
                **{name: move[name] for name in ("turn", "ply", "colour", "piece")},
                "label": telling.label_words(judged),
                **{name: judged and judged[name] for name in ("loss_share", "loss_points", "forced")},
            }
        )
    nothing = {"ply": None, "label": "", "loss_share": None, "loss_points": None, "forced": True}
    rows += [
        {**nothing, "turn": row["turn"], "colour": row["colour"], "piece": pass_words(report_words(), row)}
        for row in game.view.passes
    ]
    return sorted(rows, key=lambda row: row["turn"])
