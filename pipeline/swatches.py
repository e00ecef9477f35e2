"""A colour as a small square, as it is on the board: beside names of players and of colours."""

from __future__ import annotations

from urllib.parse import quote

from engine.variants import variant
from pipeline.palettes import DEFAULT, PALETTES
from pipeline.svg import tag
from pipeline.svg_inks import OUTLINE, pattern_id, patterns

SIDE = 14.0


def swatch_svg(variant_id: str, colour: int, uid: str = "swatch") -> str:
    """A square of a colour (0..) with its pattern; its name stands beside it, so nobody needs to see it.

    Raises:
        UnknownVariant: there is no such variant.
    """
    fill = f"url(#{pattern_id(uid, colour)})"
    square = tag("rect", x=0.7, y=0.7, width=SIDE - 1.4, height=SIDE - 1.4, rx=2.0, fill=fill, stroke=OUTLINE)
    return tag(
        "svg",
        patterns(uid, PALETTES[DEFAULT], variant(variant_id).colours),
        square,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {SIDE:g} {SIDE:g}",
        aria_hidden="true",
        class_="cw-swatch",
    )


def swatch_css(variant_id: str, colour: int) -> str:
    """The same as a picture of a style sheet: where there are many of them, they are written once."""
    return f'url("data:image/svg+xml,{quote(swatch_svg(variant_id, colour))}")'
