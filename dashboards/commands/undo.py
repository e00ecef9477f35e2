"""`cornerwise undo`: an import batch taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from dashboards import terminal
from dashboards.commands import options


def run(
    batch: Annotated[
        int, typer.Argument(metavar="BATCH", help="Number of the batch; `cornerwise info` lists them.")
    ],
    library: options.Library = options.DEFAULT_LIBRARY,
    wait: options.Wait = 60.0,
    as_json: options.Json = False,
) -> None:
    """Take an import batch back. Games that other batches have seen too stay."""
    from pipeline.store import open_writer

    with open_writer(
        library, wait, command=f"undo {batch}", create=False, waiting=options.waiting(wait)
    ) as writer:
        undone = writer.undo(batch)
    if as_json:
        terminal.emit({"library": str(library), **undone._asdict()})
        return
    terminal.out(
        f"batch {batch} is taken back: {terminal.plural(undone.games_removed, 'game')} and "
        f"{terminal.plural(undone.sightings_removed, 'sighting')} removed, "
        f"{terminal.plural(undone.quarantine_removed, 'row')} of the quarantine"
    )
    if undone.fragments_removed:
        records = terminal.plural(undone.fragments_removed, "record")
        terminal.out(f"{records} of results, positions and lists of pieces removed")
    if undone.games_kept:
        terminal.out(f"{terminal.plural(undone.games_kept, 'game')} stay: other batches have seen them too")
    for identity in undone.other_rules:
        terminal.out(f"{identity} was judged by other rules than those its remaining sighting states")
