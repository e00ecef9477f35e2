"""Beam search by the rules of play: many positions grow by a piece at a time, and the most promising are kept."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from engine.geometry import I8, I32, U64
from engine.kernels.beam import ANY_SIZE, Beam, Children, Shapes, Turn, expand, grow
from engine.lattices import XY
from engine.puzzle_boards import touching
from engine.puzzle_kinds import FALLING, Placed, Puzzle
from engine.puzzle_search import Clock, remaining
from engine.puzzle_tables import Layout, layout, play_tables

NOISE = 100
"""Noise of a score, in tenths of a point: attempts differ by it."""

ROOM = 1_500_000
"""Successors that are looked at in one turn."""

Row = tuple[int, int]
"""A colour of those that are built, and a placement of the tables."""


@dataclass(slots=True)
class Found:
    """Where a search ended: its rows in an order of play, successors looked at.

    `proven` says that nothing was left out on the way to a dead end; `complete` that no piece is missing.
    """

    rows: list[Row] = field(default_factory=list)
    work: int = 0
    proven: bool = False
    complete: bool = False


@cache
def _tables(kind: str, board: str, order: int) -> list[tuple[Puzzle, Layout, Shapes]]:
    """Room for the tables of the last puzzle of a kind, board and order."""
    return []


def _tables_of(puzzle: Puzzle, order: int) -> tuple[Layout, Shapes]:
    kept = _tables(puzzle.kind, puzzle.board.name, order)
    # One look at what is kept: another thread may exchange it.
    for known, cells, shapes in kept[:1]:
        if known == puzzle:
            return cells, shapes
    cells = layout(puzzle.board, order)
    shapes = play_tables(puzzle, tuple(puzzle.bag), cells)
    kept[:] = [(puzzle, cells, shapes)]
    return cells, shapes


class BeamSearch:
    """Searches that go on from `given`, with positions that a group of `order` rotations maps to themselves."""

    def __init__(self, puzzle: Puzzle, given: Sequence[Placed], order: int, rng: np.random.Generator) -> None:
        self.puzzle, self.given, self.order, self.rng = puzzle, given, order, rng
        self.cells, self.shapes = _tables_of(puzzle, order)
        self.names = tuple(puzzle.bag)
        self.built = len(puzzle.colours) // order
        self.falling = puzzle.rule == FALLING
        self.only_start = True
        self.first: dict[int, XY | None] = {}
        for colour in range(self.built):
            self.first[colour] = self._start(colour)
        self._given = self._beginning()
        self._pieces: list[int] = self.shapes.piece.tolist()
        self._sizes: list[int] = self.shapes.size.tolist()
        self._known: dict[int, tuple[int, int]] = {}

    def _start(self, colour: int) -> XY | None:
        """A starting cell for a colour that has not begun, drawn at random where there are several."""
        if any(placed.colour == colour for placed in self.given):
            return None
        covered = {xy for placed in self.given for xy in placed.cells} | self.cells.middle
        taken = {image[xy] for xy in self.first.values() if xy for image in self.cells.images}
        free = sorted(self.puzzle.starts[colour] - covered - taken)
        self.only_start = self.only_start and len(free) <= 1
        return free[int(self.rng.integers(len(free)))] if free else None

    def _beam(self, rows: int) -> Beam:
        """Room for positions."""
        v, w = self.cells.words, self.cells.words * self.order
        return Beam(
            np.zeros((rows, v), np.uint64),
            np.zeros((rows, self.built, w), np.uint64),
            np.zeros((rows, self.built, w), np.uint64),
            np.zeros((rows, self.built, len(self.names)), np.int8),
            np.zeros(rows, np.uint64),
        )

    def _beginning(self) -> Beam:
        """The position given."""
        beam, number = self._beam(1), self.cells.number
        span = self.cells.words * 64
        around = touching(self.puzzle.board)
        for at in range(self.cells.orbits, span):
            _mark(beam.orbits[0], at)
        for placed in self.given:
            for xy in placed.cells:
                _mark(beam.orbits[0], number[xy] % span)
        for colour in range(self.built):
            own = [xy for placed in self.given if placed.colour == colour for xy in placed.cells]
            for masks, kind in ((beam.forbidden, 0), (beam.corners, 1)):
                for xy in {other for cell in own for other in around[cell][kind]} & number.keys():
                    _mark(masks[0, colour], number[xy])
            if (start := self.first[colour]) is not None:
                _mark(beam.corners[0, colour], number[start])
            left = remaining(self.puzzle, self.given, colour)
            beam.left[0, colour] = [left[name] for name in self.names]
        return beam

    def begin(self, kept: Sequence[Row] = ()) -> Beam:
        """The position given and some rows. Where sizes fall, rows open no corners yet: a bigger piece may come."""
        given = self._given
        beam = Beam(
            given.orbits.copy(),
            given.forbidden.copy(),
            given.corners.copy(),
            given.left.copy(),
            given.key.copy(),
        )
        beam.orbits[0] |= np.bitwise_or.reduce(self.shapes.orbits[[row for _, row in kept]], axis=0)
        beam.left[0] = self.left(kept)
        for colour in range(self.built):
            own = [row for of, row in kept if of == colour]
            beam.forbidden[0, colour] |= np.bitwise_or.reduce(self.shapes.sides[own], axis=0)
            if not self.falling:
                beam.corners[0, colour] |= np.bitwise_or.reduce(self.shapes.corners[own], axis=0)
        return beam

    def left(self, kept: Iterable[Row]) -> I8:
        """``(B, N)`` copies of pieces that are not on the board, by colour that is built."""
        left: I8 = self._given.left[0].copy()
        for colour, row in kept:
            left[colour, self._pieces[row]] -= 1
        return left

    def size(self, row: Row) -> int:
        """Cells of a row's piece, without its images."""
        return self._sizes[self._pieces[row[1]]]

    def in_order(self, rows: Iterable[Row]) -> list[Row]:
        """Rows in an order of play, of each colour the biggest first; those that no corner leads to are left out."""
        waiting: list[list[Row]] = [[] for _ in range(self.built)]
        for row in sorted(rows, key=self.size, reverse=True):
            waiting[row[0]].append(row)
        ordered = []
        for colour, mine in enumerate(waiting):
            corners = _whole(self._given.corners[0, colour])
            masks = {row: self._masks(row[1]) for row in mine}
            while (found := next((row for row in mine if masks[row][0] & corners), None)) is not None:
                ordered.append(found)
                corners |= masks[found][1]
                mine.remove(found)
                if self.falling:
                    mine = [row for row in mine if self.size(row) <= self.size(found)]
        return ordered

    def _masks(self, row: int) -> tuple[int, int]:
        """Cells of a row and those at its corners, each as one number: quicker than arrays of a few words."""
        if row not in self._known:
            self._known[row] = _whole(self.shapes.cells[row]), _whole(self.shapes.corners[row])
        return self._known[row]

    def search(self, turns: Iterable[Row], width: int, clock: Clock, kept: Sequence[Row] = ()) -> Found:
        """Place a piece for each (colour, size or ANY_SIZE) in `turns`; those that fit nowhere stay missing.

        Ends early, with what is placed, when the budget is spent.
        """
        beam, out, work = self.begin(kept), _children(), 0
        chosen: list[tuple[int, I32, I32]] = []
        seed = np.uint64(self.rng.integers(0, 2**63))
        exact, complete, opened = self.order == 1 and self.only_start and not kept, True, len(_SIZES)
        for colour, size in turns:
            if self.falling:
                self._open(beam, kept, range(size, opened))
                opened = size
            count = expand(self.shapes, beam, Turn(colour, size, seed, NOISE), out)
            # A size that is prescribed, though any may come, leaves something out.
            exact = exact and (self.falling or size == ANY_SIZE)
            if count == 0 and exact:
                return Found([], work, True)
            if clock.over:
                complete = False
                break
            if count == 0:
                complete = False
                continue
            work += count
            best, all_kept = _best(out, min(count, ROOM), width)
            exact = exact and all_kept and count <= ROOM
            parent, placement = out.parent[best].copy(), out.placement[best].copy()
            chosen.append((colour, parent, placement))
            following = self._beam(len(best))
            grow(self.shapes, beam, colour, parent, placement, following)
            beam = following
        return Found([*kept, *_line(chosen)], work, False, complete)

    def _open(self, beam: Beam, kept: Iterable[Row], sizes: range) -> None:
        """Open the corners of kept rows of some sizes, in all positions."""
        for row in kept:
            if self.size(row) in sizes:
                beam.corners[:, row[0]] |= self.shapes.corners[row[1]]

    def game(self, rows: Iterable[Row]) -> tuple[Placed, ...]:
        """What is given and rows in an order of play, with their images, all colours in turn."""
        place = {cell: xy for xy, cell in self.cells.number.items()}
        made: list[list[Placed]] = [[] for _ in self.puzzle.colours]
        for colour, row in rows:
            bits = np.unpackbits(self.shapes.cells[row].view(np.uint8), bitorder="little")
            cells = [place[int(bit)] for bit in np.flatnonzero(bits)]
            name = self.names[self.shapes.piece[row]]
            for k, image in enumerate(self.cells.images):
                ordered = sorted((image[xy] for xy in cells), key=lambda xy: (xy[1], xy[0]))
                of = colour + self.built * k
                made[of].append(Placed(of, name, tuple(ordered)))
        game, following = list(self.given), [iter(pieces) for pieces in made]
        while len(game) < self.puzzle.pieces:
            game.append(next(following[len(game) % len(made)]))
        return tuple(game)


_SIZES = range(10)
"""Sizes of pieces, and more."""


def _best(out: Children, count: int, width: int) -> tuple[I32, bool]:
    """The best successors, equal positions once, and whether that is all of them."""
    score, key = out.score[:count], out.key[:count]
    some = np.arange(count)
    if count > 4 * width:
        some = np.argpartition(-score, 4 * width)[: 4 * width]
    some = some[np.lexsort((key[some], -score[some]))]
    _, first = np.unique(key[some], return_index=True)
    return some[np.sort(first)[:width]].astype(np.int32), count <= 4 * width and len(first) <= width


def _line(chosen: Sequence[tuple[int, I32, I32]]) -> list[Row]:
    """The rows that lead to the first position at the end."""
    at, rows = 0, []
    for colour, parent, placement in reversed(chosen):
        rows.append((colour, int(placement[at])))
        at = int(parent[at])
    return rows[::-1]


def _whole(words: U64) -> int:
    """A bit string as one number."""
    return int.from_bytes(words.astype("<u8").tobytes(), "little")


def _mark(bits: np.ndarray[tuple[int], np.dtype[np.uint64]], at: int) -> None:
    bits[at >> 6] |= np.uint64(1 << (at & 63))


_room = threading.local()


def _children() -> Children:
    """Room for successors, the same for all searches of a thread."""
    if not hasattr(_room, "children"):
        _room.children = Children(
            np.empty(ROOM, np.int32),
            np.empty(ROOM, np.int32),
            np.empty(ROOM, np.int64),
            np.empty(ROOM, np.uint64),
        )
    found: Children = _room.children
    return found
