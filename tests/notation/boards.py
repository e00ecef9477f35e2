"""Boards as digits from the top, as final boards have them, made from cell names."""

from __future__ import annotations

from engine.boards import BOARDS, cell_numbers, cells_by_name
from engine.variants import variant
from notation.record import GameRecord, Move


def digits(variant_id: str, *pieces: str) -> str:
    """Digits of pieces written as colour from 1 and cells: `1a1,a2`."""
    board = BOARDS[variant(variant_id).board]
    by_name, numbers = cells_by_name(board.id), cell_numbers(board.id)
    owner = {by_name[name]: piece[0] for piece in pieces for name in piece[1:].split(",")}
    rows = reversed(range(board.height))
    return "".join(owner.get(numbers[x, y], "0") for y in rows for x in range(board.width))


def final(record: GameRecord) -> list[str]:
    """The pieces of a game, as `digits` takes them."""
    return [f"{event.colour + 1}{event.text}" for event in record.events if isinstance(event, Move)]
