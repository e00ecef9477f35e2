"""Sums of the opening explorer by position and move, made at publication for positions that many games have.

A depth is summed up whole or not at all, while its positions and moves come up in `WORTH` games each at least, on
average: what lies deeper is rare enough to be looked up game by game. Games that start from a setup are left out:
whoever asks adds them.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from engine.position_keys import start_key
from engine.scoring_tables import SCORINGS
from pipeline.store.catalogue import one_row, run_over
from pipeline.tables import INDEXED_DEPTH

WORTH = 8
"""Games of a row of sums on average, at least."""

SAMPLES = 8
"""Games that are named for each move at most."""

_START = """
CREATE TEMP TABLE here AS
SELECT c.game_no, c.variant, c.rules, c.day, s.key_hi, s.key_lo
FROM counted c JOIN starts s USING (variant) WHERE c.setup IS NULL
"""

_STEP = """
CREATE TEMP TABLE step AS
SELECT h.game_no, h.variant, h.rules, h.day, h.key_hi AS from_hi, h.key_lo AS from_lo,
       n.colour, n.seat, n.placement, n.key_hi, n.key_lo
FROM here h LEFT JOIN (FROM openings_raw WHERE depth = {depth} + 1) n USING (game_no)
"""

_WORTH = """
CREATE TEMP TABLE worth AS
SELECT variant
FROM (
    SELECT variant, colour, count(*) AS games FROM step
    GROUP BY variant, rules, from_hi, from_lo, colour, placement, key_hi, key_lo
)
GROUP BY variant HAVING sum(games) >= {worth} * count(*) AND bool_or(colour IS NOT NULL)
"""

_SUMS = """
SELECT m.variant, m.rules, {depth}::UTINYINT AS depth, m.from_hi, m.from_lo, m.colour, m.placement, m.key_hi, m.key_lo,
       count(*) AS games, count(f.share) AS results, sum(f.twelfths)::BIGINT AS twelfths, {scores},
       max(m.day) AS day, max({{'day': coalesce(m.day, 0), 'number': -m.game_no}}, {samples}) AS latest
FROM step m SEMI JOIN worth USING (variant)
LEFT JOIN library.seat_facts f ON f.game_no = m.game_no AND f.seat = m.seat
GROUP BY ALL
ORDER BY m.variant, m.from_hi, m.from_lo
"""


def make_opening_sums(connection: duckdb.DuckDBPyConnection) -> None:
    """Make `library.opening_sums` out of `counted`, `openings_raw` and `library.seat_facts`.

    A row for every position (`from_`), move, position after it and ruleset; `colour` and the like are null for games
    that end there. `library.opening_depths` says up to how many pieces on the board each variant is summed up.
    """
    from pipeline.game_selection import points  # which needs the store

    scores = ", ".join(
        f"sum({points(name)}) FILTER (f.share IS NOT NULL) AS score_{name}, "
        f"sum({points(name)} * {points(name)}) FILTER (f.share IS NOT NULL) AS squares_{name}"
        for name in SCORINGS
    )
    _starts(connection)
    connection.execute(_START)
    connection.execute("CREATE TABLE library.opening_depths (variant VARCHAR, depth UTINYINT)")
    for depth in range(INDEXED_DEPTH + 1):
        connection.execute(_STEP.format(depth=depth))
        connection.execute(_WORTH.format(worth=WORTH))
        into = "INSERT INTO library.opening_sums" if depth else "CREATE TABLE library.opening_sums AS"
        connection.execute(f"{into} {_SUMS.format(depth=depth, scores=scores, samples=SAMPLES)}")
        connection.execute(f"INSERT INTO library.opening_depths SELECT variant, {depth} FROM worth")
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE here AS SELECT game_no, variant, rules, day, key_hi, key_lo "
            "FROM step SEMI JOIN worth USING (variant) WHERE colour IS NOT NULL"
        )
        for table in ("step", "worth"):
            connection.execute(f"DROP TABLE {table}")
        if one_row(connection, "SELECT count(*) FROM here") == (0,):
            break
    for table in ("here", "starts"):
        connection.execute(f"DROP TABLE {table}")


def _starts(connection: duckdb.DuckDBPyConnection) -> None:
    names = [name for (name,) in connection.execute("SELECT DISTINCT variant FROM counted").fetchall()]
    keys = [start_key(name) for name in names]
    rows = pa.table(
        {
            "variant": pa.array(names, pa.string()),
            "key_hi": pa.array([key[0] for key in keys], pa.uint64()),
            "key_lo": pa.array([key[1] for key in keys], pa.uint64()),
        }
    )
    run_over(connection, "CREATE TEMP TABLE starts AS FROM these_rows", rows)
