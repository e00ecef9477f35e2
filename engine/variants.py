"""The eight variants as rows of data: board, piece set, colours, default rules."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import UnknownVariant

FOUR = ("blue", "yellow", "red", "green")
TWO = ("first", "second")


@dataclass(frozen=True, slots=True)
class Variant:
    """Board + piece set + colours, with the default rules of `engine.rulesets`.

    `board` and `pieces` name rows of `engine.boards.BOARDS` and `engine.pieces.PIECE_SETS`;
    `seats` lists the colours of each seat; `shared` is a colour played in turn that counts for nobody.
    """

    id: str
    name: str
    board: str
    pieces: str
    colours: tuple[str, ...]
    seats: tuple[tuple[int, ...], ...]
    start: str
    scoring: str
    shared: int | None = None

    @property
    def geometry_id(self) -> str:
        """Variants with the same value share boards, placements and position keys."""
        return f"{self.board}/{self.pieces}/{len(self.colours)}"


_SINGLE_4 = ((0,), (1,), (2,), (3,))
_PAIRS = ((0, 2), (1, 3))
_SINGLE_3 = ((0,), (1,), (2,))
_SINGLE_2 = ((0,), (1,))

_ROWS = (
    Variant("classic", "Blokus", "square20", "polyominoes", FOUR, _SINGLE_4, "assigned", "board"),
    Variant("classic_2", "Blokus Two-Player", "square20", "polyominoes", FOUR, _PAIRS, "assigned", "board"),
    Variant(
        "classic_3", "Blokus Three-Player", "square20", "polyominoes", FOUR, _SINGLE_3, "assigned", "board", 3
    ),
    Variant("duo", "Blokus Duo", "square14", "polyominoes", TWO, _SINGLE_2, "assigned", "board"),
    Variant("junior", "Blokus Junior", "square14", "junior", TWO, _SINGLE_2, "assigned", "plain"),
    Variant("trigon", "Blokus Trigon", "hexagon9", "polyiamonds", FOUR, _SINGLE_4, "marked", "board"),
    Variant(
        "trigon_2", "Blokus Trigon Two-Player", "hexagon9", "polyiamonds", FOUR, _PAIRS, "marked", "board"
    ),
    Variant(
        "trigon_3",
        "Blokus Trigon Three-Player",
        "hexagon8",
        "polyiamonds",
        FOUR[:3],
        _SINGLE_3,
        "marked",
        "board",
    ),
)

VARIANTS: dict[str, Variant] = {row.id: row for row in _ROWS}
"""Variant id -> row, in the order of the rule page."""


def variant(variant_id: str) -> Variant:
    """Return the row of a variant id.

    Raises:
        UnknownVariant: the id is none of the eight.
    """
    try:
        return VARIANTS[variant_id]
    except KeyError:
        raise UnknownVariant(variant_id, tuple(VARIANTS)) from None
