"""How the colours look: names and fills, as data for every drawing of a board.

Duo and Junior just have a first and a second colour. In the online community and the reference program violet begins,
in the publisher's board text orange does: two palettes with the same two fills.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour as it is drawn: what people call it, fills as ``#rrggbb``, a letter for where there are no colours.

    `bright` is the fill of the last move, `dark` the colour of marks on the others.
    """

    name: str
    fill: str
    bright: str
    dark: str
    letter: str


@dataclass(frozen=True, slots=True)
class Palette:
    """Inks by the colour names of `engine.variants`; fills of empty cells, two that alternate, and of marks on them."""

    id: str
    inks: dict[str, Ink]
    empty: tuple[str, str] = ("#2a2e33", "#3a4048")
    empty_mark: str = "#4c545e"

    def ink(self, colour: str) -> Ink:
        """The ink of a colour by its name."""
        return self.inks[colour]


_FOUR = {
    "blue": Ink("blue", "#2b6cd4", "#8fbcff", "#173b74", "B"),
    "yellow": Ink("yellow", "#dba800", "#ffe680", "#785c00", "Y"),
    "red": Ink("red", "#cc3333", "#ff9a94", "#701c1c", "R"),
    "green": Ink("green", "#2e9440", "#93e39f", "#195123", "G"),
}
_VIOLET, _ORANGE = ("violet", "#7a45c8", "#c9a4ff", "#43256e"), ("orange", "#e0781a", "#ffc48a", "#7b420e")

PALETTES: dict[str, Palette] = {
    "online": Palette("online", _FOUR | {"first": Ink(*_VIOLET, "F"), "second": Ink(*_ORANGE, "S")}),
    "publisher": Palette("publisher", _FOUR | {"first": Ink(*_ORANGE, "F"), "second": Ink(*_VIOLET, "S")}),
}
"""Palette id -> palette; the first is the default."""

DEFAULT = "online"
