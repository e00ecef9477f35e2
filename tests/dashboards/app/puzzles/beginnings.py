"""Beginnings of puzzles, written shortly."""

from engine.puzzle_kinds import Placed, puzzle
from engine.puzzle_verify import cell_name


def at(kind: str, colour: int, piece: str, cells: str) -> Placed:
    """A piece on cells by their names."""
    by_name = {cell_name(xy): xy for xy in puzzle(kind).board.cells}
    places = sorted((by_name[name] for name in cells.split()), key=lambda xy: (xy[1], xy[0]))
    return Placed(colour, piece, tuple(places))


FOUR = (
    at("1", 0, "I5", "a20 b20 c20 d20 e20"),
    at("1", 1, "I5", "p20 q20 r20 s20 t20"),
    at("1", 2, "I5", "p1 q1 r1 s1 t1"),
    at("1", 3, "I5", "a1 b1 c1 d1 e1"),
)
"""First pieces of all colours in the puzzles on 20x20."""
