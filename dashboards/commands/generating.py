"""`cornerwise generate`: random legal games, as an archive would have them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import Stopped

VariantOf = Annotated[str, typer.Option("--variant", metavar="V", help="Variant of the games.")]
Games = Annotated[int, typer.Option("--games", metavar="N", min=1, help="Number of games.")]
Out = Annotated[
    Path, typer.Option("--out", metavar="PATH", help="A file (.blksgf, .jsonl), or a folder to make.")
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="S", min=0, max=2**64 - 1, help="The same seed gives the same games; below 2**64."
    ),
]
Form = Annotated[
    str | None, typer.Option("--format", metavar="F", help="Default: what the path ends like, else blksgf.")
]


def run(
    variant: VariantOf,
    games: Games,
    out: Out,
    seed: Seed = 1,
    form: Form = None,
    rule: options.Rules = None,
    jobs: options.Jobs = None,
    as_json: options.Json = False,
) -> None:
    """Write random legal games: players from a pool, dates, events, openings that repeat."""
    options.known_variant(variant)
    options.known_format(form)
    settings = options.rule_settings(rule, variant)
    from pipeline import compiling
    from pipeline.executor import default_jobs
    from pipeline.generate_archive import write_archive

    compiling.announce_compiling(terminal.say, compiling.PLAYOUT)
    started = time.perf_counter()
    try:
        with terminal.counted("games", games) as tell:
            files = write_archive(out, variant, games, seed, settings, form, jobs or default_jobs(), tell)
    except KeyboardInterrupt:
        raise Stopped("stopped: nothing is written") from None
    seconds = round(time.perf_counter() - started, 3)
    if as_json:
        made = {"variant": variant, "games": games, "seed": seed}
        terminal.emit({**made, "files": files, "out": str(out), "seconds": seconds})
    else:
        what = f"{terminal.plural(games, 'game')} of {variant} from seed {seed}"
        terminal.out(f"{what} in {terminal.plural(files, 'file')}: {terminal.clean(out)} ({seconds:.1f} s)")
