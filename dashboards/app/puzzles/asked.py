"""What the address asks of the page: which puzzle, whose solution, which step, what lies on the board by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.app import links
from dashboards.app.puzzles.packing import pack, unpack
from engine.puzzle_kinds import PUZZLES, Placed, Puzzle, puzzle

RECTANGLES = ("6x10", "12x5", "15x4", "20x3")
"""Rectangles that the twelve pentominoes fill."""

MOST_SEED = 2**53 - 1
"""Greatest seed: beyond it browsers do not know all whole numbers."""

LAST = 10
"""Pieces that are taken away where nothing is said."""

WATCH, TRY = "watch", "try"


@dataclass(frozen=True, slots=True)
class Asked:
    """One puzzle as the address has it.

    `seed` is that of a search, `solution` the pieces of a file instead; `step` how many of them are shown. `pieces` lie
    on the board that is tried by hand, the first `given` of them from the beginning. `damaged`: the address holds
    pieces that make no sense.
    """

    puzzle: Puzzle
    mode: str
    seed: int | None
    solution: tuple[Placed, ...]
    step: int
    pieces: tuple[Placed, ...]
    given: int
    colour: int
    damaged: bool

    @property
    def variant(self) -> str:
        """A variant that has these pieces and colours, for drawings of them."""
        return self.puzzle.variant or "classic"


def read() -> Asked | None:
    """The puzzle of the address, None where it names none."""
    kind = links.parameter("kind")
    if kind not in PUZZLES:
        return None
    board = links.parameter("board")
    row = puzzle(kind, board if kind == "tiling" and board in RECTANGLES else None)
    solution, pieces = unpack(row, links.parameter("solution")), unpack(row, links.parameter("pieces"))
    seed = links.number("seed", 0)
    placed = pieces or ()
    if solution is not None and 0 < len(solution) < row.pieces:
        solution = None
    return Asked(
        puzzle=row,
        mode=TRY if links.parameter("mode") == TRY else WATCH,
        seed=seed if 1 <= seed <= MOST_SEED and not solution else None,
        solution=solution or (),
        step=min(max(links.number("step", row.pieces), 0), row.pieces),
        pieces=placed,
        given=min(max(links.number("given", 0), 0), len(placed)),
        colour=min(max(links.number("colour", 0), 0), len(row.colours) - 1),
        damaged=solution is None or pieces is None,
    )


def keep_pieces(asked: Asked, pieces: Sequence[Placed], given: int | None = None) -> None:
    """Show these pieces on the board that is tried by hand."""
    count = asked.given if given is None else given
    links.keep(mode=TRY, pieces=pack(asked.puzzle, pieces), given=min(count, len(pieces)) or None)


def keep_solution(row: Puzzle, placed: Sequence[Placed]) -> None:
    """Show the solution of a file."""
    links.keep(solution=pack(row, placed), seed=None, step=None, mode=None, pieces=None, given=None)


def without_last(solution: Sequence[Placed], count: int) -> tuple[Placed, ...]:
    """A solution without its last pieces; one stays away at least, and all at most."""
    return tuple(solution[: max(0, len(solution) - max(1, count))])
