"""What a library holds at a glance: games by variant, by month and by file, and how many are measured and judged."""

from __future__ import annotations

from engine.variants import VARIANTS
from pipeline.queries import Page, Row
from pipeline.store import Reader


def games_by_variant(reader: Reader) -> list[Row]:
    """A row for every variant with games: games, and how many of them are measured, judged, and could be."""
    rows: list[Row] = reader.table(
        """
        SELECT g.variant, count(*) AS games, count(f.game_no) AS measured, count(a.game_no) AS judged,
               count(*) FILTER (g.stop_reason IS DISTINCT FROM 'bad_setup') AS possible
        FROM games g
        LEFT JOIN feature_games_raw f USING (game_no)
        LEFT JOIN analysed_games_raw a USING (game_no)
        GROUP BY g.variant
        """
    ).to_pylist()
    order = list(VARIANTS)
    return sorted(rows, key=lambda row: order.index(row["variant"]))


def games_by_month(reader: Reader) -> list[Row]:
    """Games by `period`, a month or, where that is not known, a year, in order of time; null without a date, last."""
    rows: list[Row] = reader.table(
        """
        SELECT CASE WHEN month IS NOT NULL THEN printf('%04d-%02d', year, month) ELSE year::VARCHAR END AS period,
               count(*) AS games
        FROM games GROUP BY period ORDER BY period NULLS LAST
        """
    ).to_pylist()
    return rows


def games_by_source(reader: Reader, limit: int, offset: int = 0) -> Page:
    """Files with the games that they hold, those with most first; of a game in several files each has it."""
    rows: list[Row] = reader.table(
        "SELECT source, any_value(format) AS format, count(DISTINCT game_no) AS games, max(batch) AS batch, "
        "count(*) OVER () AS total FROM sightings GROUP BY source ORDER BY games DESC, source "
        f"LIMIT {int(limit)} OFFSET {int(offset)}"
    ).to_pylist()
    totals = [row.pop("total") for row in rows]
    return Page(totals[0] if totals else 0, rows)
