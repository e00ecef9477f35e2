"""The explorer's answers out of the sums that a snapshot has of positions with many games.

They are those of `questions`, for selections of whole rulesets; games from setups are not in the sums.
"""

from __future__ import annotations

from typing import Any

from engine.position_keys import Key
from engine.variants import variant
from pipeline.game_selection import Selection, known_scoring, whole
from pipeline.openings.moves import Places
from pipeline.store import Reader


class Sums:
    """The sums of some positions (with their images); `start` bounds the games to a start rule."""

    def __init__(self, reader: Reader, places: Places, wanted: Selection, start: str | None) -> None:
        self._reader = reader
        self._places = places
        self._where, self._values = whole(wanted)
        if start is not None:
            self._where += " AND coalesce(rules ->> '$.start', $default) = $start"
            self._values |= {"start": start, "default": variant(places.variant).start}

    def set_up_games(self) -> int | None:
        """How many games start from setups; None where the positions are not summed up."""
        rows = self._reader.table(
            "SELECT (SELECT coalesce(max(depth)::INTEGER, -1) FROM opening_depths WHERE variant = $variant) AS depth, "
            f"coalesce(sum(set_up), 0) AS set_up FROM game_counts WHERE {self._where}",
            self._values,
        ).to_pylist()
        return int(rows[0]["set_up"]) if self._places.depth <= rows[0]["depth"] else None

    def played(self, scoring: str) -> list[dict[str, Any]]:
        """Rows as those of `questions.Question.played`, without ratings, for each ruleset.

        Raises:
            PipelineError: there is no such scoring table.
        """
        known_scoring(scoring)
        high, low = self._places.listed(0), self._places.listed(1)
        rows: list[dict[str, Any]] = self._reader.table(
            f"""
            SELECT from_hi, from_lo, colour, placement, key_hi, key_lo,
                   CASE WHEN colour IS NULL THEN 'finished' END AS ending, games, results, twelfths,
                   score_{scoring} AS score, squares_{scoring} AS score_squares,
                   NULL::DOUBLE AS rating, 0 AS rated, day, latest
            FROM opening_sums
            WHERE {self._where} AND depth = $depth AND from_hi IN ({high}) AND from_lo IN ({low})
            """,
            {**self._values, "depth": self._places.depth},
        ).to_pylist()
        return rows

    def reached(self, keys: list[tuple[int, Key]]) -> dict[int, int]:
        """Games that have the positions, by number; a number may have several keys."""
        rows = self._reader.table(
            f"""
            SELECT which, sum(games)::BIGINT AS n
            FROM (SELECT unnest($which::INTEGER[]) AS which, unnest($highs::UBIGINT[]) AS key_hi,
                         unnest($lows::UBIGINT[]) AS key_lo)
            JOIN (
                SELECT key_hi, key_lo, games FROM opening_sums
                WHERE {self._where} AND depth = $depth AND colour IS NOT NULL
            ) USING (key_hi, key_lo)
            GROUP BY which
            """,
            {**self._values, "depth": self._places.depth, **as_lists(keys)},
        ).to_pylist()
        return {row["which"]: row["n"] for row in rows}


def as_lists(keys: list[tuple[int, Key]]) -> dict[str, list[Any]]:
    """Numbered keys as parameters, as text: the database guesses types of numbers, and these take all 64 bits."""
    return {
        "which": [number for number, _ in keys],
        "highs": [str(key[0]) for _, key in keys],
        "lows": [str(key[1]) for _, key in keys],
    }
