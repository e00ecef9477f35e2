"""The commands put together, and every failure turned into a line and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer
from typer.main import get_command

from dashboards import failures
from dashboards.commands import (
    aliases,
    analyse,
    checking,
    dashboard,
    demo,
    edit,
    evaluate,
    exporting,
    features,
    formats,
    fragments,
    games,
    generating,
    gtp,
    heatmap,
    importing,
    info,
    keys,
    legal,
    match,
    mistakes,
    openings,
    pieces,
    play,
    players,
    puzzle,
    quality,
    quarantine,
    ratings,
    report,
    seats,
    serve,
    show,
    sql,
    standings,
    undo,
)

# Rich help would take twice as long as all the rest of `--help`.
app = typer.Typer(
    help="Blokus game records: import them, replay and score every game, ask questions.",
    epilog="The library is a folder: --library DIR, else $CORNERWISE_LIBRARY, else ./cornerwise-library. "
    "With --json a command prints one JSON document. "
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 something is wrong with the input.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("import", short_help="Import game records into the library.")(importing.run)
app.command("info", short_help="What the library holds.")(info.run)
app.command("games", short_help="List games, a row a game.")(games.run)
app.command("show", short_help="Show one game, with the board at a ply.")(show.run)
app.command("results", short_help="List results without moves.")(fragments.results)
app.command("positions", short_help="List positions without a game.")(fragments.positions)
app.command("piece-lists", short_help="List games of which only the pieces are known.")(fragments.piece_lists)
app.command("quarantine", short_help="List what is wrong with records, a row a problem.")(quarantine.run)
app.command("quality", short_help="Count what is odd about the data, with examples.")(quality.run)
app.command("openings", short_help="What was played from a position, and how it did.")(openings.run)
app.command("pieces", short_help="Which pieces come first, when each is played, which are left.")(pieces.run)
app.command("seats", short_help="Results by seat and colour; lengths, passes, bonuses.")(seats.run)
app.command("features", short_help="Measure games at every ply.")(features.run)
app.command("measures", short_help="Say what the measures are.")(features.measures)
app.command("heatmap", short_help="Show a heat map of games.")(heatmap.run)
app.command("players", short_help="Results of players, also against one another.")(players.run)
app.command("ratings", short_help="How strong players are, by family of variants.")(ratings.run)
app.command("standings", short_help="The table of an event.")(standings.run)
app.command("edit", short_help="Correct headers and result of a game.")(edit.run)
app.command("aliases", short_help="Say which names are one player's.")(aliases.run)
app.command("legal", short_help="List the legal moves of a position.")(legal.run)
app.command("evaluate", short_help="Say who is ahead in a position, and what is best.")(evaluate.run)
app.command("analyse", short_help="Judge the moves of games.")(analyse.run)
app.command("mistakes", short_help="List the costliest moves.")(mistakes.run)
app.command("play", short_help="Play against the engine in the terminal.")(play.run)
app.command("gtp", short_help="Speak the Go Text Protocol, for other programs.")(gtp.run)
app.command("match", short_help="Let two engines play a match.")(match.run)
app.command("check", short_help="Check records without storing them.")(checking.run)
app.add_typer(report.app, name="report", short_help="Write a report: a page, or tables.")
app.command("export", short_help="Write games as files.")(exporting.run)
app.command("formats", short_help="List the formats, or show the page of one.")(formats.run)
app.command("sql", short_help="Ask a question in SQL, read-only.")(sql.run)
app.command("dashboard", short_help="Show the library in the browser.")(dashboard.run)
app.command("serve", short_help="Serve evaluations, imports and questions over HTTP.")(serve.run)
app.add_typer(keys.app, name="keys", short_help="Keys of the service.")
app.add_typer(puzzle.app, name="puzzle", short_help="The solo puzzles: verify, solve, count.")
app.command("undo", short_help="Take an import batch back.")(undo.run)
app.command("generate", short_help="Write random legal games.")(generating.run)
app.command("demo", short_help="Import the sample archive and look at it.")(demo.run)


def run(argv: Sequence[str] | None) -> int:
    """Run a command line, see `cli.main`; returns the exit code."""
    failures.tolerant_streams()
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        command = get_command(app)
        with command.make_context("cornerwise", args) as context:
            command.invoke(context)
        sys.stdout.flush()
    except BaseException as error:
        return failures.report(error)
    return 0
