"""From replayed groups to the rows of the big tables, whole columns at a time."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engine.boards import cell_names
from engine.geometry import geometry, placement_cells
from engine.kernels.replay import (
    AT_TURN,
    CODE,
    EVENT_END,
    EVENT_START,
    OF_COLOUR,
    P_AFTER,
    P_COLOUR,
    P_GAME,
    P_KIND,
    P_RECORDED,
    P_TURN,
    STATUS,
)
from engine.kernels.turns import UNFORCED
from engine.pieces import PIECE_SETS
from engine.variants import variant
from engine.verdicts import PASS_KINDS
from pipeline.judged import Group
from pipeline.tables import MOVES, PASSES


def plies_and_turns(group: Group) -> tuple[list[int], list[int]]:
    """Legal placements of each game, and the turn of its last one (0: none)."""
    replay = group.replay
    spans = replay.batch.games[:, EVENT_START : EVENT_END + 1]
    placed = (replay.verdicts.events[:, STATUS] == 0) & (replay.batch.events[:, CODE] >= 0)
    before = np.concatenate([[0], np.cumsum(placed)])
    last = np.maximum.accumulate(np.where(placed, np.arange(len(placed)), -1))
    plies = before[spans[:, 1]] - before[spans[:, 0]]
    turn = np.append(replay.verdicts.events[:, AT_TURN], 0)
    return plies.tolist(), np.where(plies > 0, turn[np.append(last, 0)[spans[:, 1] - 1]], 0).tolist()


def _seats(group: Group, game: npt.NDArray[np.int64], colour: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """Seat (from 1) of every placement: the colour's owner; of a shared colour the seat whose turn it is to play it.

    That is the number of the shared colour's pieces on the board, counted around the seats.
    """
    rules = group.rules
    owner = np.zeros(len(variant(group.variant).colours), np.int8)
    for seat, owned in enumerate(rules.seats):
        owner[list(owned)] = seat + 1
    seats = owner[colour]
    if rules.shared is None:
        return seats
    shared = np.flatnonzero(colour == rules.shared)
    first = np.searchsorted(game[shared], game[shared])
    set_up = np.array([sum(p.colour == rules.shared for p in r.setup.pieces) for r in group.records])
    on_board = np.arange(len(shared)) - first + set_up[game[shared]]
    seats[shared] = on_board % len(rules.seats) + 1
    return seats


@cache
def _texts(variant_id: str) -> tuple[pa.Array, pa.Array]:
    """(text of every placement, names of the pieces) as Arrow dictionaries."""
    row, tables = variant(variant_id), geometry(variant_id)
    names = cell_names(row.board)
    texts = [
        ",".join(names[c] for c in placement_cells(tables, p)) for p in range(len(tables.placement_piece))
    ]
    return pa.array(texts), pa.array(PIECE_SETS[row.pieces].names)


def moves_table(group: Group, numbers: npt.NDArray[np.int64]) -> pa.Table:
    """A row for every legal placement of a group; `numbers` are the games' numbers."""
    replay = group.replay
    spans = replay.batch.games[:, EVENT_START : EVENT_END + 1]
    game_of = np.repeat(np.arange(len(spans)), spans[:, 1] - spans[:, 0])
    keep = np.flatnonzero((replay.verdicts.events[:, STATUS] == 0) & (replay.batch.events[:, CODE] >= 0))
    game = game_of[keep]
    # Plies count from 1 inside each game: place among the kept rows minus that of the game's first.
    first = np.searchsorted(game, np.arange(len(spans)))
    placement = replay.batch.events[keep, CODE]
    turn = replay.verdicts.events[keep, AT_TURN]
    colours = len(variant(group.variant).colours)
    colour = replay.verdicts.events[keep, OF_COLOUR]
    texts, names = _texts(group.variant)
    used, short = np.unique(placement, return_inverse=True)
    return pa.table(
        {
            "game_no": numbers[game],
            "ply": (np.arange(len(keep)) - first[game] + 1).astype(np.int16),
            "turn": turn,
            "round": ((turn - 1) // colours + 1).astype(np.int16),
            "colour": (colour + 1).astype(np.int8),
            "seat": _seats(group, game, colour),
            "piece": _dictionary(geometry(group.variant).placement_piece[placement], names),
            "placement": placement.astype(np.uint16),
            "move": _dictionary(short, texts.take(pa.array(used))),
            "key_hi": replay.verdicts.keys[keep, 0],
            "key_lo": replay.verdicts.keys[keep, 1],
        },
        schema=MOVES,
    )


def passes_table(group: Group, numbers: npt.NDArray[np.int64]) -> pa.Table:
    """A row for every pass of a group."""
    passes = group.replay.verdicts.passes
    colours = len(variant(group.variant).colours)
    return pa.table(
        {
            "game_no": numbers[passes[:, P_GAME]],
            "turn": passes[:, P_TURN],
            "round": ((passes[:, P_TURN] - 1) // colours + 1).astype(np.int16),
            "after_ply": passes[:, P_AFTER].astype(np.int16),
            "colour": (passes[:, P_COLOUR] + 1).astype(np.int8),
            "kind": _dictionary(passes[:, P_KIND], pa.array(PASS_KINDS)),
            "recorded": passes[:, P_RECORDED] > 0,
        },
        schema=PASSES,
    )


def _dictionary(index: Any, values: pa.Array) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(index.astype(np.int32)), values)


def unforced_passes(group: Group) -> dict[int, list[tuple[int, int, int]]]:
    """(turn, placements before it, colour) of the unforced passes, in order, of every game that has any."""
    passes = group.replay.verdicts.passes
    found: dict[int, list[tuple[int, int, int]]] = {}
    for row in passes[passes[:, P_KIND] == UNFORCED].tolist():
        found.setdefault(row[P_GAME], []).append((row[P_TURN], row[P_AFTER], row[P_COLOUR]))
    return found
