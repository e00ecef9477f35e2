"""What a match says: result with its interval, Elo, results by seat, CPU time of both engines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from engine.rulesets import parse_rules
from engine.variants import variant
from pipeline.intervals import Interval, student, wilson
from pipeline.match.match import GameRow, Match, Plan

_ELO_SCALE = 400.0


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Games in which the first engine had these colours."""

    colours: tuple[str, ...]
    games: int
    wins: int
    draws: int
    losses: int
    share: float | None
    place: float | None


@dataclass(frozen=True, slots=True)
class EngineTime:
    """CPU time of an engine by the operating system: of all games, of a game, of all of the match with its start.

    `own` is what the engine itself counts for the games, None where it does not.
    """

    games: float
    a_game: float
    total: float
    own: float | None
    faults: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Result of the finished games, as the first engine sees it.

    `share` is its mean share of the result (for two sides the score: a draw is one half), `interval` of 95 %: groups
    of games with one opening, in which seats went round, are the independent units. `elo` and its interval are of two
    sides only, None where the share is 0 or 1. `place` is the mean place, with `chance` what equal engines have.
    """

    names: tuple[str, str]
    variant: str
    seed: int
    openings: str
    planned: int
    games: int
    resumed: int
    wins: int
    draws: int
    losses: int
    share: float | None
    interval: Interval | None
    units: int
    elo: float | None
    elo_interval: tuple[float | None, float | None] | None
    place: float | None
    chance: float
    seats: tuple[SeatRow, ...]
    plies: float | None
    times: tuple[EngineTime, EngineTime]
    cpu_ratio: float | None
    simulations: tuple[int, float, int] | None
    faults: tuple[tuple[int, str, str], ...]


def summary_of(match: Match) -> Summary:
    """The summary of the games finished so far."""
    plan, rows = match.plan, match.rows
    share = fmean(row.share for row in rows) if rows else None
    interval, units = _interval(rows, plan.groups)
    used = [row.simulations for row in rows if row.simulations]
    times = (_time(rows, 0), _time(rows, 1))
    two = plan.groups == 2
    wins, draws, losses = _won(rows)
    return Summary(
        names=(match.names[0] or plan.first.text, match.names[1] or plan.second.text),
        variant=plan.variant,
        seed=plan.seed,
        openings=plan.openings.name,
        planned=plan.games,
        games=len(rows),
        resumed=match.resumed,
        wins=wins,
        draws=draws,
        losses=losses,
        share=share,
        interval=interval,
        units=units,
        elo=_elo(share) if two else None,
        elo_interval=(_elo(interval.low), _elo(interval.high)) if two and interval else None,
        place=fmean(row.place for row in rows) if rows else None,
        chance=(plan.groups + 1) / 2,
        seats=tuple(_by_seat(plan, rows)),
        plies=fmean(row.plies for row in rows) if rows else None,
        times=times,
        cpu_ratio=times[0].total / times[1].total if times[1].total else None,
        simulations=(min(used), fmean(used), max(used)) if used else None,
        faults=tuple(
            (row.number + 1, match.names[row.fault_side], row.fault or "")
            for row in rows
            if row.fault_side is not None
        ),
    )


def _won(rows: Sequence[GameRow]) -> tuple[int, int, int]:
    """Games won, shared and lost: first alone, first with others, not first."""
    wins = draws = 0
    for row in rows:
        alone = all(side == 0 for r, side in zip(row.results, row.sides, strict=True) if r.place == 1)
        wins += row.place == 1 and alone
        draws += row.place == 1 and not alone
    return wins, draws, len(rows) - wins - draws


def _interval(rows: Sequence[GameRow], size: int) -> tuple[Interval | None, int]:
    """Interval of the share and the number of whole groups that it is made from."""
    groups = [rows[start : start + size] for start in range(0, len(rows) - size + 1, size)]
    means = [fmean(row.share for row in group) for group in groups]
    if len(means) < 2:
        return None, len(means)
    deviation = stdev(means)
    if deviation == 0:
        # All groups alike: their spread says nothing, that of as many won or lost games does.
        return wilson(means[0], len(means)), len(means)
    found = student(fmean(means), deviation, len(means))
    assert found is not None
    return Interval(max(0.0, found.low), min(1.0, found.high)), len(means)


def _elo(share: float | None) -> float | None:
    if share is None or not 0 < share < 1:
        return None
    return _ELO_SCALE * math.log10(share / (1 - share))


def _by_seat(plan: Plan, rows: Sequence[GameRow]) -> list[SeatRow]:
    rules, names = parse_rules(plan.variant, dict(plan.settings)), variant(plan.variant).colours
    out = []
    for number in range(plan.groups):
        sides = plan.sides(number)
        colours = sorted(c for seat, owned in enumerate(rules.seats) if sides[seat] == 0 for c in owned)
        some = [row for row in rows if row.sides == sides]
        out.append(
            SeatRow(
                tuple(names[c] for c in colours),
                len(some),
                *_won(some),
                fmean(row.share for row in some) if some else None,
                fmean(row.place for row in some) if some else None,
            )
        )
    return out


def _time(rows: Sequence[GameRow], side: int) -> EngineTime:
    own = [row.own_cpu[side] for row in rows]
    known = [x for x in own if x is not None]
    games = sum(row.cpu[side] for row in rows)
    return EngineTime(
        games=games,
        a_game=games / len(rows) if rows else 0.0,
        total=rows[-1].total_cpu[side] if rows else 0.0,
        own=sum(known) if rows and len(known) == len(own) else None,
        faults=sum(row.fault_side == side for row in rows),
    )
