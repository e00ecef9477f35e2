"""`cornerwise games`: a row a game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options

COLUMNS = ("id", "variant", "date", "players", "scores", "winner", "plies", "termination", "flags")


VariantFilter = Annotated[str | None, typer.Option("--variant", metavar="V", help="Of this variant.")]
Player = Annotated[
    str | None, typer.Option("--player", metavar="NAME", help="With this in a player's name, in any case.")
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="DATE", help="From this day, month or year on: 2020-12-30, 2020-12, 2020."
    ),
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="Up to and with this day, month or year.")
]


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    player: Player = None,
    since: Since = None,
    until: Until = None,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """List games by date. A game of which the month is unknown is inside a year, not inside one of its months."""
    from pipeline import queries

    options.known_variant(variant)
    options.known_date(since, "--since")
    options.known_date(until, "--until")
    wanted = queries.GameFilter(variant, player, since, until)
    with options.open_library(library) as reader:
        page = queries.list_games(reader, wanted, limit or None, offset)
    if as_json:
        terminal.emit({"total": page.total, "offset": offset, "limit": limit or None, "games": page.rows})
        return
    terminal.table(COLUMNS, map(_shown, page.rows), ("plies",), (), clipped=("players",))
    left = page.total - offset - len(page.rows)
    if left > 0 or offset:
        terminal.say(
            f"{terminal.number(len(page.rows))} of {terminal.plural(page.total, 'game')}"
            + (f"; --offset {offset + len(page.rows)} shows the next ones" if left > 0 else "")
        )
    elif not page.rows:
        terminal.say("no games")


def _shown(row: dict[str, Any]) -> tuple[Any, ...]:
    players = row["players"] or []
    return (
        row["short"],
        row["variant"],
        row["date"],
        " - ".join(_name(name) if name else "?" for name in players) if any(players) else "",
        " ".join("?" if p is None else str(p) for p in row["points"] or []),
        _winning_seats(row),
        row["plies"],
        row["termination"],
        " ".join(row["flags"]),
    )


def _winning_seats(row: dict[str, Any]) -> str:
    """Seats, for a name may be on several of a game, and names are in the row already."""
    if row["outcome"] is None:
        return ""
    seats = "+".join(str(seat) for seat in row["winners"])
    return "draw" if row["outcome"] == "draw" else f"seat{'s' if '+' in seats else ''} {seats}"


def _name(player: str) -> str:
    return terminal.shortened(player, terminal.LONGEST_NAME)


def winner_words(row: dict[str, Any]) -> str:
    """Who won: names and seats, several on a draw or for a team."""
    if row["outcome"] is None:
        return ""
    players = row["players"] or []
    names = []
    for seat in row["winners"]:
        name = players[seat - 1] if seat <= len(players) else None
        names.append(f"{_name(name)} (seat {seat})" if name else f"seat {seat}")
    return f"draw: {', '.join(names)}" if row["outcome"] == "draw" else " + ".join(names)
