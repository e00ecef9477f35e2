"""`cornerwise aliases`: which names are one person's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure


def run(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="CSV, TSV or JSON with name and player: the spelling in records, and the person's name.",
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="List the aliases that the library has.")] = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    wait: options.Wait = 60.0,
    as_json: options.Json = False,
) -> None:
    """Say which names are one person's, in the place of all aliases before. Names keep their spelling everywhere.

    Without a file, or with --show, the aliases are listed. They are the column `person` of `seats`.
    """
    if file is not None:
        _replace(file, library, wait, quiet=as_json or show)
    from pipeline.aliases import aliases_of

    with options.open_library(library) as reader:
        rows = aliases_of(reader)
    if as_json:
        terminal.emit({"library": str(library), "aliases": rows})
    elif show or file is None:
        terminal.table(
            ("name", "player", "games"), [tuple(row.values()) for row in rows], ("games",), ("name", "player")
        )
        if not rows:
            terminal.say("no aliases")


def _replace(file: Path, library: Path, wait: float, quiet: bool) -> None:
    from pipeline.aliases import LARGEST, read_aliases, set_aliases
    from pipeline.store import open_writer

    if not file.is_file():
        raise UsageFailure(f"no such file: {file}")
    if file.stat().st_size > LARGEST:
        raise UsageFailure(f"{file}: more than {LARGEST // 2**20} MiB is no list of names")
    aliases = read_aliases(file.read_bytes(), str(file))
    with open_writer(library, wait, command="aliases", create=False, waiting=options.waiting(wait)) as writer:
        set_aliases(writer, aliases)
    if not quiet:
        players = len({alias.player for alias in aliases})
        terminal.out(
            f"{terminal.plural(len(aliases), 'alias', 'aliases')} of {terminal.plural(players, 'player')}; "
            "cornerwise aliases lists them"
        )
