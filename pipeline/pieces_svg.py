"""The pieces that a colour has left, as shapes in a strip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.lattices import XY
from engine.pieces import PIECE_SETS, PieceSet
from engine.variants import variant
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.svg import picture, tag, text_at
from pipeline.svg_cells import Plane, outline
from pipeline.svg_inks import LABEL, OUTLINE, pattern_id, patterns

SIDE = {False: 9.0, True: 11.0}
"""Side of a square and of a triangle."""

NAME, GAP = 11.0, 9.0
"""Height of a name below its shape, and what is between shapes."""


@dataclass(frozen=True, slots=True)
class _Box:
    label: str
    plane: Plane
    shape: tuple[XY, ...]
    width: float
    height: float


def pieces_svg(
    variant_id: str,
    colour: int,
    left: Mapping[str, int],
    *,
    title: str,
    description: str = "",
    uid: str = "pieces",
    palette: str = DEFAULT,
    width: float = 280.0,
) -> str:
    """Draw the pieces that a colour (0..) has left, by name with their number, in lines of `width` units.

    Raises:
        UnknownVariant: there is no such variant.
    """
    row = variant(variant_id)
    pieces = PIECE_SETS[row.pieces]
    boxes = [_box(pieces, name, copies) for name, copies in left.items() if copies > 0]
    fill = f"url(#{pattern_id(uid, colour)})"
    parts = [patterns(uid, PALETTES[palette], row.colours)]
    x, y, tall, widest = 0.0, 0.0, 0.0, 0.0
    for box in boxes:
        if x and x + box.width > width:
            x, y, tall = 0.0, y + tall + GAP, 0.0
        parts.append(tag("g", *_drawn(box, fill), transform=f"translate({x:.1f} {y:.1f})"))
        x += box.width + GAP
        tall, widest = max(tall, box.height), max(widest, x)
    return picture((max(widest, width), y + max(tall, 1.0)), title, description, uid, parts)


def _box(pieces: PieceSet, name: str, copies: int) -> _Box:
    """A shape at the bottom of a box that is as high as three cells or more, with room for its name."""
    shape = pieces.shapes[name]
    side, label = SIDE[pieces.lattice.triangular], name if copies == 1 else f"{name} ×{copies}"
    vertices = [vertex for xy in shape for vertex in pieces.lattice.vertices(xy, 0)]
    rows = max(3, max(v for _, v in vertices))
    across = min(u for u, _ in vertices)
    plane = Plane(pieces.lattice, side, rows)
    step, down = plane.step
    span = (max(u for u, _ in vertices) - across) * step
    wide = max(span, 6.0 * len(label))
    plane = Plane(pieces.lattice, side, rows, (wide - span) / 2 - across * step + 1, 1)
    return _Box(label, plane, shape, wide + 2, rows * down + NAME + 2)


def _drawn(box: _Box, fill: str) -> list[str]:
    lattice = box.plane.lattice
    whole = box.plane.path(outline(lattice, box.shape))
    inner = "".join(box.plane.path(outline(lattice, [xy])) for xy in box.shape)
    return [
        tag("path", d=whole, fill=fill),
        tag("path", d=inner, fill="none", stroke=OUTLINE, stroke_width=0.5, stroke_opacity=0.5),
        tag("path", d=whole, fill="none", stroke=OUTLINE, stroke_width=1.1),
        text_at(box.width / 2, box.height - 1.5, box.label, 9, text_anchor="middle", fill=LABEL),
    ]
