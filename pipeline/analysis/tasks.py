"""Which games of a library are to be judged, and what is needed of them to do it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.geometry import I64
from engine.variants import VARIANTS
from pipeline.analysis.replay import PlayedMove, Result, StoredGame
from pipeline.analysis.unit import Terms
from pipeline.store import Reader
from pipeline.store.analysed import FINGERPRINT, SEAT_TEXTS, SOME_SEAT_TEXTS

CHUNK = 32
"""Games that are asked for at a time."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which games: identities (None: all), of a variant, the first so many in order of import."""

    ids: tuple[str, ...] | None = None
    variant: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Todo:
    """Games to judge, ascending, `replaced` those of them that have an analysis already.

    Counts of the others: `present` have what is asked for, `older` the same of an older engine or other formulas,
    `other` with another budget or seed, `without` no position.
    """

    numbers: I64
    plies: I64
    replaced: set[int]
    present: int
    older: int
    other: int
    without: int


def chosen_tests(chosen: Chosen) -> tuple[str, dict[str, Any]]:
    """A condition on `games g`, and its parameters."""
    tests, values = ["true"], dict[str, Any]()
    if chosen.ids is not None:
        tests.append("g.id IN (SELECT unnest($ids::VARCHAR[]))")
        values["ids"] = list(chosen.ids)
    if chosen.variant is not None:
        tests.append("g.variant = $variant")
        values["variant"] = chosen.variant
    return " AND ".join(tests), values


def variants_of(reader: Reader, chosen: Chosen) -> list[str]:
    """Variants of the games that are chosen and have a position."""
    tests, values = chosen_tests(chosen)
    rows = reader.table(
        f"SELECT DISTINCT g.variant FROM games g WHERE {tests} AND g.stop_reason IS DISTINCT FROM 'bad_setup'",
        values,
    ).to_pylist()
    found = {row["variant"] for row in rows}
    return [name for name in VARIANTS if name in found]


def find_todo(reader: Reader, chosen: Chosen, terms: Terms, again: bool) -> Todo:
    """The games that lack an analysis; with `again` also those that have another one than is asked for."""
    tests, values = chosen_tests(chosen)
    wanted = [(name, terms.made_by(name)) for name in variants_of(reader, chosen)]
    rows = [
        f"('{name}', {row['simulations']:d}, {row['seed']:d}, '{row['engine']}', {row['version']:d})"
        for name, row in wanted
    ]
    listed = f"VALUES {', '.join(rows)}" if rows else "SELECT '', 0, 0::BIGINT, '', 0 LIMIT 0"
    limit = "ALL" if chosen.limit is None else str(int(chosen.limit))
    question = f"""
        WITH wanted(variant, simulations, seed, engine, version) AS ({listed}),
        chosen AS (
            SELECT g.* FROM games g WHERE {tests} ORDER BY g.game_no LIMIT {limit}
        )
        SELECT g.game_no, g.plies,
               CASE WHEN g.stop_reason IS NOT DISTINCT FROM 'bad_setup' THEN 'without'
                    WHEN a.game_no IS NULL THEN 'new'
                    WHEN a.fingerprint <> {FINGERPRINT} THEN 'changed'
                    WHEN a.simulations <> w.simulations OR a.seed <> w.seed THEN 'other'
                    WHEN a.engine::VARCHAR <> w.engine OR a.version <> w.version THEN 'older'
                    ELSE 'present' END AS state
        FROM chosen g LEFT JOIN analysed_games_raw a USING (game_no) LEFT JOIN wanted w ON w.variant = g.variant
        LEFT JOIN {SEAT_TEXTS} s ON s.game_no = g.game_no
    """
    todo = ["new", "changed", *(("other", "older") if again else ())]
    names = ", ".join(f"'{name}'" for name in todo)
    found = reader.table(
        f"SELECT game_no, plies, state FROM ({question}) WHERE state IN ({names}) ORDER BY game_no", values
    )
    counts = {
        row["state"]: row["n"]
        for row in reader.table(
            f"SELECT state, count(*) AS n FROM ({question}) GROUP BY ALL", values
        ).to_pylist()
    }
    numbers = found["game_no"].to_numpy()
    old = found["state"].to_numpy(zero_copy_only=False) != "new"
    return Todo(
        numbers,
        found["plies"].to_numpy().astype("int64"),
        set(numbers[old].tolist()),
        counts.get("present", 0),
        0 if again else counts.get("older", 0),
        0 if again else counts.get("other", 0),
        counts.get("without", 0),
    )


def stored_games(reader: Reader, numbers: Sequence[int], replaced: set[int]) -> Iterator[StoredGame]:
    """What the library knows of games, a few at a time; those that are gone are left out."""
    for start in range(0, len(numbers), CHUNK):
        yield from _chunk(reader, [int(number) for number in numbers[start : start + CHUNK]], replaced)


_GAMES = f"""
SELECT g.game_no, g.variant, coalesce(g.rules, '{{}}') AS rules, g.setup,
       g.outcome IS NOT NULL AND NOT g.illegal AND NOT g.unfinished AS decided, {FINGERPRINT} AS fingerprint
FROM games g LEFT JOIN {SOME_SEAT_TEXTS} s USING (game_no)
WHERE g.game_no IN (SELECT unnest($numbers::BIGINT[]))
ORDER BY g.game_no
"""

_MOVES = """
SELECT game_no, colour, seat, placement FROM moves_raw
WHERE game_no BETWEEN $first AND $last AND game_no IN (SELECT unnest($numbers::BIGINT[]))
ORDER BY game_no, ply
"""

_PASSES = """
SELECT game_no, after_ply, colour FROM passes_raw
WHERE game_no BETWEEN $first AND $last AND game_no IN (SELECT unnest($numbers::BIGINT[]))
  AND kind IN ('unforced', 'voluntary')
ORDER BY game_no, turn
"""

_LEAVING = """
SELECT game_no, seat, out_ply, out_cause FROM seats
WHERE out_ply IS NOT NULL AND game_no IN (SELECT unnest($numbers::BIGINT[]))
ORDER BY game_no, out_ply, place DESC, seat
"""

_RESULTS = """
SELECT s.game_no, s.seat, s.share, p.points
FROM seats s JOIN games g USING (game_no)
JOIN seat_scores p ON p.game_no = s.game_no AND p.seat = s.seat AND p.scoring = g.scoring
WHERE s.game_no IN (SELECT unnest($numbers::BIGINT[]))
ORDER BY s.game_no, s.seat
"""


def _chunk(reader: Reader, numbers: list[int], replaced: set[int]) -> Iterator[StoredGame]:
    ends = {"numbers": numbers, "first": numbers[0], "last": numbers[-1]}
    only = {"numbers": numbers}
    moves, passes = _by_game(reader, _MOVES, ends), _by_game(reader, _PASSES, ends)
    leaving, results = _by_game(reader, _LEAVING, only), _by_game(reader, _RESULTS, only)
    for row in reader.table(_GAMES, only).to_pylist():
        number = row["game_no"]
        seats = results.get(number, [])
        result = Result(tuple(s["share"] for s in seats), tuple(float(s["points"]) for s in seats))
        yield StoredGame(
            number,
            row["variant"],
            row["rules"],
            row["setup"],
            tuple(
                PlayedMove(m["colour"] - 1, m["placement"], None if m["seat"] is None else m["seat"] - 1)
                for m in moves.get(number, [])
            ),
            tuple((one["out_ply"], one["seat"] - 1, one["out_cause"]) for one in leaving.get(number, [])),
            tuple((one["after_ply"], one["colour"] - 1) for one in passes.get(number, [])),
            result if row["decided"] else None,
            row["fingerprint"],
            number in replaced,
        )


def _by_game(reader: Reader, question: str, values: dict[str, Any]) -> dict[int, list[dict[str, Any]]]:
    out: dict[int, list[dict[str, Any]]] = {}
    for row in reader.table(question, values).to_pylist():
        out.setdefault(row["game_no"], []).append(row)
    return out
