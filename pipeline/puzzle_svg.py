"""A puzzle's board as SVG: every piece with its outline, on rectangles of any size and on hexagons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from engine.boards import column_name
from engine.lattices import XY
from engine.puzzle_boards import PuzzleBoard
from engine.puzzle_kinds import Placed, Puzzle
from engine.puzzle_verify import cell_name
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.svg import picture, tag, text_at
from pipeline.svg_cells import Plane, corners, outline
from pipeline.svg_inks import EDGE, EMPTY, GRID, HALO, LABEL, OUTLINE, pattern_id, patterns

SIDE = {False: 20.0, True: 23.0}
"""Side of a square and of a triangle, in units of the drawing."""

MARGIN = 20.0


def puzzle_svg(
    puzzle: Puzzle,
    placed: Sequence[Placed],
    title: str,
    palette: str = DEFAULT,
    *,
    about: str = "",
    last: Sequence[XY] = (),
    suggested: Sequence[XY] = (),
    picks: bool = False,
) -> str:
    """Draw pieces on the board of a puzzle; a title says what it shows.

    Args:
        puzzle: which board.
        placed: what lies on it.
        title: what it shows, in a few words.
        palette: see `pipeline.palettes`.
        about: the same at length, for readers who do not see it; empty: how many pieces of which colour.
        last: cells of the piece that was placed last.
        suggested: cells of a proposed piece, drawn as an outline.
        picks: over every cell a shape that is not seen, as `pipeline.board_svg.board_svg` has them; ``data-cell`` is
            the number of the cell in the order of the board.
    """
    board, plane, uid = puzzle.board, _plane(puzzle.board), "puzzle"
    right, bottom = plane.point((board.width + board.lattice.triangular, 0))
    parts = [patterns(uid, PALETTES[palette], puzzle.colours), _ground(board)]
    for one in placed:
        fill = f"url(#{pattern_id(uid, one.colour)})"
        path = _around(board, one.cells)
        parts.append(tag("path", d=path, fill=fill, stroke=OUTLINE, stroke_width=1.6))
    parts += [*_starts(puzzle, placed), *_last(board, last), *_suggested(board, suggested)]
    if picks:
        parts.append(_pick_layer(board))
    if not about:
        counts = (f"{name} {sum(p.colour == c for p in placed)}" for c, name in enumerate(puzzle.colours))
        about = f"{len(placed)} pieces on {board.name}: {', '.join(counts)}"
    return picture((right + MARGIN, bottom + MARGIN), title, about, uid, parts)


@cache
def _plane(board: PuzzleBoard) -> Plane:
    return Plane(
        board.lattice, SIDE[board.lattice.triangular], board.height, MARGIN, MARGIN / 2, board.parity
    )


def _around(board: PuzzleBoard, cells: Sequence[XY]) -> str:
    """Path around a set of cells."""
    return _plane(board).path(outline(board.lattice, cells, board.parity))


@cache
def _ground(board: PuzzleBoard) -> str:
    """Empty cells and coordinates; the same for all drawings of a board."""
    grid = "".join(_around(board, [cell]) for cell in board.cells)
    return "".join(
        (
            tag("path", d=_around(board, board.cells), fill=EMPTY, stroke=EDGE, stroke_width=1.4),
            tag("path", d=grid, fill="none", stroke=GRID, stroke_width=0.5),
            tag("g", *_coordinates(board), fill=LABEL),
        )
    )


def _coordinates(board: PuzzleBoard) -> Iterator[str]:
    plane, half = _plane(board), 1.0 if board.lattice.triangular else 0.5
    for column in range(board.width):
        x, y = plane.point((column + half, 0))
        yield text_at(x, y + 13, column_name(column), 8.0, text_anchor="middle")
    for row in range(board.height):
        first = min(x for x, y in board.cells if y == row)
        x, y = plane.point((first, row + 0.5))
        yield text_at(x - 5, y + 3, row + 1, 8.0, text_anchor="end")


def _dots(board: PuzzleBoard, cells: Sequence[XY], **look: object) -> Iterator[str]:
    radius = SIDE[board.lattice.triangular] * (0.13 if board.lattice.triangular else 0.17)
    for xy in cells:
        x, y = _plane(board).centre(xy)
        yield tag("circle", cx=x, cy=y, r=radius, **look)


def _starts(puzzle: Puzzle, placed: Sequence[Placed]) -> Iterator[str]:
    """Starting cells of colours that have not begun, in their inks where they are of one colour only."""
    begun = {one.colour for one in placed}
    covered = {xy for one in placed for xy in one.cells}
    waiting = {colour: starts for colour, starts in enumerate(puzzle.starts) if colour not in begun}
    for cell in sorted({xy for starts in waiting.values() for xy in starts} - covered):
        whose = [colour for colour, starts in enumerate(puzzle.starts) if cell in starts]
        fill = f"url(#{pattern_id('puzzle', whose[0])})" if len(whose) == 1 else "none"
        yield from _dots(puzzle.board, [cell], fill=fill, stroke=EDGE, stroke_width=1.2)


def _last(board: PuzzleBoard, cells: Sequence[XY]) -> Iterator[str]:
    if cells:
        yield tag("path", d=_around(board, cells), fill="none", stroke=OUTLINE, stroke_width=3.0)
        yield from _dots(board, cells, fill=HALO, stroke=OUTLINE, stroke_width=0.8)


def _suggested(board: PuzzleBoard, cells: Sequence[XY]) -> Iterator[str]:
    if cells:
        path = _around(board, cells)
        yield tag("path", d=path, fill=HALO, fill_opacity=0.35, stroke=HALO, stroke_width=3.4)
        yield tag("path", d=path, fill="none", stroke=OUTLINE, stroke_width=2.2, stroke_dasharray="5 3")


@cache
def _pick_layer(board: PuzzleBoard) -> str:
    """Every cell as a shape of its own."""
    drawn = []
    for cell, xy in enumerate(board.cells):
        path = _plane(board).path([corners(board.lattice, xy, board.parity)])
        drawn.append(tag("path", d=path, data_cell=cell, data_pick=f"cell:{cell}", data_at=cell_name(xy)))
    return tag("g", *drawn, class_="cw-cells", fill="none", pointer_events="all")
