"""`cornerwise players`: who plays, one player's page, two players' games against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.games import Since, Until, VariantFilter
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.contests import ContestFilter
    from pipeline.players.players import HeadToHead, PlayerView

Event = Annotated[
    str | None, typer.Option("--event", metavar="TEXT", help="With this in the event's name, in any case.")
]
Source = Annotated[
    str | None, typer.Option("--source", metavar="TEXT", help="With this in a file's name, in any case.")
]
Odd = Annotated[
    bool, typer.Option("--odd", help="Let irregular games count, and games with another set of pieces.")
]
MinGames = Annotated[
    int, typer.Option("--min-games", metavar="N", min=1, max=options.MOST_ROWS, help="With so many games.")
]
NOTHING = "no decided game or result with a named player matches"

_SHOWN = 12
"""Opponents and years on a player's page."""

_OF_MEETING = ("date", "variant", "event", "event_round", "wins", "draws", "losses")
_FIGURES = ("games", "won", "drawn", "lost", "share", "95 %", "score", "95 % of it", "last")


def wanted_contests(
    variant: str | None,
    since: str | None,
    until: str | None,
    event: str | None,
    source: str | None,
    odd: bool,
) -> ContestFilter:
    """The filter that the options say.

    Raises:
        UsageFailure, UnknownVariant: one means nothing.
    """
    from pipeline.contests import ContestFilter

    options.known_variant(variant)
    options.known_date(since, "--since")
    options.known_date(until, "--until")
    return ContestFilter(variant, since, until, event, source, odd)


def run(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A player's page; without it all are listed.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="NAME", help="Only games of NAME with this player.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="WHAT", help="Rows by variant, seat or colour of each player."),
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Everybody against everybody, of the players with most games.")
    ] = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    variant: VariantFilter = None,
    since: Since = None,
    until: Until = None,
    event: Event = None,
    source: Source = None,
    min_games: MinGames = 1,
    odd: Odd = False,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """Results of players: share of the result (1 the first, 0 the last) with intervals, and mean score.

    Aliases are one person. Each seat of a player counts, against the other players' seats. Results without moves count
    too; illegal, unfinished and, without --odd, irregular games do not.
    """
    from pipeline.players import players

    if by is not None and by not in players.GROUPS:
        raise UsageFailure(f"--by {by}: choose one of {', '.join(players.GROUPS)}")
    if against is not None and name is None:
        raise UsageFailure("--against NAME needs the name of another player before it")
    if name is not None and (by is not None or matrix):
        raise UsageFailure("--by and --matrix are of all players: leave NAME out")
    wanted = wanted_contests(variant, since, until, event, source, odd)
    with options.open_library(library) as reader:
        if name is not None and against is not None:
            _print_pair(players.head_to_head(reader, name, against, wanted, limit or 1000), as_json)
        elif name is not None:
            _print_player(players.player(reader, name, wanted), as_json)
        elif matrix:
            _print_matrix(*players.matrix(reader, wanted, min_games, min(limit or 50, 50)), as_json)
        else:
            page = players.list_players(reader, wanted, by, min_games, limit or None, offset)
            if as_json:
                about = {"total": page.total, "offset": offset, "limit": limit or None}
                terminal.emit({**about, "players": page.rows, "reason": None if page.rows else NOTHING})
                return
            _print_list(page.rows, page.total, offset)


def _print_list(rows: list[dict[str, Any]], total: int, offset: int) -> None:
    if not rows:
        terminal.say(NOTHING if not offset else "no more players")
        return
    keys: list[str] = [key for key in ("player", "variant", "seat", "colours") if key in rows[0]]
    _tallies(keys, rows)
    left = total - offset - len(rows)
    if left > 0:
        terminal.say(f"{terminal.number(left)} more; --offset {offset + len(rows)} shows the next ones")


def _tallies(keys: list[str], rows: list[dict[str, Any]], columns: tuple[str, ...] = _FIGURES) -> None:
    """A table of results told apart by some keys."""
    shown = [[_key(row, key) for key in keys] + _figures(row) for row in rows]
    terminal.table(
        (*("colour" if key == "colours" else key for key in keys), *columns),
        shown,
        columns,
        clipped=("player",),
    )
    reasons = sorted({row["score_reason"] for row in rows if row["score_reason"]})
    if reasons:
        terminal.say(f"no mean score, or no interval of it, in some rows: {'; '.join(reasons)}")


def _key(row: dict[str, Any], key: str) -> str:
    value = row[key]
    if value is None:
        return "unknown"
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def _figures(row: dict[str, Any]) -> list[str]:
    return [
        *(terminal.number(row[key]) for key in ("games", "wins", "draws", "losses")),
        _percent(row["share"]),
        span(row["share_low"], row["share_high"], 100),
        "" if row["mean_score"] is None else f"{row['mean_score']:.1f}",
        span(row["score_low"], row["score_high"]),
        row["last_played"] or "",
    ]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def span(low: float | None, high: float | None, times: float = 1) -> str:
    """An interval in words; nothing where there is none."""
    return "" if low is None or high is None else f"{times * low:.1f} to {times * high:.1f}"


def _print_player(view: PlayerView, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        terminal.emit({**asdict(view), "reason": None if view.total["games"] else NOTHING})
        return
    also = f" ({', '.join(view.names)})" if view.names else ""
    terminal.out(terminal.clean(view.player + also))
    if view.own_games:
        terminal.out(
            f"{terminal.plural(view.own_games, 'game')} against nobody else, which count for nothing"
        )
    if not view.total["games"]:
        terminal.say(NOTHING)
        return
    for title, keys, rows in (
        ("all", [], [view.total]),
        ("by variant", ["variant"], view.by_variant),
        ("by seat", ["variant", "seat"], view.by_seat),
        ("by colour", ["variant", "colours"], view.by_colour),
        ("by year", ["year"], view.by_year[-_SHOWN:]),
    ):
        terminal.out(f"\n{title}")
        _tallies(keys, rows)
    terminal.out("\nopponents")
    _meetings("against", view.opponents[:_SHOWN])
    more = len(view.opponents) - _SHOWN
    if more > 0:
        terminal.say(f"{terminal.plural(more, 'more opponent')}; --json has them all")


def _meetings(key: str, rows: list[dict[str, Any]]) -> None:
    columns = ("games", "won", "drawn", "lost", "share", "95 %")
    terminal.table(
        (key, *columns),
        [
            (
                "unknown" if row[key] is None else row[key],
                *(terminal.number(row[name]) for name in ("games", "wins", "draws", "losses")),
                _percent(row["share"]),
                span(row["share_low"], row["share_high"], 100),
            )
            for row in rows
        ],
        columns,
        clipped=(key,),
    )


def _print_pair(pair: HeadToHead, as_json: bool) -> None:
    reason = None if pair.total["games"] else "no game of these two against each other matches"
    if as_json:
        from dataclasses import asdict

        terminal.emit({**asdict(pair), "reason": reason})
        return
    if reason:
        terminal.say(f"{terminal.clean(pair.player)} and {terminal.clean(pair.against)}: {reason}")
        return
    terminal.out(terminal.clean(f"{pair.player} against {pair.against}"))
    _meetings("variant", [*pair.by_variant, {**pair.total, "variant": "all"}])
    terminal.out("\nlatest games")
    terminal.table(
        ("id", "date", "variant", "event", "round", "won", "drawn", "lost"),
        [((row["id"] or "")[:12], *(row[key] for key in _OF_MEETING)) for row in pair.last],
        ("won", "drawn", "lost"),
        clipped=("event",),
    )


def _print_matrix(names: list[str], rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        terminal.emit({"players": names, "pairs": rows, "reason": None if names else NOTHING})
        return
    if not names:
        terminal.say(NOTHING)
        return
    cells = {
        (row["player"], row["against"]): f"{100 * row['share']:.0f}/{terminal.number(row['games'])}"
        for row in rows
    }
    heads = [str(number) for number in range(1, len(names) + 1)]
    terminal.table(
        ("", "player", *heads),
        [
            (at, name, *("-" if other == name else cells.get((name, other), "") for other in names))
            for at, name in enumerate(names, 1)
        ],
        ("", *heads),
        clipped=("player",),
    )
    terminal.say("share of the row's player against the column's in per cent / games of the two")
