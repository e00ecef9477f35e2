"""A position of any variant as SVG: for reports, the service and the dashboard, on paper and on screens.

Colours differ by pattern or by letter besides, pieces have outlines, and what a picture says is in its title and
description. Words come from the caller, so a picture speaks any language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from engine.boards import BOARDS, Board, cell_names, cells, column_name
from engine.variants import Variant, variant
from pipeline.palettes import DEFAULT, PALETTES, Palette
from pipeline.svg import picture, tag, text_at
from pipeline.svg_cells import Plane, corners, grid_lines, joined, outline
from pipeline.svg_heat import Heat, heat_cells, heat_legend, legend_height
from pipeline.svg_inks import EDGE, EMPTY, GRID, HALO, LABEL, OUTLINE, brightness, pattern_id, patterns

Colours = npt.NDArray[np.integer[Any]]
Distinction = Literal["patterns", "letters"]

SIDE = {False: 20.0, True: 23.0}
"""Side of a square and of a triangle, in units of the drawing."""

MARGIN, THIN = 20.0, 2.0
"""Around the board, with coordinates and without."""

SMALL = 250.0
"""Width at which letters of a small board have their size."""

LINE = 20.0
"""Height of a line of the legend."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on a board, as cells; `labels` are short texts on cells, numbers of plies say.

    `suggested` is a proposed move, drawn as an outline; `starts` are starting cells that are free; `spots` are cells
    that are pointed at. `tints` are cells that belong to a colour (0..) without being covered, in its pattern, faintly.
    """

    last: Sequence[int] = ()
    suggested: Sequence[int] = ()
    dead: Sequence[int] = ()
    contested: Sequence[int] = ()
    starts: Sequence[int] = ()
    spots: Sequence[int] = ()
    labels: Mapping[int, str] = field(default_factory=dict)
    tints: Mapping[int, Sequence[int]] = field(default_factory=dict)


NO_MARKS = Marks()


def board_svg(
    variant_id: str,
    board: Colours | None = None,
    *,
    title: str,
    description: str = "",
    uid: str = "board",
    marks: Marks = NO_MARKS,
    heat: Heat | None = None,
    legend: Sequence[str] = (),
    distinction: Distinction = "patterns",
    palette: str = DEFAULT,
    small: bool = False,
    picks: bool = False,
) -> str:
    """Draw a position.

    Args:
        variant_id: which board.
        board: ``(C,)`` colour (0..) on each cell, negative where it is empty; None: all empty.
        title: what it shows, in a few words.
        description: the same at length, for readers who do not see it.
        uid: begins the ids inside; different for every picture of a document.
        marks: see there.
        heat: a value for every cell; pieces are then outlines.
        legend: words for every colour, drawn beside its pattern; empty: no legend.
        distinction: how colours differ without colour.
        palette: see `pipeline.palettes`.
        small: without coordinates, labels and thin lines.
        picks: over every cell a shape that is not seen, with ``data-cell`` its number and ``data-pick`` and
            ``data-at`` its coordinate, for pages on which it is clicked.

    Raises:
        UnknownVariant, ValueError: no such variant; a board or a heat map of another size.
    """
    row = variant(variant_id)
    count = len(cells(row.board))
    filled = np.full(count, -1) if board is None else np.asarray(board)
    if filled.shape != (count,) or (heat is not None and len(heat.values) != count):
        raise ValueError(f"{variant_id} has {count} cells")
    drawing = _Drawing(row, filled, uid, marks, heat, PALETTES[palette], distinction, small, picks)
    return drawing.picture(title, description, legend)


@dataclass(frozen=True, slots=True)
class _Drawing:
    row: Variant
    board: Colours
    uid: str
    marks: Marks
    heat: Heat | None
    palette: Palette
    distinction: Distinction
    small: bool
    picks: bool

    @property
    def shape(self) -> Board:
        return BOARDS[self.row.board]

    @property
    def plane(self) -> Plane:
        margin = THIN if self.small else MARGIN
        shape = self.shape
        side = SIDE[shape.lattice.triangular]
        return Plane(shape.lattice, side, shape.height, margin, margin / 2, shape.parity)

    def picture(self, title: str, description: str, legend: Sequence[str]) -> str:
        plane, shape = self.plane, self.shape
        right, bottom = plane.point((shape.width + shape.lattice.triangular, 0))
        edge = THIN if self.small else MARGIN
        width, height = right + plane.left, bottom + edge
        coarse = 1.7 if self.small else 1.0
        parts = [patterns(self.uid, self.palette, self.row.colours, coarse)]
        parts += [*self.ground(), *self.pieces(), *self.marked()]
        if not self.small:
            parts += self.coordinates()
        if self.picks:
            parts.append(_pick_layer(self.row.board, plane))
        if legend:
            lines = list(self.legend(legend, width, height))
            parts += lines
            height += LINE * _legend_rows(len(legend), width) + 4
        if self.heat is not None and (tall := legend_height(self.heat)):
            # Small boards are shown small, whatever their cells: their letters must not become smaller, too.
            scale = max(1.0, width / SMALL) if self.small else 1.0
            parts.append(heat_legend(self.heat, plane.left, height + 3 * scale, scale))
            height += (tall + 3) * scale
        return picture((width, height), title, description, self.uid, parts)

    def around(self, group: Sequence[int]) -> str:
        """Path around a set of cells."""
        places = cells(self.row.board)
        loops = outline(self.shape.lattice, [places[cell] for cell in group], self.shape.parity)
        return self.plane.path(loops)

    def ground(self) -> Iterator[str]:
        """Empty cells, or the heat map, the lines between them and around the board."""
        whole = self.around(range(len(self.board)))
        yield tag("path", d=whole, fill=EMPTY)
        if self.heat is not None:
            yield from heat_cells(self.heat, self.around)
        for colour, cells_of in self.marks.tints.items():
            path, fill = self.around(cells_of), f"url(#{pattern_id(self.uid, colour)})"
            yield tag("path", d=path, fill=fill, fill_opacity=0.42, fill_rule="evenodd")
        thin = 0.4 if self.small else 0.7
        lines = self.plane.lines(grid_lines(self.row.board))
        yield tag("path", d=lines, stroke=GRID, stroke_width=thin, fill="none")
        yield tag("path", d=whole, stroke=EDGE, stroke_width=1.4, fill="none")

    def pieces(self) -> Iterator[str]:
        """Every colour's pieces in one path: a colour's pieces do not touch side by side."""
        for colour, name in enumerate(self.row.colours):
            covered = np.flatnonzero(self.board == colour).tolist()
            if not covered:
                continue
            path = "".join(self.around(part) for part in joined(self.row.board, covered))
            ink = self.palette.ink(name)
            if self.heat is not None:
                yield tag("path", d=path, fill="none", stroke=ink.dark, stroke_width=1.8)
                continue
            fill = f"url(#{pattern_id(self.uid, colour)})" if self.distinction == "patterns" else ink.fill
            yield tag("path", d=path, fill=fill, stroke=OUTLINE, stroke_width=1.3, stroke_linejoin="round")
            if self.distinction == "letters":
                yield self.letters(covered, ink.letter, ink.fill)

    def letters(self, covered: Sequence[int], letter: str, fill: str) -> str:
        """The letter of a colour on each of its cells that has no label."""
        front = OUTLINE if brightness(fill) > 140 else HALO
        size = self.plane.side * (0.4 if self.shape.lattice.triangular else 0.5)
        drawn = [self.centred(cell, letter, size) for cell in covered if cell not in self.shown_labels()]
        return tag("g", *drawn, fill=front, font_weight="bold")

    def shown_labels(self) -> Mapping[int, str]:
        """Labels, which small boards have no room for."""
        return {} if self.small else self.marks.labels

    def centred(self, cell: int, text: str, size: float) -> str:
        """A short text in the middle of a cell."""
        x, y = self.plane.centre(cells(self.row.board)[cell])
        return text_at(x, y + size * 0.36, text, size, text_anchor="middle")

    def marked(self) -> Iterator[str]:
        """Marks above the pieces, each different in shape and not only in colour."""
        marks, side = self.marks, self.plane.side
        dot = side * (0.13 if self.shape.lattice.triangular else 0.17)
        yield from self.dots(marks.starts, dot, fill="none", stroke=EDGE, stroke_width=1.2)
        yield from self.dots(marks.contested, dot, fill="none", stroke=OUTLINE, stroke_width=1.2)
        yield from self.dots(marks.spots, dot * 1.5, fill=OUTLINE, stroke=HALO, stroke_width=1.4)
        if marks.dead:
            yield tag("path", d=self.crosses(marks.dead, dot), stroke=LABEL, stroke_width=1.1, fill="none")
        if marks.last:
            thick = 2.6 if self.small else 3.0
            yield tag("path", d=self.around(marks.last), fill="none", stroke=OUTLINE, stroke_width=thick)
            bare = [cell for cell in marks.last if cell not in self.shown_labels()]
            yield from self.dots(bare, dot, fill=HALO, stroke=OUTLINE, stroke_width=0.8)
        if marks.suggested:
            path = self.around(marks.suggested)
            yield tag("path", d=path, fill=HALO, fill_opacity=0.35, stroke=HALO, stroke_width=3.4)
            yield tag("path", d=path, fill="none", stroke=OUTLINE, stroke_width=2.2, stroke_dasharray="5 3")
        if self.shown_labels():
            yield self.labels()

    def dots(self, group: Sequence[int], radius: float, **look: object) -> Iterator[str]:
        """A circle in the middle of every cell."""
        places = cells(self.row.board)
        for cell in group:
            x, y = self.plane.centre(places[cell])
            yield tag("circle", cx=x, cy=y, r=radius, **look)

    def crosses(self, group: Sequence[int], half: float) -> str:
        """A cross in the middle of every cell, as one path."""
        places = cells(self.row.board)
        ends = []
        for cell in group:
            x, y = self.plane.centre(places[cell])
            ends.append(f"M{x - half:.1f} {y - half:.1f}l{2 * half:.1f} {2 * half:.1f}")
            ends.append(f"M{x - half:.1f} {y + half:.1f}l{2 * half:.1f} {-2 * half:.1f}")
        return "".join(ends)

    def labels(self) -> str:
        """Short texts on cells, readable on every pattern."""
        size = self.plane.side * (0.4 if self.shape.lattice.triangular else 0.5)
        drawn = [self.centred(cell, text, size) for cell, text in sorted(self.marks.labels.items())]
        return tag(
            "g",
            *drawn,
            fill=OUTLINE,
            font_weight="bold",
            stroke=HALO,
            stroke_width=2.4,
            paint_order="stroke",
            stroke_linejoin="round",
        )

    def coordinates(self) -> Iterator[str]:
        """Names of columns below, numbers of rows on the left, along the border of a hexagon."""
        shape, plane = self.shape, self.plane
        half = 1.0 if shape.lattice.triangular else 0.5
        size = 8.0 if shape.lattice.triangular else 9.5
        names = []
        for column in range(shape.width):
            x, y = plane.point((column + half, 0))
            names.append(text_at(x, y + 13, column_name(column), size, text_anchor="middle"))
        for line in range(shape.height):
            # Half way up its row the slanting side of a hexagon is half a vertex column inside.
            inset = 0.5 * shape.lattice.triangular
            x, y = plane.point((shape.row_columns(line).start + inset, line + 0.5))
            names.append(text_at(x - 5, y + size * 0.36, line + 1, size, text_anchor="end"))
        yield tag("g", *names, fill=LABEL)

    def legend(self, captions: Sequence[str], width: float, top: float) -> Iterator[str]:
        """A swatch with words for every colour."""
        across = _legend_columns(len(captions), width)
        wide = (width - 2 * self.plane.left) / across
        for at, words in enumerate(captions):
            x = self.plane.left + wide * (at % across)
            y = top + 2 + LINE * (at // across)
            ink = self.palette.ink(self.row.colours[at])
            fill = f"url(#{pattern_id(self.uid, at)})" if self.distinction == "patterns" else ink.fill
            yield tag("rect", x=x, y=y, width=14, height=14, fill=fill, stroke=OUTLINE)
            if self.distinction == "letters":
                front = OUTLINE if brightness(ink.fill) > 140 else HALO
                yield text_at(x + 7, y + 11, ink.letter, 10, text_anchor="middle", fill=front)
            yield text_at(x + 19, y + 11, words, 11, fill=OUTLINE)


@cache
def _pick_layer(board_id: str, plane: Plane) -> str:
    """Every cell as a shape of its own; the same for all positions of a board."""
    shape, names = BOARDS[board_id], cell_names(board_id)
    drawn = []
    for cell, xy in enumerate(cells(board_id)):
        path = plane.path([corners(shape.lattice, xy, shape.parity)])
        drawn.append(tag("path", d=path, data_cell=cell, data_pick=f"cell:{cell}", data_at=names[cell]))
    return tag("g", *drawn, class_="cw-cells", fill="none", pointer_events="all")


def _legend_columns(entries: int, width: float) -> int:
    return entries if width / max(1, entries) > 100 else 2


def _legend_rows(entries: int, width: float) -> int:
    return -(-entries // _legend_columns(entries, width))
