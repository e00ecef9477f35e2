"""The entries of a JSON list of moves: objects with a side and either cells or a pass."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.boards import BOARDS
from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.variants import Variant, variant
from notation.json_objects import compact, shallow, shown
from notation.moves import move_from_cells
from notation.piece_names import PIECE_NAMES
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Event, Move, Pass, Problem

PIECE_IDS = (
    "1", "2", "I3", "V3", "I4", "O", "T4", "L4", "Z4", "F", "I5",
    "L5", "N", "P", "T5", "U", "V5", "W", "X", "Y", "Z5",
)  # fmt: skip
"""`piece_id` -> name of the piece."""

_TEXT_LIMIT = 200
"""Characters of a move that cannot be read which are its text."""

_LETTERS = {"b": 0, "w": 1}


class _Broken(ValueError):
    """An entry that is neither a placement nor a pass; `colour` as far as it is known."""

    def __init__(self, message: str, colour: int = ANY_COLOUR) -> None:
        super().__init__(message)
        self.colour = colour


def read_events(items: list[Any], row: Variant, line: int) -> tuple[list[Event], list[Problem], str]:
    """Return the events of a list, what is odd about them, and the text from a broken entry on."""
    events: list[Event] = []
    problems: list[Problem] = []
    ply = 0
    for index, item in enumerate(items):
        try:
            event = _event(item, row)
        except _Broken as broken:
            events.append(Move(broken.colour, (), NOT_A_PIECE, _text(item)))
            message = f"entry {index + 1} of the moves: {broken}: the rest is kept as text"
            problems.append(Problem("broken_move", message, line, ply + 1))
            return events, problems, "".join(_text(rest, None) + "\n" for rest in items[index:])
        events.append(event)
        if isinstance(event, Move):
            ply += 1
            problems += _wrong_name(event, item.get("piece_id", item.get("piece")), row, line, ply)
    numbers = [item.get("ply") for item in items]
    if numbers != list(range(len(items))) and numbers != [None] * len(items):
        message = "the numbers of the moves are not 0, 1, 2 and so on: the order of the list counts"
        problems.append(Problem("ply_order", message, line))
    return events, problems, ""


def _event(item: Any, row: Variant) -> Event:
    if not isinstance(item, dict):
        raise _Broken("it is no object")
    colour = _colour(item, row)
    cells = item.get("cells")
    passed = item.get("pass", item.get("passed"))
    if passed not in (None, True, False):
        raise _Broken("a pass is true or false", colour)
    if passed and cells:
        raise _Broken("it is a pass and has cells", colour)
    if passed or (cells == [] and isinstance(cells, list)):
        return Pass(colour)
    if not isinstance(cells, list):
        raise _Broken("it has neither cells nor a pass", colour)
    return _move(cells, colour, row)


def _colour(item: dict[str, Any], row: Variant) -> int:
    """Colour of an entry: `side` and `by` from 0, `colour` by name or from 1; null is the colour on turn."""
    count = len(row.colours)
    for key, first in (("side", 0), ("by", 0), ("colour", 1), ("color", 1)):
        value = item.get(key)
        if value is None:
            continue
        if type(value) is int and first <= value < count + first:
            return value - first
        name = value.strip().lower() if isinstance(value, str) else ""
        if name in row.colours:
            return row.colours.index(name)
        if count == 2 and name in _LETTERS:
            return _LETTERS[name]
        raise _Broken(f"{row.id} has no {key} {shown(value, 20)!r}")
    return ANY_COLOUR


def _move(cells: list[Any], colour: int, row: Variant) -> Move:
    """The placement of [row from the top, column from the left] pairs."""
    edge = BOARDS[row.board].edge
    numbers = []
    on_board = True
    if len(cells) > edge * edge:
        raise _Broken("it has more cells than the board", colour)
    for cell in cells:
        if type(cell) is not list or len(cell) != 2:
            raise _Broken("a cell is a pair of row and column", colour)
        down, right = cell
        if type(down) is not int or type(right) is not int:
            raise _Broken("a cell is a pair of whole numbers", colour)
        on_board = on_board and 0 <= down < edge and 0 <= right < edge
        numbers.append((edge - 1 - down) * edge + right)
    if not on_board:
        return Move(colour, (), OFF_BOARD, _text(cells))
    return move_from_cells(row.id, colour, numbers)


def _wrong_name(move: Move, number: object, row: Variant, line: int, ply: int) -> list[Problem]:
    """A warning where the number or the name of the piece is not that of the cells."""
    if number is None or move.placement < 0:
        return []
    name = piece_names(row.id)[move.placement]
    if isinstance(number, str):
        said = PIECE_NAMES.get(number.strip().upper())
    else:
        said = PIECE_IDS[number] if type(number) is int and 0 <= number < len(PIECE_IDS) else None
    if said == name:
        return []
    what = f"is {said}" if said else "is no piece"
    message = f"piece {shown(number, 20)} {what}, the cells of ply {ply} are {name}"
    return [Problem("piece_name", message, line, ply)]


@cache
def piece_names(variant_id: str) -> tuple[str, ...]:
    """Placement -> name of its piece."""
    tables = geometry(variant_id)
    names = PIECE_SETS[variant(variant_id).pieces].names
    return tuple(names[piece] for piece in tables.placement_piece.tolist())


def _text(value: Any, limit: int | None = _TEXT_LIMIT) -> str:
    return compact(value)[:limit] if shallow(value) else "(nested too deeply)"
