"""`cornerwise match`: two engines play, and what comes of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dashboards import terminal
from dashboards.commands import options
from dashboards.failures import FAILED, UsageFailure

if TYPE_CHECKING:
    from pipeline.match.match import GameRow, Match, Plan
    from pipeline.match.openings import Openings
    from pipeline.match.summary import Summary

_ENGINE = "a command line that speaks GTP, or cornerwise with options of `cornerwise gtp`."

First = Annotated[str, typer.Option("--first", metavar="CMD", help=f"First engine: {_ENGINE}")]
Second = Annotated[str, typer.Option("--second", metavar="CMD", help=f"Second engine: {_ENGINE}")]
FirstBudget = Annotated[
    str | None,
    typer.Option("--first-budget", metavar="B", help="Budget of the first, where it is cornerwise."),
]
SecondBudget = Annotated[
    str | None,
    typer.Option("--second-budget", metavar="B", help="Budget of the second, where it is cornerwise."),
]
FirstName = Annotated[
    str | None,
    typer.Option("--first-name", metavar="NAME", help="Name in the games; default: as it says itself."),
]
SecondName = Annotated[str | None, typer.Option("--second-name", metavar="NAME", help="Likewise.")]
VariantOf = Annotated[str, typer.Option("--variant", metavar="V", help="Variant of the games.")]
Games = Annotated[
    int, typer.Option("--games", metavar="N", min=1, max=1_000_000, help="Games, fixed before the match.")
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="S", min=0, max=2**31 - 1, help="Of random openings and of the engines."),
]
Suite = Annotated[
    list[str] | None,
    typer.Option(
        "--openings", metavar="FILE", help="Games of any format whose beginnings are played. Repeatable."
    ),
]
SuitePlies = Annotated[
    int | None,
    typer.Option(
        "--opening-plies", metavar="N", min=0, help="Plies of every game of --openings; default: all."
    ),
]
RandomPlies = Annotated[
    int,
    typer.Option("--random-plies", metavar="K", min=0, max=40, help="Random placements that begin a game."),
]
Seconds = Annotated[
    float,
    typer.Option("--timeout", metavar="SECONDS", min=0.1, help="Wall time that an engine has for an answer."),
]
Balanced = Annotated[
    bool,
    typer.Option(
        "--balance", help="Adjust our simulations from game to game so that the CPU times come out equal."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Keep the games (.blksgf); the same match with it goes on where it stopped.",
    ),
]


def run(
    first: First,
    second: Second,
    variant: VariantOf = "duo",
    games: Games = 20,
    seed: Seed = 1,
    first_budget: FirstBudget = None,
    second_budget: SecondBudget = None,
    first_name: FirstName = None,
    second_name: SecondName = None,
    openings: Suite = None,
    opening_plies: SuitePlies = None,
    random_plies: RandomPlies = 0,
    rule: options.Rules = None,
    timeout: Seconds = 600.0,
    balance: Balanced = False,
    out: Out = None,
    as_json: options.Json = False,
) -> None:
    """Let two engines play, each colour in turn with the same opening, and say what came of it.

    Moves are judged by our own rules: who breaks them, crashes or does not answer has lost that game. CPU time is what
    the operating system counts for each program. Where more than two play, the first engine has one seat, which goes
    round, and the second all others. Ctrl-C shows the games that were finished.
    """
    options.known_variant(variant)
    settings = options.rule_settings(rule, variant)
    from pipeline.match.contestant import side_of
    from pipeline.match.match import Match, Plan

    rules = tuple(rule or ())
    plan = Plan(
        variant,
        games,
        side_of(first, variant, first_budget, rules),
        side_of(second, variant, second_budget, rules),
        _openings(variant, settings, seed, openings, opening_plies, random_plies),
        seed,
        settings,
        timeout,
        balance,
        (first_name, second_name),
    )
    if balance and not (plan.first.ours or plan.second.ours):
        raise UsageFailure("--balance adjusts our own engine: --first or --second must be cornerwise")
    match = Match(plan)
    stopped = _play(match, out, as_json)
    _report(match, stopped, as_json)
    if stopped:
        terminal.say(f"stopped after {terminal.plural(len(match.rows), 'game')} of {games}{_goes_on(out)}")
    if stopped or (match.rows and all(row.fault is not None for row in match.rows)):
        raise typer.Exit(FAILED)


def _goes_on(out: Path | None) -> str:
    return "" if out is None else "; the same command goes on from there"


def _openings(
    variant: str, settings: dict[str, str], seed: int, files: list[str] | None, plies: int | None, random: int
) -> Openings:
    from pipeline.match.openings import Openings, suite_of

    if files and random:
        raise UsageFailure("--openings and --random-plies: give one of them")
    if plies is not None and not files:
        raise UsageFailure("--opening-plies is for --openings")
    if not files:
        return Openings(variant, settings, seed, random)
    return Openings(variant, settings, seed, 0, suite_of(options.existing(files), variant, plies))


def _play(match: Match, out: Path | None, as_json: bool) -> bool:
    """Play; returns whether it was stopped before its end."""
    plan = match.plan
    try:
        with terminal.counted("games", plan.games) as tell:
            tell(0)
            for row in match.play(out):
                tell(len(match.rows))
                if row.fault is not None or not as_json:
                    terminal.say(terminal.clean(_line(match, row)))
    except KeyboardInterrupt:
        return True
    return False


def _line(match: Match, row: GameRow) -> str:
    points = ":".join(str(result.total) for result in row.results)
    seats = "+".join(str(seat + 1) for seat, side in enumerate(row.sides) if side == 0)
    where = f"first engine as seat {seats}" if match.plan.groups > 2 or "+" not in seats else f"seats {seats}"
    text = f"game {row.number + 1}: {where}, {points}, share {row.share:.2f}, CPU {row.cpu[0]:.2f} : {row.cpu[1]:.2f} s"
    if row.simulations is not None:
        text += f", {row.simulations} simulations"
    if row.fault is not None and row.fault_side is not None:
        text += f"; {match.names[row.fault_side]} {row.fault}"
    return text


def _report(match: Match, stopped: bool, as_json: bool) -> None:
    from pipeline.match.summary import summary_of

    summary = summary_of(match)
    if as_json:
        rows = [asdict(row) | {"share": row.share, "place": row.place} for row in match.rows]
        fixed = match.plan.fixed() | {"timeout": match.plan.seconds}
        terminal.emit({**asdict(summary), "stopped": stopped, "settings": fixed, "rows": rows})
    else:
        _print(match.plan, summary)


def _print(plan: Plan, summary: Summary) -> None:
    first, second = (terminal.clean(name) for name in summary.names)
    of = f" of {summary.planned}" if summary.games < summary.planned else ""
    earlier = f", {summary.resumed} of them from before" if summary.resumed else ""
    terminal.out(f"{first} against {second}: {summary.variant}, {summary.games}{of} games{earlier}")
    terminal.out(f"openings: {summary.openings}; seed {summary.seed}")
    if summary.share is None:
        return
    words = f"{summary.wins} won, {summary.draws} drawn, {summary.losses} lost"
    terminal.out(f"result of {first}: {words}; share {100 * summary.share:.1f} %{_band(summary)}")
    if plan.groups > 2:
        terminal.out(f"mean place {summary.place:.2f}, by chance {summary.chance:.2f} (share 50 %)")
    elif summary.elo is not None:
        terminal.out(f"Elo {summary.elo:+.0f}{_elo_band(summary)}")
    terminal.out()
    rows = [
        (" + ".join(r.colours), r.games, r.wins, r.draws, r.losses, _percent(r.share), _decimal(r.place))
        for r in summary.seats
    ]
    heads = (f"{first} as", "games", "won", "drawn", "lost", "share", "place")
    terminal.table(heads, rows, heads[1:])
    terminal.out()
    times = [
        (name, f"{t.games:.2f}", f"{t.a_game:.3f}", f"{t.total:.2f}", _seconds(t.own), t.faults)
        for name, t in zip((first, second), summary.times, strict=True)
    ]
    columns = ("CPU seconds", "games", "a game", "with start", "by its own count", "faults")
    terminal.table(columns, times, columns[1:])
    if summary.cpu_ratio is not None:
        terminal.out(f"total CPU time of the first is {summary.cpu_ratio:.3f} times that of the second")
    if summary.simulations is not None:
        low, mean, high = summary.simulations
        terminal.out(f"simulations adjusted for equal CPU time: {low} to {high}, {mean:.0f} in the mean")


def _band(summary: Summary) -> str:
    if summary.interval is None:
        return ""
    low, high = summary.interval
    noun = "pairs" if summary.chance == 1.5 else "rounds of seats"
    return f", 95 %: {100 * low:.1f} to {100 * high:.1f} ({summary.units} {noun})"


def _elo_band(summary: Summary) -> str:
    if summary.elo_interval is None:
        return ""
    low, high = ("?" if x is None else f"{x:+.0f}" for x in summary.elo_interval)
    return f", 95 %: {low} to {high}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _seconds(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
