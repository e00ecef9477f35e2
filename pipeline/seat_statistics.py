"""Results by seat and by colour, lengths of games, passes and bonuses, by variant and ruleset.

Scores are those of one scoring table for all games of a row, by default the variant's own. A seat of a game is one
observation; intervals are of 95 %. Games without a result that counts are in none of the figures.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate

from engine.rulesets import parse_rules
from engine.variants import VARIANTS, variant
from pipeline.game_selection import (
    SEAT_FACTS,
    Parameters,
    Selection,
    chosen_games,
    left_out,
    points,
    uses_sums,
    whole,
)
from pipeline.intervals import wilson
from pipeline.openings.moves import figures
from pipeline.queries import Row
from pipeline.store import Reader
from pipeline.store.summaries import COLOUR_SUMS, LENGTHS


@dataclass(frozen=True, slots=True)
class SeatStatistics:
    """Rows by variant and rules: of every seat, of every colour, and of the games as a whole.

    `left_out` flawed games are in none of them.
    """

    seats: list[Row]
    colours: list[Row]
    lengths: list[Row]
    left_out: int


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the seat alone says about results: to be shown beside every accuracy.

    `games` have a result. `seats` are rows with share, win rate and mean score of every seat. Who always guesses
    that seat `guess` wins is right in `accuracy` of the games (a shared first place counts half), between `low` and
    `high`. Null, with a `reason`, where no game counts.
    """

    variant: str
    rules: dict[str, str]
    games: int
    seats: list[Row]
    guess: int | None
    accuracy: float | None
    low: float | None
    high: float | None
    reason: str | None


def seat_statistics(reader: Reader, wanted: Selection, scoring: str | None = None) -> SeatStatistics:
    """Results by seat and colour, and lengths, of the games of a selection.

    Raises:
        UnknownVariant, RuleError, PipelineError: a filter that means nothing.
    """
    by_seat = seats(reader, wanted, scoring)
    return SeatStatistics(
        by_seat, colours(reader, wanted, by_seat), lengths(reader, wanted), left_out(reader, wanted)
    )


def seats(reader: Reader, wanted: Selection, scoring: str | None = None) -> list[Row]:
    """A row for every variant, ruleset and seat: results, wins, draws, losses, win rate, share and score."""
    facts, values = _seat_facts(reader, replace(wanted, flawed=False))
    score = points(scoring, variant_id="f.variant")
    rows = reader.table(
        f"""
        SELECT f.variant, f.rules, f.seat, sum(f.n)::BIGINT AS games,
               coalesce(sum(f.n) FILTER (f.verdict = 2), 0)::BIGINT AS wins,
               coalesce(sum(f.n) FILTER (f.verdict = 1), 0)::BIGINT AS draws,
               sum(f.n * f.twelfths) / 12 AS share, sum(f.n * {score}) AS score,
               sum(f.n * {score} * {score}) AS score_squares
        FROM ({facts}) f
        GROUP BY ALL
        """,
        values,
        needs=[SEAT_FACTS],
    ).to_pylist()
    return sorted((_seat(row, scoring) for row in rows), key=_place)


def _seat_facts(reader: Reader, wanted: Selection) -> tuple[str, Parameters]:
    """A question for facts of seats that have a result, each with how often (`n`) they came, and its parameters."""
    if uses_sums(reader, wanted):
        where, values = whole(wanted)
        return f"SELECT * FROM seat_sums WHERE {where}", values
    games, values = chosen_games(wanted)
    return (
        f"SELECT c.variant, c.rules, f.*, 1 AS n FROM ({games}) c JOIN seat_facts f USING (game_no) "
        "WHERE f.share IS NOT NULL"
    ), values


def _seat(row: Row, scoring: str | None) -> Row:
    n, wins = row["games"], row["wins"]
    rate = wilson(wins / n, n)
    return {
        "variant": row["variant"],
        "rules": json.loads(row["rules"]),
        "seat": row["seat"],
        "colours": _owned(row["variant"], json.loads(row["rules"]), row["seat"]),
        "games": n,
        "wins": wins,
        "draws": row["draws"],
        "losses": n - wins - row["draws"],
        "win_rate": wins / n,
        "win_rate_low": rate and rate.low,
        "win_rate_high": rate and rate.high,
        **{
            k: v
            for k, v in figures(n, row["share"], row["score"], row["score_squares"]).items()
            if k != "results"
        },
        "scoring": scoring or variant(row["variant"]).scoring,
    }


def _owned(variant_id: str, settings: Mapping[str, str], seat: int) -> list[str]:
    owned = parse_rules(variant_id, settings).seats[seat - 1]
    return [variant(variant_id).colours[colour] for colour in owned]


def _place(row: Row) -> tuple[int, str, int]:
    """Variants in the order of the rule page, the default rules first."""
    text = json.dumps(row["rules"], sort_keys=True)
    number: int = row["colour"] if "colour" in row else row.get("seat") or 0
    return list(VARIANTS).index(row["variant"]), "" if text == "{}" else text, number


def colours(reader: Reader, wanted: Selection, by_seat: list[Row]) -> list[Row]:
    """A row for every variant, ruleset and colour: cells placed, passes, bonuses, and its seat's share and win rate.

    `by_seat` are the rows of `seats`. A shared colour has no seat, so it has no results.
    """
    wanted = replace(wanted, flawed=False)
    if uses_sums(reader, wanted):
        where, values = whole(wanted)
        sums = f"SELECT * FROM colour_sums WHERE {where}"
    else:
        games, values = chosen_games(wanted)
        sums = COLOUR_SUMS.format(games=f"({games})")
    rows = reader.table(
        f"""
        SELECT * REPLACE (cells_placed / games AS cells_placed, pieces_placed / games AS pieces_placed,
                          passes / games AS passes)
        FROM ({sums})
        """,
        values,
    ).to_pylist()
    seats_of = {
        (row["variant"], json.dumps(row["rules"], sort_keys=True), row["seat"]): row for row in by_seat
    }
    return sorted(
        (_colour(row, seats_of.get((row["variant"], row["rules"], row["seat"]))) for row in rows), key=_place
    )


RESULTS = ("win_rate", "win_rate_low", "win_rate_high", "share", "share_low", "share_high")


def _colour(row: Row, seat: Row | None) -> Row:
    n = row["games"]
    every, single = wilson(row["all_placed"] / n, n), wilson(row["single_last"] / n, n)
    return {
        "variant": row["variant"],
        "rules": json.loads(row["rules"]),
        "colour": row["colour"],
        "colour_name": variant(row["variant"]).colours[row["colour"] - 1],
        "seat": row["seat"],
        "games": n,
        "cells_placed": row["cells_placed"],
        "pieces_placed": row["pieces_placed"],
        "passes": row["passes"],
        "all_placed": row["all_placed"],
        "all_placed_rate": row["all_placed"] / n,
        "all_placed_low": every and every.low,
        "all_placed_high": every and every.high,
        "single_last": row["single_last"],
        "single_last_rate": row["single_last"] / n,
        "single_last_low": single and single.low,
        "single_last_high": single and single.high,
        **{name: seat and seat[name] for name in RESULTS},
        "share_reason": None if seat else "a shared colour has no seat, or no game has a result",
    }


def lengths(reader: Reader, wanted: Selection) -> list[Row]:
    """A row for every variant and ruleset: plies, turns and passes of a game, mean and quartiles; draws."""
    wanted = replace(wanted, flawed=False)
    if uses_sums(reader, wanted):
        return _summed_lengths(reader, wanted)
    games, values = chosen_games(wanted)
    spread = ", ".join(
        f"avg(g.{name}) AS {name}, quantile_disc(g.{name}, [0, 0.25, 0.5, 0.75, 1]) AS {name}_quartiles"
        for name in LENGTHS
    )
    rows = reader.table(
        f"""
        SELECT c.variant, c.rules, count(*) AS games, {spread},
               count(*) FILTER (g.outcome = 'draw') AS draws, count(g.outcome) AS results
        FROM ({games}) c JOIN games g USING (game_no) GROUP BY ALL
        """,
        values,
    ).to_pylist()
    return sorted(({**row, "rules": json.loads(row["rules"])} for row in rows), key=_place)


def _summed_lengths(reader: Reader, wanted: Selection) -> list[Row]:
    where, values = whole(wanted)
    rows = reader.table(
        f"SELECT variant, rules, counted AS games, draws, results FROM game_counts WHERE counted > 0 AND {where}",
        values,
    ).to_pylist()
    counts: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for count in reader.table(f"FROM length_counts WHERE {where} ORDER BY value", values).to_pylist():
        group = counts.setdefault((count["variant"], count["rules"], count["measure"]), [])
        group.append((count["value"], count["n"]))
    for row in rows:
        for name in LENGTHS:
            row |= _spread(name, counts[row["variant"], row["rules"], name])
    return sorted(({**row, "rules": json.loads(row["rules"])} for row in rows), key=_place)


def _spread(name: str, counts: list[tuple[int, int]]) -> Row:
    """Mean and quartiles of values, ascending, that came so often each."""
    n = sum(count for _, count in counts)
    ends = list(accumulate(count for _, count in counts))
    at = [bisect_left(ends, max(1, math.ceil(part * n))) for part in (0, 0.25, 0.5, 0.75, 1)]
    return {
        name: sum(value * count for value, count in counts) / n,
        f"{name}_quartiles": [counts[place][0] for place in at],
    }


def baseline(reader: Reader, variant_id: str, rules: Mapping[str, str] | None = None) -> Baseline:
    """What the seat alone says, over all games of a variant under some rules (None: whatever rules).

    Rules with another number of seats cannot be put together, so without `rules` those of most games count.

    Raises:
        UnknownVariant, RuleError: as they say.
    """
    rows = seats(reader, Selection(variant(variant_id).id, rules))
    totals: dict[str, int] = {}
    for row in rows:
        text = json.dumps(row["rules"], sort_keys=True)
        totals[text] = max(totals.get(text, 0), row["games"])
    if not rows:
        return Baseline(variant_id, dict(rules or {}), 0, [], None, None, None, None, "no game has a result")
    chosen = max(totals, key=lambda text: (totals[text], text == "{}"))
    mine = [row for row in rows if json.dumps(row["rules"], sort_keys=True) == chosen]
    best = max(mine, key=lambda row: (row["wins"] + row["draws"] / 2, -row["seat"]))
    right = (best["wins"] + best["draws"] / 2) / best["games"]
    span = wilson(right, best["games"])
    return Baseline(
        variant_id,
        json.loads(chosen),
        best["games"],
        mine,
        best["seat"],
        right,
        span and span.low,
        span and span.high,
        None,
    )
