"""The report of one game: result, boards, course, pieces left, moves, where it was seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.abbreviations import find_game, short_ids
from pipeline.charts import Axes, Series, line_chart
from pipeline.game_board import board_at
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.queries import GameView, game
from pipeline.reports.boards import colour_name, large_board, left_strip, small_board
from pipeline.reports.common import about, footer, pass_words, players_words, result_words
from pipeline.reports.document import (
    Block,
    Column,
    Facts,
    Figure,
    Figures,
    Remark,
    Report,
    Row,
    Section,
    Table,
)
from pipeline.reports.measures import measure_blocks
from pipeline.reports.texts import Texts
from pipeline.store import Reader

SEATS = (
    Column("seat", "whole"), Column("player"), Column("colours", "list"), Column("team", "whole"),
    Column("points", "whole"), Column("place", "whole"), Column("share", "share"), Column("left_game"),
)  # fmt: skip
MOVES = (
    Column("turn", "whole"), Column("round", "whole"), Column("ply", "whole"), Column("colour"), Column("piece"),
    Column("cells", "code"), Column("placed", "whole"), Column("position_key", "code", page=False),
)  # fmt: skip
SIGHTINGS = (
    Column("source"), Column("record", "whole"), Column("format"), Column("declared"), Column("warnings", "list"),
    Column("batch", "whole"),
)  # fmt: skip
EDITS = (Column("field"), Column("old"), Column("value"), Column("note"))

MOST_SIGHTINGS = 20
"""Sightings that a page lists."""


def game_report(reader: Reader, identity: str, t: Texts, made: date) -> Report:
    """The report of the game of an identity, which may be shortened.

    Raises:
        NoIdentity, NoSuchGame, AmbiguousGame: see `abbreviations.find_game`.
    """
    view = game(reader, find_game(reader, identity))
    short = short_ids(reader, [view.game["id"]])[view.game["id"]]
    row = variant(view.game["variant"])
    names = players_words(t, [seat["player"] for seat in view.seats])
    return Report(
        "game",
        names or t("game.title", id=short),
        t("game.subtitle", variant=row.name, date=view.game["date"] or t("game.no_date"), id=short),
        {**about(reader, made), "id": view.game["id"]},
        list(_sections(reader, view, t)),
        "moves",
        footer(reader, t, made),
    )


def _sections(reader: Reader, view: GameView, t: Texts) -> Iterator[Section]:
    yield Section("result", t("game.result"), list(_result(view, t)))
    yield Section("board", t("game.board"), list(_board(view, t)))
    if len(view.moves) > 1:
        yield Section("course", t("game.course"), list(_course(view, t)))
        yield Section("measures", t("game.measures"), list(measure_blocks(reader, view, t)))
    yield Section("left", t("game.left"), [_left(view, t)])
    if view.moves or view.passes:
        yield Section("moves", t("game.moves"), [Table("moves", MOVES, moves(view, t))])
    yield Section("record", t("game.record"), list(_record(view, t)))


def _result(view: GameView, t: Texts) -> Iterator[Block]:
    g = view.game
    rules = json.loads(g["rules"] or "{}")
    yield Facts(
        {
            "result": result_words(t, g, view.seats),
            "variant": variant(g["variant"]).name,
            "date": g["date"],
            "event": g["event"],
            "event_round": g["event_round"],
            "termination": t.named("terminations", g["termination"] or "unfinished"),
            "plies": g["plies"],
            "passes": g["passes"],
            "rules": t("list_comma").join(f"{key} {value}" for key, value in rules.items())
            or t("game.default_rules"),
            "declared": next((row["declared"] for row in view.sightings if row["declared"]), None),
            "flags": t("list_comma").join(t.named("flags", flag) for flag in g["flags"]) or None,
        }
    )
    for row in view.quarantine:
        yield Remark(t("game.stopped", message=row["message"]))
    if g["outcome"] is None and not view.quarantine:
        yield Remark(t("game.interim"))
    yield Table("seats", SEATS, _seats(view, t))
    yield _scores(view, t)


def _seats(view: GameView, t: Texts) -> list[Row]:
    names = [colour_name(t, view.game["variant"], i) for i in range(len(view.colours))]
    points = view.scores.get(view.game["scoring"], {}).get("seats", [])
    rows = []
    for at, seat in enumerate(view.seats):
        left = None
        if seat["out_cause"]:
            left = t("game.left_after", cause=t.named("terminations", seat["out_cause"]), ply=seat["out_ply"])
        elif seat["neutral"]:
            left = t("game.neutral")
        rows.append(
            {
                **{name: seat[name] for name in ("seat", "player", "team", "place", "share")},
                "colours": [names[colour - 1] for colour in seat["colours"]],
                "points": points[at] if at < len(points) else None,
                "left_game": left,
            }
        )
    return rows


def _scores(view: GameView, t: Texts) -> Table:
    """Points by every scoring table, a column a colour, and a seat where seats have several colours."""
    row = variant(view.game["variant"])
    alone = len(view.seats) == len(row.colours)
    columns = [Column("scoring"), *(Column(name, "whole") for name in row.colours)]
    columns += [] if alone else [Column(f"seat_{seat['seat']}", "whole") for seat in view.seats]
    rows = []
    for name, points in view.scores.items():
        decides = name == view.game["scoring"]
        line: Row = {"scoring": t("game.decides", scoring=name) if decides else name}
        line |= dict(zip(row.colours, points["colours"], strict=True))
        line |= {} if alone else {f"seat_{i}": n for i, n in enumerate(points["seats"], 1)}
        rows.append(line)
    placed = {name: colour["cells_placed"] for name, colour in zip(row.colours, view.colours, strict=True)}
    rows.append({"scoring": t("columns.cells_placed"), **placed})
    return Table("scores", columns, rows)


def _board(view: GameView, t: Texts) -> Iterator[Block]:
    yield Figures([large_board(t, board_at(view), view.moves, "final")], "large")
    if not view.moves:
        yield Remark(t("game.no_moves"))


def key_plies(view: GameView) -> list[int]:
    """Plies at which the course is shown: after everybody's first piece, and after each quarter of the game."""
    plies, colours = len(view.moves), len(view.colours)
    wanted = {colours, *(round(plies * part / 4) for part in (1, 2, 3))}
    return sorted(ply for ply in wanted if 0 < ply < plies)


def _course(view: GameView, t: Texts) -> Iterator[Block]:
    boards = [
        small_board(
            t, board_at(view, ply), f"ply{ply}", t("game.after", ply=ply, move=_move_words(view, ply, t))
        )
        for ply in key_plies(view)
    ]
    if boards:
        yield Figures(boards, "boards")
    yield Figures([_placed_chart(view, t), _unplaced_chart(view, t)], "charts")


def _move_words(view: GameView, ply: int, t: Texts) -> str:
    move = view.moves[ply - 1]
    return t(
        "game.move", colour=colour_name(t, view.game["variant"], move["colour"] - 1), piece=move["piece"]
    )


def _placed_chart(view: GameView, t: Texts) -> Figure:
    """How many cells each colour is ahead of the average of all, round by round."""
    lines: list[list[tuple[float, float | None]]] = [[] for _ in view.colours]
    for number, placed in _by_round(view):
        for line, cells in zip(lines, placed, strict=True):
            line.append((float(number), cells - sum(placed) / len(placed)))
    title, axes = t("game.ahead"), Axes(t("axes.round"), t("axes.cells"), (0.0,))
    series = [_series(view, t, colour, line) for colour, line in enumerate(lines)]
    return Figure(line_chart(series, title=title, uid="ahead", axes=axes), title)


def _unplaced_chart(view: GameView, t: Texts) -> Figure:
    """Cells left by the own moves of each colour: who plays the big pieces first."""
    sizes = {
        name: len(cells) for name, cells in PIECE_SETS[variant(view.game["variant"]).pieces].shapes.items()
    }
    lines = []
    for colour in range(len(view.colours)):
        own = [sizes[move["piece"]] for move in view.moves if move["colour"] == colour + 1]
        left = [float(sum(own[at:])) for at in range(len(own) + 1)]
        placed = view.colours[colour]["cells_placed"]
        whole = float(sum(sizes.values()) * PIECE_SETS[variant(view.game["variant"]).pieces].copies)
        points = [(float(at), whole - placed + rest) for at, rest in enumerate(left)]
        lines.append(_series(view, t, colour, points))
    title = t("game.unplaced")
    svg = line_chart(
        lines,
        title=title,
        uid="unplaced",
        axes=Axes(t("axes.own_moves"), t("axes.cells"), (0.0,), whole=True),
    )
    return Figure(svg, title)


def _by_round(view: GameView) -> list[tuple[int, list[int]]]:
    """(round, cells that each colour has placed by its end); round 0 is the start."""
    placed = _set_up(view)
    rounds = [(0, list(placed))]
    for move in view.moves:
        placed[move["colour"] - 1] += len(move["move"].split(","))
        if rounds[-1][0] == move["round"]:
            rounds.pop()
        rounds.append((move["round"], list(placed)))
    return rounds


def _set_up(view: GameView) -> list[int]:
    """Cells that each colour has before the first move."""
    board = board_at(view, 0).board
    return [int((board == colour).sum()) for colour in range(len(view.colours))]


def _series(view: GameView, t: Texts, colour: int, points: list[tuple[float, float | None]]) -> Series:
    name = variant(view.game["variant"]).colours[colour]
    return Series(
        colour_name(t, view.game["variant"], colour), points, colour=PALETTES[DEFAULT].ink(name).fill
    )


def _left(view: GameView, t: Texts) -> Block:
    at = board_at(view)
    return Figures(
        [left_strip(t, at, colour, f"left{colour}") for colour in range(len(view.colours))], "strips"
    )


def moves(view: GameView, t: Texts) -> list[Row]:
    """Moves and passes by turn; `placed` are the cells of the colour with this move."""
    rows: list[Row] = []
    names, placed = variant(view.game["variant"]).colours, _set_up(view)
    for move in view.moves:
        placed[move["colour"] - 1] += len(move["move"].split(","))
        rows.append(
            {
                **{name: move[name] for name in ("turn", "round", "ply", "piece", "position_key")},
                "colour": t.named("colours", names[move["colour"] - 1]),
                "cells": move["move"].split(","),
                "placed": placed[move["colour"] - 1],
            }
        )
    for row in view.passes:
        colour = t.named("colours", names[row["colour"] - 1])
        rows.append(
            {
                "turn": row["turn"],
                "round": row["round"],
                "colour": colour,
                "piece": pass_words(t, row),
                "cells": None,
            }
        )
    return sorted(rows, key=lambda row: row["turn"])


def _record(view: GameView, t: Texts) -> Iterator[Block]:
    yield Facts({"id": view.game["id"], "format": view.game["format"]})
    rows: list[dict[str, Any]] = [{c.name: row[c.name] for c in SIGHTINGS} for row in view.sightings]
    yield Table("sightings", SIGHTINGS, rows, MOST_SIGHTINGS)
    if view.edits:
        yield Table("edits", EDITS, view.edits)
