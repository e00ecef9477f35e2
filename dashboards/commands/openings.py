"""`cornerwise openings`: what was played from a position, and how it did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options, selecting
from dashboards.commands.selecting import fixed, percent, span
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.game_selection import Selection
    from pipeline.openings.explorer import Explored
    from pipeline.openings.positions import Spot
    from pipeline.store import Reader

COLUMNS = (
    "move",
    "piece",
    "games",
    "reached",
    "share",
    "95 %",
    "score",
    "95 %",
    "rating",
    "last",
    "opening",
    "game",
)

Moves = Annotated[
    list[str] | None, typer.Argument(metavar="MOVES", help="Moves from the start, cells joined by commas.")
]
PositionText = Annotated[str | None, typer.Option("--position", metavar="TEXT", help="A position text.")]
Key = Annotated[str | None, typer.Option("--key", metavar="HEX", help="A position key of 32 digits.")]
Game = Annotated[str | None, typer.Option("--game", metavar="ID", help="The position of this game.")]
Ply = Annotated[int | None, typer.Option("--ply", metavar="N", min=0, help="After N placements of --game.")]
Merged = Annotated[
    bool, typer.Option("--merged", help="Count exact mirror and turned images as the position itself.")
]
Shape = Annotated[
    bool, typer.Option("--shape", help="First pieces of every colour by shape, mirrored at its own corner.")
]
Start = Annotated[
    str | None, typer.Option("--start", metavar="RULE", help="Start rule whose symmetries --merged takes.")
]
Flawed = Annotated[
    bool,
    typer.Option("--flawed", help="Count illegal, irregular and unfinished games too, as far as they go."),
]
Ratings = Annotated[bool, typer.Option("--ratings", help="Show the mean rating of the players.")]
MinRating = Annotated[float | None, typer.Option("--min-rating", metavar="R", help="Mean rating from R on.")]
MaxRating = Annotated[float | None, typer.Option("--max-rating", metavar="R", help="Mean rating up to R.")]
MinGames = Annotated[int, typer.Option("--min-games", metavar="N", min=1, help="Moves played so often.")]


def run(
    moves: Moves = None,
    library: options.Library = options.DEFAULT_LIBRARY,
    position: PositionText = None,
    key: Key = None,
    game: Game = None,
    ply: Ply = None,
    merged: Merged = False,
    shape: Shape = False,
    start: Start = None,
    variant: selecting.Variant = None,
    rule: selecting.Rules = None,
    default_rules: selecting.DefaultRules = False,
    player: selecting.Players = None,
    seat: selecting.Seat = None,
    since: selecting.Since = None,
    until: selecting.Until = None,
    source: selecting.Source = None,
    flawed: Flawed = False,
    ratings: Ratings = False,
    min_rating: MinRating = None,
    max_rating: MaxRating = None,
    min_games: MinGames = 1,
    scoring: selecting.Scoring = None,
    limit: options.Limit = 12,
    as_json: options.Json = False,
) -> None:
    """List the moves that games played from a position: how often from here, and how many games reach what follows.

    Share and score are those of the seat that moves, with 95 % intervals.
    """
    selecting.known_scoring(scoring)
    _one_position(moves, position, key, game, ply, shape)
    wanted = selecting.selection(variant, rule, default_rules, player, seat, since, until, source)
    wanted = replace(wanted, flawed=flawed, ratings=(min_rating, max_rating))
    with options.open_library(library) as reader:
        if shape:
            _shapes(reader, wanted, scoring, min_games, limit, as_json)
            return
        spot = _spot(reader, variant, wanted, moves or [], position, key, game, ply)
        found = _explore(reader, spot, wanted, ratings, merged, start, scoring, min_games, limit)
        if not found.games:
            selecting.known_players(reader, wanted)
    if as_json:
        from pipeline.documents import explored_document

        terminal.emit(explored_document(found))
    else:
        print_explored(found)


def _one_position(
    moves: list[str] | None,
    position: str | None,
    key: str | None,
    game: str | None,
    ply: int | None,
    shape: bool,
) -> None:
    given = [
        name
        for name, value in (("MOVES", moves), ("--position", position), ("--key", key), ("--game", game))
        if value
    ]
    if len(given) > 1:
        raise UsageFailure(f"one position at a time: {' and '.join(given)} exclude each other")
    if ply is not None and game is None:
        raise UsageFailure("--ply is of a game: name one with --game")
    if shape and given:
        raise UsageFailure(f"--shape is about first pieces: it goes without {given[0]}")


def _spot(
    reader: Reader,
    variant: str | None,
    wanted: Selection,
    moves: list[str],
    position: str | None,
    key: str | None,
    game: str | None,
    ply: int | None,
) -> Spot:
    from pipeline.openings import positions as positions

    if game is not None:
        return positions.spot_of_game(reader, game, ply)
    if key is not None:
        return positions.spot_of_key(reader, key, variant)
    if position is not None or moves:
        from pipeline import compiling

        compiling.announce_compiling(terminal.say, compiling.STEPPING)
    if position is not None:
        return positions.spot_of_text(position, dict(wanted.rules or {}))
    return positions.spot_of_moves(selecting.only_variant(reader, variant), dict(wanted.rules or {}), moves)


def _explore(
    reader: Reader,
    spot: Spot,
    wanted: Selection,
    rated: bool,
    merged: bool,
    start: str | None,
    scoring: str | None,
    min_games: int,
    limit: int,
) -> Explored:
    from pipeline.openings.explorer import explore

    if wanted.variant not in (None, spot.variant):
        raise UsageFailure(f"the position is of {spot.variant}, not of {wanted.variant}")
    people = None
    if rated or wanted.ratings != (None, None):
        from pipeline.ratings import ratings_of

        people = ratings_of(reader, spot.variant)
    return explore(
        reader,
        spot,
        wanted,
        merged=merged,
        start=start,
        scoring=scoring,
        min_games=min_games,
        limit=limit or None,
        ratings=people,
    )


def print_explored(found: Explored) -> None:
    """Print what was found for people, a board on top."""
    from dashboards.board_text import BoardView
    from engine.variants import variant

    spot, rest = found.spot, found.spot.rest
    screen = terminal.console()
    screen.print(BoardView(spot.variant, spot.board, spot.last).text(screen))
    terminal.out()
    names = variant(spot.variant).colours
    mover = "" if rest is None or rest.to_move is None else f", {names[rest.to_move]} to move"
    terminal.out(
        f"{spot.variant}{mover}: {terminal.plural(found.games, 'game')}{_ended(found)}   key {spot.text}"
    )
    for row in found.names:
        whose = "" if row["colour_name"] is None else f"{row['colour_name']}: "
        note = f" ({row['note']})" if row["note"] else ""
        terminal.out(terminal.clean(f"opening, by {row['by']}: {whose}{row['name']}{note}"))
    if found.merged:
        terminal.out(f"symmetric images merged: {terminal.plural(found.symmetries, 'image')} of the position")
    if found.moves:
        _table(found)
    _notes(found)


def _ended(found: Explored) -> str:
    parts = [f"{terminal.number(n)} {why}" for why, n in sorted(found.ended.items())]
    return f", of which end here: {', '.join(parts)}" if parts else ""


def _table(found: Explored) -> None:
    rows = [
        (
            row["move"],
            row["piece"],
            terminal.number(row["games"]),
            terminal.number(row["reached"]),
            percent(row["share"]),
            span(row, "share", True),
            fixed(row["score"]),
            span(row, "score"),
            fixed(row["average_rating"]),
            row["last_played"] or "",
            row["opening"] or "",
            row["sample_games"][0][:12] if row["sample_games"] else "",
        )
        for row in found.moves
    ]
    kept = [
        at for at, name in enumerate(COLUMNS) if name not in ("rating", "opening") or any(r[at] for r in rows)
    ]
    terminal.table(
        [COLUMNS[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        ("games", "reached", "share", "95 %", "score", "rating"),
        ("move",),
    )


def _notes(found: Explored) -> None:
    if not found.games:
        terminal.say("no game that is counted has this position")
    elif not found.total_moves:
        terminal.say("no game goes on from here")
    elif len(found.moves) < found.total_moves:
        terminal.say(
            f"{terminal.number(len(found.moves))} of {terminal.plural(found.total_moves, 'move')}; "
            "--limit and --min-games say how many are shown"
        )
    if found.games and found.moves:
        terminal.say(
            "games: played from here; reached: have the position after it, whatever the order of moves"
        )
    if found.other_start_rule:
        terminal.say(f"other start rules, not merged: {terminal.plural(found.other_start_rule, 'game')}")
    selecting.say_left_out(found.left_out)


def _shapes(
    reader: Reader, wanted: Selection, scoring: str | None, min_games: int, limit: int, as_json: bool
) -> None:
    from pipeline.openings.shapes import first_shapes

    wanted = replace(wanted, variant=selecting.only_variant(reader, wanted.variant))
    rows = [row for row in first_shapes(reader, wanted, scoring) if row["games"] >= min_games]
    if as_json:
        terminal.emit(
            {"variant": wanted.variant, "view": "shape", "total": len(rows), "shapes": rows[: limit or None]}
        )
        return
    terminal.out(
        "first pieces by shape: mirrored at each colour's own corner, which is no symmetry of the game"
    )
    terminal.table(
        ("colour", "piece", "move", "games", "share", "95 %", "score", "95 %"),
        [
            (
                row["colour_name"],
                row["piece"],
                row["move"],
                terminal.number(row["games"]),
                percent(row["share"]),
                span(row, "share", True),
                fixed(row["score"]),
                span(row, "score"),
            )
            for row in rows[: limit or None]
        ],
        ("games", "share", "score"),
    )
    if not rows:
        terminal.say("no game that is counted matches")
