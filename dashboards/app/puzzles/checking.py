"""What may be placed in a puzzle that is tried by hand, what may not and why, and when it leads nowhere any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from dashboards.app.placing import Cells, Ground
from engine.lattices import XY
from engine.pieces import orientations
from engine.puzzle_boards import PuzzleBoard, touching
from engine.puzzle_kinds import FALLING, Placed, Puzzle
from engine.puzzle_verify import verify

Board = Sequence[Placed]
"""What lies on the board."""


class DeadEnd(NamedTuple):
    """Why no solution begins like this: `kind` is ``bigger``, ``nowhere`` or ``patch``.

    A colour has a piece that is bigger than the last one; the colour on turn has no place for any of its pieces; a
    patch of `cells` empty cells is no sum of pieces.
    """

    kind: str
    colour: int = -1
    piece: str = ""
    cells: int = 0


@cache
def ground(board: PuzzleBoard) -> Ground:
    """The board as pieces in the hand know it."""
    return Ground(board.lattice, board.parity, board.cells)


@cache
def numbers(board: PuzzleBoard) -> dict[XY, int]:
    """Number of every cell, in the order of the board."""
    return {xy: at for at, xy in enumerate(board.cells)}


def on_turn(puzzle: Puzzle, placed: Board) -> int | None:
    """The colour whose turn it is; None where any colour may be placed, or everything is."""
    if not puzzle.by_rules or len(placed) == puzzle.pieces:
        return None
    return len(placed) % len(puzzle.colours)


def left(puzzle: Puzzle, placed: Board, colour: int) -> dict[str, int]:
    """Pieces that a colour has left, with their number.

    The pieces of a tiling belong to no colour; where every colour can have the same share of them, it has it.
    """
    colours = 1 if puzzle.by_rules else len(puzzle.colours)
    shared = any(copies % colours for copies in puzzle.bag.values())
    whose = [one.piece for one in placed if shared or one.colour == colour]
    found = Counter({name: n if shared else n // colours for name, n in puzzle.bag.items()})
    found.subtract(whose)
    return {name: n for name, n in found.items() if n > 0}


def shared_bag(puzzle: Puzzle) -> bool:
    """Whether all colours draw from the same pieces."""
    return not puzzle.by_rules and any(n % len(puzzle.colours) for n in puzzle.bag.values())


def allowed(puzzle: Puzzle, placed: Board, colour: int, piece: str) -> Callable[[Cells], bool]:
    """Whether cells, by number, are a legal place for a piece of a colour."""
    if puzzle.rule == FALLING and placed and puzzle.size(piece) > len(placed[-1].cells):
        return lambda cells: False
    number = numbers(puzzle.board)
    closed = {number[xy] for one in placed for xy in one.cells}
    if not puzzle.by_rules:
        return closed.isdisjoint
    closed |= {number[xy] for xy in _beside(puzzle, placed, colour, 0)}
    open_cells = {number[xy] for xy in _openings(puzzle, placed, colour)}
    return lambda cells: closed.isdisjoint(cells) and not open_cells.isdisjoint(cells)


def _beside(puzzle: Puzzle, placed: Board, colour: int, kind: int) -> set[XY]:
    """Cells that touch the pieces of a colour, by side (0) or only by corner (1)."""
    around = touching(puzzle.board)
    return {other for one in placed if one.colour == colour for xy in one.cells for other in around[xy][kind]}


def _openings(puzzle: Puzzle, placed: Board, colour: int) -> set[XY]:
    """Cells of which a colour's next piece must cover one."""
    if any(one.colour == colour for one in placed):
        return _beside(puzzle, placed, colour, 1)
    return set(puzzle.starts[colour])


class Refusal(NamedTuple):
    """Why a piece may not lie somewhere: a reason (`reasons` in the texts), and a cell where that is so.

    `by` is what lies on that cell.
    """

    reason: str
    cell: XY | None = None
    by: Placed | None = None


def refused(puzzle: Puzzle, placed: Board, candidate: Placed) -> Refusal | None:
    """Why a piece may not be placed next; None where it may."""
    here, own = numbers(puzzle.board), candidate.colour
    outside = [xy for xy in candidate.cells if xy not in here]
    if outside:
        return Refusal("off_board")
    owner = {xy: one for one in placed for xy in one.cells}
    covered = next((xy for xy in candidate.cells if xy in owner), None)
    if covered is not None:
        return Refusal("occupied", covered, owner[covered])
    problems = verify(puzzle, [*placed, candidate], partial=True)
    if not problems:
        return None
    reason = problems[0].code
    if reason == "side_contact":
        sides = touching(puzzle.board)
        pairs = ((xy, other) for xy in candidate.cells for other in sorted(sides[xy][0]))
        other = next(other for _, other in pairs if other in owner and owner[other].colour == own)
        return Refusal(reason, other, owner[other])
    return Refusal(reason)


def dead_end(puzzle: Puzzle, placed: Board) -> DeadEnd | None:
    """A reason that can be seen at once why these pieces are no beginning of a solution; None where none is seen."""
    if len(placed) == puzzle.pieces:
        return None
    if not puzzle.by_rules:
        return _patch(puzzle, placed)
    if puzzle.rule == FALLING and placed:
        most = len(placed[-1].cells)
        for colour in range(len(puzzle.colours)):
            bigger = [name for name in left(puzzle, placed, colour) if puzzle.size(name) > most]
            if bigger:
                return DeadEnd("bigger", colour, bigger[-1])
    colour = len(placed) % len(puzzle.colours)
    return None if _has_place(puzzle, placed, colour) else DeadEnd("nowhere", colour)


def _has_place(puzzle: Puzzle, placed: Board, colour: int) -> bool:
    """Whether any piece that a colour has left has a place."""
    covered = {xy for one in placed for xy in one.cells}
    free = set(puzzle.board.cells) - covered - _beside(puzzle, placed, colour, 0)
    triangular, parity = puzzle.board.lattice.triangular, puzzle.board.parity
    for x, y in sorted(_openings(puzzle, placed, colour) & free):
        for name in left(puzzle, placed, colour):
            for image in orientations(puzzle.piece_set)[name]:
                for dx, dy in image.offsets:
                    u, v = x - dx, y - dy
                    if triangular and (u + v + parity) % 2 != image.parity:
                        continue
                    if all((u + a, v + b) in free for a, b in image.offsets):
                        return True
    return False


def _patch(puzzle: Puzzle, placed: Board) -> DeadEnd | None:
    """The smallest patch of empty cells that the sizes of the pieces cannot make up."""
    if puzzle.holes:
        return None
    sizes = {puzzle.size(name) for name in puzzle.bag}
    wrong = [n for n in _patches(puzzle, placed) if n not in _sums(sizes, n)]
    return DeadEnd("patch", cells=min(wrong)) if wrong else None


def _patches(puzzle: Puzzle, placed: Board) -> Iterator[int]:
    """Sizes of the patches of empty cells."""
    around = touching(puzzle.board)
    empty = set(puzzle.board.cells) - {xy for one in placed for xy in one.cells}
    while empty:
        patch = [empty.pop()]
        for xy in patch:
            near = around[xy][0] & empty
            empty -= near
            patch += near
        yield len(patch)


def _sums(sizes: Collection[int], most: int) -> set[int]:
    """All sums of these sizes up to a number."""
    found = {0}
    for total in range(1, most + 1):
        if any(total - size in found for size in sizes):
            found.add(total)
    return found
