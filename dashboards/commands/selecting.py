"""Options that say which games a statistic counts, and figures with their intervals as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.game_selection import Selection
    from pipeline.store import Reader

Variant = Annotated[
    str | None,
    typer.Option(
        "--variant", metavar="V", help="Games of this variant; needed where the library has several."
    ),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="KEY=VALUE", help="Games under the default rules but for this setting. Repeatable."
    ),
]
DefaultRules = Annotated[
    bool, typer.Option("--default-rules", help="Games under the default rules of the variant only.")
]
Players = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="NAME", help="Games with this player. Repeatable: with all of them."),
]
Seat = Annotated[
    int | None, typer.Option("--seat", metavar="N", min=1, max=4, help="The first --player sits there.")
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="From this day, month or year on.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Up to this day, month or year.")]
Source = Annotated[
    str | None, typer.Option("--source", metavar="TEXT", help="Games of files with this in their names.")
]
Scoring = Annotated[
    str | None,
    typer.Option("--scoring", metavar="S", help="Table of the scores: board, online, net, family, plain."),
]


def selection(
    variant: str | None,
    rules: list[str] | None,
    default_rules: bool,
    players: list[str] | None,
    seat: int | None,
    since: str | None,
    until: str | None,
    source: str | None,
) -> Selection:
    """The games that the options name.

    Raises:
        UsageFailure, UnknownVariant, RuleError: options that make no sense.
    """
    from pipeline.game_selection import Selection

    options.known_variant(variant)
    options.known_date(since, "--since")
    options.known_date(until, "--until")
    if rules and default_rules:
        raise UsageFailure("--rule and --default-rules exclude each other")
    if rules and variant is None:
        raise UsageFailure("--rule is of a variant: name one with --variant")
    if seat is not None and not players:
        raise UsageFailure("--seat says where a --player sits: name one")
    settings = options.rule_settings(rules, variant) if rules else {} if default_rules else None
    return Selection(variant, settings, tuple(players or ()), seat, since, until, source=source)


def known_scoring(scoring: str | None) -> None:
    """See that there is such a scoring table.

    Raises:
        UsageFailure: there is not.
    """
    from engine.scoring_tables import SCORINGS

    if scoring is not None and scoring not in SCORINGS:
        raise UsageFailure(f"unknown scoring {scoring!r}: choose one of {', '.join(SCORINGS)}")


def only_variant(reader: Reader, variant: str | None) -> str:
    """The variant as given, or the one that all games of the library have.

    Raises:
        UsageFailure: there are several, or no games.
    """
    from pipeline import queries

    if variant is not None:
        return variant
    found = list(queries.info(reader)["by_variant"])
    if not found:
        raise UsageFailure("the library has no games: name a variant with --variant")
    if len(found) > 1:
        raise UsageFailure(f"name a variant with --variant: the library has {', '.join(found)}")
    return str(found[0])


def known_players(reader: Reader, wanted: Selection) -> None:
    """See that players that nothing was found of exist.

    Raises:
        NoSuchPlayer: one does not; the message names some that are called nearly so.
    """
    from pipeline.contests import known_player

    for name in wanted.players:
        known_player(reader, name)


def percent(value: float | None) -> str:
    """A share in percent."""
    return "" if value is None else f"{100 * value:.1f} %"


def span(row: dict[str, Any], name: str, as_percent: bool = False) -> str:
    """The interval of a figure."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is None or high is None:
        return ""
    return f"{100 * low:.0f}-{100 * high:.0f}" if as_percent else f"{low:.1f} to {high:.1f}"


def fixed(value: float | None, digits: int = 1) -> str:
    """A number with so many digits behind the point."""
    return "" if value is None else f"{value:.{digits}f}"


def say_left_out(number: int) -> None:
    """Say that flawed games are not counted, where there are any."""
    if number:
        terminal.say(
            f"not counted: {terminal.plural(number, 'illegal, irregular, unfinished or empty game')}"
            if number == 1
            else f"not counted: {terminal.number(number)} illegal, irregular, unfinished or empty games"
        )
