"""Moves so small that they stand in a line of a table: the board is drawn once, each move refers to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.boards import BOARDS, cells
from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.board_svg import Colours
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.svg import number, tag
from pipeline.svg_cells import Plane, joined, outline
from pipeline.svg_inks import EDGE, EMPTY, OUTLINE

SIDE = {False: 5.0, True: 6.0}
"""Side of a square and of a triangle, in units of the drawing."""

MARGIN = 2.0


def ground_svg(variant_id: str, board: Colours, uid: str) -> str:
    """The board before the moves, itself not seen: `move_svg` with the same `uid` shows it."""
    row = variant(variant_id)
    # What is referred to is beyond the selectors of a page's style, but not beyond its variables.
    paper = f"fill: var(--cw-empty, {EMPTY}); stroke: var(--cw-edge, {EDGE})"
    drawn = [tag("path", d=_path(variant_id, range(len(board))), style=paper, stroke_width=1.4)]
    for colour, name in enumerate(row.colours):
        covered = np.flatnonzero(board == colour).tolist()
        if covered:
            path = "".join(_path(variant_id, part) for part in joined(row.board, covered))
            fill = PALETTES[DEFAULT].ink(name).fill
            drawn.append(tag("path", d=path, fill=fill, fill_opacity=0.75, stroke=OUTLINE, stroke_width=0.5))
    symbol = tag("symbol", *drawn, id=uid, viewBox=_box(variant_id))
    return tag("svg", symbol, width="0", height="0", style="position:absolute", aria_hidden="true")


def move_svg(variant_id: str, colour: int, move: Sequence[int], uid: str) -> str:
    """A move of a colour (0..) on the board of `ground_svg`, for the eye alone: its words stand beside it."""
    ink = PALETTES[DEFAULT].ink(variant(variant_id).colours[colour])
    return tag(
        "svg",
        tag("use", href=f"#{uid}"),
        tag("path", d=_path(variant_id, move), fill=ink.fill, stroke=OUTLINE, stroke_width=2.2),
        viewBox=_box(variant_id),
        aria_hidden="true",
        class_="cw-small",
    )


def piece_svg(variant_id: str, piece: str) -> str:
    """A piece of a variant as it stands in its set, for the eye alone: its name stands beside it."""
    pieces = PIECE_SETS[variant(variant_id).pieces]
    shape, lattice = pieces.shapes[piece], pieces.lattice
    vertices = [vertex for xy in shape for vertex in lattice.vertices(xy, 0)]
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*vertices, strict=True))
    across, down = Plane(lattice, SIDE[lattice.triangular], 0).step
    plane = Plane(lattice, SIDE[lattice.triangular], high, 1 - left * across, 1)
    drawn = [
        tag("path", d=plane.path(outline(lattice, [xy])), fill=EDGE, stroke=OUTLINE, stroke_width=0.6)
        for xy in shape
    ]
    wide, tall = (right - left) * across + 2, (high - low) * down + 2
    return tag(
        "svg",
        *drawn,
        viewBox=f"0 0 {number(wide)} {number(tall)}",
        aria_hidden="true",
        class_="cw-piece",
        style=f"width: {wide / 8:.2f}rem",
    )


def _path(variant_id: str, group: Sequence[int]) -> str:
    shape, places = BOARDS[variant(variant_id).board], cells(variant(variant_id).board)
    loops = outline(shape.lattice, [places[cell] for cell in group], shape.parity)
    return _plane(variant_id).path(loops)


def _plane(variant_id: str) -> Plane:
    shape = BOARDS[variant(variant_id).board]
    return Plane(shape.lattice, SIDE[shape.lattice.triangular], shape.height, MARGIN, MARGIN, shape.parity)


def _box(variant_id: str) -> str:
    shape = BOARDS[variant(variant_id).board]
    right, bottom = _plane(variant_id).point((shape.width + shape.lattice.triangular, 0))
    return f"0 0 {number(right + MARGIN)} {number(bottom + MARGIN)}"
