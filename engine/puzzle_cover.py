"""Tilings: pieces that fill a rectangle, by an exact search from many random beginnings, and their exact number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import pieces
from engine.geometry import I32
from engine.kernels.cover import COVERS, DEPTH, FOUND, MORE, NODES, Path, search_covers
from engine.kernels.cover import ENDED as DONE
from engine.puzzle_colours import coloured
from engine.puzzle_kinds import Placed, Puzzle, impossible
from engine.puzzle_search import ENDED, IMPOSSIBLE, SOLVED, Clock, Outcome
from engine.puzzle_tables import HOLE, CoverTables, cover_tables

SLICE = 1_000_000
"""Placements between two looks at the clock: about a fifth of a second."""

TILINGS = 4
"""Tilings that are looked at for one in which no two pieces of a colour touch side by side."""

PATIENCE = 6
"""Beginnings that get the same number of placements; then they get twice as many."""


def _awkward(puzzle: Puzzle, name: str) -> float:
    """How hard a piece is to place late: large ones, with notches, with few images. Holes come last of all."""
    if name == HOLE:
        return -10.0
    images = pieces.orientations(puzzle.piece_set)[name]
    shape = set(images[0].offsets)
    beside: dict[tuple[int, int], int] = {}
    for x, y in shape:
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if other not in shape:
                beside[other] = beside.get(other, 0) + 1
    notches = sum(n - 1 for n in beside.values())
    return 3.0 * len(shape) + notches + float(np.log2(8 / len(images)))


def _path(tables: CoverTables, given: Sequence[int], order: I32) -> Path:
    """A search at its beginning, with some rows on the board."""
    rows = tables.rows
    most = len(rows.start)
    path = Path(
        numbers=np.zeros(3, np.int64),
        left=tables.copies.copy(),
        covered=np.zeros(len(rows.board), np.uint64),
        order=order,
        cell=np.zeros(most, np.int32),
        following=np.zeros(most, np.int32),
        chosen=np.zeros(most, np.int32),
        used=np.zeros(len(rows.piece), np.int8),
        kept=np.zeros(len(rows.image), np.int64),
    )
    for row in given:
        path.left[rows.piece[row]] -= 1
        path.covered[:] |= rows.bits[row]
    empty = np.flatnonzero(np.unpackbits((rows.board & ~path.covered).view(np.uint8), bitorder="little"))
    path.cell[0] = empty[0] if len(empty) else 0
    path.following[0] = rows.start[path.cell[0]] if len(empty) else rows.start[1]
    return path


def _rows_of(tables: CoverTables, given: Sequence[Placed]) -> list[int]:
    """The rows of some pieces."""
    numbered = enumerate(zip(tables.rows.piece, tables.cells, strict=True))
    at = {(tables.names[piece], cells): row for row, (piece, cells) in numbered}
    return [at[placed.piece, placed.cells] for placed in given]


def solve_tiling(puzzle: Puzzle, given: Sequence[Placed], seed: int, clock: Clock) -> Outcome:
    """Fill the board; `given` are pieces that stay where they are, already verified."""
    if (why := impossible(puzzle)) is not None:
        return Outcome(IMPOSSIBLE, (), why)
    tables = cover_tables(puzzle)
    fixed = _rows_of(tables, given)
    if len(given) == puzzle.pieces:
        return Outcome(SOLVED, tuple(given))
    awkward = np.array([_awkward(puzzle, name) for name in tables.names])[tables.rows.piece]
    rng = np.random.default_rng(seed)
    attempt, work, tilings, fewest = 0, 0, 0, len(puzzle.board.cells)
    best: list[tuple[Placed, ...]] = []
    while not clock.over:
        path = _path(tables, fixed, _order(tables, awkward + rng.gumbel(size=len(awkward))))
        status = _run(tables, path, clock, SLICE << attempt // PATIENCE)
        attempt, work = attempt + 1, work + int(path.numbers[NODES])
        if status == FOUND:
            chosen = path.chosen[: path.numbers[DEPTH] + 1].tolist()
            found = [(tables.names[tables.rows.piece[row]], tables.cells[row]) for row in chosen]
            filled = [(name, cells) for name, cells in found if name != HOLE]
            shown, clashes = coloured(puzzle, given, filled, rng)
            if clashes < fewest:
                fewest = clashes
                best.append(shown)
            tilings += 1
            if not clashes or tilings == TILINGS:
                break
            continue
        if status == DONE:
            what = f"with these {len(given)} pieces" if given else "for these pieces on this board"
            note = f"{what} there is no solution: every arrangement was tried ({work:,} placements)"
            return Outcome(IMPOSSIBLE, (), note, attempt, work)
        clock.tell(f"attempt {attempt}: {work:,} placements")
    if best:
        return Outcome(SOLVED, best[-1], "", attempt, work)
    note = f"no solution within {clock.seconds:g} s ({attempt} attempts, {work:,} placements); "
    return Outcome(
        ENDED, (), note + "that proves nothing: try another --seed or a larger --budget", attempt, work
    )


def _order(tables: CoverTables, weight: np.ndarray[tuple[int], np.dtype[np.float64]]) -> I32:
    """Rows by their first cell, inside it the weightiest first."""
    first = np.repeat(np.arange(len(tables.rows.start) - 1), np.diff(tables.rows.start))
    return np.lexsort((-weight, first)).astype(np.int32)


def _run(tables: CoverTables, path: Path, clock: Clock, most: int) -> int:
    """Search until something happens, `most` placements are tried, or the budget is spent."""
    status = MORE
    while status == MORE and path.numbers[NODES] < most and not clock.over:
        status = int(search_covers(tables.rows, path, SLICE, 0))
    return status


@dataclass(frozen=True, slots=True)
class Count:
    """Number of tilings: of all, and of those that no symmetry of the board makes of each other.

    `complete` is false where the budget ended the count: then there are at least so many of all.
    """

    tilings: int
    different: int | None
    symmetries: int
    complete: bool
    work: int
    note: str = ""


def count_tilings(puzzle: Puzzle, clock: Clock) -> Count:
    """Count the tilings of a board; copies of a piece are alike, colours do not matter.

    >>> from engine.puzzle_kinds import puzzle
    >>> found = count_tilings(puzzle("tiling", board="3x5", bag={"P": 2, "V5": 1}), Clock(60))
    >>> found.tilings, found.different
    (4, 1)
    """
    if (why := impossible(puzzle)) is not None:
        return Count(0, 0, 0, True, 0, why)
    tables = cover_tables(puzzle, with_symmetries=True)
    path = _path(tables, (), np.arange(len(tables.rows.piece), dtype=np.int32))
    status = MORE
    while status == MORE and not clock.over:
        status = int(search_covers(tables.rows, path, SLICE, 1))
        clock.tell(f"{int(path.numbers[COVERS]):,} tilings")
    covers, symmetries = int(path.numbers[COVERS]), len(path.kept)
    work = int(path.numbers[NODES])
    if status == MORE:
        note = f"stopped after {clock.seconds:g} s: there are {covers:,} or more; --budget gives it more time"
        return Count(covers, None, symmetries, False, work, note)
    # Burnside: tilings up to symmetry are the mean number of tilings that a symmetry keeps.
    return Count(covers, int(path.kept.sum()) // symmetries, symmetries, True, work)
