"""Sums of the features, made at publication, for questions about all games of a variant or of a player.

`heat` has heat maps by variant, colour and player; `ply_sums` sums of every measure by variant, colour and ply. A
portion of games has its own sums, which are made again when anything in it changes that they depend on: the features,
which games count, who sat where, the results. Games that are illegal, irregular, unfinished or played with another set
of pieces do not count.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.features.columns import MEASURE_SUMS
from pipeline.store.batch import place, retire
from pipeline.store.catalogue import Catalogue, one_row
from pipeline.store.files import sync
from pipeline.store.heat_sums import heat_rows
from pipeline.store.layout import TEMPORARY
from pipeline.store.partitions import PartitionFile
from pipeline.store.ply_sums import ply_rows

LAYOUT = 1
"""Goes up when the sums are made in another way: they are all made again."""

PORTION_GAMES = 16_384
"""Games of a portion, about: what a change makes to be added up again."""

ROW_GROUPS = {"heat": 32, "ply_sums": 16_384}
"""Rows of a row group: a question about a player needs few rows, and heat maps are large."""


class Part(NamedTuple):
    """A partition of `feature_games`: its number, the games it spans, and how many it has."""

    file: int
    first_game: int
    last_game: int
    rows: int


_MARK = """
SELECT (SELECT coalesce(bit_xor(hash(game_no, {flawed})), 0) FROM games g WHERE game_no BETWEEN $first AND $last),
       (SELECT coalesce(bit_xor(hash(game_no, seat, player, share)), 0)
        FROM seats WHERE game_no BETWEEN $first AND $last)
"""


def update_measure_sums(catalogue: Catalogue) -> None:
    """Make the sums that are missing or out of date, in one transaction; nothing to do is nothing written."""
    parts = catalogue.connection.execute(
        "SELECT file, first_game, last_game, rows FROM partitions WHERE kind = 'feature_games' "
        "ORDER BY first_game, file"
    ).fetchall()
    held: dict[str, dict[str, int | None]] = {
        mark: {"heat": heat, "ply_sums": ply_sums}
        for mark, heat, ply_sums in catalogue.connection.execute("FROM measure_portions").fetchall()
    }
    wanted = {_mark(catalogue, portion): portion for portion in _portions([Part(*row) for row in parts])}
    if wanted.keys() == held.keys():
        return
    gone, new = sorted(held.keys() - wanted.keys()), [mark for mark in wanted if mark not in held]
    with catalogue.transaction() as connection:
        for kind in MEASURE_SUMS:
            retire(catalogue, kind, [file for mark in gone if (file := held[mark][kind]) is not None])
        connection.execute("DELETE FROM measure_portions WHERE list_contains(?, mark)", [gone])
        for mark in new:
            made = [_add(catalogue, kind, wanted[mark]) for kind in MEASURE_SUMS]
            connection.execute("INSERT INTO measure_portions VALUES (?, ?, ?)", [mark, *made])
        for kind in MEASURE_SUMS:
            sync(catalogue.layout.partitions(kind))


def _portions(parts: list[Part]) -> Iterator[list[Part]]:
    taken: list[Part] = []
    for part in parts:
        taken.append(part)
        if sum(p.rows for p in taken) >= PORTION_GAMES:
            yield taken
            taken = []
    if taken:
        yield taken


def _mark(catalogue: Catalogue, portion: list[Part]) -> str:
    from pipeline.game_selection import FLAWED  # which needs the store

    first, last = _span(portion)
    games, seats = one_row(
        catalogue.connection, _MARK.format(flawed=f"({FLAWED})"), {"first": first, "last": last}
    )
    return f"{LAYOUT} {games:x} {seats:x} {' '.join(str(part.file) for part in portion)}"


def _span(portion: list[Part]) -> tuple[int, int]:
    return min(part.first_game for part in portion), max(part.last_game for part in portion)


_MAKERS: dict[str, Callable[[Catalogue, list[int], tuple[int, int]], pa.Table]] = {
    "heat": heat_rows,
    "ply_sums": ply_rows,
}


def _add(catalogue: Catalogue, kind: str, portion: list[Part]) -> int | None:
    """Make one table of sums of a portion; its number, None where nothing counts."""
    span = _span(portion)
    rows = _MAKERS[kind](catalogue, [part.file for part in portion], span)
    if not rows.num_rows:
        return None
    state = catalogue.state()
    place(catalogue, _write(catalogue, kind, rows, span), state.next_file)
    catalogue.advance(state.next_unit, state.next_file + 1)
    return state.next_file


def _write(catalogue: Catalogue, kind: str, rows: pa.Table, span: tuple[int, int]) -> PartitionFile:
    path = catalogue.layout.partitions(kind) / f"sums-{uuid.uuid4().hex}{TEMPORARY}"
    try:
        pq.write_table(
            rows, path, compression="zstd", compression_level=1, row_group_size=ROW_GROUPS[kind],
            use_dictionary=["variant", "player"] if kind == "heat" else ["variant", "measure"],
        )  # fmt: skip
        sync(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return PartitionFile(kind, path.name, rows.num_rows, *span)
