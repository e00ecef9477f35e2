"""`cornerwise heatmap`: a heat map of a variant's games on the terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import VariantFilter

if TYPE_CHECKING:
    from pipeline.heat_maps import HeatMap

_WORDS = {
    "occupied": "positions in which the colour covers the cell",
    "reach": "positions in which the cell is in the colour's reach",
    "contested": "positions in which the cell is in the reach of the colour and of another",
    "dead": "positions in which the cell is empty and in nobody's reach",
    "first_contact": "mean ply at which the colour covers the cell",
}


def run(
    measure: Annotated[
        str, typer.Argument(metavar="[MEASURE]", help="occupied, reach, contested, dead or first_contact.")
    ] = "occupied",
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    colour: Annotated[
        str | None, typer.Option("--colour", "--color", metavar="C", help="Name of a colour; default: all.")
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Only colours of this player.")
    ] = None,
    phase: Annotated[
        str | None, typer.Option("--phase", metavar="P", help="opening, middle or end; default: all.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show where colours are, what they reach, what is contested or dead, and when cells are first covered.

    Without --variant it is the one with most games. `cornerwise features` must have measured the games.
    """
    from engine.variants import variant as known
    from pipeline import heat_maps, queries
    from pipeline.asking import colour_number
    from pipeline.documents import heat_document

    options.known_variant(variant)
    with options.open_library(library) as reader:
        chosen = variant or queries.most_played(reader)
        number = None if colour is None else colour_number(known(chosen), colour) + 1
        found = heat_maps.heat_map(reader, chosen, measure, number, player, phase)
    if as_json:
        terminal.emit(heat_document(found))
    else:
        _print(found)


def _print(found: HeatMap) -> None:
    from dashboards.heat_text import STEPS, heat_text
    from engine.variants import variant

    values = found.values.tolist()
    top = max((value for value in values if not math.isnan(value)), default=0.0)
    of = ["all colours" if found.colour is None else variant(found.variant).colours[found.colour - 1]]
    of += [terminal.clean(found.player)] if found.player else []
    of += [found.phase] if found.phase else []
    counted = terminal.plural(found.games, "game of a colour", "games of a colour")
    terminal.out(f"{found.variant}, {found.measure}, {', '.join(of)}: {counted}")
    screen = terminal.console()
    plain = screen.no_color or screen.color_system is None
    screen.print(heat_text(found.variant, values, top, not plain))
    unit = f"{top:.1f}" if found.measure == "first_contact" else f"{100 * top:.1f} %"
    terminal.out(f"{_WORDS[found.measure]}; . never, 1 to {STEPS} up to {unit}")
    if found.missing:
        terminal.say(
            f"{terminal.plural(found.missing, 'game')} of {found.variant} without features yet: cornerwise features"
        )
