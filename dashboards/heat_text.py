"""Heat maps for a terminal: a digit or a shade a cell, with coordinates and a scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dashboards.board_text import letter_board
from dashboards.cell_drawing import Spot, coloured_text
from engine.boards import BOARDS
from engine.variants import variant

if TYPE_CHECKING:
    from rich.text import Text

STEPS = 9
"""The highest digit."""

NOTHING, NONE_KNOWN = ".", " "
"""A cell with exactly 0, and one without a value."""

_COLD, _HOT = (26, 32, 44), (255, 196, 61)


def digits(values: Sequence[float], top: float) -> list[str]:
    """A character for every cell: 1 to 9 in parts of `top`, a dot for 0, a blank where there is no value.

    >>> digits([0.0, 0.001, 0.5, 1.0, math.nan], 1.0)
    ['.', '1', '5', '9', ' ']
    """
    out = []
    for value in values:
        if math.isnan(value):
            out.append(NONE_KNOWN)
        elif value <= 0 or top <= 0:
            out.append(NOTHING)
        else:
            out.append(str(min(STEPS, math.ceil(value / top * STEPS))))
    return out


def heat_text(variant_id: str, values: Sequence[float], top: float, colour: bool) -> Text:
    """The board with a digit a cell, on shades where the terminal has colours."""
    shape = BOARDS[variant(variant_id).board]
    return coloured_text(
        [Spot(before), *(Spot(char, *_inks(char, colour)) for char in cells), Spot(after)]
        for before, cells, after in letter_board(shape, digits(values, top))
    )


def _inks(char: str, colour: bool) -> tuple[str | None, str | None]:
    """Colours of a character and of its ground."""
    if not colour or not char.isdigit():
        return None, None
    part = int(char) / STEPS
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(_COLD, _HOT, strict=True))
    return ("#000000" if part > 0.5 else "#ffffff"), f"#{red:02x}{green:02x}{blue:02x}"
