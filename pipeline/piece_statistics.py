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
from pipeline.game_selection import SEAT_FACTS, Selection, chosen_games, left_out, points
from pipeline.intervals import Z, wilson
from pipeline.opening_moves import figures
from pipeline.openings import check_index
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


@dataclass(frozen=True, slots=True)
class _Data:
    """Columns by observation: game, colour from 0, rounds of the pieces ``(n, width)``, share and score (NaN: none)."""

    game: Numbers
    colour: Numbers
    rounds: npt.NDArray[np.uint8]
    share: Floats
    score: Floats


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
    data = _read(reader, replace(wanted, flawed=False), scale)
    copies, names = PIECE_SETS[row.pieces].copies, PIECE_SETS[row.pieces].names
    games = len(np.unique(data.game))
    columns = np.ascontiguousarray(data.rounds.T)
    by_piece = [(name, columns[at * copies : (at + 1) * copies]) for at, name in enumerate(names)]
    return PieceStatistics(
        variant=row.id,
        scoring=scale,
        games=games,
        colours=len(data.colour),
        first=_first(row.id, data),
        pieces=_pieces(by_piece, data, games),
        order=_order(by_piece),
        lists=_first_of_lists(reader, row.id) if lists else None,
        left_out=left_out(reader, wanted),
    )


def _read(reader: Reader, wanted: Selection, scale: str) -> _Data:
    games, values = chosen_games(wanted)
    table = reader.table(
        f"""
        SELECT o.game_no, o.colour, o.rounds, f.share, CASE WHEN f.share IS NOT NULL THEN {points(scale)} END AS score
        FROM orders_raw o JOIN ({games}) c USING (game_no)
        LEFT JOIN seat_facts f ON f.game_no = o.game_no AND f.seat = o.seat
        """,
        values,
        needs=[SEAT_FACTS],
    )
    assert wanted.variant is not None
    pieces = PIECE_SETS[variant(wanted.variant).pieces]
    width = len(pieces.names) * pieces.copies
    return _Data(
        table["game_no"].to_numpy(),
        table["colour"].to_numpy().astype(np.int64) - 1,
        _bytes(table["rounds"], width),
        table["share"].to_numpy().astype(np.float64),
        table["score"].to_numpy().astype(np.float64),
    )


def _bytes(column: pa.ChunkedArray, width: int) -> npt.NDArray[np.uint8]:
    """Values of equal length as rows of a matrix."""
    fixed = pa.chunked_array(column.chunks, column.type).cast(pa.binary(width)).combine_chunks()
    if isinstance(fixed, pa.ChunkedArray):
        fixed = pa.concat_arrays(fixed.chunks) if fixed.num_chunks else pa.array([], pa.binary(width))
    data = np.frombuffer(fixed.buffers()[1] or b"", np.uint8)
    return data[fixed.offset * width : (fixed.offset + len(fixed)) * width].reshape(-1, width)


def _first(variant_id: str, data: _Data) -> list[Row]:
    """A row for every colour and first piece, the most frequent first."""
    row = variant(variant_id)
    pieces = PIECE_SETS[row.pieces]
    if not len(data.colour):
        return []
    # Never, which is 0, becomes the latest.
    piece = (data.rounds - np.uint8(1)).argmin(axis=1) // pieces.copies
    group = data.colour * len(pieces.names) + piece
    size = len(row.colours) * len(pieces.names)
    known = np.isfinite(data.share)
    count = np.bincount(group, minlength=size)
    totals = np.bincount(data.colour, minlength=len(row.colours))
    n, share, score, squares = (
        np.bincount(group[known], weights, size)
        for weights in (None, data.share[known], data.score[known], data.score[known] ** 2)
    )
    rows = []
    for at in np.flatnonzero(count).tolist():
        colour, which = divmod(at, len(pieces.names))
        part = wilson(float(count[at] / totals[colour]), int(totals[colour]))
        rows.append(
            {
                "colour": colour + 1,
                "colour_name": row.colours[colour],
                "piece": pieces.names[which],
                "games": int(count[at]),
                "rate": float(count[at] / totals[colour]),
                "rate_low": part and part.low,
                "rate_high": part and part.high,
                **figures(int(n[at]), float(share[at]), float(score[at]), float(squares[at])),
            }
        )
    return sorted(rows, key=lambda r: (r["colour"], -r["games"], r["piece"]))


def _pieces(by_piece: list[tuple[str, npt.NDArray[np.uint8]]], data: _Data, games: int) -> list[Row]:
    results = _Results(data.share, data.score, int(data.rounds.max(initial=0)))
    rows = []
    for name, rounds in by_piece:
        copies, n = rounds.shape
        table = sum((results.table(copy) for copy in rounds), results.nothing)
        counts = table.sum(axis=(1, 2))
        left, placed = int(counts[0]), int(counts[1:].sum())
        part = wilson(left / (n * copies), n) if n else None
        # Without the round 0, and without the place of those that have no result.
        decided = table[1:, :-1, :]
        rows.append(
            {
                "piece": name,
                "placed": placed,
                "left": left,
                "left_rate": left / (n * copies) if n else None,
                "left_low": part and part.low,
                "left_high": part and part.high,
                **_when(counts[1:]),
                **_named("share", spearman(decided.sum(axis=2), games)),
                **_named("score", spearman(decided.sum(axis=1), games)),
            }
        )
    return rows


SHARES = 12
"""Shares are counted in parts of so many: with up to four seats they are whole numbers of them."""


class _Results:
    """Share and score of every observation as one small number, for tables of how often they come with what."""

    def __init__(self, share: Floats, score: Floats, rounds: int) -> None:
        self._rounds = rounds
        known = np.isfinite(share)
        low = int(score[known].min()) if known.any() else 0
        high = int(score[known].max()) if known.any() else 0
        self._shape = (SHARES + 2, high - low + 1)
        share_code = np.where(known, np.rint(share * SHARES), SHARES + 1).astype(np.int32)
        self._code = share_code * self._shape[1] + np.where(known, score - low, 0).astype(np.int32)
        self.nothing = np.zeros((rounds + 1, *self._shape), np.int64)

    def table(self, rounds: npt.NDArray[np.uint8]) -> Numbers:
        """How often each round came with each share (the last place: none) and score: ``(rounds + 1, S, P)``."""
        size = self._shape[0] * self._shape[1]
        places = (self._rounds + 1) * size
        found = np.bincount(rounds.astype(np.int32) * size + self._code, minlength=places)
        return found.reshape(self._rounds + 1, *self._shape)


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


def _order(by_piece: list[tuple[str, npt.NDArray[np.uint8]]]) -> dict[str, list[int]]:
    last = max((int(rounds.max()) for _, rounds in by_piece if rounds.size), default=0)
    return {
        name: np.bincount(rounds.reshape(-1), minlength=last + 1)[1:].tolist() for name, rounds in by_piece
    }


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
