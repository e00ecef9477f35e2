"""`cornerwise pieces`: which pieces come first, when each is played, what that goes along with, what is left."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options, selecting
from dashboards.commands.selecting import fixed, percent, span

if TYPE_CHECKING:
    from pipeline.piece_statistics import PieceStatistics

Lists = Annotated[bool, typer.Option("--lists", help="Show first pieces of lists of pieces too, apart.")]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=0, help="First pieces of each colour; 0: all.")
]


def run(
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: selecting.Variant = None,
    rule: selecting.Rules = None,
    default_rules: selecting.DefaultRules = False,
    player: selecting.Players = None,
    seat: selecting.Seat = None,
    since: selecting.Since = None,
    until: selecting.Until = None,
    source: selecting.Source = None,
    scoring: selecting.Scoring = None,
    lists: Lists = False,
    limit: Limit = 5,
    as_json: options.Json = False,
) -> None:
    """First pieces of every colour; for every piece how often and in which round it is placed, and correlations.

    Correlations are Spearman's, of the round with share and score of the seat: negative where early goes with more.
    """
    from pipeline.piece_statistics import piece_statistics

    selecting.known_scoring(scoring)
    wanted = selecting.selection(variant, rule, default_rules, player, seat, since, until, source)
    with options.open_library(library) as reader:
        wanted = replace(wanted, variant=selecting.only_variant(reader, variant))
        found = piece_statistics(reader, wanted, scoring, lists)
        if not found.games:
            selecting.known_players(reader, wanted)
    if as_json:
        terminal.emit(asdict(found))
        return
    _print(found, limit)


def _print(found: PieceStatistics, limit: int) -> None:
    terminal.out(f"{found.variant}: {terminal.plural(found.games, 'game')}")
    if found.games:
        terminal.out()
        terminal.out("first pieces")
        _print_first(found, limit)
        terminal.out()
        terminal.out("pieces: the round in which they are placed, and what that goes along with")
        _print_pieces(found)
    else:
        terminal.say("no game that is counted matches")
    if found.lists is not None:
        terminal.out()
        terminal.out("first pieces in lists of pieces, of which no result is known")
        rows = [(row["colour_name"] or row["colour"], row["piece"], row["lists"]) for row in found.lists]
        terminal.table(("colour", "piece", "lists"), rows, ("lists",))
    selecting.say_left_out(found.left_out)


def _print_first(found: PieceStatistics, limit: int) -> None:
    shown: dict[int, int] = {}
    rows = []
    for row in found.first:
        shown[row["colour"]] = shown.get(row["colour"], 0) + 1
        if limit and shown[row["colour"]] > limit:
            continue
        rows.append(
            (
                row["colour_name"],
                row["piece"],
                terminal.number(row["games"]),
                percent(row["rate"]),
                percent(row["share"]),
                span(row, "share", True),
                fixed(row["score"]),
                span(row, "score"),
            )
        )
    terminal.table(
        ("colour", "piece", "games", "rate", "share", "95 %", "score", "95 %"),
        rows,
        ("games", "rate", "share", "score"),
    )


def _print_pieces(found: PieceStatistics) -> None:
    columns = ("piece", "left", "round", "quartiles", "with share", "95 %", "with score", "95 %")
    rows = []
    for row in found.pieces:
        quartiles = " ".join(map(str, row["round_quartiles"] or ()))
        correlations = [
            part
            for name in ("share_correlation", "score_correlation")
            for part in (fixed(row[name], 2), _between(row[f"{name}_low"], row[f"{name}_high"]))
        ]
        rows.append((row["piece"], percent(row["left_rate"]), fixed(row["round"]), quartiles, *correlations))
    terminal.table(columns, rows, ("left", "round", "with share", "with score"))


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"
