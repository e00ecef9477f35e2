"""`cornerwise show`: one game with its moves, scores and the board."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import winner_words

if TYPE_CHECKING:
    from pipeline.game_board import BoardAt
    from pipeline.queries import GameView


def run(
    identity: Annotated[
        str, typer.Argument(metavar="ID", help="Identity of the game; its beginning is enough.")
    ],
    library: options.Library = options.DEFAULT_LIBRARY,
    ply: Annotated[
        int | None,
        typer.Option("--ply", metavar="N", help="Show the board after N placements; default: the last."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show a game: header, moves and passes, scores by every table, remaining pieces, and the board at a ply."""
    from pipeline import queries
    from pipeline.abbreviations import find_game
    from pipeline.game_board import board_at

    with options.open_library(library) as reader:
        view = queries.game(reader, find_game(reader, identity))
    at = board_at(view, ply)
    if as_json:
        terminal.emit(_document(view, at))
    else:
        print_game(view, at)


def _document(view: GameView, at: BoardAt) -> dict[str, Any]:
    from engine.variants import variant

    names = variant(at.variant).colours
    key = view.moves[at.ply - 1]["position_key"] if at.ply else None
    game = {key: value for key, value in view.game.items() if key not in ("game_no", "passes")}
    return {
        **game,
        "pass_count": view.game["passes"],
        "rules": json.loads(view.game["rules"] or "{}"),
        "seats": view.seats,
        "colours": view.colours,
        "scores": view.scores,
        "moves": [{**move, "colour_name": names[move["colour"] - 1]} for move in view.moves],
        "passes": [{**row, "colour_name": names[row["colour"] - 1]} for row in view.passes],
        "sightings": [{**row, "headers": json.loads(row["headers"] or "{}")} for row in view.sightings],
        "edits": view.edits,
        "record": None if view.whole is None else json.loads(view.whole),
        "quarantine": view.quarantine,
        "at": {
            "ply": at.ply,
            "position_key": key,
            "cells": at.cells_by_colour(),
            "pieces_left": dict(zip(names, at.left, strict=True)),
        },
    }


def print_game(view: GameView, at: BoardAt) -> None:
    """Print a game for people."""
    from dashboards.board_text import BoardView
    from dashboards.pieces_text import PiecesView

    _print_header(view)
    _print_seats(view)
    _print_scores(view)
    _print_moves(view)
    screen = terminal.console()
    terminal.out()
    terminal.out(f"after ply {at.ply} of {len(view.moves)}:")
    board = BoardView(at.variant, at.board, at.last).text(screen)
    screen.print(board)
    needed = max(map(len, board.plain.splitlines()))
    if needed > screen.width:
        terminal.say(
            f"the board takes {needed} columns, the terminal has {screen.width}: the rest is cut off"
        )
    terminal.out()
    terminal.console(width=100).print(PiecesView(at.variant, at.left))


def _print_header(view: GameView) -> None:
    from engine.variants import variant

    game = view.game
    headers, declared = _as_edited(view)
    rules = json.loads(game["rules"] or "{}")
    known = {
        "game": f"{game['id']}",
        "variant": f"{variant(game['variant']).name} ({game['variant']})",
        "rules": ", ".join(f"{key}={value}" for key, value in rules.items()),
        "result": winner_words(game) or "none",
        "termination": game["termination"],
        "flags": ", ".join(game["flags"]),
        "declared": declared,
        "plies": f"{game['plies']}, {terminal.plural(game['passes'] or 0, 'pass', 'passes')} between them",
    }
    for name, text in {**known, **headers}.items():
        if text:
            terminal.out(f"{terminal.clean(name):<12} {terminal.clean(text)}")
    for row in view.edits:
        note = f" ({row['note']})" if row["note"] else ""
        words = f"{row['field']}: {row['old'] or 'none'} -> {row['value'] or 'none'}{note}"
        terminal.out(f"{'edited':<12} {terminal.clean(words)}")
    for row in view.quarantine:
        terminal.out(f"{'stopped':<12} {terminal.clean(row['message'])}")
    for row in view.sightings:
        place = f"{row['source']}, game {row['record']} ({row['format']}, batch {row['batch']})"
        terminal.out(f"{'seen in':<12} {terminal.clean(place)}")
        for warning in row["warnings"] or ():
            terminal.out(f"{'':<12}   warning: {terminal.clean(warning)}")


def _as_edited(view: GameView) -> tuple[dict[str, str | None], str | None]:
    """Headers and declared result of a game: of its first sighting, with the edits."""
    headers: dict[str, str | None] = (
        json.loads(view.sightings[0]["headers"] or "{}") if view.sightings else {}
    )
    declared = next((row["declared"] for row in view.sightings if row["declared"]), None)
    for row in view.edits:
        if row["field"] == "result":
            declared = row["value"]
        elif row["field"] not in ("termination", *(f"player{seat['seat']}" for seat in view.seats)):
            headers[row["field"]] = row["value"]
    return headers, declared


def _print_seats(view: GameView) -> None:
    from engine.variants import variant

    names = variant(view.game["variant"]).colours
    points = view.scores[view.game["scoring"]]["seats"]
    rows = []
    for seat, total in zip(view.seats, points, strict=False):
        player = terminal.shortened(seat["player"] or "", terminal.LONGEST_NAME)
        left = f"{seat['out_cause']} after ply {seat['out_ply']}" if seat["out_cause"] else ""
        colours = " + ".join(names[c - 1] for c in seat["colours"])
        note = " ".join(part for part in (left, "neutral" if seat["neutral"] else "") if part)
        rows.append((seat["seat"], player, colours, seat["team"], total, seat["place"], note))
    terminal.out()
    terminal.table(
        ("seat", "player", "colours", "team", "points", "place", ""), rows, ("seat", "points", "place")
    )


def _print_scores(view: GameView) -> None:
    names = [row["name"] for row in view.colours]
    seats = [f"seat {row['seat']}" for row in view.seats] if len(view.seats) != len(names) else []
    rows = [
        (
            f"{scoring} (decides)" if scoring == view.game["scoring"] else scoring,
            *of["colours"],
            *of["seats"][: len(seats)],
        )
        for scoring, of in view.scores.items()
    ]
    placed = [row["cells_placed"] for row in view.colours]
    rows.append(("cells placed", *placed, *[""] * len(seats)))
    terminal.out()
    terminal.table(("scoring", *names, *seats), rows, (*names, *seats))


def _print_moves(view: GameView) -> None:
    from engine.variants import variant

    names = variant(view.game["variant"]).colours
    rows: list[tuple[int, Any, Any, str, str, str]] = [
        (move["turn"], move["round"], move["ply"], names[move["colour"] - 1], move["piece"], move["move"])
        for move in view.moves
    ]
    rows += [
        (row["turn"], row["round"], "", names[row["colour"] - 1], "pass", _pass_words(row))
        for row in view.passes
    ]
    rows.sort(key=lambda row: row[0])
    terminal.out()
    terminal.table(
        ("turn", "round", "ply", "colour", "piece", "cells"), rows, ("turn", "round", "ply"), ("cells",)
    )


def _pass_words(row: dict[str, Any]) -> str:
    words = {"unforced": "although it can move", "out": "the player has left"}.get(row["kind"], row["kind"])
    return f"{words}, as recorded" if row["recorded"] else words
