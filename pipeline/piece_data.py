"""What the statistics of pieces are made of: added up from the games of a selection, or out of a snapshot's sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engine.pieces import PIECE_SETS, PieceSet
from engine.variants import variant
from pipeline.game_selection import SEAT_FACTS, Selection, chosen_games, points, whole
from pipeline.store import Reader
from pipeline.store.piece_sums import first_pieces, rounds_matrix

Numbers = npt.NDArray[np.int64]


SHARES = 12
"""Shares are counted in parts of so many: with up to four seats they are whole numbers of them."""


@dataclass(frozen=True, slots=True)
class PieceData:
    """What the tables are made of, added up.

    `first` has the columns colour (from 0), piece, twelfths (of a win; null without a result), score and n, how often.
    `rounds` has for every piece how often each round came with each share (the last place: none) and score:
    ``(rounds + 1, S, P)``, round 0 being never.
    """

    games: int
    colours: int
    first: pa.Table
    rounds: dict[str, Numbers]


def read_games(reader: Reader, wanted: Selection, scoring: str) -> PieceData:
    """Add up the games of a selection of one variant."""
    games, values = chosen_games(wanted)
    table = reader.table(
        f"""
        SELECT o.game_no, o.colour, o.rounds, CASE WHEN f.share IS NOT NULL THEN f.twelfths END AS twelfths,
               CASE WHEN f.share IS NOT NULL THEN {points(scoring)}::INTEGER END AS score
        FROM orders_raw o JOIN ({games}) c USING (game_no)
        LEFT JOIN seat_facts f ON f.game_no = o.game_no AND f.seat = o.seat
        """,
        values,
        needs=[SEAT_FACTS],
    ).combine_chunks()
    pieces = _pieces_of(wanted)
    rounds = _matrix(table["rounds"], len(pieces.names) * pieces.copies)
    results = _Results(table["twelfths"], table["score"], int(rounds.max(initial=0)))
    columns = np.ascontiguousarray(rounds.T)
    return PieceData(
        games=len(np.unique(table["game_no"].to_numpy())),
        colours=table.num_rows,
        first=_first(table, first_pieces(rounds, pieces.copies)),
        rounds={
            name: sum(
                (results.table(copy) for copy in columns[at * pieces.copies : (at + 1) * pieces.copies]),
                results.nothing,
            )
            for at, name in enumerate(pieces.names)
        },
    )


def _pieces_of(wanted: Selection) -> PieceSet:
    assert wanted.variant is not None
    return PIECE_SETS[variant(wanted.variant).pieces]


def _matrix(column: pa.ChunkedArray, width: int) -> npt.NDArray[np.uint8]:
    parts = [rounds_matrix(chunk, width) for chunk in column.chunks]
    return np.concatenate(parts) if parts else np.empty((0, width), np.uint8)


def _first(table: pa.Table, piece: Numbers) -> pa.Table:
    columns = {
        "colour": table["colour"].to_numpy().astype(np.int64) - 1,
        "piece": piece,
        "twelfths": table["twelfths"],
        "score": table["score"],
    }
    names = list(columns)
    return pa.table(columns).group_by(names).aggregate([([], "count_all")]).rename_columns([*names, "n"])


def read_sums(reader: Reader, wanted: Selection, scoring: str) -> PieceData:
    """Add up the sums of a snapshot for a selection of whole rulesets of one variant."""
    where, values = whole(wanted)
    score = f"CASE WHEN twelfths IS NOT NULL THEN {points(scoring, 's')}::INTEGER END AS score"
    counts = reader.table(
        "SELECT coalesce(sum(games), 0)::BIGINT AS games, coalesce(sum(colours), 0)::BIGINT AS colours "
        f"FROM order_counts WHERE {where}",
        values,
    ).to_pylist()[0]
    first = reader.table(
        f"SELECT colour - 1 AS colour, piece, twelfths, {score}, n FROM first_piece_sums s WHERE {where}",
        values,
    )
    table = reader.table(f"SELECT piece, round, twelfths, {score}, n FROM piece_sums s WHERE {where}", values)
    rounds, piece, n = (table[name].to_numpy() for name in ("round", "piece", "n"))
    results = _Results(table["twelfths"], table["score"], int(rounds.max(initial=0)))
    names = _pieces_of(wanted).names
    tables = results.tables(rounds, piece, n, len(names))
    return PieceData(counts["games"], counts["colours"], first, dict(zip(names, tables, strict=True)))


class _Results:
    """Share and score of every observation as one small number, for tables of how often they come with what."""

    def __init__(self, twelfths: pa.ChunkedArray, score: pa.ChunkedArray, rounds: int) -> None:
        self._rounds = rounds
        known = twelfths.is_valid().to_numpy()
        points = score.fill_null(0).to_numpy()
        low = int(points[known].min()) if known.any() else 0
        high = int(points[known].max()) if known.any() else 0
        self._shape = (SHARES + 2, high - low + 1)
        share = twelfths.fill_null(SHARES + 1).to_numpy().astype(np.int32)
        self._code = share * self._shape[1] + np.where(known, points - low, 0).astype(np.int32)
        self.nothing = np.zeros((rounds + 1, *self._shape), np.int64)

    def table(self, rounds: npt.NDArray[np.uint8]) -> Numbers:
        """How often each round came with each share (the last place: none) and score: ``(rounds + 1, S, P)``."""
        size = self._shape[0] * self._shape[1]
        found = np.bincount(rounds.astype(np.int32) * size + self._code, minlength=self.nothing.size)
        return found.reshape(self.nothing.shape)

    def tables(self, rounds: npt.NDArray[np.uint8], piece: Numbers, n: Numbers, pieces: int) -> Numbers:
        """The tables of some pieces of observations that came `n` times each: ``(pieces, rounds + 1, S, P)``."""
        size = self._shape[0] * self._shape[1]
        code = (piece.astype(np.int64) * (self._rounds + 1) + rounds) * size + self._code
        # Sums of whole numbers: exact as floats, up to 2**53.
        found = np.bincount(code, n, minlength=pieces * self.nothing.size).astype(np.int64)
        return found.reshape(pieces, *self.nothing.shape)
