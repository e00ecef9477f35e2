"""Which games a statistic counts, as a condition of the database; shared by openings, pieces and seats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from engine.rulesets import parse_rules, rule_settings
from engine.scoring_tables import SCORINGS
from engine.variants import VARIANTS, variant
from pipeline.errors import PipelineError
from pipeline.queries import day_number
from pipeline.store import Derived, Reader

Parameters = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games count. None, or nothing: all; `variant` None: of all variants, for statistics that keep them apart.

    `rules` are settings that differ from the variant's default, {} the default itself. `players` are persons (names as
    aliases have them, in any case) that all took part; `seat` (from 1) is where one of them sat. `since` and `until`
    are dates, whole or partial, as in `queries.GameFilter`. `ratings` bounds the mean rating of a game's players.
    `source` is a part of the name of a file that has the game, in any case. `flawed` lets in games that are illegal,
    irregular, unfinished, or played with another set of pieces: counted as far as they go, but without results.
    """

    variant: str | None = None
    rules: Mapping[str, str] | None = None
    players: tuple[str, ...] = ()
    seat: int | None = None
    since: str | None = None
    until: str | None = None
    ratings: tuple[float | None, float | None] = (None, None)
    source: str | None = None
    flawed: bool = False

    def with_variant(self, variant_id: str) -> Selection:
        """The same of another variant."""
        return replace(self, variant=variant_id)


FLAWED = "g.illegal OR g.irregular OR g.unfinished OR g.empty OR coalesce(g.foreign_pieces, false)"

_SEAT_FACTS = """
CREATE TABLE seat_facts AS
SELECT s.game_no, s.seat, s.share,
       -- 2 a win, also a team's, 1 a shared first place, 0 another; null: no result
       CASE WHEN g.outcome IS NULL THEN NULL WHEN NOT list_contains(g.winners, s.seat) THEN 0
            WHEN g.outcome = 'win' THEN 2 ELSE 1 END::TINYINT AS verdict,
       sum(c.cells_placed)::SMALLINT AS placed,
       (count(c.colour) * any_value(v.set_cells) - sum(c.cells_placed))::SMALLINT AS left_over,
       count(*) FILTER (c.all_placed AND NOT coalesce(c.single_last, false))::TINYINT AS all_placed,
       count(*) FILTER (c.all_placed AND c.single_last)::TINYINT AS single_last
FROM library.seats s
JOIN library.games g ON g.game_no = s.game_no
JOIN variants v ON v.variant = g.variant
JOIN library.colours c ON c.game_no = s.game_no AND c.seat = s.seat
GROUP BY ALL
"""


def _make(cursor: duckdb.DuckDBPyConnection) -> None:
    cursor.execute(_SEAT_FACTS)


SEAT_FACTS = Derived("seat_facts", _make)
"""A row for every game and seat: share, verdict, and the sums that every scoring table needs."""


def points(scoring: str | None, of: str = "f", variant_id: str = "c.variant") -> str:
    """Points of a row of `SEAT_FACTS` by a scoring table, as an expression.

    None is each variant's own default table; `variant_id` is then where the row's variant stands.

    Raises:
        PipelineError: there is no such table.
    """
    if scoring is None:
        own = {row.scoring for row in VARIANTS.values()}
        cases = " ".join(
            f"WHEN {variant_id} IN ({', '.join(repr(v.id) for v in VARIANTS.values() if v.scoring == name)}) "
            f"THEN {points(name, of)}"
            for name in sorted(own)
        )
        return f"(CASE {cases} END)"
    if scoring not in SCORINGS:
        raise PipelineError(f"unknown scoring {scoring!r}: choose one of {', '.join(SCORINGS)}")
    t = SCORINGS[scoring]
    return (
        f"({of}.placed * {t.placed} + {of}.left_over * {t.left}"
        f" + {of}.all_placed * {t.all_placed} + {of}.single_last * {t.single_last})::DOUBLE"
    )


def chosen_games(wanted: Selection) -> tuple[str, Parameters]:
    """A question for the games, and its parameters.

    Its columns: game_no, variant, rules, setup, stop_reason, day (20201231 with 0 for what is unknown, null without a
    date), `counts`, whether the result may count, and `ending`: finished, unfinished or illegal.

    Raises:
        UnknownVariant, RuleError, PipelineError: a filter that means nothing.
    """
    tests, values = _tests(wanted)
    return (
        f"""
        SELECT g.game_no, g.variant, coalesce(g.rules, '{{}}') AS rules, g.setup, g.stop_reason,
               NOT ({FLAWED}) AS counts,
               CASE WHEN g.illegal THEN 'illegal' WHEN g.unfinished OR g.empty THEN 'unfinished'
                    ELSE 'finished' END AS ending,
               g.year::INTEGER * 10000 + coalesce(g.month::INTEGER, 0) * 100 + coalesce(g.day, 0) AS day
        FROM games g WHERE {" AND ".join(tests)}
        """,
        values,
    )


def _tests(wanted: Selection) -> tuple[list[str], Parameters]:
    tests, values = ["true"], Parameters()
    parts: list[tuple[str, str, Any]] = []
    if wanted.variant is not None:
        parts.append(("g.variant = $variant", "variant", variant(wanted.variant).id))
    if wanted.rules is not None:
        if wanted.variant is None:
            raise PipelineError("rules are those of a variant: name one")
        settings = rule_settings(wanted.variant, parse_rules(wanted.variant, wanted.rules))
        parts.append(("coalesce(g.rules, '{}') = $rules", "rules", json.dumps(settings, sort_keys=True)))
    if wanted.seat is not None and not wanted.players:
        raise PipelineError("a seat is that of a player: name one")
    for number, name in enumerate(wanted.players):
        at = "" if wanted.seat is None or number else f" AND seat = {int(wanted.seat)}"
        test = f"lower(person) = lower($player{number}) OR player = $player{number}"
        parts.append(
            (f"g.game_no IN (SELECT game_no FROM seats WHERE ({test}){at})", f"player{number}", name)
        )
    day = "g.year::INTEGER * 10000 + coalesce(g.month::INTEGER, {}) * 100 + coalesce(g.day, {})"
    if wanted.since is not None:
        parts.append((day.format(1, 1) + " >= $since", "since", day_number(wanted.since, "since", 1, 1)))
    if wanted.until is not None:
        parts.append((day.format(12, 31) + " <= $until", "until", day_number(wanted.until, "until", 12, 31)))
    if wanted.source is not None:
        test = "contains(lower(source), lower($source))"
        parts.append((f"g.game_no IN (SELECT game_no FROM sightings WHERE {test})", "source", wanted.source))
    if not wanted.flawed:
        tests.append(f"NOT ({FLAWED})")
    tests += [test for test, _, _ in parts]
    return tests, values | {name: value for _, name, value in parts}


def left_out(reader: Reader, wanted: Selection) -> int:
    """Flawed games that match everything else but are not counted."""
    if wanted.flawed:
        return 0
    (everything, values), (counted, _) = chosen_games(replace(wanted, flawed=True)), chosen_games(wanted)
    question = f"SELECT (SELECT count(*) FROM ({everything})) - (SELECT count(*) FROM ({counted})) AS n"
    return int(reader.table(question, values).to_pylist()[0]["n"])


def day_text(day: int | None) -> str | None:
    """A day as a number (20201200) as text (2020-12)."""
    if not day:
        return None
    year, month, of_month = day // 10000, day // 100 % 100, day % 100
    return f"{year:04d}" + (f"-{month:02d}" if month else "") + (f"-{of_month:02d}" if of_month else "")


def rated_games(
    question: str, values: Parameters, wanted: Selection, ratings: Mapping[str, float] | None
) -> tuple[str, Parameters]:
    """The question of `chosen_games` with a column `rating`, the mean rating of a game's rated players, and its filter.

    Raises:
        PipelineError: a range of ratings where there are none.
    """
    low, high = wanted.ratings
    if not ratings:
        if (low, high) != (None, None):
            raise PipelineError("there are no ratings of this variant yet: `cornerwise ratings` makes them")
        return f"SELECT *, NULL::DOUBLE AS rating FROM ({question})", values
    tests = [f"rating {sign} {float(end)!r}" for sign, end in ((">=", low), ("<=", high)) if end is not None]
    text = f"""
        SELECT q.*, r.rating FROM ({question}) q
        LEFT JOIN (
            SELECT s.game_no, avg(mu) AS rating
            FROM seats s
            JOIN (SELECT unnest($people::VARCHAR[]) AS person, unnest($mus::DOUBLE[]) AS mu) USING (person)
            GROUP BY s.game_no
        ) r USING (game_no)
        {"WHERE " + " AND ".join(tests) if tests else ""}
    """
    return text, {**values, "people": list(ratings), "mus": list(ratings.values())}


def ids_of(reader: Reader, numbers: Iterable[int]) -> dict[int, str]:
    """Identities of games by their numbers."""
    wanted = sorted(set(numbers))
    if not wanted:
        return {}
    rows = reader.table(
        "SELECT game_no, id FROM games WHERE game_no IN (SELECT unnest($numbers::BIGINT[]))",
        {"numbers": wanted},
    ).to_pylist()
    return {row["game_no"]: row["id"] for row in rows}
