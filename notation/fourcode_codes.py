"""The four-character code of Duo moves: column, row, piece, rotation, as a table of facts.

`fourcode_pieces.json` holds the cells of rotation 0 of every letter, as offsets (x to the right, y down)
from the named cell.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

from engine.boards import BOARDS, cell_numbers
from notation.moves import move_from_cells
from notation.record import NOT_A_PIECE, OFF_BOARD, Move

VARIANT = "duo"
PASSES = ("0000", "----")
CODE = re.compile(r"[1-9a-e]{2}[a-u][0-7]")

_DIGITS = "123456789abcde"
_ROTATIONS = (
    (1, 0, 0, 1), (-1, 0, 0, 1), (0, -1, 1, 0), (0, 1, 1, 0),
    (-1, 0, 0, -1), (1, 0, 0, -1), (0, 1, -1, 0), (0, -1, -1, 0),
)  # fmt: skip
"""Matrix (xx, xy, yx, yy) of each rotation: x' = xx x + xy y, y' = yx x + yy y."""


@cache
def _shapes() -> dict[str, tuple[tuple[int, int], ...]]:
    """Offsets from the named cell (y up) for every letter + rotation."""
    table = json.loads(files("notation").joinpath("fourcode_pieces.json").read_text("utf-8"))
    return {
        f"{letter}{rotation}": tuple((xx * x + xy * y, -(yx * x + yy * y)) for x, y in entry["cells"])
        for letter, entry in table.items()
        for rotation, (xx, xy, yx, yy) in enumerate(_ROTATIONS)
    }


@cache
def _codes() -> dict[tuple[int, str], Move]:
    return {}


def move_of(colour: int, code: str) -> Move:
    """Return the move of a well-formed lower-case code; OFF_BOARD when its piece runs over the border."""
    move = _codes().get((colour, code))
    if move is None:
        numbers = cell_numbers("square14")
        x, y = _DIGITS.index(code[0]), BOARDS["square14"].height - 1 - _DIGITS.index(code[1])
        cells = [numbers.get((x + dx, y + dy)) for dx, dy in _shapes()[code[2:]]]
        if None in cells:
            move = Move(colour, (), OFF_BOARD, code)
        else:
            move = move_from_cells(VARIANT, colour, [cell for cell in cells if cell is not None])
        _codes()[colour, code] = move  # at most 32,928 codes in three colours
    return move


def broken_move(colour: int, code: str) -> Move:
    """Return the move for a code that is none: OFF_BOARD for a bad coordinate, else NOT_A_PIECE."""
    off_board = len(code) == 4 and not all(digit in _DIGITS for digit in code[:2])
    return Move(colour, (), OFF_BOARD if off_board else NOT_A_PIECE, code)


@cache
def code_of() -> dict[int, str]:
    """Placement -> its code with the lowest rotation, then the lowest named cell."""
    out: dict[int, str] = {}
    for shape in sorted(_shapes(), key=lambda shape: (shape[1], shape[0])):
        for x in _DIGITS:
            for y in _DIGITS:
                move = move_of(-1, x + y + shape)
                if move.placement >= 0:
                    out.setdefault(move.placement, x + y + shape)
    return out
