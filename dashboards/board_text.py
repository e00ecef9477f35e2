"""The board in the terminal: in colour where the terminal has any, else in letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dashboards.cell_drawing import Cell, Row, Spot, coloured_text, triangle_row
from engine.boards import BOARDS, Board, cell_names, cell_numbers, cells, column_name
from engine.lattices import XY
from engine.variants import Variant, variant
from pipeline.palettes import DEFAULT, PALETTES, Palette

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

Colours = npt.NDArray[np.integer[Any]]

LABEL = "#8a9099"
"""Colour of coordinates."""

MARGIN = " " * 4

LAST = "last move"
"""What the marked cells are, unless told otherwise."""


@dataclass(frozen=True)
class BoardView:
    """A board for rich to print, with coordinates and a legend: ``console.print(BoardView("duo", position.board))``.

    `board` is ``(C,)``, the colour on each cell, negative where it is empty; `last` the cells of the last move, or of
    what `marked` says.
    """

    variant_id: str
    board: Colours
    last: Sequence[int] = ()
    palette: str = DEFAULT
    marked: str = LAST

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The text, see there."""
        yield self.text(console)

    def text(self, console: Console) -> Text:
        """Coloured, or in letters where the terminal shows no colours or no more than ASCII."""
        from rich.text import Text

        if console.no_color or console.color_system is None or console.options.ascii_only:
            text = board_string(self.variant_id, self.board, self.last, self.palette, self.marked)
            return Text(text, no_wrap=True)
        return coloured_board(self.variant_id, self.board, self.last, self.palette, self.marked)


def coloured_board(
    variant_id: str,
    board: Colours,
    last: Sequence[int] = (),
    palette: str = DEFAULT,
    marked: str = LAST,
) -> Text:
    """The board as coloured text; see `BoardView`."""
    row = variant(variant_id)
    shape = BOARDS[row.board]
    drawing = _Drawing(row, board, frozenset(last), PALETTES[palette], marked)
    head = [[Spot(line, LABEL)] for line in _column_labels(shape)]
    lines = [*head]
    for y in range(shape.height - 1, -1, -1):
        line = drawing.triangles(y) if shape.lattice.triangular else drawing.squares(y)
        lines.append([Spot(f"{y + 1:>3} ", LABEL), *line, Spot(f"  {y + 1}", LABEL)])
    return coloured_text([*lines, *head, *drawing.legend()])


def board_string(
    variant_id: str,
    board: Colours,
    last: Sequence[int] = (),
    palette: str = DEFAULT,
    marked: str = LAST,
) -> str:
    """The board in letters, ASCII only: a letter a cell, small on the last move; slashes stand between triangles.

    >>> import numpy as np
    >>> print(board_string("duo", np.full(196, -1)).splitlines()[1])
     14 . . . . . . . . . . . . . .  14
    """
    row, inks = variant(variant_id), PALETTES[palette]
    shape = BOARDS[row.board]
    letters = [inks.ink(colour).letter for colour in row.colours]
    shown = [letters[colour] if colour >= 0 else "." for colour in board.tolist()]
    for cell in last:
        shown[cell] = shown[cell].lower()
    counts = "   ".join(f"{letters[c]} {words}" for c, words in enumerate(_counts(row, board, inks)))
    lines = [*("".join(parts) for parts in letter_board(shape, shown)), MARGIN + counts]
    if last:
        lines.append(f"{MARGIN}{marked}: {_move_words(row, board, last)} (small letters)")
    return "\n".join(lines)


def letter_board(shape: Board, shown: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Lines of a board with a character for each cell: what stands before the cells, the cells, what stands after."""
    head = [(line.rstrip(), "", "") for line in _column_labels(shape)]
    yield from head
    for y in range(shape.height - 1, -1, -1):
        yield f"{y + 1:>3} ", _letter_row(shape, y, shown), f"  {y + 1}"
    yield from head


def _letter_row(shape: Board, y: int, shown: Sequence[str]) -> str:
    """A row of cells as letters."""
    number, columns = cell_numbers(shape.id), shape.row_columns(y)
    letters = [shown[number[x, y]] for x in columns]
    if not shape.lattice.triangular:
        return " ".join(letters)
    slashes = ["/" if (x + y) % 2 == shape.parity else "\\" for x in (*columns, columns.stop)]
    drawn = "".join(a + b for a, b in zip(slashes, [*letters, ""], strict=True))
    return "  " * columns.start + drawn


def _column_labels(shape: Board) -> Iterator[str]:
    """Lines with the names of the columns, every second character: one, or two where names have two letters."""
    names = [column_name(x) for x in range(shape.width)]
    longest = max(map(len, names))
    before = MARGIN + " " * shape.lattice.triangular
    for letters in zip(*(name.rjust(longest) for name in names), strict=True):
        yield before + " ".join(letters)


def _counts(row: Variant, board: Colours, palette: Palette) -> Iterator[str]:
    """What the legend says of every colour: name and cells placed."""
    for colour, name in enumerate(row.colours):
        called = palette.ink(name).name
        shown = name if called == name else f"{name} ({called})"
        yield f"{shown} {int((board == colour).sum())}"


def _move_words(row: Variant, board: Colours, last: Sequence[int]) -> str:
    names, colour = cell_names(row.board), int(board[last[0]])
    where = ",".join(names[cell] for cell in sorted(last))
    return f"{row.colours[colour]} {where}" if colour >= 0 else where


@dataclass(frozen=True)
class _Drawing:
    """A position in the inks of a palette."""

    row: Variant
    board: Colours
    last: frozenset[int]
    palette: Palette
    marked: str

    def look(self, xy: XY) -> Cell | None:
        """How the cell at (column, row) looks; None off the board."""
        cell = cell_numbers(self.row.board).get(xy)
        if cell is None:
            return None
        colour = int(self.board[cell])
        if colour < 0:
            return Cell(self.palette.empty[sum(xy) % 2], self.palette.empty_mark)
        ink = self.palette.ink(self.row.colours[colour])
        return Cell(ink.bright, ink.dark) if cell in self.last else Cell(ink.fill, ink.dark)

    def squares(self, y: int) -> Row:
        """A row of squares, two characters a cell; brackets on the last move."""
        number = cell_numbers(self.row.board)
        spots = []
        for x in BOARDS[self.row.board].row_columns(y):
            cell = self.look((x, y))
            assert cell is not None
            spots.append(Spot("[]" if number[x, y] in self.last else "  ", cell.mark, cell.fill))
        return spots

    def triangles(self, y: int) -> Row:
        """A row of triangles, as wide as the board."""
        shape = BOARDS[self.row.board]
        columns = shape.row_columns(y)
        after = "  " * (shape.width - columns.stop)
        line = triangle_row(columns, y, shape.parity, self.look, pointers=True)
        return [Spot("  " * columns.start), *line, Spot(after)]

    def legend(self) -> Iterator[Row]:
        """Swatches with names and cells placed, and the last move in words."""
        line = [Spot(MARGIN)]
        for colour, words in zip(self.row.colours, _counts(self.row, self.board, self.palette), strict=True):
            line += [Spot("  ", None, self.palette.ink(colour).fill), Spot(f" {words}   ")]
        yield line
        if self.last:
            move = sorted(self.last)
            cell = self.look(cells(self.row.board)[move[0]])
            assert cell is not None
            words = f" {self.marked}: {_move_words(self.row, self.board, move)}"
            yield [Spot(MARGIN), Spot("  ", None, cell.fill), Spot(words)]
