"""A puzzle's board in the terminal: letters of colours, and walls between the pieces of a tiling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dashboards.cell_drawing import Row, Spot, coloured_text
from engine.boards import BOARDS, cell_numbers, column_name
from engine.lattices import XY
from engine.puzzles import Placed, Puzzle
from engine.variants import variant
from pipeline.palettes import DEFAULT, PALETTES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def puzzle_text(puzzle: Puzzle, placed: Sequence[Placed], screen: Console) -> Text:
    """The board as text for a console, coloured where it shows colours."""
    if puzzle.board.lattice.triangular:
        from dashboards.board_text import BoardView

        row = variant("trigon" if puzzle.board.name == "hexagon9" else "trigon_3")
        number = cell_numbers(row.board)
        board = np.full(len(number), -1, np.int8)
        for one in placed:
            board[[number[xy] for xy in one.cells]] = one.colour
        assert BOARDS[row.board].id == puzzle.board.name
        return BoardView(row.id, board).text(screen)
    plain = screen.no_color or screen.color_system is None or screen.options.ascii_only
    return coloured_text(list(_walled(puzzle, placed, plain)))


def walled_lines(puzzle: Puzzle, placed: Sequence[Placed]) -> list[str]:
    r"""Lines of a rectangle in ASCII: a letter a cell, the colour's, and walls around every piece.

    >>> from engine.puzzles import puzzle
    >>> row = puzzle("tiling", board="3x1", bag={"2": 1})
    >>> print("\n".join(walled_lines(row, [Placed(0, "2", ((0, 0), (1, 0)))])))
       +---+-+
     1 |B B|.|
       +---+-+
        a b c
    """
    return ["".join(spot.text for spot in line).rstrip() for line in _walled(puzzle, placed, True)]


def _walled(puzzle: Puzzle, placed: Sequence[Placed], plain: bool) -> Iterator[Row]:
    owner = {xy: i for i, one in enumerate(placed) for xy in one.cells}
    board, here = puzzle.board, set(puzzle.board.cells)
    for y in range(board.height, -1, -1):
        line = "".join(_corner(owner, here, (x, y)) + _roof(owner, (x, y)) for x in range(board.width))
        yield [Spot(f"   {line}{_corner(owner, here, (board.width, y))}")]
        if y:
            yield [Spot(f"{y:>2} "), *_cells(puzzle, placed, owner, y - 1, plain)]
    names = [column_name(x) for x in range(board.width)]
    longest = max(map(len, names))
    for letters in zip(*(name.rjust(longest) for name in names), strict=True):
        yield [Spot("    " + " ".join(letters))]


def _corner(owner: dict[XY, int], here: set[XY], at: XY) -> str:
    """The character where four cells meet: lower left corner of the cell `at`."""
    x, y = at
    around = [(x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y)]
    groups = [owner.get(xy, _alone(xy)) if xy in here else -1 for xy in around]
    walls = [groups[i] != groups[(i + 1) % 4] for i in range(4)]
    if not any(walls):
        return " "
    # Walls below and above, left and right of the corner.
    down, right, up, left = walls
    if (left and right) and not (up or down):
        return "-"
    if (up and down) and not (left or right):
        return "|"
    return "+"


def _alone(xy: XY) -> int:
    """A number of its own for an empty cell."""
    return -2 - (xy[0] * 1000 + xy[1])


def _roof(owner: dict[XY, int], at: XY) -> str:
    """The wall below a cell."""
    x, y = at
    above, below = owner.get((x, y)), owner.get((x, y - 1))
    return " " if above is not None and above == below else "-"


def _cells(
    puzzle: Puzzle, placed: Sequence[Placed], owner: dict[XY, int], y: int, plain: bool
) -> Iterator[Spot]:
    inks = PALETTES[DEFAULT]
    for x in range(puzzle.board.width):
        mine, left = owner.get((x, y)), owner.get((x - 1, y))
        wall = " " if mine is not None and mine == left else "|"
        if mine is None:
            yield Spot(wall)
            yield Spot(".")
            continue
        ink = inks.ink(puzzle.colours[placed[mine].colour])
        joined = not plain and wall == " "
        yield Spot(wall, None, ink.fill if joined else None)
        yield Spot(ink.letter, None if plain else "#ffffff", None if plain else ink.fill)
    yield Spot("|")
