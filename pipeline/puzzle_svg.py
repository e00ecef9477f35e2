"""A puzzle's board as SVG: every piece with its outline, on rectangles of any size and on hexagons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.boards import column_name
from engine.puzzles import Placed, Puzzle
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.svg import picture, tag, text_at
from pipeline.svg_cells import Plane, outline
from pipeline.svg_inks import EDGE, EMPTY, GRID, LABEL, OUTLINE, pattern_id, patterns

SIDE = {False: 20.0, True: 23.0}
"""Side of a square and of a triangle, in units of the drawing."""

MARGIN = 20.0


def puzzle_svg(puzzle: Puzzle, placed: Sequence[Placed], title: str, palette: str = DEFAULT) -> str:
    """Draw pieces on the board of a puzzle; a title says what it shows."""
    board, lattice = puzzle.board, puzzle.board.lattice
    plane = Plane(lattice, SIDE[lattice.triangular], board.height, MARGIN, MARGIN / 2, board.parity)
    right, bottom = plane.point((board.width + lattice.triangular, 0))
    uid = "puzzle"

    def around(cells: Sequence[tuple[int, int]]) -> str:
        return plane.path(outline(lattice, cells, board.parity))

    parts = [patterns(uid, PALETTES[palette], puzzle.colours)]
    parts.append(tag("path", d=around(board.cells), fill=EMPTY, stroke=EDGE, stroke_width=1.4))
    parts += [
        tag("path", d=around([cell]), fill="none", stroke=GRID, stroke_width=0.5) for cell in board.cells
    ]
    for one in placed:
        fill = f"url(#{pattern_id(uid, one.colour)})"
        parts.append(tag("path", d=around(one.cells), fill=fill, stroke=OUTLINE, stroke_width=1.6))
    parts.append(tag("g", *_coordinates(puzzle, plane), fill=LABEL))
    counts = (f"{name} {sum(p.colour == c for p in placed)}" for c, name in enumerate(puzzle.colours))
    about = f"{len(placed)} pieces on {board.name}: {', '.join(counts)}"
    return picture((right + MARGIN, bottom + MARGIN), title, about, uid, parts)


def _coordinates(puzzle: Puzzle, plane: Plane) -> Iterator[str]:
    board = puzzle.board
    half = 1.0 if board.lattice.triangular else 0.5
    for column in range(board.width):
        x, y = plane.point((column + half, 0))
        yield text_at(x, y + 13, column_name(column), 8.0, text_anchor="middle")
    for row in range(board.height):
        first = min(x for x, y in board.cells if y == row)
        x, y = plane.point((first, row + 0.5))
        yield text_at(x - 5, y + 3, row + 1, 8.0, text_anchor="end")
