"""Results of numbered games, as twogtp's `output.dat` has them, joined with the games that lie in the same folder.

The numbers are the only link, and many such folders number all games alike: a file is joined whole or not at all, see
`sql/joining.sql` and `sql/declaring.sql`. The result becomes the declared one of a game's sighting that has none; the
record as read stays.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from engine.pieces import PIECE_SETS
from engine.scoring_tables import SCORINGS
from engine.variants import VARIANTS
from notation.fragments import ResultRecord
from notation.twogtp import declared_of
from pipeline.store.catalogue import one_row, run_over, script

TEMPORARY_TABLES = (
    *("this_batch", "result_files", "numbered_results", "numbered_games", "judged_files", "pairs"),
    *("declarations", "points", "joined"),
)
"""What the scripts work with."""

_DECLARATIONS = pa.schema(
    [
        ("digest", pa.string()),
        ("seen_no", pa.int64()),
        ("game_no", pa.int64()),
        ("text", pa.string()),
        ("winner", pa.int8()),
        ("margin", pa.int32()),
    ]
)


class Unjoined(NamedTuple):
    """A file of results of numbered games that belong to no game for sure, how many, and why."""

    file: str
    results: int
    reason: str


def join_results(connection: duckdb.DuckDBPyConnection, batch: int) -> list[Unjoined]:
    """Join the results of a batch with its games; returns the files that cannot be. Part of its transaction."""
    question = "SELECT count(*) FROM results WHERE batch = ? AND format = 'twogtp'"
    if not one_row(connection, question, [batch])[0]:
        return []
    connection.execute("CREATE TEMP TABLE this_batch AS SELECT ? AS batch", [batch])
    connection.execute(script("joining.sql"))
    declarations = _declarations(connection)
    if declarations.num_rows:
        run_over(connection, "CREATE TEMP TABLE declarations AS FROM these_rows", declarations)
        run_over(connection, "CREATE TEMP TABLE points AS FROM these_rows", _points())
        connection.execute(script("declaring.sql"))
    rows = connection.execute(
        "SELECT source, results, reason FROM judged_files WHERE reason IS NOT NULL ORDER BY source"
    ).fetchall()
    for name in TEMPORARY_TABLES:
        connection.execute(f"DROP TABLE IF EXISTS temp.{name}")
    return [Unjoined(*row) for row in rows]


def _declarations(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """What the results that are joined say of their games: only with its game is it known how many seats one has."""
    found: list[dict[str, Any]] = []
    question = "SELECT digest, seen_no, game_no, headers, seats FROM pairs WHERE seats = 2"
    for digest, seen, game, headers, seats in connection.execute(question).fetchall():
        said = declared_of(ResultRecord("", "twogtp", headers=json.loads(headers)), seats)
        if said.winner is not None:
            winner = said.winner + 1
            one = {"digest": digest, "seen_no": seen, "game_no": game, "text": said.text}
            found.append({**one, "winner": winner, "margin": said.margin})
    return pa.Table.from_pylist(found, _DECLARATIONS)


def _points() -> pa.Table:
    """A row for every variant and scoring table: cells of all pieces of a colour, and the table's figures."""
    return pa.Table.from_pylist(
        [
            {
                "variant": row.id,
                "scoring": table.id,
                "set_cells": PIECE_SETS[row.pieces].cells,
                "per_cell_placed": table.placed,
                "per_cell_left": table.left,
                "all_placed": table.all_placed,
                "single_last": table.single_last,
            }
            for row in VARIANTS.values()
            for table in SCORINGS.values()
        ]
    )
