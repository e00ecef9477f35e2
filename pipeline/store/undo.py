"""Taking an import batch back.

Its sightings, quarantine rows, results, positions and lists of pieces go, and with them the games nobody else has seen.
A game that other batches have seen too stays; the earliest of those sightings becomes its first one and gives date,
event, players and format. Bytes that another batch brought again left no row there, but a note: their rows go on as
that batch's.
"""

from __future__ import annotations

from typing import NamedTuple

import duckdb

from pipeline.errors import BatchUndone, NoSuchBatch
from pipeline.store.batch import retire
from pipeline.store.catalogue import Catalogue, one_row, script, timestamp
from pipeline.store.dedupe import numbers_array
from pipeline.store.edited import apply_edits
from pipeline.store.merge import replace
from pipeline.tables import PARTITIONED

TEMPORARY_TABLES = (
    *("undone", "handed_on", "kept", "affected", "removed", "heirs"),
    *("quarantine_gone", "fragments_gone", "undeclared"),
)
"""What `sql/undo.sql` works with."""


class Undone(NamedTuple):
    """What an undo took away, and the games that stay because other batches have seen them.

    `fragments_removed` counts results, positions and lists of pieces.
    `other_rules` are ids of games whose new first sighting states other rules than those they were judged by;
    the verdict stays until they are imported afresh.
    """

    batch: int
    games_removed: int
    games_kept: int
    sightings_removed: int
    quarantine_removed: int
    fragments_removed: int
    other_rules: list[str]


def undo(catalogue: Catalogue, batch: int) -> Undone:
    """Take a batch back in one transaction.

    Raises:
        NoSuchBatch: no batch of that number; the message lists the last ones.
        BatchUndone: it was taken back before.
    """
    _check(catalogue.connection, batch)
    with catalogue.transaction() as connection:
        connection.execute("CREATE TEMP TABLE undone AS SELECT ? AS batch", [batch])
        connection.execute(script("undo.sql"))
        result = _result(connection, batch)
        removed = numbers_array([n for (n,) in connection.execute("SELECT game_no FROM removed").fetchall()])
        for kind, file, is_needed in _touched(connection):
            if is_needed:
                replace(catalogue, kind, [file], removed)
            else:
                retire(catalogue, kind, [file])
        apply_edits(catalogue, "SELECT game_no FROM heirs UNION SELECT game_no FROM undeclared")
        for name in TEMPORARY_TABLES:
            connection.execute(f"DROP TABLE temp.{name}")
        now = timestamp(catalogue.clock())
        connection.execute("UPDATE batches SET undone = ? WHERE batch = ?", [now, batch])
        state = catalogue.state()
        catalogue.advance(state.next_unit, state.next_file)
    return result


def _check(connection: duckdb.DuckDBPyConnection, batch: int) -> None:
    rows = connection.execute("SELECT undone FROM batches WHERE batch = ?", [batch]).fetchall()
    if not rows:
        raise NoSuchBatch(f"there is no batch {batch}; {_last(connection)}")
    ((undone,),) = rows
    if undone is not None:
        raise BatchUndone(f"batch {batch} was taken back before, on {undone:%Y-%m-%d at %H:%M:%S} UTC")


def _last(connection: duckdb.DuckDBPyConnection) -> str:
    rows = connection.execute(
        "SELECT batch, finished, stored, undone IS NOT NULL FROM batches ORDER BY batch DESC LIMIT 5"
    ).fetchall()
    if not rows:
        return "the library has none yet"
    return "the last are " + ", ".join(
        f"{number} ({at:%Y-%m-%d %H:%M}, {games} games{', undone' if gone else ''})"
        for number, at, games, gone in rows
    )


def _result(connection: duckdb.DuckDBPyConnection, batch: int) -> Undone:
    def number(question: str) -> int:
        return int(one_row(connection, question)[0])

    removed = number("SELECT count(*) FROM removed")
    return Undone(
        batch,
        removed,
        number("SELECT count(*) FROM (FROM kept UNION SELECT game_no FROM affected)") - removed,
        number("SELECT coalesce(sum(sightings), 0) FROM affected"),
        number("SELECT count(*) FROM quarantine_gone"),
        number("SELECT count(*) FROM fragments_gone"),
        [i for (i,) in connection.execute("SELECT id FROM heirs WHERE rules_differ ORDER BY id").fetchall()],
    )


def _touched(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, int, bool]]:
    """(kind, file, whether it may hold others too) of the partitions that may hold a removed game."""
    within = "game_no BETWEEN p.first_game AND p.last_game"
    rows = connection.execute(
        f"SELECT kind, file, EXISTS (FROM games WHERE {within}) FROM partitions p "
        f"WHERE EXISTS (FROM removed WHERE {within}) ORDER BY kind, file"
    ).fetchall()
    return [row for row in rows if row[0] in PARTITIONED]
