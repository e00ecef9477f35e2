"""Which games a statistic counts, as a condition of the database; shared by openings, pieces and seats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import pyarrow as pa

from engine.rulesets import parse_rules, rule_settings
from engine.scoring_tables import SCORINGS, Scoring
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

    @property
    def is_whole(self) -> bool:
        """Whether it takes all games of a variant and rulesets, as the summaries of a snapshot do."""
        return self == Selection(self.variant, self.rules)

    def with_variant(self, variant_id: str) -> Selection:
        """The same of another variant."""
        return replace(self, variant=variant_id)


FLAWED = "g.illegal OR g.irregular OR g.unfinished OR g.empty OR coalesce(g.foreign_pieces, false)"

SEAT_FACTS_ROWS = """
SELECT s.game_no, s.seat, s.share,
       -- Whole numbers with up to four seats: their sums are exact, in whatever order they are added up.
       round(s.share * 12)::TINYINT AS twelfths,
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
"""The question that makes `SEAT_FACTS`."""


def _make(cursor: duckdb.DuckDBPyConnection) -> None:
    cursor.execute(f"CREATE TABLE seat_facts AS {SEAT_FACTS_ROWS}")


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
    t = known_scoring(scoring)
    return (
        f"({of}.placed * {t.placed} + {of}.left_over * {t.left}"
        f" + {of}.all_placed * {t.all_placed} + {of}.single_last * {t.single_last})::DOUBLE"
    )


def known_scoring(name: str) -> Scoring:
    """The scoring table of that name.

    Raises:
        PipelineError: there is none.
    """
    if name not in SCORINGS:
        raise PipelineError(f"unknown scoring {name!r}: choose one of {', '.join(SCORINGS)}")
    return SCORINGS[name]


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
        text = rules_text(wanted.variant, wanted.rules)
        parts.append(("coalesce(g.rules, '{}') = $rules", "rules", text))
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


def rules_text(variant_id: str, rules: Mapping[str, str]) -> str:
    """Rules as the library has them, those that differ from the variant's default.

    Raises:
        UnknownVariant, RuleError: as they say.
    """
    return json.dumps(rule_settings(variant_id, parse_rules(variant_id, rules)), sort_keys=True)


def rulesets(reader: Reader, variant_id: str) -> list[dict[str, Any]]:
    """Rules that games of a variant were played under: `rules`, the settings, and `games`, the most frequent first."""
    question = (
        "SELECT coalesce(rules, '{}') AS rules, count(*) AS games FROM games WHERE variant = ? GROUP BY ALL"
    )
    rows = reader.table(f"{question} ORDER BY games DESC, rules", [variant_id]).to_pylist()
    return [{**row, "rules": json.loads(row["rules"])} for row in rows]


def left_out(reader: Reader, wanted: Selection) -> int:
    """Flawed games that match everything else but are not counted."""
    if wanted.flawed:
        return 0
    (everything, values), (counted, _) = chosen_games(replace(wanted, flawed=True)), chosen_games(wanted)
    question = f"SELECT (SELECT count(*) FROM ({everything})) - (SELECT count(*) FROM ({counted})) AS n"
    if uses_sums(reader, wanted):
        where, values = whole(wanted)
        question = f"SELECT coalesce(sum(games - counted), 0) AS n FROM game_counts WHERE {where}"
    return int(reader.table(question, values).to_pylist()[0]["n"])


def uses_sums(reader: Reader, wanted: Selection) -> bool:
    """Whether a question about a selection is answered out of the summaries of the snapshot."""
    return wanted.is_whole and reader.summarised


def whole(wanted: Selection) -> tuple[str, Parameters]:
    """A condition on rows of summaries, and its parameters, for a selection of whole rulesets.

    Raises:
        UnknownVariant, RuleError, PipelineError: as `chosen_games`.
    """
    _, values = chosen_games(wanted)
    return " AND ".join(["true", *(f"{name} = ${name}" for name in values)]), values


def day_text(day: int | None) -> str | None:
    """A day as a number (20201200) as text (2020-12)."""
    if not day:
        return None
    year, month, of_month = day // 10000, day // 100 % 100, day % 100
    return f"{year:04d}" + (f"-{month:02d}" if month else "") + (f"-{of_month:02d}" if of_month else "")


def rated_games(
    question: str, wanted: Selection, ratings: Mapping[str, float] | None
) -> tuple[str, list[Derived]]:
    """The question of `chosen_games` with a column `rating`, the mean rating of a game's rated players, and its filter.

    Also the tables that it needs.

    Raises:
        PipelineError: a range of ratings where there are none.
    """
    low, high = wanted.ratings
    if not ratings:
        if (low, high) != (None, None):
            raise PipelineError("there are no ratings of this variant yet: `cornerwise ratings` makes them")
        return f"SELECT *, NULL::DOUBLE AS rating FROM ({question})", []
    tests = [f"rating {sign} {float(end)!r}" for sign, end in ((">=", low), ("<=", high)) if end is not None]
    table = game_ratings(ratings)
    where = f"WHERE {' AND '.join(tests)}" if tests else ""
    return f"SELECT q.*, r.rating FROM ({question}) q LEFT JOIN {table.name} r USING (game_no) {where}", [
        table
    ]


def game_ratings(ratings: Mapping[str, float]) -> Derived:
    """A table of the mean rating of the rated players of every game, `game_no` and `rating`."""

    def make(cursor: duckdb.DuckDBPyConnection) -> None:
        rows = pa.table({"person": list(ratings), "mu": pa.array(ratings.values(), pa.float64())})
        cursor.register("rated_people", rows)
        cursor.execute(
            f"CREATE TABLE {name} AS SELECT s.game_no, avg(r.mu) AS rating "
            "FROM seats s JOIN rated_people r USING (person) GROUP BY s.game_no ORDER BY s.game_no"
        )
        cursor.unregister("rated_people")

    name = f"game_ratings_{hash(frozenset(ratings.items())) & (1 << 64) - 1:016x}"
    return Derived(name, make)


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
