"""`cornerwise features` and `cornerwise measures`: compute what a library lacks of them, and say what they are."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import Stopped, UsageFailure

if TYPE_CHECKING:
    from pipeline.features.compute import FeatureSummary


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    jobs: options.Jobs = None,
    wait: options.Wait = 60.0,
    as_json: options.Json = False,
) -> None:
    """Measure every game of the library at every ply: mobility, corner liberties, reach and the rest of `measures`.

    Only games without features, or with those of an older version, are measured. What is finished stays when the
    command is stopped; the next one goes on from there.
    """
    from pipeline.stopping import stoppable

    with stoppable():  # from here on: an exception that strikes while the kernels load can be lost
        summary = _compute(library, jobs, wait)
    if as_json:
        terminal.emit({"library": str(library), **asdict(summary)})
        return
    terminal.out(_in_words(summary))


def _compute(library: Path, jobs: int | None, wait: float) -> FeatureSummary:
    from pipeline.compiling import MEASURES, announce_compiling
    from pipeline.features.compute import compute_features

    announce_compiling(terminal.say, *MEASURES)
    try:
        with terminal.progress("{task.description}") as bar:
            task = None if bar is None else bar.add_task("looking for games without features")

            def tell(done: int, total: int) -> None:
                if bar is not None and task is not None:
                    words = f"{terminal.number(done)} of {terminal.plural(total, 'game')} measured"
                    bar.update(task, description=words)

            return compute_features(
                library, jobs=jobs, wait=wait, progress=tell, waiting=options.waiting(wait)
            )
    except KeyboardInterrupt as error:
        raise Stopped(str(error) or "stopped: nothing was measured") from None


def _in_words(summary: FeatureSummary) -> str:
    without = (
        f"; {terminal.plural(summary.without, 'game')} without a position, for the setup does not fit"
        if summary.without
        else ""
    )
    if not summary.games:
        if not summary.present:
            return f"the library has no games to measure{without}"
        return f"all {terminal.plural(summary.present, 'game')} have features already{without}"
    older = f", {terminal.number(summary.older)} of them anew" if summary.older else ""
    had = f"; {terminal.number(summary.present)} had features already" if summary.present else ""
    return (
        f"{terminal.plural(summary.games, 'game')} measured{older}: {terminal.number(summary.positions)} positions, "
        f"{summary.seconds:.1f} s{had}{without}"
    )


def measures(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only this measure; without it the whole page.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Say exactly what each measure is."""
    from engine.measures import definitions, measures_page

    known = definitions()
    if name is not None and name not in known:
        raise UsageFailure(f"no measure {name!r}: choose one of {', '.join(known)}")
    chosen = list(known.values()) if name is None else [known[name]]
    if as_json:
        terminal.emit({"measures": [asdict(measure) for measure in chosen]})
    elif name is None:
        sys.stdout.write(measures_page())
    else:
        (one,) = chosen
        terminal.out(f"{one.name} ({one.unit})")
        terminal.out(one.definition)
        terminal.out(f"Source: {one.source}")
