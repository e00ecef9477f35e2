"""What an analysis of a game depended on, and which games have one: so that no stale analysis enters the library."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow.parquet as pq

from pipeline.store.catalogue import Catalogue

FINGERPRINT = """
md5(concat_ws('|', g.variant, coalesce(g.rules, '{}'), coalesce(g.setup, ''), g.plies::VARCHAR,
              coalesce(g.outcome, ''), g.unfinished::VARCHAR, coalesce(s.text, '')))
"""
"""What an analysis depends on besides the moves, which never change; of `games g` and `SEAT_TEXTS s`."""

_SOME = "WHERE game_no IN (SELECT unnest($numbers::BIGINT[]))"

SEAT_TEXTS = """
(SELECT game_no, string_agg(concat_ws(',', coalesce(share, -1), coalesce(out_ply, -1), coalesce(out_cause, '')), ';'
                            ORDER BY seat) AS text
 FROM seats GROUP BY game_no)
"""

SOME_SEAT_TEXTS = SEAT_TEXTS.replace("GROUP BY", f"{_SOME} GROUP BY")
"""The same of the games in the parameter `numbers`."""


def analysed(catalogue: Catalogue, numbers: Sequence[int]) -> tuple[dict[int, str], set[int]]:
    """Fingerprints of those of some games that are there, and which of them have an analysis."""
    connection, asked = catalogue.connection, {"numbers": list(numbers)}
    known = connection.execute(
        f"SELECT g.game_no, {FINGERPRINT} FROM games g LEFT JOIN {SOME_SEAT_TEXTS} s USING (game_no) {_SOME}",
        asked,
    ).fetchall()
    files = connection.execute(
        "SELECT file FROM partitions p WHERE kind = 'analysed_games' AND EXISTS ("
        "SELECT 1 FROM unnest($numbers::BIGINT[]) AS n(game_no) "
        "WHERE n.game_no BETWEEN p.first_game AND p.last_game)",
        asked,
    ).fetchall()
    judged: set[int] = set()
    for (file,) in files:
        with pq.ParquetFile(catalogue.layout.partition("analysed_games", file)) as parquet:
            judged.update(parquet.read(columns=["game_no"])["game_no"].to_pylist())
    return dict(known), judged & set(numbers)
