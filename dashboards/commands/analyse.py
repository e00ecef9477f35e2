"""`cornerwise analyse`: judge the moves of games, and say how well who played."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import analysis_text, terminal
from dashboards.commands import options
from dashboards.commands.engine_options import QUICK, Budget, Seed
from dashboards.failures import Stopped, UsageFailure

if TYPE_CHECKING:
    from pipeline.analysis.analyse import AnalysisSummary
    from pipeline.analysis.tasks import Chosen

    Baselines = list[dict[str, Any]]

Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID]...", help="Identities of games, which may be shortened; or --all."),
]
All = Annotated[bool, typer.Option("--all", help="All games of the library.")]
OfVariant = Annotated[str | None, typer.Option("--variant", metavar="V", help="With --all: of this variant.")]
First = Annotated[
    int | None,
    typer.Option("--first", metavar="N", min=1, help="With --all: the first N games, as they were imported."),
]
Again = Annotated[
    bool,
    typer.Option(
        "--again",
        help="Also games whose analysis has another budget or seed, or is of an older engine: it is replaced.",
    ),
]
Formulas = Annotated[bool, typer.Option("--formulas", help="Show the page with all formulas and thresholds.")]


def run(
    ids: Ids = None,
    all_games: All = False,
    variant: OfVariant = None,
    first: First = None,
    budget: Budget = QUICK,
    seed: Seed = 1,
    again: Again = False,
    formulas: Formulas = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    jobs: options.Jobs = None,
    wait: options.Wait = 60.0,
    as_json: options.Json = False,
) -> None:
    """Judge every move: what it lost against the best one, with a label; accuracy of players, games and phases.

    Only games without an analysis are judged. What is finished stays when the command is stopped; the next one goes on
    from there. `show` has the judged moves of a game, `mistakes` the costliest of the library.
    """
    from pipeline.move_quality import quality_page

    if formulas:
        sys.stdout.write(quality_page())
        return
    if bool(ids) == all_games:
        raise UsageFailure(
            "name the games to judge, or --all" if not ids else "name games or --all, not both"
        )
    if ids and (variant is not None or first is not None):
        raise UsageFailure("--variant and --first go with --all")
    options.known_variant(variant)
    from pipeline.stopping import stoppable

    with stoppable():  # from here on: an exception that strikes while the kernels load can be lost
        chosen = _chosen(library, ids, variant, first)
        summary = _judge(library, chosen, _budget(budget), seed, again, jobs, wait)
        found = _results(library, chosen)
    if as_json:
        terminal.emit({"library": str(library), **asdict(summary), **found})
        return
    terminal.say(analysis_text.summary_words(summary))
    analysis_text.print_totals(found)


def _budget(text: str) -> str | int:
    """The budget; a number whatever the variant, or a word.

    Raises:
        UsageFailure: there is no such budget.
    """
    from dashboards.commands.engine_options import budget_of

    return budget_of("duo", text)


def _chosen(library: Path, ids: list[str] | None, variant: str | None, first: int | None) -> Chosen:
    from pipeline.abbreviations import find_game
    from pipeline.analysis.tasks import Chosen

    if not ids:
        return Chosen(None, variant, first)
    with options.open_library(library) as reader:
        return Chosen(tuple(dict.fromkeys(find_game(reader, text) for text in ids)))


def _judge(
    library: Path, chosen: Chosen, budget: str | int, seed: int, again: bool, jobs: int | None, wait: float
) -> AnalysisSummary:
    from pipeline import compiling
    from pipeline.analysis.analyse import analyse

    compiling.announce_compiling(terminal.say, compiling.STEPPING, compiling.SEARCH)
    try:
        with terminal.progress("{task.description}") as bar:
            task = None if bar is None else bar.add_task("looking for games to judge")

            def tell(done: int, total: int, plies: int) -> None:
                if bar is not None and task is not None:
                    words = f"{terminal.number(done)} of {terminal.plural(total, 'game')} judged"
                    bar.update(task, description=f"{words}, {terminal.number(plies)} plies")

            return analyse(
                library,
                chosen,
                budget,
                seed,
                again=again,
                jobs=jobs,
                wait=wait,
                progress=tell,
                waiting=options.waiting(wait),
            )
    except KeyboardInterrupt as error:
        raise Stopped(str(error) or "stopped: nothing was judged") from None


def _results(library: Path, chosen: Chosen) -> dict[str, Any]:
    """Totals of the chosen games, the games themselves where they are named, and what the colour alone says."""
    from pipeline.analysis.queries import chosen_games, totals
    from pipeline.seat_statistics import baseline

    with options.open_library(library) as reader:
        found = totals(reader, chosen)
        games = chosen_games(reader, chosen) if chosen.ids is not None else []
        names = dict.fromkeys(row["variant"] for row in found.made_by)
        baselines = [asdict(baseline(reader, name)) for name in names]
    return {**asdict(found), "seats": games, "baselines": baselines}
