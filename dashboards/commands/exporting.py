"""`cornerwise export`: games back out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import FAILED, Stopped, UsageFailure

if TYPE_CHECKING:
    from pipeline.export import Report

TRAINING = "training"
"""Not a format of records, but what `pipeline.training_export` writes."""

SHOWN = 10
"""Games that could not be written which are named."""


To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format to write; `cornerwise formats` lists them. training: a table of positions in Parquet.",
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        "--out", metavar="PATH", help="A file (.blksgf, .jsonl, .txt), a folder with one game a file, or -."
    ),
]
Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="ID", help="Identities, which may be shortened; none: all games."),
]


Annotate = Annotated[
    bool,
    typer.Option(
        "--annotate", help="With --to blksgf: write what `analyse` says of the moves into the games."
    ),
]


def run(
    to: To,
    out: Out,
    ids: Ids = None,
    annotate: Annotate = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    as_json: options.Json = False,
) -> None:
    """Write games as files. Those that the format cannot hold are listed with the reason."""
    if annotate and to != "blksgf":
        raise UsageFailure(
            f"--annotate goes with --to blksgf: {to} has no annotations that other programs show"
        )
    if to == TRAINING:
        _run_training(out, ids, library, as_json)
        return
    options.known_format(to)
    from pipeline.abbreviations import find_game
    from pipeline.export import STDOUT, export_games

    if as_json and out == STDOUT:
        raise UsageFailure("--json and --out -: the games and the report cannot share standard output")
    try:
        with options.open_library(library) as reader, terminal.counted("games") as tell:
            wanted = [find_game(reader, text) for text in ids] if ids else None
            report = export_games(reader, wanted, to, out, tell, annotate)
    except KeyboardInterrupt:
        raise Stopped("stopped: nothing is written") from None
    if as_json:
        refused = [{"id": identity, "reason": reason} for identity, reason in report.refused]
        done = {"format": to, "out": str(out), "games": report.games, "files": report.files}
        done |= {"edited": report.edited, "annotated": report.annotated if annotate else None}
        terminal.emit({**done, "refused": refused})
    else:
        _print(report, to, out)
        if annotate and report.annotated < report.games:
            without = terminal.plural(report.games - report.annotated, "game")
            terminal.say(f"{without} without an analysis: `cornerwise analyse` makes it")
    if report.refused and (ids or not report.games):
        raise typer.Exit(FAILED)


def _run_training(out: Path, ids: list[str] | None, library: Path, as_json: bool) -> None:
    from pipeline.abbreviations import find_game
    from pipeline.compiling import REPLAY, STEPPING, announce_compiling
    from pipeline.training_export import export_training

    announce_compiling(terminal.say, REPLAY, STEPPING)
    try:
        with options.open_library(library) as reader, terminal.counted("games") as tell:
            wanted = [find_game(reader, text) for text in ids] if ids else None
            report = export_training(reader, wanted, out, tell)
    except KeyboardInterrupt:
        raise Stopped("stopped: nothing is written") from None
    if as_json:
        terminal.emit({"format": TRAINING, "out": str(out), **asdict(report)})
        return
    games = terminal.plural(report.games, "game")
    positions = terminal.plural(report.positions, "position")
    left_out = (
        f"; {terminal.plural(report.empty, 'game')} without a legal move left out" if report.empty else ""
    )
    terminal.say(f"{positions} of {games}: {terminal.clean(out)}{left_out}")


def _print(report: Report, to: str, out: Path) -> None:
    games, files = terminal.plural(report.games, "game"), terminal.plural(report.files, "file")
    terminal.say(f"{games} as {to} in {files}: {terminal.clean(out)}")
    if report.edited:
        terminal.say(f"{terminal.plural(report.edited, 'game')} with edits: a header `edited` says of what")
    if not report.refused:
        return
    terminal.say(
        f"not written, because {to} cannot hold them: {terminal.plural(len(report.refused), 'game')}"
    )
    for identity, reason in report.refused[:SHOWN]:
        terminal.say(f"  {identity}: {terminal.clean(reason)}")
    if len(report.refused) > SHOWN:
        terminal.say(f"  {len(report.refused) - SHOWN} more: --json lists them all")
