"""Pieces: which come first, how early each is played, what that goes along with, and which are left.

An observation is one colour of one game. Time is counted in rounds, a turn of every colour each: plies depend on who
was blocked. Correlations are Spearman's, of the round with the result share or the score of the colour's seat, among
the colours that placed the piece. The seats of a game depend on each other, so the intervals of correlations take games
as the number of observations; that a piece comes early may have the same cause as a good result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.game_selection import Selection, left_out, uses_sums
from pipeline.intervals import Z, wilson
from pipeline.openings.explorer import check_index
from pipeline.openings.moves import figures
from pipeline.piece_data import SHARES, PieceData, read_games, read_sums
from pipeline.queries import Row
from pipeline.store import Reader

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

TOO_FEW = "fewer than four games"
ALL_ALIKE = "all values are alike"
NEVER_PLACED = "never placed"


@dataclass(frozen=True, slots=True)
class PieceStatistics:
    """Tables of one variant; `games` and `colours` (of games) are how many there were.

    `first`: a row for every colour and piece that it began with. `pieces`: a row for every piece: how often it is
    placed and left, when, and what that goes along with. `order`: for every piece in how many cases it was placed in
    each round, from the first. `lists`: first pieces out of lists of pieces, which have no results (None: not asked).
    """

    variant: str
    scoring: str
    games: int
    colours: int
    first: list[Row]
    pieces: list[Row]
    order: dict[str, list[int]]
    lists: list[Row] | None
    left_out: int


def piece_statistics(
    reader: Reader, wanted: Selection, scoring: str | None = None, lists: bool = False
) -> PieceStatistics:
    """Statistics of the pieces of one variant, `wanted.variant`.

    Raises:
        UnknownVariant, RuleError, PipelineError: a filter that means nothing.
        LibraryError: the library has no index yet.
    """
    check_index(reader)
    assert wanted.variant is not None
    row = variant(wanted.variant)
    scale = scoring or row.scoring
    counted = replace(wanted, flawed=False)
    read = read_sums if uses_sums(reader, counted) else read_games
    data = read(reader, counted, scale)
    return PieceStatistics(
        variant=row.id,
        scoring=scale,
        games=data.games,
        colours=data.colours,
        first=_first(row.id, data.first),
        pieces=_pieces(data),
        order={name: table.sum(axis=(1, 2))[1:].tolist() for name, table in data.rounds.items()},
        lists=_first_of_lists(reader, row.id) if lists else None,
        left_out=left_out(reader, wanted),
    )


def _first(variant_id: str, first: pa.Table) -> list[Row]:
    """A row for every colour and first piece, the most frequent first."""
    row = variant(variant_id)
    names = PIECE_SETS[row.pieces].names
    sums: dict[tuple[int, int], list[float]] = {}
    totals = [0] * len(row.colours)
    for one in first.to_pylist():
        total = sums.setdefault((one["colour"], one["piece"]), [0, 0, 0, 0, 0])
        n, score = one["n"], one["score"]
        totals[one["colour"]] += n
        total[0] += n
        if one["twelfths"] is not None:
            for at, value in enumerate((n, n * one["twelfths"], n * score, n * score * score), 1):
                total[at] += value
    rows = []
    for (colour, which), (games, results, twelfths, score, squares) in sums.items():
        part = wilson(games / totals[colour], totals[colour])
        rows.append(
            {
                "colour": colour + 1,
                "colour_name": row.colours[colour],
                "piece": names[which],
                "games": games,
                "rate": games / totals[colour],
                "rate_low": part and part.low,
                "rate_high": part and part.high,
                **figures(int(results), twelfths / SHARES, score, squares),
            }
        )
    return sorted(rows, key=lambda r: (r["colour"], -r["games"], r["piece"]))


def _pieces(data: PieceData) -> list[Row]:
    rows = []
    for name, table in data.rounds.items():
        counts = table.sum(axis=(1, 2))
        left, placed = int(counts[0]), int(counts[1:].sum())
        total = left + placed
        part = wilson(left / total, total) if total else None
        # Without the round 0, and without the place of those that have no result.
        decided = table[1:, :-1, :]
        rows.append(
            {
                "piece": name,
                "placed": placed,
                "left": left,
                "left_rate": left / total if total else None,
                "left_low": part and part.low,
                "left_high": part and part.high,
                **_when(counts[1:]),
                **_named("share", spearman(decided.sum(axis=2), data.games)),
                **_named("score", spearman(decided.sum(axis=1), data.games)),
            }
        )
    return rows


def _named(what: str, found: Row) -> Row:
    return {f"{what}_{key}": value for key, value in found.items()}


def _when(counts: Numbers) -> Row:
    """Mean and quartiles of the round, from how many were placed in each."""
    total = int(counts.sum())
    if not total:
        return {"round": None, "round_quartiles": None, "round_reason": NEVER_PLACED}
    before = np.cumsum(counts)
    quartiles = [int(np.searchsorted(before, math.ceil(part * total))) + 1 for part in (0.25, 0.5, 0.75)]
    mean = float((counts * np.arange(1, len(counts) + 1)).sum() / total)
    return {"round": mean, "round_quartiles": quartiles, "round_reason": None}


def spearman(table: Numbers, games: int) -> Row:
    """Spearman's correlation of rows and columns of a table of counts, its interval for so many games, and n.

    The interval is Bonett and Wright's. Null with a reason where there is none.
    """
    n = int(table.sum())
    missing: dict[str, Any] = {"correlation": None, "correlation_low": None, "correlation_high": None}
    observations = min(games, n)
    if observations < 4:
        return {**missing, "n": n, "correlation_reason": TOO_FEW}
    down, across = _midranks(table.sum(axis=1)), _midranks(table.sum(axis=0))
    x, y = down - (n + 1) / 2, across - (n + 1) / 2
    spread = float((table.sum(axis=1) * x * x).sum() * (table.sum(axis=0) * y * y).sum())
    if spread <= 0:
        return {**missing, "n": n, "correlation_reason": ALL_ALIKE}
    r = float(x @ table @ y) / math.sqrt(spread)
    r = max(-1.0, min(1.0, r))
    half = Z * math.sqrt((1 + r * r / 2) / (observations - 3))
    middle = math.atanh(max(-0.999999, min(0.999999, r)))
    return {
        "correlation": r,
        "correlation_low": math.tanh(middle - half),
        "correlation_high": math.tanh(middle + half),
        "n": n,
        "correlation_reason": None,
    }


def _midranks(counts: Numbers) -> Floats:
    """The mean rank of each value that occurs so often."""
    return np.cumsum(counts) - (counts - 1) / 2


def _first_of_lists(reader: Reader, variant_id: str) -> list[Row]:
    """First pieces by colour in lists of pieces of the variant."""
    rows = reader.table("SELECT pieces FROM piece_lists WHERE variant = ?", [variant_id]).to_pylist()
    names = variant(variant_id).colours
    counts: dict[tuple[int, str], int] = {}
    for row in rows:
        seen: set[str] = set()
        for entry in row["pieces"] or ():
            colour, _, piece = entry.partition(":")
            if colour not in seen and colour in names:
                seen.add(colour)
                key = names.index(colour), piece
                counts[key] = counts.get(key, 0) + 1
    return [
        {"colour": colour + 1, "colour_name": names[colour], "piece": piece, "lists": n}
        for (colour, piece), n in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    ]
