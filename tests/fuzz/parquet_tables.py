"""Parquet files of odd tables: damage to the bytes of a file hardly ever gets past its checks."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import polars as pl

from tests.fuzz.reading import LIMIT

_KINDS: tuple[Callable[[pl.Series], pl.Series], ...] = (
    lambda s: s.cast(pl.Categorical),
    lambda s: s.cast(pl.Binary),
    lambda s: s.str.split(","),
    lambda s: s.str.split(",").cast(pl.List(pl.Categorical)),
    lambda s: s.str.split(",").list.eval(pl.element().str.split(";")),
    lambda s: s.cast(pl.Int64, strict=False),
    lambda s: s.cast(pl.UInt64, strict=False),
    lambda s: s.cast(pl.Float64, strict=False),
    lambda s: s.cast(pl.Float32, strict=False),
    lambda s: s.cast(pl.Decimal(20, 3), strict=False),
    lambda s: s.cast(pl.Int8, strict=False) == 1,
    lambda s: s.str.to_date(strict=False),
    lambda s: s.str.to_datetime(strict=False),
    lambda s: pl.Series(s.name, [{"a": cell, "b": [1]} for cell in s], strict=False),
    lambda s: pl.Series(s.name, [None] * len(s)),
    lambda s: pl.Series(s.name, [b"\xff\xfe"] * len(s)),
    lambda s: pl.Series(s.name, range(len(s))).cast(pl.Duration("ns")),
    lambda s: pl.Series(s.name, range(len(s))).cast(pl.Time),
    lambda s: pl.Series(s.name, [[0, 1]] * len(s), pl.Array(pl.Int16, 2)),
    lambda s: s.str.split(""),
    lambda s: s + "\0",
    lambda s: s + '\n"',
)


def parquet_of(text: bytes, rng: Random) -> bytes:
    """A Parquet file of the cells of a CSV, some columns of other types, named otherwise, doubled or emptied."""
    try:
        frame = pl.read_csv(text, infer_schema=False, truncate_ragged_lines=True, encoding="utf8-lossy")
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError):
        frame = pl.DataFrame(
            {"game": ["1", "1"], "ply": ["1", "2"], "colour": ["1", "2"], "move": ["e10", "j5"]}
        )
    frame = frame.head(rng.choice((0, 1, 50, 2000)))
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        name = rng.choice(frame.columns)
        try:
            frame = frame.with_columns(rng.choice(_KINDS)(frame[name]).alias(name))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError):
            continue
    if rng.random() < 0.2:
        other = rng.choice(("", "move", "cells", "moves", "game", "a\nb", "\0", "x" * 300))
        frame = (
            frame.rename({rng.choice(frame.columns): other}, strict=False)
            if other not in frame.columns
            else frame
        )
    if rng.random() < 0.2:
        frame = frame.select(rng.sample(frame.columns, len(frame.columns)))
    out = io.BytesIO()
    try:
        frame.write_parquet(out, compression=rng.choice(("zstd", "snappy", "uncompressed", "gzip")))  # type: ignore[arg-type]
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return text
    return out.getvalue()[:LIMIT]
