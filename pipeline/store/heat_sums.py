"""Heat maps of some games added up by variant, colour and player, out of their maps in `feature_games`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from engine.areas import phase_ends
from pipeline.features.columns import HEAT, HEAT_MAPS, MAPS_OF_COLOUR, MAPS_OF_GAME, NEVER, PHASE_COUNT
from pipeline.store.catalogue import Catalogue

_U8 = npt.NDArray[np.uint8]
_I64 = npt.NDArray[np.int64]
_U32 = npt.NDArray[np.uint32]

_COUNTED = """
SELECT c.game_no, g.variant, g.plies, c.colour, s.player
FROM games g JOIN colours c USING (game_no) LEFT JOIN seats s ON s.game_no = c.game_no AND s.seat = c.seat
WHERE g.game_no BETWEEN $first AND $last AND NOT ({flawed})
ORDER BY c.game_no, c.colour
"""


class _Games(NamedTuple):
    """Games of one variant that count, by number, ascending; `players` are numbers of names, -1 nobody's."""

    numbers: _I64
    plies: _I64
    players: _I64  # (games, colours)
    names: list[str]


class _Sums(NamedTuple):
    """Sums of one variant by colour and player; the last row of each is of seats without a name."""

    games: _I64  # (colours, players + 1)
    positions: _I64  # (colours, players + 1, phases)
    maps: _U32  # (colours, players + 1, HEAT_MAPS, C)


def heat_rows(catalogue: Catalogue, files: list[int], span: tuple[int, int]) -> pa.Table:
    """Rows of `heat` for the games of some partitions of `feature_games`, which lie between two numbers."""
    games = _counted(catalogue, span)
    sums: dict[str, _Sums] = {}
    for file in files:
        with pq.ParquetFile(catalogue.layout.partition("feature_games", file)) as parquet:
            for group in range(parquet.num_row_groups):
                rows = parquet.read_row_group(group, columns=["game_no", "maps"])
                for variant_id, mine in games.items():
                    _add_rows(sums, variant_id, mine, rows)
    tables = [_table(variant_id, games[variant_id].names, found) for variant_id, found in sums.items()]
    return pa.concat_tables(tables or [HEAT.empty_table()])


def _counted(catalogue: Catalogue, span: tuple[int, int]) -> dict[str, _Games]:
    from pipeline.game_selection import FLAWED  # which needs the store

    question = _COUNTED.format(flawed=FLAWED)
    found = catalogue.connection.sql(question, params={"first": span[0], "last": span[1]}).to_arrow_table()
    out = {}
    of_row = np.array(found["variant"].to_pylist(), object)
    for variant_id in dict.fromkeys(of_row):
        mine = found.take(pa.array(np.flatnonzero(of_row == variant_id)))
        numbers, first = np.unique(mine["game_no"].to_numpy(), return_index=True)
        texts = [name if name and name.strip() else None for name in mine["player"].to_pylist()]
        names = sorted({name for name in texts if name is not None})
        code = {name: number for number, name in enumerate(names)}
        players = np.array([-1 if name is None else code[name] for name in texts], np.int64)
        plies = mine["plies"].to_numpy()[first].astype(np.int64)
        out[str(variant_id)] = _Games(numbers, plies, players.reshape(len(numbers), -1), names)
    return out


def _add_rows(sums: dict[str, _Sums], variant_id: str, games: _Games, rows: pa.Table) -> None:
    numbers = rows["game_no"].to_numpy()
    at = np.minimum(np.searchsorted(games.numbers, numbers), len(games.numbers) - 1)
    kept = np.flatnonzero(games.numbers[at] == numbers)
    if not len(kept):
        return
    at = at[kept]
    maps = _matrix(rows["maps"].take(pa.array(kept)).combine_chunks(), len(kept))
    colours, players = games.players.shape[1], len(games.names)
    cells = maps.shape[1] // (MAPS_OF_GAME + MAPS_OF_COLOUR * colours)
    if variant_id not in sums:
        sums[variant_id] = _Sums(
            np.zeros((colours, players + 1), np.int64),
            np.zeros((colours, players + 1, PHASE_COUNT), np.int64),
            np.zeros((colours, players + 1, len(HEAT_MAPS), cells), np.uint32),
        )
    into = sums[variant_id]
    positions = np.stack([_positions(games.plies[at], low, high) for low, high in _phases(variant_id)], 1)
    for colour in range(colours):
        order = np.argsort(games.players[at, colour], kind="stable")
        who, starts = np.unique(games.players[at[order], colour], return_index=True)
        into.games[colour, who] += np.diff(np.append(starts, len(order)))
        into.positions[colour, who] += np.add.reduceat(positions[order], starts, axis=0)
        for number, part in enumerate(_maps_of(variant_id, maps, colour, cells, games.plies[at])):
            into.maps[colour, who, number] += np.add.reduceat(part[order], starts, axis=0, dtype=np.uint32)


def _matrix(blobs: pa.Array, rows: int) -> _U8:
    """Values of one length as rows of bytes, without a copy."""
    start, end = np.frombuffer(blobs.buffers()[1], np.int32)[[blobs.offset, blobs.offset + rows]]
    return np.frombuffer(blobs.buffers()[2], np.uint8)[start:end].reshape(rows, -1)


def _phases(variant_id: str) -> list[tuple[int, int]]:
    """(first ply, last ply) of every phase."""
    opening, middle = phase_ends(variant_id)
    return [(0, opening), (opening + 1, middle), (middle + 1, NEVER - 1)]


def _positions(plies: _I64, low: int, high: int) -> _I64:
    """How many positions of games so long lie between two plies."""
    out: _I64 = np.maximum(np.minimum(plies, high) - low + 1, 0)
    return out


def _maps_of(
    variant_id: str, maps: _U8, colour: int, cells: int, plies: _I64
) -> Iterator[npt.NDArray[np.integer]]:
    """What HEAT_MAPS lists, game by game: ``(games, C)`` each."""
    first = (MAPS_OF_GAME + MAPS_OF_COLOUR * colour) * cells
    contact = maps[:, first : first + cells]
    # A byte is enough: a cell that is never covered would be so for less than no positions.
    last = plies.astype(np.int16)[:, None]
    for low, high in _phases(variant_id):
        yield np.maximum(np.minimum(last, high) - np.maximum(contact, low).astype(np.int16) + 1, 0)
    for number in range(1, MAPS_OF_COLOUR):
        yield maps[:, first + number * cells : first + (number + 1) * cells]
    for number in range(MAPS_OF_GAME):
        yield maps[:, number * cells : (number + 1) * cells]
    covered = contact != NEVER
    yield np.where(covered, contact, 0)
    yield covered


def _table(variant_id: str, names: list[str], sums: _Sums) -> pa.Table:
    """A row for every colour of everybody together, then of every player who had it."""
    rows = []
    for player, name in enumerate([*names, None]):
        for colour in range(len(sums.games)):
            # Seats without a name count for everybody alone.
            these = slice(None) if name is None else slice(player, player + 1)
            if games := int(sums.games[colour, these].sum()):
                rows.append(
                    {
                        "variant": variant_id,
                        "player": name,
                        "colour": colour + 1,
                        "games": games,
                        "positions": sums.positions[colour, these].sum(axis=0).tolist(),
                        "maps": sums.maps[colour, these].sum(axis=0, dtype=np.uint32).astype("<u4").tobytes(),
                    }
                )
    return pa.Table.from_pylist(rows, HEAT)
