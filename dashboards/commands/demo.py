"""`cornerwise demo`: the sample archive imported and looked at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import (
    analyse,
    features,
    fragments,
    games,
    importing,
    info,
    openings,
    options,
    quarantine,
    show,
    sql,
)
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.store import Reader

DATA = Path(__file__).resolve().parents[2] / "data"
"""The sample archive: in the repository, not in the installed package."""

QUESTION = """\
SELECT variant, count(*) AS games, round(avg(plies), 1) AS plies, round(avg(passes), 1) AS passes
FROM games WHERE NOT illegal GROUP BY variant ORDER BY variant"""


def run(
    data: Annotated[
        Path, typer.Option("--data", metavar="DIR", help="Folder with the sample archive.")
    ] = DATA,
    library: Annotated[
        Path, typer.Option("--library", metavar="DIR", help="Folder of the library to make.")
    ] = Path("cornerwise-demo"),
    as_json: options.Json = False,
) -> None:
    """Import the sample archive and look at it: games, one of them judged, openings, results, a query."""
    if not data.is_dir():
        raise UsageFailure(f"there is no sample archive at {data}: name its folder with --data DIR")
    if as_json:
        terminal.emit(_document(data, library))
        return
    place = f"--library {_near(library)}"
    _step(f"cornerwise import {_near(data)} {place}", lambda: importing.run([str(data)], library))
    _step(f"cornerwise info {place}", lambda: info.run(library))
    _step(f"cornerwise games --variant duo --limit 5 {place}", lambda: games.run(library, "duo", limit=5))
    with options.open_library(library) as reader:
        identity = _a_game(reader)
    if identity is not None:
        _step(
            f"cornerwise analyse {identity} {place}", lambda: analyse.run([identity], library=library, jobs=1)
        )
        _step(f"cornerwise show {identity} {place}", lambda: show.run(identity, library))
    _step(
        f"cornerwise openings --variant duo --limit 5 {place}",
        lambda: openings.run(library=library, variant="duo", limit=5),
    )
    _step(f"cornerwise results {place}", lambda: fragments.results(library))
    _step(f"cornerwise quarantine {place}", lambda: quarantine.run(library))
    _step(f'cornerwise sql "{QUESTION}" {place}', lambda: sql.run(QUESTION, library))
    _step(f"cornerwise features {place}", lambda: features.run(library))
    _heading("what to try next")
    for line in (
        f"cornerwise dashboard {place}",
        f"cornerwise report library --out library.html {place}",
        f"cornerwise players {place}",
        f"cornerwise ratings {place}",
        "cornerwise formats",
        f"cornerwise export --to csv --out games.csv {place}",
        "cornerwise generate --variant classic --games 1000 --seed 7 --out random.blksgf",
        f"cornerwise import random.blksgf {place}",
        "cornerwise --help",
    ):
        terminal.out(f"  {line}")


def _document(data: Path, library: Path) -> dict[str, Any]:
    from pipeline import queries
    from pipeline.ingest import import_paths

    summary = import_paths(library, [str(data)])
    with options.open_library(library) as reader:
        identity = _a_game(reader)
        answer = reader.ask(QUESTION).table.to_pylist()
        return {
            "import": summary.as_dict(),
            "info": queries.info(reader),
            "game": None if identity is None else queries.game(reader, identity).game,
            "quarantine": queries.quarantine(reader).rows,
            "query": answer,
        }


def _a_game(reader: Reader) -> str | None:
    """A game worth looking at: complete, of two."""
    from pipeline import queries

    page = queries.list_games(reader, queries.GameFilter("duo"))
    complete = [row["id"] for row in page.rows if row["termination"] == "normal" and not row["flags"]]
    return complete[0] if complete else None


def _near(path: Path) -> str:
    """The path as seen from here, if that is shorter."""
    return min(os.path.relpath(path), str(path), key=len)


def _heading(text: str) -> None:
    terminal.out()
    terminal.out(f"=== {text}")


def _step(command: str, do: Callable[[], None]) -> None:
    _heading(command)
    try:
        do()
    except typer.Exit as end:
        if end.exit_code:
            raise
