"""Pieces of a puzzle in a few words: `pentominoes*4`, `I4,L4,O,2T4`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.errors import BadPuzzle
from engine.pieces import PIECE_SETS
from notation.piece_names import PIECE_NAMES

GROUPS = {"monominoes": 1, "dominoes": 2, "trominoes": 3, "tetrominoes": 4, "pentominoes": 5}
"""All pieces of a size."""

ALL = "all"

_PART = re.compile(r"(?:(\d{1,3})\*?)??([a-z][a-z0-9]*|[12])(?:\*(\d{1,3}))?", re.I)


def parse_bag(text: str, piece_set: str = "polyominoes") -> dict[str, int]:
    """Copies of pieces by name, out of names and groups joined by commas or plus signs, each with a number.

    >>> parse_bag("tetrominoes*2,F+2X")
    {'I4': 2, 'L4': 2, 'O': 2, 'T4': 2, 'Z4': 2, 'F': 1, 'X': 2}

    Raises:
        BadPuzzle: a word that is no piece and no group.
    """
    shapes = PIECE_SETS[piece_set].shapes
    out: dict[str, int] = {}
    for part in re.split(r"[,+]", text):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise _unknown(part, piece_set)
        copies = int(match[1] or 1) * int(match[3] or 1)
        for name in _named(match[2], shapes, piece_set, part):
            out[name] = out.get(name, 0) + copies
    return out


def _named(word: str, shapes: Mapping[str, object], piece_set: str, part: str) -> list[str]:
    sizes = {name: len(shape) for name, shape in PIECE_SETS[piece_set].shapes.items()}
    low = word.lower()
    if low == ALL:
        return list(shapes)
    if low in GROUPS and piece_set == "polyominoes":
        return [name for name, size in sizes.items() if size == GROUPS[low]]
    exact = {name.upper(): name for name in shapes}
    name = exact.get(word.upper()) or (PIECE_NAMES.get(word.upper()) if piece_set == "polyominoes" else None)
    if name is None or name not in shapes:
        raise _unknown(part, piece_set)
    return [name]


def _unknown(part: str, piece_set: str) -> BadPuzzle:
    groups = f"{ALL}, {', '.join(GROUPS)} or " if piece_set == "polyominoes" else f"{ALL} or "
    names = " ".join(PIECE_SETS[piece_set].names)
    return BadPuzzle(f"no piece {part.strip()[:40]!r}: write {groups}names out of {names}, as F,2X or T4*3")


def bag_words(bag: Mapping[str, int]) -> str:
    """A bag in words that `parse_bag` reads."""
    return ",".join(name if copies == 1 else f"{name}*{copies}" for name, copies in bag.items())
