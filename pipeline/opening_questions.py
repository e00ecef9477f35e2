"""The explorer's questions to the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.position_keys import Key, board_key
from engine.variants import variant
from notation.position_text import parse_position
from pipeline.game_selection import SEAT_FACTS, Selection, chosen_games, points, rated_games
from pipeline.opening_moves import Frames, Tally
from pipeline.opening_positions import setup_key
from pipeline.store import Reader
from pipeline.tables import INDEXED_DEPTH

SAMPLES = 8
"""Games that are named for each move at most."""


class Question:
    """Questions about one position (with its images) to one library; `start` bounds the games to a start rule."""

    def __init__(
        self,
        reader: Reader,
        frames: Frames,
        wanted: Selection,
        start: str | None,
        ratings: Mapping[str, float] | None,
    ) -> None:
        self._reader = reader
        self._frames = frames
        self._wanted = wanted
        self._start = start
        self._indexed = frames.spot.depth <= INDEXED_DEPTH
        self._games, self._values = rated_games(*chosen_games(wanted), wanted, ratings)
        if start is not None:
            self._values = {**self._values, "start": start, "default": variant(frames.spot.variant).start}

    def _chosen(self) -> str:
        rule = "" if self._start is None else "AND coalesce(rules ->> '$.start', $default) = $start"
        return (
            f"chosen AS MATERIALIZED (SELECT * FROM ({self._games}) "
            f"WHERE stop_reason IS DISTINCT FROM 'bad_setup' {rule})"
        )

    def _here(self) -> tuple[str, dict[str, str]]:
        """Games with the position, game_no, key_hi, key_lo, behind the index also ply; and the parameters of this."""
        spot, keys = self._frames.spot, list(self._frames.by_key)
        parts: list[str] = []
        values: dict[str, str] = {}
        high, low = (", ".join(str(key[half]) for key in keys) for half in (0, 1))
        test = f"key_hi IN ({high}) AND key_lo IN ({low})"
        if not self._indexed:
            parts.append(
                f"SELECT m.game_no, key_hi, key_lo, ply FROM moves_raw m SEMI JOIN chosen USING (game_no) WHERE {test}"
            )
        elif spot.depth:
            parts.append(
                "SELECT o.game_no, key_hi, key_lo, 0 AS ply FROM openings_raw o SEMI JOIN chosen USING (game_no) "
                f"WHERE depth = {spot.depth} AND {test}"
            )
        else:
            (key,) = keys
            parts.append(
                f"SELECT game_no, {key[0]}::UBIGINT AS key_hi, {key[1]}::UBIGINT AS key_lo, 0 AS ply "
                "FROM chosen WHERE setup IS NULL"
            )
        for number, (setup, rules, key) in enumerate(self._setups()):
            values |= {f"setup{number}": setup, f"rules{number}": rules}
            parts.append(
                f"SELECT game_no, {key[0]}::UBIGINT, {key[1]}::UBIGINT, 0 "
                f"FROM chosen WHERE setup = $setup{number} AND rules = $rules{number}"
            )
        return f"here AS MATERIALIZED ({' UNION ALL '.join(parts)})", values

    def _setups(self) -> list[tuple[str, str, Key]]:
        """Setups (with rules) of the library that are the position, or one of its images, with their keys."""
        spot = self._frames.spot
        found = self._reader.table(
            f"WITH {self._chosen()} SELECT DISTINCT setup, rules FROM chosen WHERE setup IS NOT NULL ORDER BY ALL",
            self._values,
        ).to_pylist()
        boards = {board_key(spot.variant, spot.board, image) for image in self._frames.by_key.values()}
        out = []
        for row in found:
            pieces = parse_position(row["setup"]).pieces
            if len(pieces) != spot.depth:
                continue
            board = spot.board.copy()
            board[:] = -1
            for piece in pieces:
                board[list(piece.cells)] = piece.colour
            if board_key(spot.variant, board) in boards:
                key = setup_key(row["setup"], row["rules"])
                if key in self._frames.by_key:
                    out.append((row["setup"], row["rules"], key))
        return out

    def _next(self) -> str:
        """The moves from here: game_no, colour, seat, placement and the key after it."""
        columns = "n.game_no, n.colour, n.seat, n.placement, n.key_hi, n.key_lo"
        if self._indexed:
            return (
                f"next AS (SELECT {columns} FROM openings_raw n WHERE depth = {self._frames.spot.depth + 1})"
            )
        return f"next AS (SELECT {columns} FROM here h JOIN moves_raw n ON n.game_no = h.game_no AND n.ply = h.ply + 1)"

    def played(self, scoring: str) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Rows of what was played from here, by image, move and position after it; and how many games end here, by why.

        Raises:
            PipelineError: there is no such scoring table.
        """
        score = points(scoring)
        here, values = self._here()
        decided = "c.counts AND f.share IS NOT NULL"
        rows = self._reader.table(
            f"""
            WITH {self._chosen()}, {here}, {self._next()}
            SELECT h.key_hi AS from_hi, h.key_lo AS from_lo, n.colour, n.placement, n.key_hi, n.key_lo,
                   CASE WHEN n.colour IS NULL THEN c.ending END AS ending,
                   count(*) AS games, count(*) FILTER ({decided}) AS results,
                   sum(f.share) FILTER ({decided}) AS share, sum({score}) FILTER ({decided}) AS score,
                   sum({score} * {score}) FILTER ({decided}) AS score_squares,
                   sum(c.rating) AS rating, count(c.rating) AS rated, max(c.day) AS day,
                   max({{'day': coalesce(c.day, 0), 'number': -h.game_no}}, {SAMPLES}) AS latest
            FROM here h JOIN chosen c ON c.game_no = h.game_no
            LEFT JOIN next n ON n.game_no = h.game_no
            LEFT JOIN seat_facts f ON f.game_no = h.game_no AND f.seat = n.seat
            GROUP BY ALL
            """,
            {**self._values, **values},
            needs=[SEAT_FACTS],
        ).to_pylist()
        ended: dict[str, int] = {}
        for row in rows:
            if row["colour"] is None:
                ended[row["ending"]] = ended.get(row["ending"], 0) + row["games"]
        return [row for row in rows if row["colour"] is not None], ended

    def reached(self, tallies: Sequence[Tally]) -> list[int]:
        """Games that have the position after each move, or an image of it that counts."""
        keys = [(number, key) for number, tally in enumerate(tallies) for key in tally.keys]
        if not keys:
            return []
        # Said twice, as a list and as a join: the list is what lets the database leave out most of the index.
        source = f"key_hi IN ({', '.join(sorted({str(key[0]) for _, key in keys}))})"
        if self._indexed:
            source = f"openings_raw WHERE depth = {self._frames.spot.depth + 1} AND {source}"
        else:
            source = f"moves_raw WHERE {source}"
        rows = self._reader.table(
            f"""
            WITH {self._chosen()},
            asked AS (SELECT unnest($which::INTEGER[]) AS which, unnest($highs::UBIGINT[]) AS key_hi,
                             unnest($lows::UBIGINT[]) AS key_lo)
            SELECT which, count(*) AS n FROM asked
            JOIN (SELECT game_no, key_hi, key_lo FROM {source}) USING (key_hi, key_lo)
            SEMI JOIN chosen USING (game_no)
            GROUP BY which
            """,
            {
                **self._values,
                "which": [number for number, _ in keys],
                # As text: the database guesses types of numbers, and these take all 64 bits.
                "highs": [str(key[0]) for _, key in keys],
                "lows": [str(key[1]) for _, key in keys],
            },
        ).to_pylist()
        counts = {row["which"]: row["n"] for row in rows}
        return [counts.get(number, 0) for number in range(len(tallies))]

    def other_start_rule(self) -> int:
        """Games that the start rule leaves out."""
        rows = self._reader.table(
            f"SELECT count(*) FILTER (coalesce(rules ->> '$.start', $default) <> $start) AS n FROM ({self._games})",
            self._values,
        ).to_pylist()
        return int(rows[0]["n"])
