"""The pieces that colours still have, drawn small in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboards.cell_drawing import Cell, Row, Spot, coloured_text, half_block_rows, triangle_row
from engine.lattices import XY
from engine.pieces import PIECE_SETS, PieceSet
from engine.variants import variant
from pipeline.palettes import DEFAULT, PALETTES

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Left = Sequence[Mapping[str, int]]
"""By colour: piece name -> copies left, as `engine.position.Position.pieces_left` gives it."""


@dataclass(frozen=True)
class PiecesView:
    """The remaining pieces of every colour for rich to print: shapes with their names, as wide as the terminal.

    Where a terminal has no more than ASCII, names only.
    """

    variant_id: str
    left: Left
    palette: str = DEFAULT

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lines of shapes, or of names."""
        if options.ascii_only:
            yield pieces_string(self.variant_id, self.left)
            return
        row, inks = variant(self.variant_id), PALETTES[self.palette]
        for colour, left in zip(row.colours, self.left, strict=True):
            ink = inks.ink(colour)
            yield coloured_text([[Spot(_title(row.id, colour, left), ink.fill)]])
            blocks = [_block(PIECE_SETS[row.pieces], name, n, ink.fill) for name, n in left.items() if n]
            if blocks:
                yield coloured_text(_flow(blocks, options.max_width))


def pieces_string(variant_id: str, left: Left) -> str:
    """The remaining pieces of every colour as names, a line a colour.

    >>> print(pieces_string("duo", [{"1": 1, "I5": 1}, {}]))
    first: 2 pieces, 6 cells left: 1 I5
    second: everything placed
    """
    lines = []
    for colour, pieces in zip(variant(variant_id).colours, left, strict=True):
        names = " ".join(_label(name, n) for name, n in pieces.items() if n)
        title = _title(variant_id, colour, pieces)
        lines.append(f"{title}: {names}" if names else title)
    return "\n".join(lines)


def _title(variant_id: str, colour: str, left: Mapping[str, int]) -> str:
    shapes = PIECE_SETS[variant(variant_id).pieces].shapes
    pieces = sum(left.values())
    cells = sum(len(shapes[name]) * n for name, n in left.items())
    if not pieces:
        return f"{colour}: everything placed"
    return f"{colour}: {pieces} piece{'s' * (pieces > 1)}, {cells} cell{'s' * (cells > 1)} left"


def _label(name: str, copies: int) -> str:
    return name if copies == 1 else f"{name}x{copies}"


def _block(pieces: PieceSet, name: str, copies: int, fill: str) -> list[Row]:
    """A shape with its name under it, lines of equal width."""
    shape = pieces.shapes[name]
    lines = _triangles(shape, fill) if pieces.lattice.triangular else half_block_rows(shape, fill)
    lines.append([Spot(_label(name, copies))])
    width = max(_width(line) for line in lines)
    return [[*line, Spot(" " * (width - _width(line)))] for line in lines]


def _triangles(shape: Sequence[XY], fill: str) -> list[Row]:
    here = set(shape)
    columns = range(min(x for x, _ in here), max(x for x, _ in here) + 1)
    rows = range(max(y for _, y in here), min(y for _, y in here) - 1, -1)

    def look(xy: XY) -> Cell | None:
        return Cell(fill, fill) if xy in here else None

    return [triangle_row(columns, y, 0, look, pointers=False) for y in rows]


def _width(line: Row) -> int:
    return sum(len(spot.text) for spot in line)


def _flow(blocks: Sequence[list[Row]], width: int) -> Iterator[Row]:
    """Blocks side by side, standing on one line, as many as fit."""
    group: list[list[Row]] = []
    used = 0
    for block in blocks:
        needed = 2 + _width(block[0])
        if group and used + needed > width:
            yield from _side_by_side(group)
            group, used = [], 0
        group.append(block)
        used += needed
    if group:
        yield from _side_by_side(group)


def _side_by_side(blocks: Sequence[list[Row]]) -> Iterator[Row]:
    height = max(map(len, blocks))
    for i in range(height):
        line: Row = []
        for block in blocks:
            at = i - (height - len(block))
            line += [Spot("  "), *(block[at] if at >= 0 else [Spot(" " * _width(block[0]))])]
        yield line
