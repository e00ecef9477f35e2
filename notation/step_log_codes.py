"""The piece codes of the step logs: piece, orientation and anchor to cells, as a table of facts.

`step_log_pieces.json` holds the cells [row, column], row down, of orientation 0 of every piece. The others are quarter
turns counter-clockwise, then the mirror image and its turns, without repeats; the anchor is the upper left corner of
the rectangle around the piece.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from notation.moves import move_from_cells
from notation.record import NOT_A_PIECE, OFF_BOARD, Move

EDGE = 20
PIECE_SET = "88 cells: two Z4, no Z5"
"""What every colour has: pieces 9 and 10 are the same one."""

_Cells = tuple[tuple[int, int], ...]


@cache
def shapes() -> dict[tuple[int, int], _Cells]:
    """(piece, orientation) -> cells (row, column), row down, from the upper left corner."""
    table = json.loads(files("notation").joinpath("step_log_pieces.json").read_text("utf-8"))
    return {
        (int(piece), number): shape
        for piece, entry in table.items()
        for number, shape in enumerate(_images(entry["cells"]))
    }


def _images(cells: list[list[int]]) -> list[_Cells]:
    start = tuple(sorted((row, column) for row, column in cells))
    width = max(column for _, column in start)
    mirrored = tuple(sorted((row, width - column) for row, column in start))
    out: list[_Cells] = []
    for shape in (start, mirrored):
        for _ in range(4):
            if shape not in out:
                out.append(shape)
            width = max(column for _, column in shape)
            shape = tuple(sorted((width - column, row) for row, column in shape))
    return out


def move_of(variant_id: str, colour: int, piece: int, orientation: int, row: int, column: int) -> Move:
    """Return the move of a code: OFF_BOARD where its piece runs over the border, NOT_A_PIECE for an unknown one."""
    key = (variant_id, colour, piece, orientation, row, column)
    move = _moves().get(key)
    if move is not None:
        return move
    text = f"{piece}:{orientation}:{row}:{column}"
    shape = shapes().get((piece, orientation))
    if shape is None:
        return Move(colour, (), NOT_A_PIECE, text)
    cells = [(row + down, column + right) for down, right in shape]
    if not all(0 <= down < EDGE and 0 <= right < EDGE for down, right in cells):
        return Move(colour, (), OFF_BOARD, text)
    numbers = [(EDGE - 1 - down) * EDGE + right for down, right in cells]
    _moves()[key] = move = move_from_cells(variant_id, colour, numbers)
    return move


@cache
def _moves() -> dict[tuple[str, int, int, int, int, int], Move]:
    """Shared moves by variant, colour and code; of codes on the board only, so there is an end to it."""
    return {}
