"""`cornerwise show`: one game with its moves, scores and the board."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import winner_words

if TYPE_CHECKING:
    from pipeline.analysis.comments import JudgedView
    from pipeline.game_board import BoardAt
    from pipeline.queries import GameView
    from pipeline.store import Reader


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
    from pipeline.documents import game_document
    from pipeline.game_board import board_at

    with options.open_library(library) as reader:
        view = queries.game(reader, find_game(reader, identity))
        at = board_at(view, ply)
        judged = _judged(reader, view.game["game_no"])
    if as_json:
        analysis = None if judged is None else judged.document()
        terminal.emit({**game_document(view, at), "analysis": analysis})
    else:
        print_game(view, at, judged)


def _judged(reader: Reader, game_no: int) -> JudgedView | None:
    """The judgement of a game with its comments, if it has one."""
    from pipeline.analysis.comments import JudgedView, game_comments
    from pipeline.analysis.queries import game_analysis
    from pipeline.compiling import STEPPING, announce_compiling
    from pipeline.move_quality import ERRORS

    analysis = game_analysis(reader, game_no)
    if analysis is None:
        return None
    if any(row["label"] in ERRORS for row in analysis.moves):
        announce_compiling(terminal.say, STEPPING)
    return JudgedView(analysis, game_comments(reader, game_no, analysis))


def print_game(view: GameView, at: BoardAt, judged: JudgedView | None = None) -> None:
    """Print a game for people, with what its moves are worth where it is judged."""
    from dashboards.analysis_text import print_analysis
    from dashboards.board_text import BoardView
    from dashboards.pieces_text import PiecesView

    _print_header(view)
    _print_seats(view)
    _print_scores(view)
    _print_moves(view, judged)
    if judged is not None:
        print_analysis(judged.analysis, judged.comments)
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


def _print_moves(view: GameView, judged: JudgedView | None) -> None:
    from dashboards.analysis_text import judged_cells
    from engine.variants import variant

    names = variant(view.game["variant"]).colours
    verdicts = {} if judged is None else {row["ply"]: row for row in judged.analysis.moves}
    width = 0 if judged is None else 3
    rows: list[tuple[Any, ...]] = [
        (
            *(
                move["turn"],
                move["round"],
                move["ply"],
                names[move["colour"] - 1],
                move["piece"],
                move["move"],
            ),
            *judged_cells(verdicts.get(move["ply"]))[:width],
        )
        for move in view.moves
    ]
    rows += [
        (row["turn"], row["round"], "", names[row["colour"] - 1], "pass", _pass_words(row), *[""] * width)
        for row in view.passes
    ]
    rows.sort(key=lambda row: row[0])
    heads = ("turn", "round", "ply", "colour", "piece", "cells", *("label", "lost %", "points")[:width])
    terminal.out()
    terminal.table(heads, rows, ("turn", "round", "ply", "lost %", "points"), ("cells",))


def _pass_words(row: dict[str, Any]) -> str:
    words = {"unforced": "although it can move", "out": "the player has left"}.get(row["kind"], row["kind"])
    return f"{words}, as recorded" if row["recorded"] else words
