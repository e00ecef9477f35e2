"""`cornerwise ratings`: how strong players are, as far as their games say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.commands.players import MinGames, Odd, span
from dashboards.failures import UsageFailure

if TYPE_CHECKING:
    from pipeline.store import Reader

NOTHING = "no rated game matches: games count that are decided, of two named players or more, and no variant unknown"

_PAIR = (
    "points: an approximation of the competition room's points, of games of two players; "
    "their formula is not published"
)


_COMPARED = ("log_loss", "calibrated", "error", "scale")


def run(
    family: Annotated[
        str | None,
        typer.Option(
            "--variant-family", metavar="F", help="Of this family: a variant, or classic_teams, trigon_teams."
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="DATE", help="As they were on this day: of games surely played until then."
        ),
    ] = None,
    history: Annotated[
        str | None, typer.Option("--history", metavar="NAME", help="A player's ratings after every game.")
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="How well the models predict the second half of the games.")
    ] = False,
    library: options.Library = options.DEFAULT_LIBRARY,
    min_games: MinGames = 1,
    odd: Odd = False,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
    as_json: options.Json = False,
) -> None:
    """Ratings by family of variants: openskill with its uncertainty, plain Elo, and points of two-player games.

    mu is the estimated strength, with its interval; ordinal what the strength exceeds almost surely (mu - 3 sigma). The
    points are an approximation of the competition room's, whose formula is not published.
    """
    from pipeline import ratings

    if family is not None and family not in ratings.FAMILIES:
        raise UsageFailure(f"unknown family {family!r}: choose one of {', '.join(ratings.FAMILIES)}")
    options.known_date(at, "--at")
    if sum((history is not None, compare, at is not None)) > 1:
        raise UsageFailure("--history, --compare and --at are different questions: ask one")
    with options.open_library(library) as reader:
        if compare:
            _compare(reader, family, odd, as_json)
            return
        with terminal.counted("games rated") as tell:
            if history is not None:
                _history(ratings.history(reader, history, family, odd, tell), history, limit, offset, as_json)
                return
            page = ratings.ratings(reader, family, at, min_games, limit or None, offset, odd, tell)
    if as_json:
        about = {"total": page.total, "offset": offset, "limit": limit or None, "points": _label()}
        terminal.emit({**about, "ratings": page.rows, "reason": None if page.rows else NOTHING})
        return
    _print(page.rows, page.total, offset)


def _label() -> str:
    from pipeline.competition import LABEL

    return LABEL


def _print(rows: list[dict[str, Any]], total: int, offset: int) -> None:
    if not rows:
        terminal.say(NOTHING if not offset else "no more players")
        return
    columns = ("games", "ordinal", "mu", "sigma", "95 %", "elo", "points (approx.)", "last")
    with_points = any(row["points"] is not None for row in rows)
    shown = [(row["family"], row["player"], terminal.number(row["games"]), *_figures(row)) for row in rows]
    shown = [(*row, last["last_played"] or "") for row, last in zip(shown, rows, strict=True)]
    _table(("family", "player", *columns), shown, columns, with_points)
    left = total - offset - len(rows)
    if left > 0:
        terminal.say(f"{terminal.number(left)} more; --offset {offset + len(rows)} shows the next ones")


def _table(
    heads: tuple[str, ...], rows: list[tuple[Any, ...]], right: tuple[str, ...], with_points: bool
) -> None:
    kept = [at for at, head in enumerate(heads) if with_points or not head.startswith("points")]
    terminal.table(
        [heads[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        right,
        clipped=("player", "event"),
    )
    if with_points:
        terminal.say(_PAIR)


def _figures(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{row['ordinal']:.1f}",
        f"{row['mu']:.1f}",
        f"{row['sigma']:.1f}",
        span(row["low"], row["high"]),
        f"{row['elo']:.0f}",
        "" if row["points"] is None else f"{row['points']:.0f}",
    )


def _history(rows: list[dict[str, Any]], name: str, limit: int, offset: int, as_json: bool) -> None:
    total = len(rows)
    rows = rows[offset : offset + limit if limit else None]
    reason = None if rows else f"no rated game of {terminal.clean(name)} matches"
    if as_json:
        about = {"player": name, "total": total, "offset": offset, "limit": limit or None, "points": _label()}
        terminal.emit({**about, "history": rows, "reason": reason})
        return
    if reason:
        terminal.say(reason)
        return
    columns = ("games", "share", "ordinal", "mu", "sigma", "95 %", "elo", "points (approx.)")
    shown = [
        (
            *(row["family"], row["date"], (row["id"] or "")[:12], terminal.number(row["games"])),
            *(f"{row['share']:.2f}", *_figures(row)),
        )
        for row in rows
    ]
    _table(("family", "date", "id", *columns), shown, columns, any(row["points"] is not None for row in rows))
    left = total - offset - len(rows)
    if left > 0:
        terminal.say(f"{terminal.number(left)} more; --offset {offset + len(rows)} shows the next ones")


def _compare(reader: Reader, family: str | None, odd: bool, as_json: bool) -> None:
    from pipeline.rating_comparison import LEAST, compare

    rows = [row for row in compare(reader, odd) if family in (None, row["family"])]
    reason = None if rows else f"no family has {2 * LEAST} rated games, and fewer would say nothing"
    if as_json:
        terminal.emit({"comparison": rows, "points": _label(), "reason": reason})
        return
    if reason:
        terminal.say(reason)
        return
    columns = ("held out", "log-loss", "calibrated", "+-", "scale")
    names = {"points": "points (approx.)"}
    terminal.table(
        ("family", "of", "model", *columns),
        [
            (
                *(row["family"], row["kind"], names.get(row["model"], row["model"])),
                terminal.number(row["held_out"]),
                *("" if row[key] is None else f"{row[key]:.3f}" for key in _COMPARED),
            )
            for row in rows
        ],
        columns,
    )
    terminal.say(
        "log-loss of the second half of the games, each predicted before it is rated: less is better"
    )
    terminal.say("calibrated: after scaling the model's log-odds by a factor fitted to the first half")
    if any(row["model"] == "points" for row in rows):
        terminal.say(_PAIR)
