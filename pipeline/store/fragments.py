"""Results, positions and lists of pieces of a batch.

They are kept as games' sightings are: the same bytes again add nothing, other bytes that say the same are a row of
their own, and the views show each content once.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from pipeline.store.catalogue import one_row, run_over
from pipeline.store.dedupe import numbers_array, record_keys
from pipeline.tables import FRAGMENTS

_NEW = """
SELECT count(*) FROM (
    SELECT batch FROM (
        SELECT id, batch, seen_no, {nth} AS nth FROM {table}
        WHERE id IN (SELECT id FROM {table} WHERE batch = $batch)
    ) QUALIFY row_number() OVER (PARTITION BY id, nth ORDER BY seen_no) = 1
) WHERE batch = $batch
"""
"""What a batch has brought that was not there before, counted like the rows of the views in `sql/views.sql`."""

_NTH = {
    "results": "CASE WHEN key IS NULL THEN row_number() OVER (PARTITION BY id, digest ORDER BY record) ELSE 1 END"
}


def unseen(connection: duckdb.DuckDBPyConnection, name: str, rows: pa.Table) -> tuple[pa.Table, set[str]]:
    """Rows of a unit whose records are not in the library yet, and digests of files with others."""
    again: set[str] = set()
    if not rows.num_rows:
        return rows, again
    question = f"SELECT digest, record FROM {name} SEMI JOIN these_rows USING (digest, record)"
    held = set(run_over(connection, question, rows.select(["digest", "record"])))
    new: list[int] = []
    for row, key in enumerate(record_keys(rows)):
        if key in held:
            again.add(key[0])
        else:
            held.add(key)
            new.append(row)
    return rows.take(numbers_array(new)), again


def resolve(connection: duckdb.DuckDBPyConnection, stand_in: str, digest: str) -> None:
    """Put the true digest in the place of a stand-in; rows of records that were there with it go."""
    both = {"stand_in": stand_in, "digest": digest}
    for name in FRAGMENTS:
        connection.execute(
            f"DELETE FROM {name} WHERE digest = $stand_in "
            f"AND record IN (SELECT record FROM {name} WHERE digest = $digest)",
            both,
        )
        connection.execute(f"UPDATE {name} SET digest = $digest WHERE digest = $stand_in", both)


def new_contents(connection: duckdb.DuckDBPyConnection, batch: int) -> int:
    """How many results, positions and lists of pieces are new with a batch."""
    return sum(
        int(one_row(connection, _NEW.format(table=name, nth=_NTH.get(name, "1")), {"batch": batch})[0])
        for name in FRAGMENTS
    )
