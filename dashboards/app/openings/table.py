"""The moves from a position as a table, beside the board on which they are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dashboards.app import links
from dashboards.app.intervals import SHARES, interval_column
from dashboards.app.listing import Column, markup
from dashboards.app.opened import ask
from dashboards.app.openings.explorer import SAMPLES, samples
from dashboards.app.words import colour, say
from engine.boards import cells_by_name
from engine.variants import variant
from pipeline.move_svg import ground_svg, move_svg
from pipeline.openings.positions import Spot
from pipeline.svg import words as escaped

Row = Mapping[str, Any]

GROUND = "openings-ground"
"""Id of the small board that all lines of the table refer to."""


def cells_of(variant_id: str, move: str) -> list[int]:
    """The cells of a move as the explorer writes it."""
    by_name = cells_by_name(variant(variant_id).board)
    return [by_name[name] for name in move.split(",")]


def moves_table(spot: Spot, rows: Sequence[Row], caption: str) -> str:
    """Moves of the explorer as HTML; a click sends ``play:MOVE``, or ``game:ID``."""
    short = ask(samples, tuple(identity for row in rows for identity in row["sample_games"][:SAMPLES]))
    columns = [
        _move_column(spot),
        Column("games", say("openings.games"), "whole", say("openings.games_about")),
        Column("reached", say("openings.reached"), "whole", say("openings.reached_about")),
        *_figures(rows),
        *_where(rows, "average_rating", "decimal"),
        *_where(rows, "last_played", "text"),
        Column("sample_games", say("openings.samples"), markup=partial(_samples, spot.depth + 1, short)),
    ]
    made = markup(
        columns,
        rows,
        caption=caption,
        pick=lambda row: f"play:{row['move']}",
        shows=lambda row: cells_of(spot.variant, row["move"]),
    )
    return ground_svg(spot.variant, spot.board, GROUND) + made


def shapes_table(spot: Spot, rows: Sequence[Row], caption: str) -> str:
    """First pieces by shape as HTML; those of the first colour can be followed."""
    columns = [
        _move_column(spot),
        Column(
            "colour",
            say("openings.colour"),
            markup=lambda row: escaped(colour(spot.variant, row["colour"] - 1)),
        ),
        Column("games", say("openings.games"), "whole", say("openings.shape_games_about")),
        *_figures(rows),
    ]
    made = markup(
        columns,
        rows,
        caption=caption,
        pick=lambda row: f"play:{row['move']}" if row["colour"] == 1 else "",
        shows=lambda row: cells_of(spot.variant, row["move"]),
    )
    return ground_svg(spot.variant, spot.board, GROUND) + made


def _move_column(spot: Spot) -> Column:
    """The move: where it lies, its piece, its cells, and the name of the opening that it makes."""

    def drawn(row: Row) -> str:
        picture = move_svg(spot.variant, row["colour"] - 1, cells_of(spot.variant, row["move"]), GROUND)
        name = f'<span class="cw-fine">{escaped(row["opening"])}</span>' if row.get("opening") else ""
        cells = f'<span class="cw-fine">{escaped(row["move"].replace(",", " "))}</span>'
        return f'<span class="cw-move">{picture}<b>{escaped(row["piece"])}</b>{cells}{name}</span>'

    return Column("move", say("openings.move"), markup=drawn)


def _figures(rows: Sequence[Row]) -> list[Column]:
    """Share and points of the mover, each with its interval on one scale for all rows."""
    share, score = say("openings.share_about"), say("openings.score_about")
    return [
        interval_column(rows, "share", say("openings.share"), share, kind="share", reach=SHARES, level=0.5),
        interval_column(rows, "score", say("openings.score"), score),
    ]


def _where(rows: Sequence[Row], key: str, kind: str) -> list[Column]:
    """A column that is there where some row has something to say in it."""
    if all(row[key] is None for row in rows):
        return []
    return [Column(key, say(f"openings.{key}"), kind)]


def _samples(ply: int, short: Mapping[str, str], row: Row) -> str:
    shown = [
        f'<a href="{escaped(links.address("game", id=short[identity], ply=ply))}" '
        f'data-pick="game:{escaped(short[identity])}"><code>{escaped(short[identity])}</code></a>'
        for identity in row["sample_games"][:SAMPLES]
    ]
    return " ".join(shown)
