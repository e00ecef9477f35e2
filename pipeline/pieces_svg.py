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

FRAME = 4.0
"""Around the shapes that can be clicked: their frames reach beyond them."""


@dataclass(frozen=True, slots=True)
class _Box:
    name: str
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
    picks: bool = False,
    pick: str = "piece",
    chosen: str = "",
    images: Mapping[str, tuple[XY, ...]] | None = None,
) -> str:
    """Draw the pieces that a colour (0..) has left, by name with their number, in lines of `width` units.

    With `picks` every piece has ``data-pick`` (``piece:W``, begun with `pick`) and ``data-at``, for pages on which it
    is clicked; the `chosen` one has a frame. `images` are cells of pieces that are drawn turned, as `engine.pieces`
    draws a shape.

    Raises:
        UnknownVariant: there is no such variant.
    """
    row = variant(variant_id)
    pieces = PIECE_SETS[row.pieces]
    shapes = {**pieces.shapes, **(images or {})}
    boxes = [_box(pieces, name, shapes[name], copies) for name, copies in left.items() if copies > 0]
    fill = f"url(#{pattern_id(uid, colour)})"
    parts = [patterns(uid, PALETTES[palette], row.colours)]
    edge = FRAME if picks else 0.0
    x, y, tall, widest = edge, edge, 0.0, 0.0
    for box in boxes:
        if x > edge and x + box.width > width:
            x, y, tall = edge, y + tall + GAP, 0.0
        held = box.name == chosen
        frame = _frame(box, held) if picks else []
        picked = _picked(box, pick, held) if picks else {}
        place = f"translate({x:.1f} {y:.1f})"
        parts.append(tag("g", *frame, *_drawn(box, fill), transform=place, **picked))
        x += box.width + GAP
        tall, widest = max(tall, box.height), max(widest, x)
    return picture((max(widest, width), y + max(tall, 1.0) + edge), title, description, uid, parts)


def _box(pieces: PieceSet, name: str, shape: tuple[XY, ...], copies: int) -> _Box:
    """A shape at the bottom of a box that is as high as three cells or more, with room for its name."""
    side, label = SIDE[pieces.lattice.triangular], name if copies == 1 else f"{name} ×{copies}"
    vertices = [vertex for xy in shape for vertex in pieces.lattice.vertices(xy, 0)]
    rows = max(3, max(v for _, v in vertices))
    across = min(u for u, _ in vertices)
    plane = Plane(pieces.lattice, side, rows)
    step, down = plane.step
    span = (max(u for u, _ in vertices) - across) * step
    wide = max(span, 6.0 * len(label))
    plane = Plane(pieces.lattice, side, rows, (wide - span) / 2 - across * step + 1, 1)
    return _Box(name, label, plane, shape, wide + 2, rows * down + NAME + 2)


def _picked(box: _Box, pick: str, held: bool) -> dict[str, object]:
    return {
        "data_pick": f"{pick}:{box.name}",
        "data_at": box.label,
        "aria_pressed": "true" if held else "false",
    }


def _frame(box: _Box, held: bool) -> list[str]:
    """What is clicked of a piece, between its cells too; of the one in the hand it can be seen."""
    look = {"stroke": LABEL, "stroke_width": 2.0} if held else {"stroke": "none"}
    by = FRAME - 1
    size = {"x": -by, "y": -by, "width": box.width + 2 * by, "height": box.height + 2 * by, "rx": by}
    return [tag("rect", **size, fill="none", pointer_events="all", **look)]


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
