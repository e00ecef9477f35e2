"""`cornerwise seats`: results by seat and colour, lengths of games, passes and bonuses."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dashboards import terminal
from dashboards.commands import options, selecting
from dashboards.commands.selecting import fixed, percent, span

if TYPE_CHECKING:
    from pipeline.seat_statistics import SeatStatistics


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
    as_json: options.Json = False,
) -> None:
    """Wins, share and score by seat, cells and bonuses by colour, length and passes, by variant and rules.

    Intervals are of 95 %.
    """
    from pipeline.seat_statistics import seat_statistics

    selecting.known_scoring(scoring)
    wanted = selecting.selection(variant, rule, default_rules, player, seat, since, until, source)
    with options.open_library(library) as reader:
        found = seat_statistics(reader, wanted, scoring)
        if not found.lengths:
            selecting.known_players(reader, wanted)
    if as_json:
        terminal.emit(asdict(found))
    else:
        _print(found)


def _print(found: SeatStatistics) -> None:
    if not found.lengths:
        terminal.say("no game that is counted matches")
    else:
        _print_seats(found.seats)
        terminal.out()
        _print_colours(found.colours)
        terminal.out()
        _print_lengths(found.lengths)
    selecting.say_left_out(found.left_out)


def _rules(row: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in row["rules"].items())


def _print_seats(rows: list[dict[str, Any]]) -> None:
    columns = (
        "variant",
        "rules",
        "seat",
        "colours",
        "games",
        "wins",
        "95 %",
        "draws",
        "share",
        "95 %",
        "score",
        "95 %",
    )
    shown = [
        (
            row["variant"],
            _rules(row),
            row["seat"],
            " + ".join(row["colours"]),
            terminal.number(row["games"]),
            percent(row["win_rate"]),
            span(row, "win_rate", True),
            terminal.number(row["draws"]),
            percent(row["share"]),
            span(row, "share", True),
            fixed(row["score"]),
            span(row, "score"),
        )
        for row in rows
    ]
    _table(columns, shown, ("seat", "games", "wins", "draws", "share", "score"))


def _print_colours(rows: list[dict[str, Any]]) -> None:
    columns = (
        "variant",
        "rules",
        "colour",
        "games",
        "cells",
        "passes",
        "all placed",
        "95 %",
        "single last",
        "95 %",
    )
    shown = [
        (
            row["variant"],
            _rules(row),
            row["colour_name"],
            terminal.number(row["games"]),
            fixed(row["cells_placed"]),
            fixed(row["passes"], 2),
            percent(row["all_placed_rate"]),
            span(row, "all_placed", True),
            percent(row["single_last_rate"]),
            span(row, "single_last", True),
        )
        for row in rows
    ]
    _table(columns, shown, ("games", "cells", "passes", "all placed", "single last"))


def _print_lengths(rows: list[dict[str, Any]]) -> None:
    columns = ("variant", "rules", "games", "plies", "least to most", "turns", "passes", "draws")
    shown = [
        (
            row["variant"],
            _rules(row),
            terminal.number(row["games"]),
            fixed(row["plies"]),
            " ".join(map(str, row["plies_quartiles"])),
            fixed(row["turns"]),
            fixed(row["passes"]),
            terminal.number(row["draws"]),
        )
        for row in rows
    ]
    _table(columns, shown, ("games", "plies", "turns", "passes", "draws"))


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]], right: tuple[str, ...]) -> None:
    """A table without the column of rules where all have the default ones."""
    kept = [at for at, name in enumerate(columns) if name != "rules" or any(row[at] for row in rows)]
    terminal.table([columns[at] for at in kept], [[row[at] for at in kept] for row in rows], right)
