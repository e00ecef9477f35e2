"""The solo puzzles: verify and solve them, and count tilings.

The puzzles are rows of `engine.puzzle_kinds`. By the rules of play a beam search places what it can, by default one
colour's pieces, the others being their rotations; where some are missing, parts of the position are taken off and built
again until none is. Rectangles are filled by an exact search.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import BadPuzzle
from engine.puzzle_cover import Count, count_tilings, solve_tiling
from engine.puzzle_kinds import PUZZLES, Placed, Puzzle, impossible, puzzle
from engine.puzzle_search import ENDED, IMPOSSIBLE, SOLVED, VERSION, Clock, Outcome
from engine.puzzle_verify import Problem, on_board, verify

__all__ = [
    "ENDED",
    "IMPOSSIBLE",
    "PUZZLES",
    "SOLVED",
    "VERSION",
    "BadPuzzle",
    "Clock",
    "Count",
    "Outcome",
    "Placed",
    "Problem",
    "Puzzle",
    "count_tilings",
    "impossible",
    "on_board",
    "puzzle",
    "solve",
    "verify",
]

BUDGET = 60.0
"""Seconds that a search takes at most, unless told otherwise."""

SYMMETRIES = {"none": 1, "half": 2, "third": 3, "quarter": 4}
"""Turns that map a solution to itself, colours following one another, and the order of the group they make."""


def solve(
    row: Puzzle,
    seed: int = 1,
    clock: Clock | None = None,
    given: Sequence[Placed] = (),
    symmetry: str | None = None,
) -> Outcome:
    """Solve a puzzle, or complete `given` placements.

    The same seed finds the same, on any machine, as long as the budget does not end it.
    `symmetry` is one of `SYMMETRIES`; None takes the strongest, and now and then none.

    >>> solve(puzzle("3"), seed=1).status
    'solved'

    Raises:
        BadPuzzle: what is given is wrong from the beginning, or a symmetry that the puzzle has not.
    """
    clock = clock or Clock(BUDGET)
    problems = verify(row, given, partial=True)
    if problems:
        first = problems[0]
        raise BadPuzzle(f"number {first.number}: {first.message}" if first.number else first.message)
    if (why := impossible(row)) is not None:
        return Outcome(IMPOSSIBLE, (), why)
    placed = on_board(row, given)
    if len(placed) == row.pieces:
        return Outcome(SOLVED, tuple(placed))
    if not row.by_rules:
        if symmetry is not None:
            raise BadPuzzle("symmetries are for puzzles by the rules of play")
        return solve_tiling(row, placed, seed, clock)
    if symmetry is not None and symmetry not in SYMMETRIES:
        raise BadPuzzle(f"unknown symmetry {symmetry!r}: choose one of {', '.join(SYMMETRIES)}")
    from engine.puzzle_play import solve_play

    return solve_play(row, placed, seed, clock, None if symmetry is None else SYMMETRIES[symmetry])
