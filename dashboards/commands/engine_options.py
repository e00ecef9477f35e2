"""Options of the commands that search: budget, seed; the engine's parts for a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.gtp_session import Parts
    from pipeline.played_game import PlayedGame

Budget = Annotated[
    str,
    typer.Option(
        "--budget",
        "-b",
        metavar="B",
        help="instant, quick, standard, deep (about 0, 0.1, 1 and 10 s a position), or a number of simulations.",
    ),
]
Simulations = Annotated[
    int | None, typer.Option("--simulations", metavar="N", help="The same as --budget N.")
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="S", min=0, max=2**63 - 1, help="The same seed gives the same answer."),
]

QUICK = "quick"


def budget_of(variant_id: str, budget: str, simulations: int | None = None) -> str | int:
    """The budget out of the options that say it: a word, or a number of simulations.

    Raises:
        UsageFailure: there is no such budget, or both options say one.
    """
    from engine.budgets import simulations as number_of
    from engine.errors import EngineError

    if simulations is not None and budget != QUICK:
        raise UsageFailure("--budget and --simulations say the same: give one of them")
    plain = budget.strip().lower().replace("_", "")
    is_number = plain.lstrip("+-").isdecimal() and plain.isascii() and len(plain) < 19
    found = simulations if simulations is not None else int(plain) if is_number else plain
    try:
        number_of(variant_id, found)
    except EngineError as error:
        raise UsageFailure(str(error)) from None
    return found


def engine_parts() -> Parts:
    """The engine's player, its budgets, and boards in letters."""
    from engine.budgets import simulations
    from engine.evaluate import ENGINE_VERSION
    from engine.player import Player
    from pipeline.gtp_session import Parts

    return Parts(Player, simulations, board_lines, ENGINE_VERSION)


def board_lines(game: PlayedGame) -> str:
    """Board and pieces of a game in letters."""
    from dashboards.board_text import board_string
    from dashboards.pieces_text import pieces_string

    colours = range(len(game.variant.colours))
    left = [game.position.pieces_left(colour) for colour in colours]
    whose = "the game is over" if game.to_move is None else f"{game.variant.colours[game.to_move]} to move"
    board = board_string(game.variant.id, game.position.board, game.last)
    return f"{board}\n{pieces_string(game.variant.id, left)}\n{whose}"
