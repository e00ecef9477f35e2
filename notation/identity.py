"""Which records are the same game: a 128-bit hash of variant, start setup and the placements in order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b

from notation.record import Move, Setup


def game_id(variant_id: str, setup: Setup, moves: Sequence[Move], colours: Sequence[int]) -> str:
    """Return the identity of a game as 32 hexadecimal digits.

    `colours` are those of `moves`, as the replay finds them where the record does not say (-1: nobody
    knows). Setup pieces have no order, a stated colour to move counts when it is not the first one. Passes,
    players who leave, headers and rules are no part of it; the order of cells does not count, but one named
    twice does (no such move is legal), and a move that could not be read counts by its text.
    """
    start = sorted(f"{piece.colour}:{_text(piece)}" for piece in setup.pieces)
    to_move = setup.to_move or ""
    # Canonical text names a set of cells, and the moves share it: nothing is faster to hash.
    texts = [text if cells else json.dumps(text.lower()) for _, cells, _, text in moves]
    order = "".join(map(_DIGITS.__getitem__, colours))
    head = f"game 1\n{variant_id}\n{' '.join(start)}\n{to_move}\n{order}\n"
    return blake2b((head + " ".join(texts)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


_DIGITS = "0123-"


def _text(move: Move) -> str:
    return move.text if move.cells else json.dumps(move.text.lower())
