"""`cornerwise standings`: the table of an event."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import Since, Until, VariantFilter
from dashboards.commands.players import Odd, Source, wanted_contests

if TYPE_CHECKING:
    from pipeline.standings import Standings


def run(
    event: Annotated[str, typer.Argument(metavar="EVENT", help="Name of the event, in any letter case.")],
    points: Annotated[
        str | None,
        typer.Option(
            "--points",
            metavar="TABLE",
            help="By place, 3,2,1,0, or win=1,draw=0.5,loss=0; ties share places. "
            "Default: n - 1 for the first of n, down to 0.",
        ),
    ] = None,
    tie_breaks: Annotated[
        str | None,
        typer.Option("--tie-breaks", metavar="LIST", help="Default: difference,sum,direct, in this order."),
    ] = None,
    bye: Annotated[
        float, typer.Option("--bye", metavar="POINTS", min=-1000, max=1000, help="Points of a bye.")
    ] = 0.0,
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    since: Since = None,
    until: Until = None,
    source: Source = None,
    odd: Odd = False,
    as_json: options.Json = False,
) -> None:
    """Show the standings of an event: points, tie-breaks, byes, games by round, and games that do not count."""
    from pipeline import standings as tables

    wanted = wanted_contests(variant, since, until, None, source, odd)
    table, order = tables.points_table(points), tables.tie_breaks(tie_breaks)
    with options.open_library(library) as reader:
        found = tables.standings(reader, event, table, order, Fraction(str(bye)), wanted)
    if as_json:
        from pipeline.documents import standings_document

        terminal.emit(standings_document(found))
    else:
        _print(found)


def _print(found: Standings) -> None:
    from pipeline.standings import TIE_BREAKS, shown

    terminal.out(terminal.clean(found.event))
    terminal.out(f"points: {found.table}; tie-breaks: {', '.join(found.tie_breaks) or 'none'}")
    rounds = found.rounds if len(found.rounds) > 1 else []
    heads = [f"round {turn}" if turn else "no round" for turn in rounds]
    figures = ("games", "won", "drawn", "lost", "byes")
    ends = ("points", "difference", "scores")
    if found.rows:
        terminal.table(
            ("place", "player", *heads, *figures, *ends),
            [
                (
                    row.place,
                    row.player,
                    *(shown(row.by_round[turn]) if turn in row.by_round else "-" for turn in rounds),
                    *(row.games, row.wins, row.draws, row.losses, row.byes),
                    shown(row.points),
                    "?" if row.difference is None else shown(row.difference),
                    "?" if row.score is None else row.score,
                )
                for row in found.rows
            ],
            ("place", *heads, *figures, *ends),
            clipped=("player",),
        )
    else:
        terminal.say("no game of the event counts")
    for name in found.tie_breaks:
        terminal.say(f"{name}: {TIE_BREAKS[name]}")
    for turn, people in found.byes.items():
        terminal.out(terminal.clean(f"bye in round {turn}: {', '.join(people)}"))
    _print_left_out(found)


def _print_left_out(found: Standings) -> None:
    if not found.not_counted:
        return
    terminal.out(f"\nnot counted: {terminal.plural(len(found.not_counted), 'game')}")
    terminal.table(
        ("id", "round", "date", "players", "reason"),
        [
            (
                row["id"][:12],
                row["round"],
                row["date"],
                " - ".join(name or "?" for name in row["players"]),
                row["reason"],
            )
            for row in found.not_counted
        ],
        clipped=("players",),
    )
