"""All pieces by the rules of play: beam search, on positions that are symmetric or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.errors import BadPuzzle
from engine.geometry import I32
from engine.kernels.beam import ANY_SIZE, Beam, Children, Shapes, Turn, expand, grow
from engine.lattices import XY
from engine.puzzle_boards import rotations, touching
from engine.puzzle_kinds import FALLING, Placed, Puzzle
from engine.puzzle_search import ENDED, IMPOSSIBLE, SOLVED, Clock, Outcome, remaining
from engine.puzzle_tables import Layout, layout, play_tables

NOISE = 100
"""Noise of a score, in tenths of a point: attempts differ by it."""

ROOM = 1_500_000
"""Successors that are looked at in one turn."""

FEW = 10
"""Placements that are missing when pieces of all sizes are tried at every turn."""

WIDTH, WIDEST = 300, 20_000
"""Positions kept at every turn: of the first attempt for each 24 placements, and at most."""


def orders(puzzle: Puzzle) -> list[int]:
    """Orders of the groups of rotations that map colours to colours and starts to starts, the largest first.

    >>> from engine.puzzle_kinds import puzzle
    >>> orders(puzzle("1")), orders(puzzle("trigon")), orders(puzzle("1", board="18x20"))
    ([4, 2, 1], [2, 1], [2, 1])
    """
    every, colours = rotations(puzzle.board), len(puzzle.colours)
    return [
        n for n in range(colours, 0, -1) if colours % n == 0 and len(every) % n == 0 and _keeps(puzzle, n)
    ]


def _keeps(puzzle: Puzzle, order: int) -> bool:
    """Whether a group of rotations moves every colour's starts to those of the colour that follows it."""
    every, colours = rotations(puzzle.board), len(puzzle.colours)
    return all(
        {image[xy] for xy in puzzle.starts[c]} == puzzle.starts[(c + colours // order * k) % colours]
        for k, image in enumerate(every[:: len(every) // order])
        for c in range(colours)
    )


def _is_symmetric(puzzle: Puzzle, given: Sequence[Placed], order: int) -> bool:
    """Whether placements are whole rounds, each made of images of the first colours' pieces."""
    colours = len(puzzle.colours)
    built, every = colours // order, rotations(puzzle.board)
    if len(given) % colours:
        return order == 1
    images = every[:: len(every) // order]
    return all(
        {image[xy] for xy in given[at + c].cells} == set(given[at + c + built * k].cells)
        for at in range(0, len(given), colours)
        for c in range(built)
        for k, image in enumerate(images)
    )


def solve_play(
    puzzle: Puzzle, given: Sequence[Placed], seed: int, clock: Clock, order: int | None
) -> Outcome:
    """Place all pieces that are missing; `given` are the first placements of a game, already verified.

    `order` is that of the group of rotations; None takes the largest that fits, and now and then none.

    Raises:
        BadPuzzle: the puzzle, or what is given, has no such symmetry.
    """
    fitting = [n for n in orders(puzzle) if _is_symmetric(puzzle, given, n)]
    if order is not None and order not in fitting:
        what = "the placements given are not" if order in orders(puzzle) else f"{puzzle.board.name} is not"
        raise BadPuzzle(f"{what} symmetric in that way: leave --symmetry out, or use --symmetry none")
    in_turn = [order] if order is not None else [fitting[0], fitting[0], fitting[-1]]
    best = len(given)
    attempt, work = 0, 0
    while not clock.over:
        found = _Attempt(puzzle, given, in_turn[attempt % len(in_turn)], seed, attempt).run(clock)
        attempt, work = attempt + 1, work + found.work
        if found.pieces:
            return Outcome(SOLVED, found.pieces, "", attempt, work)
        if found.proven:
            note = f"with these {len(given)} placements there is no solution: every continuation was tried"
            return Outcome(IMPOSSIBLE, (), note, attempt, work)
        best = max(best, found.reached)
        clock.tell(f"attempt {attempt}: {found.reached} of {puzzle.pieces} pieces, at best {best}")
    note = f"no solution within {clock.seconds:g} s ({attempt} attempts, at best {best} of {puzzle.pieces} pieces); "
    return Outcome(
        ENDED, (), note + "that proves nothing: try another --seed or a larger --budget", attempt, work
    )


@dataclass(slots=True)
class _Found:
    pieces: tuple[Placed, ...] = ()
    reached: int = 0
    work: int = 0
    proven: bool = False


@cache
def _tables(kind: str, board: str, order: int) -> list[tuple[Puzzle, Layout, Shapes]]:
    """Room for the tables of the last puzzle of a kind, board and order."""
    return []


def _tables_of(puzzle: Puzzle, order: int) -> tuple[Layout, Shapes]:
    kept = _tables(puzzle.kind, puzzle.board.name, order)
    if not kept or kept[0][0] != puzzle:
        cells = layout(puzzle.board, order)
        kept[:] = [(puzzle, cells, play_tables(puzzle, tuple(puzzle.bag), cells))]
    return kept[0][1:]


class _Attempt:
    """One beam search."""

    def __init__(self, puzzle: Puzzle, given: Sequence[Placed], order: int, seed: int, attempt: int) -> None:
        self.puzzle, self.given, self.order = puzzle, given, order
        self.cells, self.shapes = _tables_of(puzzle, order)
        self.names = tuple(puzzle.bag)
        self.built = len(puzzle.colours) // order
        self.rng = np.random.default_rng([seed, attempt])
        self.turns = list(self._turns(attempt))
        wide = WIDTH * max(1, len(self.turns) // 20) * (4 + attempt) // 4
        self.width = min(wide, WIDEST)
        self.proves = order == 1
        self.first = {c: self._start(c) for c in range(self.built)}

    def _turns(self, attempt: int) -> Iterator[tuple[int, int]]:
        """(colour, size or ANY_SIZE) of every turn that is missing, of the colours that are built."""
        puzzle, done = self.puzzle, len(self.given)
        missing = (puzzle.pieces - done) // self.order
        sizes = []
        for colour in range(self.built):
            left = remaining(puzzle, self.given, colour)
            mine = sorted((puzzle.size(name) for name in left.elements()), reverse=True)
            if puzzle.rule != FALLING and attempt % 4 == 3:
                # Now and then small pieces come early: where big ones find no way, they may be the bridge.
                early = np.array(mine) + self.rng.normal(0, 1.5, len(mine))
                mine = [mine[i] for i in np.argsort(-early)]
            sizes.append(iter(mine))
        # In a symmetric search whole rounds are given, so that the first colour is on turn.
        at = done % len(puzzle.colours)
        for i in range(missing):
            colour = (at + i) % self.built
            size = next(sizes[colour])
            yield colour, ANY_SIZE if puzzle.rule != FALLING and missing <= FEW else size

    def _start(self, colour: int) -> XY | None:
        """A starting cell for a colour that has not begun, drawn at random where there are several."""
        if any(placed.colour == colour for placed in self.given):
            return None
        covered = {xy for placed in self.given for xy in placed.cells} | self.cells.middle
        taken = {image[xy] for xy in getattr(self, "first", {}).values() if xy for image in self.cells.images}
        free = sorted(self.puzzle.starts[colour] - covered - taken)
        self.proves = self.proves and len(free) <= 1
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

    def _begin(self) -> Beam:
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

    def run(self, clock: Clock) -> _Found:
        """Search until all pieces are placed, no position has a successor, or the budget is spent."""
        beam, out, found = self._begin(), _children(), _Found()
        chosen: list[tuple[int, I32, I32]] = []
        seed = np.uint64(self.rng.integers(0, 2**63))
        for colour, size in self.turns:
            count = expand(self.shapes, beam, Turn(colour, size, seed, NOISE), out)
            found.reached = len(self.given) + len(chosen) * self.order
            if count == 0:
                found.proven = self.proves
                return found
            if clock.over:
                return found
            found.work += count
            kept = self._best(out, min(count, ROOM), count > ROOM)
            parent, placement = out.parent[kept].copy(), out.placement[kept].copy()
            chosen.append((colour, parent, placement))
            following = self._beam(len(kept))
            grow(self.shapes, beam, colour, parent, placement, following)
            beam = following
        found.pieces = self._game(chosen)
        return found

    def _best(self, out: Children, count: int, cut: bool) -> I32:
        """The best successors, equal positions once."""
        score, key = out.score[:count], out.key[:count]
        some = np.arange(count)
        if count > 4 * self.width:
            some = np.argpartition(-score, 4 * self.width)[: 4 * self.width]
        some = some[np.lexsort((key[some], -score[some]))]
        _, first = np.unique(key[some], return_index=True)
        self.proves = self.proves and not cut and count <= 4 * self.width and len(first) <= self.width
        return some[np.sort(first)[: self.width]].astype(np.int32)

    def _game(self, chosen: Sequence[tuple[int, I32, I32]]) -> tuple[Placed, ...]:
        """The placements given and those of the first position at the end, with their images, in order of play."""
        at, built = 0, []
        for colour, parent, placement in reversed(chosen):
            built.append((colour, int(placement[at])))
            at = int(parent[at])
        place = {cell: xy for xy, cell in self.cells.number.items()}
        made: list[list[Placed]] = [[] for _ in self.puzzle.colours]
        for colour, row in reversed(built):
            bits = np.unpackbits(self.shapes.cells[row].view(np.uint8), bitorder="little")
            cells = [place[int(bit)] for bit in np.flatnonzero(bits)]
            name = self.names[self.shapes.piece[row]]
            for k, image in enumerate(self.cells.images):
                ordered = sorted((image[xy] for xy in cells), key=lambda xy: (xy[1], xy[0]))
                of = colour + self.built * k
                made[of].append(Placed(of, name, tuple(ordered)))
        game, turn = list(self.given), len(self.given)
        following = [iter(pieces) for pieces in made]
        while turn < self.puzzle.pieces:
            game.append(next(following[turn % len(made)]))
            turn += 1
        return tuple(game)


def _mark(bits: np.ndarray[tuple[int], np.dtype[np.uint64]], at: int) -> None:
    bits[at >> 6] |= np.uint64(1 << (at & 63))


@cache
def _children() -> Children:
    return Children(
        np.empty(ROOM, np.int32),
        np.empty(ROOM, np.int32),
        np.empty(ROOM, np.int64),
        np.empty(ROOM, np.uint64),
    )
