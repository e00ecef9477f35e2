"""MetaBlok's moves: piece number, place of its mask, quarter turns, flip.

`metablok_pieces.json` holds for every piece number our name, the size of its mask (it has a border of one cell) and the
covered cells inside it, x to the right and y down.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from engine.boards import BOARDS, cell_numbers
from notation.moves import move_from_cells
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Move

PIECES = 21
_BOARD = "square14"

_XY = tuple[int, int]


@cache
def _shapes() -> dict[int, tuple[str, _XY, tuple[_XY, ...]]]:
    """Piece number -> name, width and height of the mask, cells."""
    table = json.loads(files("notation").joinpath("metablok_pieces.json").read_text("utf-8"))
    return {
        int(number): (row["name"], tuple(row["mask"]), tuple((x, y) for x, y in row["cells"]))
        for number, row in table.items()
    }


def piece_name(piece: int) -> str:
    """Our name of a piece number."""
    return _shapes()[piece][0]


@cache
def _turned(piece: int, turns: int, flip: int) -> tuple[_XY, ...]:
    """Cells inside the mask after quarter turns against the clock, then a flip left to right."""
    _, (width, height), cells = _shapes()[piece]
    for _ in range(turns):
        cells = tuple((y, width - 1 - x) for x, y in cells)
        width, height = height, width
    return tuple((width - 1 - x, y) for x, y in cells) if flip else cells


@cache
def _moves() -> dict[tuple[int, int, int, int, int], Move]:
    return {}


def move_of(piece: int, x: int, y: int, turns: int, flip: int) -> Move:
    """Return the move of a piece whose mask has its top left corner in column `x`, row `y` from the top, both from 0.

    OFF_BOARD when the piece runs over the border.
    """
    key = (piece, x, y, turns, flip)
    move = _moves().get(key)
    if move is None:
        numbers, top = cell_numbers(_BOARD), BOARDS[_BOARD].height - 1
        cells = [numbers.get((x + dx, top - y - dy)) for dx, dy in _turned(piece, turns, flip)]
        on_board = [cell for cell in cells if cell is not None]
        if len(on_board) < len(cells):
            return Move(ANY_COLOUR, (), OFF_BOARD, " ".join(map(str, key)))
        move = _moves()[key] = move_from_cells("duo", ANY_COLOUR, on_board)
    return move


def broken_move(text: str) -> Move:
    """Return the move for numbers that are none."""
    return Move(ANY_COLOUR, (), NOT_A_PIECE, text)
