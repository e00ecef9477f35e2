"""What corrections do to the library: the edited games are judged again, and their rows follow.

The rows of a game are those of its first sighting with the game's edits applied. So everything that changes which
sighting that is, or brings an edited game back, ends with `rejudge`, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.edit_fields import RESULT
from pipeline.export import rebuild
from pipeline.judged import RuleChoice, group_records
from pipeline.rows import Origin, Rows, add_group
from pipeline.store.catalogue import Catalogue, run_over

_GAMES = (
    "date_text", "year", "month", "day", "event", "event_round", "termination", "outcome", "winners",
    "unfinished", "mismatch",
)  # fmt: skip
"""Columns of games that headers and results decide; moves and rules decide the others, and no edit changes those."""

_SEATS = ("player", "place", "share", "out_cause", "out_ply")
"""The same of seats."""

_WANTED = """
SELECT g.game_no, g.stop_reason IS NOT DISTINCT FROM 'unforced_pass' AS strict
FROM games g WHERE g.id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY g.game_no
"""

_JOINED_RESULTS = f"""
UPDATE games g SET mismatch = s.mismatch
FROM (
    SELECT game_no, id, mismatch, declared_by FROM sightings SEMI JOIN these_rows USING (game_no)
    QUALIFY row_number() OVER (PARTITION BY game_no ORDER BY seen_no) = 1
) s
WHERE g.game_no = s.game_no AND s.declared_by IS NOT NULL
  AND s.id NOT IN (SELECT id FROM edits WHERE field = '{RESULT}')
"""
"""The result of a game that another file declares is no part of its record; it counts until an edit says otherwise."""


class _Inside:
    """The writer's own view of the library, in the middle of a transaction."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def table(self, question: str, parameters: Any = ()) -> pa.Table:
        """Answer a question."""
        return self._connection.sql(question, params=parameters or None).to_arrow_table()


def rejudge(catalogue: Catalogue, ids: Sequence[str]) -> None:
    """Bring the rows of games up to date with their first sightings and edits; part of a transaction."""
    connection, inside = catalogue.connection, _Inside(catalogue.connection)
    wanted = inside.table(_WANTED, {"ids": list(ids)})
    numbers: list[int] = wanted["game_no"].to_pylist()
    if not numbers:
        return
    run_over(
        connection, "CREATE OR REPLACE TEMP TABLE moves AS FROM these_rows", _moves_of(catalogue, numbers)
    )
    try:
        records = [record for _, record in rebuild(inside, numbers)]
    finally:
        connection.execute("DROP TABLE temp.moves")
    rows = Rows()
    for strict in (False, True):
        mine = [i for i, is_strict in enumerate(wanted["strict"].to_pylist()) if is_strict == strict]
        # A game of an import with --strict may have stopped at an unforced pass; no other does.
        groups, _ = group_records([records[i] for i in mine], RuleChoice(strict=strict))
        for group in groups:
            origins = [Origin("", "", 0, 0)] * len(group.index)
            add_group(rows, group, [numbers[mine[i]] for i in group.index], origins)
    tables = rows.tables()
    for name, key, columns in (("games", "game_no", _GAMES), ("seats", "game_no, seat", _SEATS)):
        run_over(connection, _update(name, key, columns), tables[name].select([*key.split(", "), *columns]))
    run_over(connection, _JOINED_RESULTS, wanted)


def _update(name: str, key: str, columns: Sequence[str]) -> str:
    news = ", ".join(f"{column} = r.{column}" for column in columns)
    same = " AND ".join(f"t.{part} = r.{part}" for part in key.split(", "))
    return f"UPDATE {name} t SET {news} FROM these_rows r WHERE {same}"


def _moves_of(catalogue: Catalogue, numbers: Sequence[int]) -> pa.Table:
    """Moves of some games, from the partitions that may hold them."""
    found = catalogue.connection.execute(
        "SELECT file FROM partitions WHERE kind = 'moves' AND EXISTS "
        "(SELECT 1 FROM unnest($numbers::BIGINT[]) AS n(game_no) WHERE n.game_no BETWEEN first_game AND last_game)",
        {"numbers": list(numbers)},
    ).fetchall()
    columns = ["game_no", "ply", "colour", "move"]
    mine = pc.field("game_no").isin(list(numbers))
    paths = [catalogue.layout.partition("moves", file) for (file,) in found]
    tables = [pq.read_table(path, columns=columns, filters=mine, memory_map=False) for path in paths]
    if tables:
        return pa.concat_tables([t.set_column(3, "move", t["move"].cast(pa.string())) for t in tables])
    empty = [("game_no", pa.int64()), ("ply", pa.int16()), ("colour", pa.int8()), ("move", pa.string())]
    return pa.schema(empty).empty_table()
