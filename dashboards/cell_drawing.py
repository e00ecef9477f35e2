"""Cells of a board or a piece as characters of a terminal: a grid of character, foreground and background.

A character is about twice as high as wide, so a square is two of them. Neighbouring triangles share a character that is
cut along the side between them; on a board each has a character of its own besides, which says where it points even
where a font draws the cut badly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine.lattices import XY

if TYPE_CHECKING:
    from rich.text import Text


class Spot(NamedTuple):
    """Characters that look the same; colours as ``#rrggbb``, None is the terminal's own."""

    text: str
    front: str | None = None
    back: str | None = None


Row = list[Spot]


class Cell(NamedTuple):
    """How a cell looks: its fill, and the colour of the mark in it."""

    fill: str
    mark: str


Look = Callable[[XY], "Cell | None"]
"""The cell at (column, row); None: nothing is drawn there."""


def triangle_row(columns: range, row: int, parity: int, look: Look, pointers: bool) -> Row:
    """Characters of a row of triangles; `parity` is that of (column + row) of those that point up.

    With `pointers` every triangle has a character of its own: ``2 * len(columns) + 1`` characters, else
    ``len(columns) + 1``.
    """
    spots: Row = []
    # Without colours a small shape must still be seen; on a board the spaces join without seams in any font.
    whole = " " if pointers else "█"
    for x in range(columns.start, columns.stop + 1):
        left, cell = look((x - 1, row)), look((x, row))
        up = (x + row) % 2 == parity
        spots.append(_cut(left.fill if left else None, cell.fill if cell else None, up, whole))
        if pointers and x < columns.stop:
            spots.append(Spot("▲" if up else "▼", cell.mark, cell.fill) if cell else Spot(" "))
    return spots


def _cut(left: str | None, right: str | None, rising: bool, whole: str) -> Spot:
    """A character cut by a slash (`rising`) or a backslash; `whole` where both sides are the same."""
    if left == right:
        return Spot(whole, left, left) if left else Spot(" ")
    upper, lower = (left, right) if rising else (right, left)
    if lower is None:
        return Spot("◤" if rising else "◥", upper)
    return Spot("◢" if rising else "◣", lower, upper)


def half_block_rows(cells: Iterable[XY], fill: str) -> list[Row]:
    """A shape of squares drawn small: two rows of cells a line, a column a character."""
    here = set(cells)
    width, height = max(x for x, _ in here) + 1, max(y for _, y in here) + 1
    lines = []
    for top in range(height - 1, -1, -2):
        chars = [" ▀▄█"[((x, top) in here) + 2 * ((x, top - 1) in here)] for x in range(width)]
        lines.append([Spot("".join(chars), fill)])
    return lines


def coloured_text(lines: Iterable[Row]) -> Text:
    """Lines of spots as text for rich."""
    from rich.style import Style
    from rich.text import Text

    text = Text(no_wrap=True)
    for i, line in enumerate(lines):
        if i:
            text.append("\n")
        for spot in line:
            text.append(spot.text, Style(color=spot.front, bgcolor=spot.back))
    return text
