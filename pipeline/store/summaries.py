"""Summaries: tables of sums in a snapshot, for questions about all games that take too long game by game.

They stand in snapshots alone and are made when one is published, so they are never out of date. Only games count
that statistics count: not flawed. Sums are by variant and ruleset (`rules` as text, `{}` the default), so that
whoever asks can leave out rulesets; any other filter goes the general way, game by game, and must come to the same.
Small libraries have none: there the general way is fast.

`seat_facts`: see `pipeline.game_selection`. `game_counts`: games of any kind, those that count, and of these the set
up ones, draws, and games with a result. `seat_sums`, `colour_sums`, `length_counts`: for `pipeline.seat_statistics`.
`piece_sums`, `first_piece_sums`, `order_counts`: for `pipeline.piece_data`. `opening_sums`, `opening_depths`: for
`pipeline.openings.sums`. Facts of seats are kept apart (one row for each combination, `n` times), so that every
scoring table can be asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from pipeline.store.catalogue import MEMORY, Catalogue, one_row
from pipeline.store.layout import TEMPORARY, Layout

VERSION = 1
"""Goes up when anything in the tables changes: readers pass over those of another version."""

SMALLEST = 5_000
"""Games that a library has at least to get summaries."""

TABLES = (
    "seat_facts", "game_counts", "seat_sums", "colour_sums", "length_counts", "piece_sums", "first_piece_sums",
    "order_counts", "opening_sums", "opening_depths", "summaries",
)  # fmt: skip

FACTS = "twelfths, placed, left_over, all_placed, single_last"
"""What the points and the result of a seat follow from; `twelfths` of a win, null without a result."""

LENGTHS = ("plies", "turns", "passes")


def are_due(catalogue: Catalogue) -> bool:
    """Whether the next snapshot gets summaries, or loses those that a snapshot put in the catalogue's place had."""
    games, there = one_row(
        catalogue.connection,
        "SELECT (SELECT count(*) FROM games), "
        "(SELECT count(*) FROM duckdb_tables() WHERE table_name = 'summaries' AND NOT internal)",
    )
    return bool(games >= SMALLEST or there)


def summarise(layout: Layout, snapshot: Path) -> None:
    """Make the summaries of a copy of the catalogue that no reader knows of yet."""
    log = snapshot.with_name(snapshot.name + ".wal")
    spill = f"{layout.catalogue}{TEMPORARY}"
    config = {"memory_limit": MEMORY, "temp_directory": spill, "autoload_known_extensions": "false"}
    try:
        with duckdb.connect(":memory:", config=dict(config)) as connection:
            connection.execute("SET enable_progress_bar = false")
            path = str(snapshot).replace("'", "''")
            connection.execute(f"ATTACH '{path}' AS library")
            for table in TABLES:
                connection.execute(f"DROP TABLE IF EXISTS library.{table}")
            games, *mark = one_row(connection, _MARK)
            if games >= SMALLEST and not _take_over(connection, layout, mark):
                _make(connection, layout, mark)
            connection.execute("CHECKPOINT library")
            connection.execute("DETACH library")
    finally:
        log.unlink(missing_ok=True)


def show(connection: duckdb.DuckDBPyConnection) -> bool:
    """Let a reader's questions find the summaries of the snapshot `library`; returns whether it has any."""
    if not _has_version(connection, "library"):
        return False
    for table in TABLES:
        connection.execute(f"CREATE VIEW {table} AS FROM library.{table}")
    return True


def _has_version(connection: duckdb.DuckDBPyConnection, database: str) -> bool:
    known = "SELECT count(*) FROM duckdb_tables() WHERE database_name = ? AND table_name = 'summaries'"
    if one_row(connection, known, [database]) == (0,):
        return False
    return one_row(connection, f"SELECT version FROM {database}.summaries") == (VERSION,)


_MARK = """
SELECT (SELECT count(*) FROM library.games),
       (SELECT bit_xor(hash(game_no, variant, rules, setup, illegal, irregular, unfinished, empty, foreign_pieces,
                            outcome, winners, plies, turns, passes, year, month, day)) FROM library.games),
       (SELECT bit_xor(hash(game_no, seat, share)) FROM library.seats),
       (SELECT bit_xor(hash(game_no, colour, seat, cells_placed, pieces_placed, all_placed, single_last, passes))
        FROM library.colours),
       (SELECT list((kind, file) ORDER BY kind, file)::VARCHAR
        FROM library.partitions WHERE kind IN ('openings', 'orders'))
"""
"""What the summaries follow from, in short; the number of games first."""


def _take_over(connection: duckdb.DuckDBPyConnection, layout: Layout, mark: list[Any]) -> bool:
    """Copy the summaries of the newest snapshot, where they are of the same games; most publications change none."""
    pointer = layout.read_pointer()
    if pointer is None or not layout.snapshot(pointer.snapshot).is_file():
        return False
    path = str(layout.snapshot(pointer.snapshot)).replace("'", "''")
    try:
        connection.execute(f"ATTACH '{path}' AS before (READ_ONLY)")
        same = _has_version(connection, "before") and (
            one_row(connection, "SELECT marks FROM before.summaries") == (_text(mark),)
        )
    except duckdb.Error:
        # Damaged, or gone: whoever needs it says so, here it only would have saved work.
        return False
    if same:
        for table in TABLES:
            connection.execute(f"CREATE TABLE library.{table} AS FROM before.{table}")
    connection.execute("DETACH before")
    return same


def _text(mark: list[Any]) -> str:
    return " ".join(map(str, mark))


def _make(connection: duckdb.DuckDBPyConnection, layout: Layout, mark: list[Any]) -> None:
    from pipeline.game_selection import FLAWED, SEAT_FACTS_ROWS  # which needs the store
    from pipeline.store.opening_sums import make_opening_sums
    from pipeline.store.piece_sums import make_piece_sums
    from pipeline.store.reader import raw_view, reference_tables

    reference_tables(connection)
    for kind in ("openings", "orders"):
        raw_view(connection, layout, kind)
    connection.execute(f"CREATE TABLE library.seat_facts AS {SEAT_FACTS_ROWS} ORDER BY s.game_no, s.seat")
    connection.execute(
        f"""
        CREATE TEMP TABLE counted AS
        SELECT g.game_no, g.variant, coalesce(g.rules, '{{}}') AS rules, g.setup, g.outcome, g.plies, g.turns, g.passes,
               g.year::INTEGER * 10000 + coalesce(g.month::INTEGER, 0) * 100 + coalesce(g.day, 0) AS day
        FROM library.games g WHERE NOT ({FLAWED})
        """
    )
    for name, question in _QUESTIONS.items():
        connection.execute(f"CREATE TABLE library.{name} AS {question}")
    make_piece_sums(connection)
    make_opening_sums(connection)
    connection.execute(
        f"CREATE TABLE library.summaries AS SELECT {VERSION} AS version, ? AS marks", [_text(mark)]
    )


COLOUR_SUMS = """
SELECT c.variant, c.rules, k.colour, max(k.seat) AS seat, count(*) AS games,
       sum(k.cells_placed)::BIGINT AS cells_placed, sum(k.pieces_placed)::BIGINT AS pieces_placed,
       sum(k.passes)::BIGINT AS passes, count(*) FILTER (k.all_placed) AS all_placed,
       count(*) FILTER (k.single_last) AS single_last
FROM {games} c JOIN library.colours k USING (game_no) GROUP BY ALL
"""
"""Sums of colours over some games, by variant and rules."""

_QUESTIONS = {
    "game_counts": """
        SELECT g.variant, coalesce(g.rules, '{}') AS rules, count(*) AS games, count(c.game_no) AS counted,
               count(c.setup) AS set_up, count(*) FILTER (c.outcome = 'draw') AS draws, count(c.outcome) AS results
        FROM library.games g LEFT JOIN counted c USING (game_no) GROUP BY ALL
        """,
    "seat_sums": f"""
        SELECT c.variant, c.rules, f.seat, f.verdict, {FACTS}, count(*) AS n
        FROM counted c JOIN library.seat_facts f USING (game_no) WHERE f.share IS NOT NULL GROUP BY ALL
        """,
    "colour_sums": COLOUR_SUMS.format(games="counted"),
    "length_counts": " UNION ALL ".join(
        f"SELECT variant, rules, '{name}' AS measure, {name}::INTEGER AS value, count(*) AS n "
        "FROM counted GROUP BY ALL"
        for name in LENGTHS
    ),
}
