"""Colours of a tiling's pieces: every colour gets its share of each shape, and pieces of one colour rarely touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.lattices import XY
from engine.puzzle_boards import touching
from engine.puzzle_kinds import Placed, Puzzle

STEPS = 2_000
"""Exchanges of colours that are tried."""

RESTLESS = 0.1
"""Share of exchanges that are made whatever they do: without them the search gets stuck."""

COLOURS = 4

Piece = tuple[str, tuple[XY, ...]]


def coloured(
    puzzle: Puzzle, given: Sequence[Placed], filled: Sequence[Piece], rng: np.random.Generator
) -> tuple[tuple[Placed, ...], int]:
    """Given pieces and found ones, from the top row down, and how many that can be changed touch one of their colour.

    No colour has more copies of a shape than it must.
    """
    pieces = [(placed.piece, placed.cells) for placed in given] + list(filled)
    colours = len(puzzle.colours)
    colour = [placed.colour for placed in given]
    for name, _ in filled:
        # The colour with the fewest copies of the shape, at random among equals.
        have = [
            sum(c == k and p[0] == name for c, p in zip(colour, pieces, strict=False)) for k in range(colours)
        ]
        colour.append(int(rng.choice([k for k in range(colours) if have[k] == min(have)])))
    clashes = _exchange(puzzle, pieces, colour, len(given), rng)
    placed = [Placed(c, name, cells) for c, (name, cells) in zip(colour, pieces, strict=True)]
    return tuple(sorted(placed, key=lambda p: (-p.cells[-1][1], p.cells[-1][0]))), clashes


def _exchange(
    puzzle: Puzzle, pieces: Sequence[Piece], colour: list[int], fixed: int, rng: np.random.Generator
) -> int:
    """Exchange colours of copies of a shape, or change that of a single one, until pieces of one colour do not touch.

    Returns how many do where it fails; `colour` is then the best that was seen.
    """
    owner = {cell: i for i, (_, cells) in enumerate(pieces) for cell in cells}
    around = touching(puzzle.board)
    near = [
        sorted({owner[other] for cell in cells for other in around[cell][0] if other in owner} - {i})
        for i, (_, cells) in enumerate(pieces)
    ]
    copies: dict[str, list[int]] = {}
    for i, (name, _) in enumerate(pieces):
        copies.setdefault(name, []).append(i)

    def clashes(i: int) -> int:
        return sum(colour[i] == colour[j] for j in near[i])

    best, fewest = list(colour), len(pieces) + 1
    for _ in range(STEPS):
        wrong = [i for i in range(fixed, len(pieces)) if clashes(i)]
        if len(wrong) < fewest:
            best, fewest = list(colour), len(wrong)
        if not wrong:
            break
        i = wrong[int(rng.integers(len(wrong)))]
        _improve(i, [j for j in copies[pieces[i][0]] if j >= fixed and j != i], colour, clashes, rng)
    colour[:] = best
    return fewest


def _improve(
    i: int,
    others: Sequence[int],
    colour: list[int],
    clashes: Callable[[int], int],
    rng: np.random.Generator,
) -> None:
    """Give a piece the colour that clashes least, exchanging it with a copy that has it; now and then any."""
    taken = {colour[j]: j for j in others}
    before, best, move = clashes(i), 1 << 20, (colour[i], -1)
    random_step = rng.random() < RESTLESS
    for new in rng.permutation(COLOURS).tolist():
        j = taken.get(new, -1)
        if new == colour[i]:
            continue
        old, was = colour[i], 0 if j < 0 else clashes(j)
        colour[i] = new
        if j >= 0:
            colour[j] = old
        change = clashes(i) - before + (0 if j < 0 else clashes(j) - was)
        colour[i] = old
        if j >= 0:
            colour[j] = new
        if change < best:
            best, move = change, (new, j)
        if random_step:
            break
    new, j = move
    if j >= 0:
        colour[j] = colour[i]
    colour[i] = new
