"""Questions about features: a measure along one game, its means by ply, how it goes with the result.

Colours count from 1; a row without a colour is of the position as a whole. Intervals are of 95 %. Statistics leave out
games that are illegal, irregular, unfinished or played with another set of pieces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.variants import variant
from pipeline.abbreviations import find_game
from pipeline.errors import NoFeatures, PipelineError
from pipeline.features.columns import CENTRE_CONTACT, COLOUR_MEASURES, POSITION_MEASURES
from pipeline.heat_maps import need_features
from pipeline.intervals import Z, student
from pipeline.queries import Row
from pipeline.store import Reader
from pipeline.store.reader import file_pattern

OF_PLIES = (*COLOUR_MEASURES, *POSITION_MEASURES)
"""Measures that change from ply to ply."""

ALL_MEASURES = (*OF_PLIES, CENTRE_CONTACT)

FEWEST = 4
"""Observations that a correlation needs, for an interval of it to exist."""


@dataclass(frozen=True, slots=True)
class Series:
    """A measure at every ply of a game, ply 0 first: `values` by colour name, or under "position"."""

    id: str
    variant: str
    measure: str
    values: dict[str, list[float | None]]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Rows of a statistic; `missing` games of the variant have no features yet."""

    variant: str
    measure: str
    rows: list[Row]
    missing: int


def known_measure(name: str, among: tuple[str, ...] = ALL_MEASURES) -> str:
    """The name as given.

    Raises:
        PipelineError: there is no such measure.
    """
    if name not in among:
        raise PipelineError(f"no measure {name!r} here: choose one of {', '.join(among)}")
    return name


def series(reader: Reader, game: str, measure: str) -> Series:
    """A measure along a game, which is named by its identity or the beginning of it.

    Raises:
        NoSuchGame, AmbiguousGame, NoIdentity: as `abbreviations.find_game`.
        PipelineError: no such measure.
        NoFeatures: the game has none yet, or has no position.
    """
    known_measure(measure, OF_PLIES)
    identity = find_game(reader, game)
    found = reader.table("SELECT game_no, variant FROM games WHERE id = ?", [identity]).to_pylist()[0]
    of_colours = measure in COLOUR_MEASURES
    rows: list[Row] = []
    kind, colour = ("features", "colour") if of_colours else ("feature_plies", "NULL")
    for file in _files(reader, kind, found["game_no"]):
        rows += reader.table(
            f"SELECT ply, {colour} AS colour, {measure} AS value FROM read_parquet({file}) "
            "WHERE game_no = ? ORDER BY ply, colour",
            [found["game_no"]],
        ).to_pylist()
    if not rows:
        raise NoFeatures(f"game {identity} has no features yet: `cornerwise features` computes them")
    names = variant(found["variant"]).colours
    values: dict[str, list[float | None]] = {}
    for row in rows:
        values.setdefault(names[row["colour"] - 1] if of_colours else "position", []).append(row["value"])
    return Series(identity, found["variant"], measure, values)


def _files(reader: Reader, kind: str, game_no: int) -> list[str]:
    """Partitions that may hold a game: to open all of them takes several times longer than the question."""
    found = reader.table(
        "SELECT file FROM partitions WHERE kind = ? AND ? BETWEEN first_game AND last_game", [kind, game_no]
    )
    return [file_pattern(reader.layout.partition(kind, file)) for file in found["file"].to_pylist()]


def means_by_ply(reader: Reader, variant_id: str, measure: str, colour: int | None = None) -> Statistics:
    """Mean, interval and number of games by ply and colour; of `centre_contact` by colour alone.

    Plies that few games reach are those of long games: look at `games`.

    Raises:
        UnknownVariant, PipelineError: no such variant, measure or colour.
        NoFeatures: no game of the variant has features yet, or none that counts.
    """
    rows = _sums(reader, variant_id, measure, colour, "true")
    return _statistics(reader, variant_id, measure, [_mean(row) for row in rows])


def _mean(row: Row) -> Row:
    n, mean = row["n"], row["x"] / row["n"]
    deviation = math.sqrt(max(row["xx"] - n * mean * mean, 0.0) / (n - 1)) if n > 1 else None
    span = student(mean, deviation, n)
    return {
        "ply": row["ply"],
        "colour": row["colour"],
        "games": n,
        "mean": mean,
        "deviation": deviation,
        "low": span and span.low,
        "high": span and span.high,
    }


def correlations(reader: Reader, variant_id: str, measure: str, colour: int | None = None) -> Statistics:
    """Pearson's correlation of a measure of a colour with the share of the result of its seat, by ply and colour.

    The share is 1 for the first and 0 for the last. The interval is Fisher's; a correlation without one, with a
    `reason`, has too few games or no variation.

    Raises:
        UnknownVariant, PipelineError: no such variant or colour, or a measure that is not of a colour.
        NoFeatures: no game of the variant has features yet, or none that counts.
    """
    known_measure(measure, (*COLOUR_MEASURES, CENTRE_CONTACT))
    rows = _sums(reader, variant_id, measure, colour, "rated")
    return _statistics(reader, variant_id, measure, [_correlation(row) for row in rows])


def _correlation(row: Row) -> Row:
    n = row["n"]
    spread_x, spread_y = n * row["xx"] - row["x"] ** 2, n * row["yy"] - row["y"] ** 2
    out: Row = {"ply": row["ply"], "colour": row["colour"], "games": n}
    reason = None
    if n < FEWEST:
        reason = f"fewer than {FEWEST} games"
    elif spread_x <= 1e-9 * n * row["xx"] or spread_y <= 1e-9 * n * row["yy"]:
        reason = "the measure or the result is the same in all games"
    if reason is not None:
        return {**out, "correlation": None, "low": None, "high": None, "reason": reason}
    r = (n * row["xy"] - row["x"] * row["y"]) / math.sqrt(spread_x * spread_y)
    r = min(max(r, -1.0), 1.0)
    middle, half = math.atanh(min(max(r, -0.999999), 0.999999)), Z / math.sqrt(n - 3)
    low, high = (round(math.tanh(middle + side * half), 4) for side in (-1, 1))
    return {**out, "correlation": r, "low": low, "high": high, "reason": None}


def _sums(
    reader: Reader, variant_id: str, measure: str, colour: int | None, test: str
) -> list[dict[str, Any]]:
    colours = variant(variant_id).colours
    known_measure(measure)
    if colour is not None and not 1 <= colour <= len(colours):
        raise PipelineError(f"no colour {colour}: there are 1 to {len(colours)}, {', '.join(colours)}")
    if colour is not None and measure in POSITION_MEASURES:
        raise PipelineError(f"{measure} is of the position as a whole, not of a colour")
    rows: list[dict[str, Any]] = reader.table(
        f"""
        SELECT ply, colour, sum(n)::BIGINT AS n, sum(x) AS x, sum(xx) AS xx, sum(xy) AS xy, sum(y) AS y, sum(yy) AS yy
        FROM ply_sums_raw
        WHERE variant = $variant AND measure = $measure AND {test} AND coalesce(colour = $colour, $colour IS NULL)
        GROUP BY ply, colour ORDER BY ply, colour
        """,
        {"variant": variant_id, "measure": measure, "colour": colour},
    ).to_pylist()
    return rows


def _statistics(reader: Reader, variant_id: str, measure: str, rows: list[Row]) -> Statistics:
    missing = need_features(reader, variant_id)
    if not rows:
        raise NoFeatures(f"no game of {variant_id} that has features of {measure} counts")
    return Statistics(variant_id, measure, rows, missing)
