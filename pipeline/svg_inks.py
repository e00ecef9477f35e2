"""How the colours look on paper: fill and pattern, or fill and letter, so that they differ without colour, too."""

from __future__ import annotations

from pipeline.palettes import Ink, Palette
from pipeline.svg import tag

EMPTY, GRID, EDGE, LABEL = "#f7f5f0", "#cfc9bd", "#8c8577", "#5c574e"
"""Fill of empty cells; lines between them and around the board; coordinates."""

OUTLINE = "#1d1b18"
"""Lines around pieces, and marks."""

HALO = "#ffffff"
"""Behind marks and numbers that lie on pieces."""

_STRIPES = (
    "M-1 1L1 -1M0 6L6 0M5 7L7 5",  # rising
    "",  # dots
    "M0 0L6 6M6 0L0 6",  # a net
    "M0 3H6",  # lying
)

DARKEST = 110
"""Brightness (0 to 255) of fills on which a pattern is drawn in the bright ink and not in the dark one."""


def pattern_id(uid: str, colour: int) -> str:
    """Id of a colour's pattern in a picture."""
    return f"{uid}-c{colour}"


def patterns(uid: str, palette: Palette, colours: tuple[str, ...], scale: float = 1.0) -> str:
    """Definitions of the patterns of all colours, the fill included; `scale` makes them coarser."""
    found = (_pattern(pattern_id(uid, i), i, palette.ink(name), scale) for i, name in enumerate(colours))
    return tag("defs", *found)


def _pattern(name: str, kind: int, ink: Ink, scale: float) -> str:
    line = ink.dark if brightness(ink.fill) > DARKEST else ink.bright
    # A little more than the tile: renderers leave hairs between tiles that end exactly.
    ground = tag("rect", x=-1, y=-1, width=8, height=8, fill=ink.fill)
    if _STRIPES[kind]:
        drawn = tag("path", d=_STRIPES[kind], stroke=line, stroke_width=1.3, stroke_opacity=0.9, fill="none")
    else:
        drawn = tag("circle", cx=3, cy=3, r=1.4, fill=line, fill_opacity=0.9)
    wider = None if scale == 1 else f"scale({scale:g})"
    return tag(
        "pattern",
        ground,
        drawn,
        id=name,
        width=6,
        height=6,
        patternUnits="userSpaceOnUse",
        patternTransform=wider,
    )


def brightness(fill: str) -> float:
    """How bright a ``#rrggbb`` is, 0 to 255: what a black-and-white print makes of it.

    >>> brightness("#ffffff")
    255.0
    """
    red, green, blue = (int(fill[at : at + 2], 16) for at in (1, 3, 5))
    return round(0.299 * red + 0.587 * green + 0.114 * blue, 3)


# Not quite EMPTY: where pages give that the colour of their paper, the scale must not change.
_COLD, _HOT = (248, 245, 240), (122, 4, 64)
STEPS = 10
"""Shades of a heat map."""


def shade(step: int) -> str:
    """Fill of a step of a heat map, 0 to `STEPS`: the higher the darker, in print as well."""
    part = step / STEPS
    # The middle goes over orange, which is between the ends in brightness: more steps can be told apart.
    middle = (236, 135, 60)
    low, high, way = (_COLD, middle, part * 2) if part < 0.5 else (middle, _HOT, part * 2 - 1)
    return "#" + "".join(f"{round(a + (b - a) * way):02x}" for a, b in zip(low, high, strict=True))
