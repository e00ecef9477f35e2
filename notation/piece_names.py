"""Names of polyominoes as people write them, and ours."""

from __future__ import annotations

from engine.pieces import PIECE_SETS

PIECE_NAMES: dict[str, str] = {
    **{name: name for name in PIECE_SETS["polyominoes"].names},
    **{f"{name}5": name for name in "FNPUWXY"},
    **{name: f"{name}5" for name in "ILTVZ"},
    "I1": "1",
    "I2": "2",
    "O4": "O",
}
"""A name in capitals -> ours: of the pieces of five cells with or without the 5, of the others as in our list."""
