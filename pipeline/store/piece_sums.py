"""Sums of when pieces are placed, made at publication: how often each round of a piece comes with each result."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.store.catalogue import run_over
from pipeline.store.summaries import FACTS

BATCH_ROWS = 500_000
"""Colours of games that are summed up at once: what bounds the memory."""

Numbers = npt.NDArray[np.int64]

_PACKED = {"twelfths": 0, "placed": 8, "left_over": 24, "all_placed": 40, "single_last": 48}
"""Facts of a seat in one number: from which bit on each stands, plus one, 0 for null."""

_ORDERS = f"""
SELECT c.rules, o.colour, o.rounds,
       {" ".join(f"+ (coalesce(f.{name}, -1)::BIGINT + 1) * {1 << shift}" for name, shift in _PACKED.items())} AS facts
FROM orders_raw o JOIN counted c USING (game_no)
LEFT JOIN library.seat_facts f ON f.game_no = o.game_no AND f.seat = o.seat
WHERE c.variant = ?
"""

_SCHEMA = pa.schema([("variant", pa.string()), ("rules", pa.string()), ("colour", pa.int8()),
                     ("piece", pa.int16()), ("round", pa.uint8()),
                     ("twelfths", pa.int8()), ("placed", pa.int16()), ("left_over", pa.int16()),
                     ("all_placed", pa.int8()), ("single_last", pa.int8()), ("n", pa.int64())])  # fmt: skip

_ADDED_UP = f"""
SELECT variant, rules, {{which}}, {FACTS}, sum(n)::BIGINT AS n FROM portions WHERE {{test}} GROUP BY ALL
"""


def make_piece_sums(connection: duckdb.DuckDBPyConnection) -> None:
    """Make `library.piece_sums`, `library.first_piece_sums` and `library.order_counts` out of orders and `counted`.

    Pieces are numbered as in their set; round 0: never placed. Facts are null for a shared colour, and `twelfths`
    where there is no result.
    """
    connection.execute(
        """
        CREATE TABLE library.order_counts AS
        SELECT c.variant, c.rules, count(DISTINCT game_no) AS games, count(*) AS colours
        FROM orders_raw o JOIN counted c USING (game_no) GROUP BY ALL
        """
    )
    run_over(connection, "CREATE TEMP TABLE portions AS FROM these_rows", _SCHEMA.empty_table())
    for (name,) in connection.execute("SELECT DISTINCT variant FROM library.order_counts").fetchall():
        rows = connection.sql(_ORDERS, params=[name]).to_arrow_reader(BATCH_ROWS)
        portions = [part for batch in rows for part in _portions(name, batch)]
        run_over(connection, "INSERT INTO portions FROM these_rows", pa.concat_tables(portions))
    for table, which, test in (
        ("piece_sums", "piece, round", "colour IS NULL"),
        ("first_piece_sums", "colour, piece", "colour IS NOT NULL"),
    ):
        question = _ADDED_UP.format(which=which, test=test)
        connection.execute(f"CREATE TABLE library.{table} AS {question}")
    connection.execute("DROP TABLE portions")


def _portions(variant_id: str, batch: pa.RecordBatch) -> list[pa.Table]:
    """Counts of a batch: by piece and round (colour null), and by colour and first piece (round null)."""
    pieces = PIECE_SETS[variant(variant_id).pieces]
    rounds = rounds_matrix(batch["rounds"], len(pieces.names) * pieces.copies)
    group, groups = _grouped(batch)
    first = first_pieces(rounds, pieces.copies)
    colour = batch["colour"].to_numpy().astype(np.int64)
    size = len(pieces.names)
    code = (group * 8 + colour) * size + first
    found, n = np.unique(code, return_counts=True)
    parts = [_rows(variant_id, groups, found // (8 * size), found % size, n, colour=found // size % 8)]
    latest = int(rounds.max(initial=0)) + 1
    columns = np.ascontiguousarray(rounds.T)
    for slot, column in enumerate(columns):
        count = np.bincount(group * latest + column, minlength=latest * groups.num_rows)
        at = np.flatnonzero(count)
        piece = np.full(len(at), slot // pieces.copies)
        parts.append(_rows(variant_id, groups, at // latest, piece, count[at], round=at % latest))
    return parts


def _grouped(batch: pa.RecordBatch) -> tuple[Numbers, pa.Table]:
    """The group of rules and facts of every row, and the table of groups."""
    rules, facts = (pc.dictionary_encode(batch[name]) for name in ("rules", "facts"))
    count = len(rules.dictionary)
    both = pc.dictionary_encode(
        pa.array(facts.indices.to_numpy().astype(np.int64) * count + rules.indices.to_numpy())
    )
    which = both.dictionary.to_numpy()
    packed = facts.dictionary.to_numpy()[which // count]
    columns = {"rules": rules.dictionary.take(pa.array(which % count))}
    for name, shift in _PACKED.items():
        width = 8 if name in ("twelfths", "all_placed", "single_last") else 16
        value = (packed >> shift & (1 << width) - 1) - 1
        columns[name] = pa.array(value, mask=value < 0)
    return both.indices.to_numpy().astype(np.int64), pa.table(columns)


def _rows(
    variant_id: str, groups: pa.Table, at: Numbers, piece: Numbers, n: Numbers, **columns: Any
) -> pa.Table:
    facts = groups.take(pa.array(at))
    given = {"piece": piece, "n": n, **columns}
    out = {}
    for field in _SCHEMA:
        if field.name in given:
            out[field.name] = pa.array(given[field.name]).cast(field.type)
        elif field.name in facts.column_names:
            out[field.name] = facts[field.name].cast(field.type)
        else:
            missing = variant_id if field.name == "variant" else None
            out[field.name] = pa.array([missing] * len(at), field.type)
    return pa.table(out, _SCHEMA)


def first_pieces(rounds: npt.NDArray[np.uint8], copies: int) -> Numbers:
    """The piece that was placed first of each row of rounds, its copies one after the other."""
    # Never, which is 0, becomes the latest.
    return (rounds - np.uint8(1)).argmin(axis=1) // copies if len(rounds) else np.empty(0, np.int64)


def rounds_matrix(column: pa.Array, width: int) -> npt.NDArray[np.uint8]:
    """Binary values of equal length as rows of a matrix."""
    fixed = column.cast(pa.binary(width))
    data = np.frombuffer(fixed.buffers()[1] or b"", np.uint8)
    return data[fixed.offset * width : (fixed.offset + len(fixed)) * width].reshape(-1, width)
