"""`cornerwise report`: a page on a game, a player, openings or the whole library, or its tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import Player, Since, Until, VariantFilter

if TYPE_CHECKING:
    from datetime import date

    from pipeline.reports import Report, Texts
    from pipeline.store import Reader

Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", help="A page (.html), all tables (.json), or one table (.csv, .parquet)."
    ),
]
TableName = Annotated[
    str | None,
    typer.Option(
        "--table", metavar="NAME", help="The table of a .csv or .parquet file; default: the main one."
    ),
]
Event = Annotated[
    str | None, typer.Option("--event", metavar="NAME", help="With this in the event's name, in any case.")
]
Source = Annotated[
    str | None, typer.Option("--source", metavar="NAME", help="With this in a file's name, in any case.")
]

app = typer.Typer(
    help="Write a report: one self-contained page that prints well (.html), or its tables as data.",
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Build = Callable[["Reader", "Texts", "date"], "Report"]


@app.command("game", short_help="One game: boards, course, moves, pieces left.")
def game(
    identity: Annotated[
        str, typer.Argument(metavar="ID", help="Identity of the game; its beginning is enough.")
    ],
    out: Out,
    library: options.Library = options.DEFAULT_LIBRARY,
    table: TableName = None,
    as_json: options.Json = False,
) -> None:
    """Report on one game: result, boards, course, pieces left, moves, and where it was seen."""

    def build(reader: Reader, t: Texts, made: date) -> Report:
        from pipeline.reports.game import game_report

        return game_report(reader, identity, t, made)

    _write(build, library, out, table, as_json)


@app.command("player", short_help="One player: results, ratings, opponents.")
def player(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The player's name.")],
    out: Out,
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    since: Since = None,
    until: Until = None,
    event: Event = None,
    source: Source = None,
    table: TableName = None,
    as_json: options.Json = False,
) -> None:
    """Report on one player: results by variant and seat, ratings over time, opponents, openings."""
    _known(variant, since, until)

    def build(reader: Reader, t: Texts, made: date) -> Report:
        from pipeline.contests import ContestFilter
        from pipeline.reports.player import player_report

        return player_report(reader, name, ContestFilter(variant, since, until, event, source), t, made)

    _write(build, library, out, table, as_json)


@app.command("openings", short_help="The openings of a variant.")
def openings(
    out: Out,
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    player: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="NAME", help="Of games of this player. Repeatable: of all of them."),
    ] = None,
    since: Since = None,
    until: Until = None,
    source: Source = None,
    min_games: Annotated[
        int, typer.Option("--min-games", metavar="N", min=1, help="Moves played in so many games or more.")
    ] = 1,
    table: TableName = None,
    as_json: options.Json = False,
) -> None:
    """Report on the openings of a variant, by default of the one with most games: first moves and lines."""
    _known(variant, since, until)

    def build(reader: Reader, t: Texts, made: date) -> Report:
        from pipeline.game_selection import Selection
        from pipeline.reports.openings import openings_report

        wanted = Selection(players=tuple(player or ()), since=since, until=until, source=source)
        return openings_report(reader, variant, wanted, t, made, min_games)

    _write(build, library, out, table, as_json)


@app.command("library", short_help="The whole library, or a part of it.")
def whole(
    out: Out,
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    player: Player = None,
    since: Since = None,
    until: Until = None,
    table: TableName = None,
    as_json: options.Json = False,
) -> None:
    """Report on what the library holds: by variant, month and source, seats, lengths, quality of the data."""
    _known(variant, since, until)

    def build(reader: Reader, t: Texts, made: date) -> Report:
        from pipeline.queries import GameFilter
        from pipeline.reports.library import library_report

        return library_report(reader, GameFilter(variant, player, since, until), t, made)

    _write(build, library, out, table, as_json)


def _known(variant: str | None, since: str | None, until: str | None) -> None:
    """See that the filters mean something before anything is opened.

    Raises:
        UnknownVariant, UsageFailure: one does not.
    """
    options.known_variant(variant)
    options.known_date(since, "--since")
    options.known_date(until, "--until")


def _write(build: Build, library: Path, out: Path, table: str | None, as_json: bool) -> None:
    from datetime import date

    from pipeline.reports import texts, write_report
    from pipeline.reports.write import form

    form(out)  # a wrong suffix is said before a minute of work
    words = texts()
    with options.open_library(library) as reader:
        report = build(reader, words, date.today())
    written = write_report(report, out, table, words)
    others = [name for name in report.tables if name != written]
    if as_json:
        terminal.emit(
            {"report": report.kind, "out": str(out), "table": written, "tables": list(report.tables)}
        )
        return
    terminal.say(f"{terminal.clean(report.title)}: {terminal.clean(out)}")
    if written and others:
        terminal.say(f"table {written}; --table takes another: {', '.join(others)}")
