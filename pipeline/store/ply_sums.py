"""Measures of some games added up by variant, colour and ply, with the shares of the result that they went with."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.features.columns import CENTRE_CONTACT, COLOUR_MEASURES, PLY_SUMS, POSITION_MEASURES
from pipeline.store.catalogue import Catalogue
from pipeline.store.reader import file_pattern

_COUNTED = """
CREATE TEMP TABLE counted AS
SELECT g.game_no, g.variant, c.colour, s.share, s.share IS NOT NULL AS rated
FROM games g JOIN colours c USING (game_no) LEFT JOIN seats s ON s.game_no = c.game_no AND s.seat = c.seat
WHERE g.game_no BETWEEN $first AND $last AND NOT ({flawed})
  AND g.game_no IN (SELECT game_no FROM read_parquet({files}))
"""

_OF_COLOURS = """
SELECT c.variant, f.colour, f.ply, c.rated, {sums}, coalesce(sum(c.share), 0) AS y,
       coalesce(sum(c.share * c.share), 0) AS yy
FROM read_parquet({files}) f JOIN counted c USING (game_no, colour)
WHERE f.game_no BETWEEN $first AND $last
GROUP BY ALL
"""

_OF_POSITIONS = """
SELECT c.variant, NULL AS colour, f.ply, false AS rated, {sums}, 0 AS y, 0 AS yy
FROM read_parquet({files}) f JOIN (SELECT DISTINCT game_no, variant FROM counted) c USING (game_no)
WHERE f.game_no BETWEEN $first AND $last
GROUP BY ALL
"""

_OF_GAMES = """
SELECT c.variant, c.colour, NULL AS ply, c.rated, {sums}, coalesce(sum(c.share), 0) AS y,
       coalesce(sum(c.share * c.share), 0) AS yy
FROM (
    SELECT game_no, unnest(range(1, len(centre_contact) + 1)) AS colour, unnest(centre_contact) AS centre_contact
    FROM read_parquet({files}) WHERE game_no BETWEEN $first AND $last
) f JOIN counted c USING (game_no, colour)
WHERE centre_contact IS NOT NULL
GROUP BY ALL
"""


def ply_rows(catalogue: Catalogue, files: list[int], span: tuple[int, int]) -> pa.Table:
    """Rows of `ply_sums` for the games of some partitions of `feature_games`, which lie between two numbers."""
    from pipeline.game_selection import FLAWED  # which needs the store

    connection = catalogue.connection
    games = _paths(catalogue, "feature_games", files)
    within = {"first": span[0], "last": span[1]}
    connection.execute(_COUNTED.format(flawed=FLAWED, files=games), within)
    tables: list[pa.Table] = []
    for kind, question, measures in (
        ("features", _OF_COLOURS, COLOUR_MEASURES),
        ("feature_plies", _OF_POSITIONS, POSITION_MEASURES),
        ("feature_games", _OF_GAMES, (CENTRE_CONTACT,)),
    ):
        chosen = (
            games if kind == "feature_games" else _paths(catalogue, kind, _spanned(catalogue, kind, span))
        )
        share = "0" if kind == "feature_plies" else "c.share"
        sums = ", ".join(_sums(name, share) for name in measures)
        wide = connection.sql(question.format(sums=sums, files=chosen), params=within).to_arrow_table()
        tables += _long(wide, measures)
    connection.execute("DROP TABLE temp.counted")
    return pa.concat_tables(tables).sort_by(
        [(name, "ascending") for name in ("variant", "measure", "colour", "ply", "rated")]
    )


def _spanned(catalogue: Catalogue, kind: str, span: tuple[int, int]) -> list[int]:
    found = catalogue.connection.execute(
        "SELECT file FROM partitions WHERE kind = ? AND first_game <= ? AND last_game >= ? ORDER BY first_game",
        [kind, span[1], span[0]],
    ).fetchall()
    return [file for (file,) in found]


def _paths(catalogue: Catalogue, kind: str, files: list[int]) -> str:
    """A list of files as DuckDB writes it."""
    return f"[{', '.join(file_pattern(catalogue.layout.partition(kind, file)) for file in files)}]"


def _sums(name: str, share: str) -> str:
    value = f"{name}::DOUBLE"
    return (
        f"count({name}) AS {name}_n, coalesce(sum({value}), 0) AS {name}_x, "
        f"coalesce(sum({value} * {value}), 0) AS {name}_xx, coalesce(sum({value} * {share}), 0) AS {name}_xy"
    )


def _long(wide: pa.Table, measures: tuple[str, ...]) -> Iterator[pa.Table]:
    """A table for every measure that any row has a value of."""
    for name in measures:
        columns = {key: wide[key] for key in ("variant", "colour", "ply", "rated", "y", "yy")}
        columns |= {key: wide[f"{name}_{key}"] for key in ("n", "x", "xx", "xy")}
        columns["measure"] = pa.array([name] * wide.num_rows)
        rows = pa.table({key: columns[key] for key in PLY_SUMS.names})
        yield rows.filter(pc.greater(rows["n"], 0)).cast(PLY_SUMS)
