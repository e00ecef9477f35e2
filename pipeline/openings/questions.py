"""The explorer's questions to the database, game by game: whatever the filter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from engine.position_keys import Key
from engine.variants import variant
from notation.position_text import parse_position
from pipeline.game_selection import SEAT_FACTS, Parameters, Selection, chosen_games, points, rated_games
from pipeline.openings.moves import Places
from pipeline.openings.positions import empty_board, setup_key
from pipeline.openings.sums import as_lists
from pipeline.store import Reader
from pipeline.tables import INDEXED_DEPTH

FEW = 1_000
"""Games that are named one by one in a question at most."""

NOBODY = "-1"
"""The number of no game."""

SAMPLES = 8
"""Games that are named for each move at most."""


class Question:
    """Questions about some positions (with their images) to one library.

    `start` bounds the games to a start rule; `set_up` to those from setups.
    """

    def __init__(
        self,
        reader: Reader,
        places: Places,
        wanted: Selection,
        start: str | None,
        ratings: Mapping[str, float] | None,
        set_up: bool = False,
    ) -> None:
        self._reader = reader
        self._places = places
        self._wanted = wanted
        self._start = start
        self._indexed = places.depth <= INDEXED_DEPTH
        games, self._values = chosen_games(wanted)
        self._games, self._needs = rated_games(games, wanted, ratings)
        self._tests = "AND setup IS NOT NULL" if set_up else ""
        if start is not None:
            self._values = {**self._values, "start": start, "default": variant(places.variant).start}

    def _chosen(self, only: str = "") -> str:
        """The games that count, of those with the numbers `only`, a list of them or nothing."""
        rule = "" if self._start is None else "AND coalesce(rules ->> '$.start', $default) = $start"
        numbers = f"AND game_no IN ({only})" if only else ""
        return (
            f"chosen AS MATERIALIZED (SELECT * FROM ({self._games}) "
            f"WHERE stop_reason IS DISTINCT FROM 'bad_setup' {rule} {self._tests} {numbers})"
        )

    def _here(self) -> tuple[str, Parameters]:
        """Games with the position, game_no, key_hi, key_lo, behind the index also ply; and the parameters of this."""
        parts: list[str] = []
        values: Parameters = {}
        if self._few is not None:
            parts.append(
                "SELECT unnest($games::BIGINT[]) AS game_no, unnest($highs::UBIGINT[]) AS key_hi, "
                "unnest($lows::UBIGINT[]) AS key_lo, unnest($plies::INTEGER[]) AS ply"
            )
            found = self._few.to_pydict()
            values |= {"games": found["game_no"], "plies": found["ply"]}
            # As text: the database guesses types of numbers, and these take all 64 bits.
            values |= {"highs": list(map(str, found["key_hi"])), "lows": list(map(str, found["key_lo"]))}
        elif self._located:
            parts.append(f"SELECT game_no, key_hi, key_lo, ply FROM ({self._located})")
        else:
            (key,) = self._places.keys
            parts.append(
                f"SELECT game_no, {key[0]}::UBIGINT AS key_hi, {key[1]}::UBIGINT AS key_lo, 0 AS ply "
                "FROM chosen WHERE setup IS NULL"
            )
        for number, (setup, rules, key) in enumerate(self._setups):
            values |= {f"setup{number}": setup, f"rules{number}": rules}
            parts.append(
                f"SELECT game_no, {key[0]}::UBIGINT, {key[1]}::UBIGINT, 0 "
                f"FROM chosen WHERE setup = $setup{number} AND rules = $rules{number}"
            )
        return f"here AS MATERIALIZED ({' UNION ALL '.join(parts)})", values

    @property
    def _located(self) -> str:
        """A question for all games that come to the position by moves; nothing for the start, to which they all do."""
        test = f"key_hi IN ({self._places.listed(0)}) AND key_lo IN ({self._places.listed(1)})"
        if not self._indexed:
            return f"SELECT game_no, key_hi, key_lo, ply FROM moves_raw WHERE {test}"
        depth = self._places.depth
        if not depth:
            return ""
        return f"SELECT game_no, key_hi, key_lo, 0 AS ply FROM openings_raw WHERE depth = {depth} AND {test}"

    @cached_property
    def _few(self) -> pa.Table | None:
        """All games that come to the position by moves, where these are few."""
        if not self._located or self._setups:
            return None
        found = self._reader.table(f"{self._located} LIMIT {FEW + 1}")
        return found if found.num_rows <= FEW else None

    @property
    def _only(self) -> str:
        """The numbers of the few games, if they are.

        A list of numbers in a question lets the database leave out nearly everything else at once.
        """
        return "" if self._few is None else _listed(self._few)

    @cached_property
    def _setups(self) -> list[tuple[str, str, Key]]:
        """Setups (with rules) of the library that are one of the positions, or of their images, with their keys."""
        found = self._reader.table(
            f"WITH {self._chosen()} SELECT DISTINCT setup, rules FROM chosen WHERE setup IS NOT NULL ORDER BY ALL",
            self._values,
            needs=self._needs,
        ).to_pylist()
        out = []
        for row in found:
            pieces = parse_position(row["setup"]).pieces
            if len(pieces) != self._places.depth:
                continue
            board = empty_board(self._places.variant)
            for piece in pieces:
                board[list(piece.cells)] = piece.colour
            keys = set(self._places.keys_on(board))
            if keys and (key := setup_key(row["setup"], row["rules"])) in keys:
                out.append((row["setup"], row["rules"], key))
        return out

    def _next(self) -> str:
        """The moves from here: game_no, colour, seat, placement and the key after it."""
        columns = "n.game_no, n.colour, n.seat, n.placement, n.key_hi, n.key_lo"
        test = f"n.game_no IN ({self._only})" if self._only else "true"
        if self._indexed:
            depth = self._places.depth + 1
            return f"next AS (SELECT {columns} FROM openings_raw n WHERE depth = {depth} AND {test})"
        return (
            f"next AS (SELECT {columns} FROM here h JOIN moves_raw n "
            f"ON n.game_no = h.game_no AND n.ply = h.ply + 1 WHERE {test})"
        )

    def _seats(self) -> str:
        return f"(FROM seat_facts WHERE game_no IN ({self._only}))" if self._only else "seat_facts"

    def played(self, scoring: str) -> list[dict[str, Any]]:
        """Rows of what was played from here, by image, move and position after it; without a move, how games ended.

        Raises:
            PipelineError: there is no such scoring table.
        """
        score = points(scoring)
        here, values = self._here()
        decided = "c.counts AND f.share IS NOT NULL"
        rows: list[dict[str, Any]] = self._reader.table(
            f"""
            WITH {self._chosen(self._only)}, {here}, {self._next()}
            SELECT h.key_hi AS from_hi, h.key_lo AS from_lo, n.colour, n.placement, n.key_hi, n.key_lo,
                   CASE WHEN n.colour IS NULL THEN c.ending END AS ending,
                   count(*) AS games, count(*) FILTER ({decided}) AS results,
                   (sum(f.twelfths) FILTER ({decided}))::BIGINT AS twelfths, sum({score}) FILTER ({decided}) AS score,
                   sum({score} * {score}) FILTER ({decided}) AS score_squares,
                   sum(c.rating) AS rating, count(c.rating) AS rated, max(c.day) AS day,
                   max({{'day': coalesce(c.day, 0), 'number': -h.game_no}}, {SAMPLES}) AS latest
            FROM here h JOIN chosen c ON c.game_no = h.game_no
            LEFT JOIN next n ON n.game_no = h.game_no
            LEFT JOIN {self._seats()} f ON f.game_no = h.game_no AND f.seat = n.seat
            GROUP BY ALL
            """,
            {**self._values, **values},
            needs=[SEAT_FACTS, *self._needs],
        ).to_pylist()
        return rows

    def rated(self) -> list[dict[str, Any]]:
        """Rows as those of `played`, but of ratings alone: nothing else is counted in them."""
        here, values = self._here()
        rows: list[dict[str, Any]] = self._reader.table(
            f"""
            WITH {self._chosen(self._only)}, {here}, {self._next()}
            SELECT h.key_hi AS from_hi, h.key_lo AS from_lo, n.colour, n.placement, n.key_hi, n.key_lo, NULL AS ending,
                   0 AS games, 0 AS results, 0 AS twelfths, 0.0 AS score, 0.0 AS score_squares,
                   sum(c.rating) AS rating, count(c.rating) AS rated, NULL::INTEGER AS day, [] AS latest
            FROM here h JOIN chosen c ON c.game_no = h.game_no JOIN next n ON n.game_no = h.game_no
            WHERE c.rating IS NOT NULL
            GROUP BY ALL
            """,
            {**self._values, **values},
            needs=self._needs,
        ).to_pylist()
        return rows

    def reached(self, keys: list[tuple[int, Key]]) -> dict[int, int]:
        """Games that have the positions, by number; a number may have several keys."""
        # Said twice, as a list and as a join: the list is what lets the database leave out most of the index.
        source = f"key_hi IN ({', '.join(sorted({str(key[0]) for _, key in keys}))})"
        if self._indexed:
            source = f"openings_raw WHERE depth = {self._places.depth + 1} AND {source}"
        else:
            source = f"moves_raw WHERE {source}"
        found = self._reader.table(
            f"""
            SELECT which, game_no
            FROM (SELECT unnest($which::INTEGER[]) AS which, unnest($highs::UBIGINT[]) AS key_hi,
                         unnest($lows::UBIGINT[]) AS key_lo)
            JOIN (SELECT game_no, key_hi, key_lo FROM {source}) USING (key_hi, key_lo)
            """,
            as_lists(keys),
        )
        only = _listed(found) if found.num_rows <= FEW else ""
        chosen = self._reader.table(
            f"WITH {self._chosen(only)} SELECT game_no FROM chosen", self._values, needs=self._needs
        )
        counts = pc.value_counts(found["which"].filter(pc.is_in(found["game_no"], chosen["game_no"])))
        return {row["values"]: row["counts"] for row in counts.to_pylist()}

    def other_start_rule(self) -> int:
        """Games that the start rule leaves out."""
        rows = self._reader.table(
            f"SELECT count(*) FILTER (coalesce(rules ->> '$.start', $default) <> $start) AS n FROM ({self._games})",
            self._values,
            needs=self._needs,
        ).to_pylist()
        return int(rows[0]["n"])


def _listed(games: pa.Table) -> str:
    """Numbers of games as a list in a question."""
    return ", ".join(map(str, games["game_no"].to_pylist())) or NOBODY
