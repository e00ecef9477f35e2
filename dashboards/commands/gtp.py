"""`cornerwise gtp`: the engine for programs that speak the Go Text Protocol."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.engine_options import QUICK, Budget, Seed, Simulations, budget_of, engine_parts


def run(
    variant: Annotated[
        str, typer.Option("--variant", metavar="V", help="Variant until a command sets another.")
    ] = "duo",
    budget: Budget = QUICK,
    simulations: Simulations = None,
    seed: Seed = 1,
    rule: options.Rules = None,
) -> None:
    """Answer commands on standard input: set_game, clear_board, play, genmove, undo, and more (list_commands).

    The dialect is that of Pentobi's engine, so that programs for matches and analysis can use this one.
    """
    options.known_variant(variant)
    settings = options.rule_settings(rule, variant)
    from pipeline import compiling
    from pipeline.gtp_session import GtpSession

    wanted = budget_of(variant, budget, simulations)
    compiling.announce_compiling(terminal.say, compiling.SEARCH)
    session = GtpSession(engine_parts(), variant, wanted, seed, settings)
    for line in _lines():
        said = session.respond(line)
        if said is not None:
            sys.stdout.write(said)
            sys.stdout.flush()
        if session.done:
            return


def _lines() -> Iterator[str]:
    """Lines of standard input, each cut at the length that the protocol allows here."""
    from notation.gtp_commands import LINE_LIMIT

    stream = sys.stdin.buffer
    while block := stream.readline(LINE_LIMIT + 2):
        line, whole = block, block
        while whole and not whole.endswith(b"\n"):
            whole = stream.readline(LINE_LIMIT)
        yield line.decode("utf-8", "replace").rstrip("\r\n")
