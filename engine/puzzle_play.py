"""All pieces by the rules of play: a beam search and its repair, on positions that are symmetric or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.errors import BadPuzzle
from engine.kernels.beam import ANY_SIZE
from engine.puzzle_beam import BeamSearch
from engine.puzzle_boards import rotations
from engine.puzzle_kinds import Placed, Puzzle
from engine.puzzle_repair import Repair
from engine.puzzle_search import ENDED, IMPOSSIBLE, SOLVED, Clock, Outcome, remaining

FEW = 10
"""Placements that are missing when pieces of all sizes are tried at every turn."""

WIDTH, WIDEST = 300, 20_000
"""Positions kept at every turn: of the first attempt at 20 placements (more of them get less), and at most."""


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
        of = in_turn[attempt % len(in_turn)]
        beams = BeamSearch(puzzle, given, of, np.random.default_rng([seed, attempt]))
        turns = list(_turns(beams, attempt))
        wide = WIDTH // max(1, len(turns) // 20) * (4 + attempt) // 4
        found = beams.search(turns, min(wide, WIDEST), clock)
        attempt, work = attempt + 1, work + found.work
        if found.proven:
            note = f"with these {len(given)} placements there is no solution: every continuation was tried"
            return Outcome(IMPOSSIBLE, (), note, attempt, work)
        if not found.complete and not clock.over:
            found = Repair(beams, found.rows).run(clock, f"attempt {attempt}")
            work += found.work
        if found.complete:
            return Outcome(SOLVED, beams.game(found.rows), "", attempt, work)
        best = max(best, len(given) + len(found.rows) * of)
        clock.tell(f"attempt {attempt}: at best {best} of {puzzle.pieces} pieces")
    note = f"no solution within {clock.seconds:g} s ({attempt} attempts, at best {best} of {puzzle.pieces} pieces); "
    return Outcome(
        ENDED, (), note + "that proves nothing: try another --seed or a larger --budget", attempt, work
    )


def _turns(beams: BeamSearch, attempt: int) -> Iterator[tuple[int, int]]:
    """(colour, size or ANY_SIZE) of every turn that is missing, of the colours that are built."""
    puzzle, given = beams.puzzle, beams.given
    missing = (puzzle.pieces - len(given)) // beams.order
    sizes = []
    for colour in range(beams.built):
        left = remaining(puzzle, given, colour)
        mine = sorted((puzzle.size(name) for name in left.elements()), reverse=True)
        if not beams.falling and attempt % 4 == 3:
            # Now and then small pieces come early: where big ones find no way, they may be the bridge.
            early = np.array(mine) + beams.rng.normal(0, 1.5, len(mine))
            mine = [mine[i] for i in np.argsort(-early)]
        sizes.append(iter(mine))
    # In a symmetric search whole rounds are given, so that the first colour is on turn.
    at = len(given) % len(puzzle.colours)
    for i in range(missing):
        colour = (at + i) % beams.built
        size = next(sizes[colour])
        yield colour, ANY_SIZE if not beams.falling and missing <= FEW else size
