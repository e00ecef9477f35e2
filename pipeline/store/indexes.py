"""Indexes: tables made out of the moves at publication, for questions that a scan of all moves answers too slowly.

`openings` holds the moves of the first plies by position, so that a position is found without reading every game;
`orders` a row for every game and colour with the round in which it placed each piece. An index partition covers the
games of many partitions of moves, up to the largest game number in it; what has higher numbers is still to be done
(numbers only grow). Games that were taken back since stay in it: whoever asks joins with the games.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from engine.geometry import I64, geometry
from engine.pieces import PIECE_SETS
from engine.variants import variant
from notation.position_text import parse_position
from pipeline.store.batch import place
from pipeline.store.catalogue import Catalogue
from pipeline.store.files import sync
from pipeline.store.layout import TEMPORARY
from pipeline.store.partitions import PartitionFile
from pipeline.tables import INDEXED_DEPTH, INDEXES

ROW_GROUP = 16_384
"""Rows of a row group: few, for a question is about one position."""

PORTION_MOVES = 4_000_000
"""Moves of one index partition, about: what is sorted in memory at once."""

SMALL_ROWS = 1_000_000
MANY = 8
"""When the last so many index partitions have fewer rows each, they are made again as one."""

_U8 = npt.NDArray[np.uint8]

_COLUMNS = ["game_no", "ply", "round", "colour", "seat", "placement", "key_hi", "key_lo"]


class _Listed(NamedTuple):
    """A partition of the catalogue's list."""

    file: int
    first_game: int
    last_game: int
    rows: int


def are_complete(catalogue: Catalogue) -> bool:
    """Whether the indexes cover all moves of the library."""
    return _last(catalogue, "moves") <= _last(catalogue, "openings")


def update_indexes(catalogue: Catalogue) -> None:
    """Index the moves that are not indexed yet, in one transaction; nothing to do is nothing written."""
    if are_complete(catalogue):
        return
    done = _last(catalogue, "openings")
    again = list(takewhile(lambda part: part.rows < SMALL_ROWS, reversed(_listed(catalogue, "openings"))))
    if len(again) >= MANY:
        done = again[-1].first_game - 1
    new = [part for part in _listed(catalogue, "moves") if part.last_game > done]
    with catalogue.transaction():
        if len(again) >= MANY:
            _retire(catalogue, done)
        for parts in _portions(new):
            _add(catalogue, parts, done)
        for kind in INDEXES:
            sync(catalogue.layout.partitions(kind))


def _last(catalogue: Catalogue, kind: str) -> int:
    return max((part.last_game for part in _listed(catalogue, kind)), default=-1)


def _listed(catalogue: Catalogue, kind: str) -> list[_Listed]:
    rows = catalogue.connection.execute(
        "SELECT file, first_game, last_game, rows FROM partitions WHERE kind = ? ORDER BY first_game", [kind]
    ).fetchall()
    return [_Listed(*row) for row in rows]


def _portions(parts: list[_Listed]) -> Iterator[list[_Listed]]:
    taken: list[_Listed] = []
    for part in parts:
        taken.append(part)
        if sum(p.rows for p in taken) >= PORTION_MOVES:
            yield taken
            taken = []
    if taken:
        yield taken


def _retire(catalogue: Catalogue, done: int) -> None:
    """Take the index partitions behind a game number off the list; older snapshots go on reading them."""
    where = "kind IN (SELECT unnest(?)) AND first_game > ?"
    values = [["openings", "orders"], done]
    snapshot = max(catalogue.layout.snapshot_numbers(), default=0) + 1
    catalogue.connection.execute(
        f"INSERT INTO retired SELECT kind, file, {snapshot:d} FROM partitions WHERE {where}", values
    )
    catalogue.connection.execute(f"DELETE FROM partitions WHERE {where}", values)


def _add(catalogue: Catalogue, parts: list[_Listed], done: int) -> None:
    """Write the index partitions of the games of some partitions of moves, without those up to number `done`."""
    first = max(done + 1, parts[0].first_game)
    last = max(part.last_game for part in parts)
    games = _games(catalogue, first, last)
    owners = _owners(catalogue, first, last)
    openings: list[pa.Table] = []
    orders: list[pa.Table] = []
    for part in parts:
        path = catalogue.layout.partition("moves", part.file)
        moves = pq.read_table(path, columns=_COLUMNS, filters=[("game_no", ">=", first)])
        if moves.num_rows:
            openings.append(_openings(moves, games))
            orders.append(_orders(moves, games, owners))
    for kind, tables in (("openings", openings), ("orders", orders)):
        rows = pa.concat_tables(tables or [INDEXES[kind].empty_table()])
        if kind == "openings":
            rows = _by_position(rows)
        file = _write(catalogue.layout.root, kind, rows, first, last)
        state = catalogue.state()
        place(catalogue, file, state.next_file)
        catalogue.advance(state.next_unit, state.next_file + 1)


class _Games(NamedTuple):
    """Games by number, ascending: their variants, and the pieces that were set up before their first moves."""

    numbers: I64
    variants: npt.NDArray[np.object_]
    set_up: I64

    def at(self, games: I64) -> npt.NDArray[np.intp]:
        """Places of game numbers."""
        return np.searchsorted(self.numbers, games)


def _games(catalogue: Catalogue, first: int, last: int) -> _Games:
    found = catalogue.connection.execute(
        "SELECT game_no, variant, setup FROM games WHERE game_no BETWEEN ? AND ? ORDER BY game_no",
        [first, last],
    ).fetchall()
    return _Games(
        np.array([number for number, _, _ in found], np.int64),
        np.array([name for _, name, _ in found], object),
        np.array([len(parse_position(setup).pieces) if setup else 0 for _, _, setup in found], np.int64),
    )


def _openings(moves: pa.Table, games: _Games) -> pa.Table:
    """The moves of the first plies, by depth: pieces on the board after them, those set up included."""
    game_no = moves["game_no"].to_numpy()
    depth = moves["ply"].to_numpy().astype(np.int64) + games.set_up[games.at(game_no)]
    kept = np.flatnonzero(depth <= INDEXED_DEPTH + 1)
    rows = moves.select([name for name in INDEXES["openings"].names if name != "depth"]).take(pa.array(kept))
    return rows.add_column(0, "depth", pa.array(depth[kept].astype(np.uint8))).cast(INDEXES["openings"])


def _by_position(rows: pa.Table) -> pa.Table:
    order = np.lexsort((rows["key_hi"].to_numpy(), rows["depth"].to_numpy()))
    return rows.take(pa.array(order))


def _owners(catalogue: Catalogue, first: int, last: int) -> pa.Table:
    """The seat of every colour of the games, in order."""
    question = (
        "SELECT game_no, colour, seat FROM colours WHERE game_no BETWEEN ? AND ? ORDER BY game_no, colour"
    )
    return catalogue.connection.sql(question, params=[first, last]).to_arrow_table()


def _orders(moves: pa.Table, games: _Games, owners: pa.Table) -> pa.Table:
    """A row for every game and colour that placed something: see `pipeline.tables.ORDERS`."""
    parts = []
    at = games.at(moves["game_no"].to_numpy())
    of_move = games.variants[at]
    for name in dict.fromkeys(of_move):
        mine = np.flatnonzero(of_move == name)
        parts.append(_orders_of(str(name), moves.take(pa.array(mine))))
    rows = pa.concat_tables(parts).sort_by([("game_no", "ascending"), ("colour", "ascending")])
    at = pc.index_in(pa.array(_colour_numbers(rows)), pa.array(_colour_numbers(owners)))
    return rows.append_column("seat", owners["seat"].take(at)).select(INDEXES["orders"].names)


def _colour_numbers(table: pa.Table) -> I64:
    """Colours of games as numbers, in the order of game and colour."""
    numbers: I64 = table["game_no"].to_numpy() * 8 + table["colour"].to_numpy()
    return numbers


def _orders_of(variant_id: str, moves: pa.Table) -> pa.Table:
    row = variant(variant_id)
    pieces, colours = PIECE_SETS[row.pieces], len(row.colours)
    width = len(pieces.names) * pieces.copies
    numbers, game = np.unique(moves["game_no"].to_numpy(), return_inverse=True)
    line = game * colours + moves["colour"].to_numpy() - 1
    slot = (
        geometry(variant_id).placement_piece[moves["placement"].to_numpy()].astype(np.int64) * pieces.copies
    )
    rounds = np.minimum(moves["round"].to_numpy(), 255).astype(np.uint8)
    table = np.zeros((len(numbers) * colours, width), np.uint8)
    for copy in range(pieces.copies):
        # The moves of a game follow one another, so the first row of a piece is its first copy.
        _, first = np.unique(line * width + slot, return_index=True)
        table[line[first], slot[first] + copy] = rounds[first]
        left = np.ones(len(line), bool)
        left[first] = False
        line, slot, rounds = line[left], slot[left], rounds[left]
    used = np.flatnonzero(table.any(axis=1))
    return pa.table(
        {
            "game_no": np.repeat(numbers, colours)[used],
            "colour": (used % colours + 1).astype(np.int8),
            "rounds": _binary(table[used]),
        }
    )


def _binary(table: _U8) -> pa.Array:
    """Every row of bytes as one value."""
    data = np.ascontiguousarray(table)
    fixed = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(data.shape[1]), len(data), [None, pa.py_buffer(data.tobytes())]
    )
    return fixed.cast(pa.binary())


def _write(root: Path, kind: str, rows: pa.Table, first: int, last: int) -> PartitionFile:
    path = root / kind / f"index-{uuid.uuid4().hex}{TEMPORARY}"
    path.parent.mkdir(exist_ok=True)
    try:
        with pq.ParquetWriter(
            path, INDEXES[kind], compression="zstd", compression_level=1, use_dictionary=False
        ) as out:
            out.write_table(rows, row_group_size=ROW_GROUP)
        sync(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return PartitionFile(kind, path.name, rows.num_rows, first, last)
