"""The digest of a source that is read as a stream is known only at its end: rows carry a stand-in until then.

With the true digest it shows which records were in the library before. They add nothing, as if it had been known from
the start: their sightings and refusals go, and games that only they have brought (the same bytes, read by other
options) go as well.
"""

from __future__ import annotations

from typing import NamedTuple

import duckdb
import pyarrow as pa

from pipeline.store import fragments
from pipeline.store.catalogue import one_row, run_over
from pipeline.store.dedupe import numbers_array
from pipeline.tables import FRAGMENTS

RECORDS = ("sightings", "quarantine", *FRAGMENTS)
"""Tables of what was found in files, with digest and record."""

FLAGS = ("illegal", "irregular", "unfinished", "empty", "foreign_pieces")


class Taken(NamedTuple):
    """What turned out to be known: sightings, and games with their counts by flag and their plies."""

    sightings: int
    games: pa.Array
    flags: dict[str, int]
    plies: int


def note_repeats(connection: duckdb.DuckDBPyConnection, batch: int, digests: set[str]) -> None:
    """Note which of these files, met by a batch, others have brought before it; part of its transaction."""
    earlier = " UNION ALL ".join(f"SELECT digest FROM {name} WHERE batch <> {batch:d}" for name in RECORDS)
    run_over(
        connection,
        f"INSERT INTO repeats SELECT {batch:d}, digest FROM these_rows SEMI JOIN ({earlier}) USING (digest) "
        f"ANTI JOIN (SELECT digest FROM repeats WHERE batch = {batch:d}) USING (digest)",
        pa.table({"digest": pa.array(sorted(digests), pa.string())}),
    )


def resolve(connection: duckdb.DuckDBPyConnection, batch: int, stand_in: str, digest: str) -> Taken:
    """Put the true digest in the place of a stand-in, in the small tables; part of a batch's transaction."""
    note_repeats(connection, batch, {digest})
    known = "digest = $stand_in AND record IN (SELECT record FROM {0} WHERE digest = $digest)"
    both = {"stand_in": stand_in, "digest": digest}
    again = known.format("sightings")
    touched = connection.execute(f"SELECT DISTINCT game_no FROM sightings WHERE {again}", both).fetchall()
    (found,) = one_row(connection, f"SELECT count(*) FROM sightings WHERE {again}", both)
    connection.execute(f"DELETE FROM sightings WHERE {again}", both)
    unseen = run_over(
        connection,
        "SELECT game_no FROM these_rows ANTI JOIN sightings USING (game_no)",
        pa.table({"game_no": numbers_array([number for (number,) in touched])}),
    )
    games = pa.table({"game_no": numbers_array([number for (number,) in unseen])})
    flags = ", ".join(f"count(*) FILTER ({flag})" for flag in FLAGS)
    question = f"SELECT coalesce(sum(plies), 0), {flags} FROM games SEMI JOIN these_rows USING (game_no)"
    ((plies, *counts),) = run_over(connection, question, games)
    for table in ("games", "seats", "colours", "quarantine"):
        statement = f"DELETE FROM {table} WHERE game_no IN (SELECT game_no FROM these_rows)"
        run_over(connection, statement, games)
    connection.execute(f"DELETE FROM quarantine WHERE game_no IS NULL AND {known.format('quarantine')}", both)
    for table in ("sightings", "quarantine"):
        connection.execute(f"UPDATE {table} SET digest = $digest WHERE digest = $stand_in", both)
    fragments.resolve(connection, stand_in, digest)
    numbers = games["game_no"].combine_chunks()
    return Taken(found, numbers, dict(zip(FLAGS, counts, strict=True)), int(plies))
