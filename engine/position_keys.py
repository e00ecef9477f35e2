"""Keys of positions without a replay: for positions of which cells and key, or nothing but the start, are known.

A key is the exclusive or of a part for the cells and a part for what else the position holds: who is to move, who has
left, whose single cell came last (`engine.kernels.turns.position_key`). The second part does not change when the board
is turned, for symmetries keep the colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from engine.geometry import I8, I16, geometry

Key = tuple[int, int]
"""High and low half of a 128-bit key."""


def cells_key(variant_id: str, colour: int, cells: Iterable[int]) -> Key:
    """The part of the key that these cells of a colour (0..) make."""
    keys = geometry(variant_id).keys[colour]
    high = low = 0
    for cell in cells:
        high ^= int(keys[cell, 0])
        low ^= int(keys[cell, 1])
    return high, low


def board_key(variant_id: str, board: I8, permutation: I16 | None = None) -> Key:
    """The part of the key that a board makes, turned by a permutation of its cells.

    `board` is ``(C,)``, the colour on each cell, negative where it is empty.
    """
    keys = geometry(variant_id).keys
    covered = np.flatnonzero(board >= 0)
    to = covered if permutation is None else permutation[covered]
    high, low = np.bitwise_xor.reduce(keys[board[covered], to], axis=0, initial=np.uint64(0))
    return int(high), int(low)


def start_key(variant_id: str) -> Key:
    """The key of the empty board with the first colour to move: whatever the rules, it can move.

    >>> start_key("duo") != start_key("classic")
    True
    """
    high, low = geometry(variant_id).keys[0, -3]
    return int(high), int(low)


def combined(one: Key, other: Key) -> Key:
    """The exclusive or of two keys."""
    return one[0] ^ other[0], one[1] ^ other[1]


def key_text(key: Key) -> str:
    """A key as 32 hexadecimal digits."""
    return f"{key[0]:016x}{key[1]:016x}"


def key_of_text(text: str) -> Key:
    """The key of 32 hexadecimal digits.

    Raises:
        ValueError: it is none.
    """
    if len(text) != 32 or set(text) - set("0123456789abcdef"):
        raise ValueError(f"{text[:40]!r} is no position key: 32 digits 0 to 9 and a to f")
    return int(text[:16], 16), int(text[16:], 16)


class Rest(NamedTuple):
    """What a position holds beside its cells: colour to move (None: nobody), who is out, whose single cell was last."""

    to_move: int | None
    out: tuple[int, ...]
    single_last: tuple[int, ...]


@cache
def _rests(variant_id: str) -> dict[Key, Rest]:
    keys = geometry(variant_id).keys
    colours = range(len(keys))
    sets = [chosen for n in range(len(keys) + 1) for chosen in combinations(colours, n)]
    found: dict[Key, Rest] = {}
    for mover in (None, *colours):
        for out in sets:
            for single in sets:
                entries = [(colour, -2) for colour in out] + [(colour, -1) for colour in single]
                entries += [] if mover is None else [(mover, -3)]
                key = (0, 0)
                for colour, entry in entries:
                    key = combined(key, (int(keys[colour, entry, 0]), int(keys[colour, entry, 1])))
                found[key] = Rest(mover, out, single)
    return found


def decoded_rest(variant_id: str, rest: Key) -> Rest | None:
    """What the part of a key beside the cells means; None where it is the part of no position."""
    return _rests(variant_id).get(rest)
