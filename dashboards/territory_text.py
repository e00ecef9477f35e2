"""The expected territory in a terminal: who will most likely end up on each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dashboards.board_text import letter_board
from dashboards.cell_drawing import Spot, coloured_text
from engine.boards import BOARDS
from engine.variants import variant
from pipeline.palettes import DEFAULT, PALETTES

if TYPE_CHECKING:
    from rich.text import Text

SURE = 2 / 3
"""Chance from which on a cell is drawn as somebody's without doubt."""

NOBODY, LIKELY_NOBODY = ".", ","


def territory_letters(variant_id: str, cells: Sequence[Sequence[float]]) -> list[str]:
    """A character for every cell: the letter of who will most likely cover it, small where the chance is below `SURE`.

    `cells` are chances by cell, of every colour and last of nobody, who is a dot, a comma where it is not sure.

    >>> territory_letters("duo", [[0.9, 0.0, 0.1], [0.2, 0.5, 0.3], [0.0, 0.0, 1.0]])
    ['F', 's', '.']
    """
    row, inks = variant(variant_id), PALETTES[DEFAULT]
    signs = [(inks.ink(colour).letter, inks.ink(colour).letter.lower()) for colour in row.colours]
    signs.append((NOBODY, LIKELY_NOBODY))
    out = []
    for chances in cells:
        best = max(range(len(chances)), key=lambda i: chances[i])
        out.append(signs[best][chances[best] < SURE])
    return out


def territory_text(variant_id: str, cells: Sequence[Sequence[float]], colour: bool) -> Text:
    """The board with these letters, in the colours that they stand for where the terminal has any."""
    row, palette = variant(variant_id), PALETTES[DEFAULT]
    inks = [palette.ink(name) for name in row.colours]
    grounds = {ink.letter: ink.fill for ink in inks} | {ink.letter.lower(): ink.dark for ink in inks}
    shown = letter_board(BOARDS[row.board], territory_letters(variant_id, cells))
    return coloured_text(
        [Spot(before), *_spots(line, grounds if colour else {}), Spot(after)] for before, line, after in shown
    )


def _spots(line: str, grounds: Mapping[str, str]) -> list[Spot]:
    return [Spot(char, "#ffffff", grounds[char]) if char in grounds else Spot(char) for char in line]
