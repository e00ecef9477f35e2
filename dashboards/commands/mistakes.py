"""`cornerwise mistakes`: the costliest moves of a library, and what was better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.queries import Page
    from pipeline.store import Reader

Player = Annotated[
    str | None, typer.Option("--player", metavar="NAME", help="Moves of this player, in any case.")
]
WorseThan = Annotated[
    float,
    typer.Option(
        "--worse-than",
        metavar="SHARE",
        min=0.0,
        max=1.0,
        help="Moves that lost at least so much of the result: 1 is the difference of a sole win to a loss.",
    ),
]
OfVariant = Annotated[str | None, typer.Option("--variant", metavar="V", help="Moves of this variant.")]
Unclear = Annotated[bool, typer.Option("--unclear", help="Also losses that lie within the noise.")]
Odd = Annotated[bool, typer.Option("--odd", help="Also of illegal, irregular, unfinished and odd games.")]


def run(
    player: Player = None,
    worse_than: WorseThan = 0.05,
    variant: OfVariant = None,
    unclear: Unclear = False,
    odd: Odd = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    limit: options.Limit = 20,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """List the costliest moves of judged games, the worst first: what was lost, and what was better."""
    from pipeline.analysis.mistakes import MistakeFilter, mistakes

    options.known_variant(variant)
    if worse_than != worse_than:
        raise UsageFailure("--worse-than is a number from 0 to 1")
    wanted = MistakeFilter(worse_than, player, variant, unclear, odd)
    with options.open_library(library) as reader:
        if player is not None:
            from pipeline.contests import known_player

            known_player(reader, player)
        page = mistakes(reader, wanted, limit or None, offset)
        note = "" if page.total else _nothing(reader, worse_than)
    if as_json:
        about = {"total": page.total, "offset": offset, "limit": limit or None, "reason": note or None}
        terminal.emit({**about, "mistakes": page.rows})
        return
    _print(page, offset, note)


def _nothing(reader: Reader, worse_than: float) -> str:
    judged = reader.table("SELECT count(*) AS n FROM analyses").to_pylist()[0]["n"]
    if not judged:
        return "no game is judged yet: `cornerwise analyse` does it"
    return f"no judged move lost {worse_than:g} of the result or more"


def _print(page: Page, offset: int, note: str) -> None:
    if note:
        terminal.say(note)
        return
    rows = [
        (
            row["short"],
            row["ply"],
            terminal.shortened(row["player"] or "", terminal.LONGEST_NAME),
            row["colour_name"],
            f"{row['label']}{' proven' if row['proven'] else ''}{' (older)' if row['older'] else ''}",
            f"{100 * row['loss_share']:.1f}",
            "" if row["proven"] else f"{100 * row['loss_share_error']:.1f}",
            f"{row['loss_points']:.1f}",
            f"{row['played_piece']} {row['played_move']}",
            "pass" if row["best_move"] is None else f"{row['best_piece']} {row['best_move']}",
        )
        for row in page.rows
    ]
    heads = ("game", "ply", "player", "colour", "label", "lost %", "+-%", "points", "played", "better")
    terminal.table(heads, rows, ("ply", "lost %", "+-%", "points"), ("played", "better"))
    shown = offset + len(page.rows)
    if shown < page.total:
        terminal.say(
            f"{terminal.number(len(page.rows))} of {terminal.number(page.total)}: --limit 0 shows all"
        )
