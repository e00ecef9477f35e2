"""Beam search for all pieces by the rules of play: how many positions grow into the next ones, and what these promise.

A position is symmetric: a piece stands for itself and for its images under a group of rotations, which belong to other
colours. Cells are bits `segment * V * 64 + orbit`, V words an orbit set: rotations move segments and keep orbits, so
what is covered is one set of orbits, and a rotation needs no table. Without symmetry there is one segment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry import I8, I32, I64, U64
from engine.kernels.bits import popcount, trailing_zeros
from engine.kernels.compile import kernel, part
from engine.kernels.randomness import mix

ANY_SIZE = 0
"""Instead of a size: pieces of any."""


class Shapes(NamedTuple):
    """Placements, P of them, N pieces, W words a cell set, V words an orbit set."""

    piece: I8  # (P,)
    size: I8  # (N,)
    orbits: U64  # (P, V) orbits covered
    cells: U64  # (P, W) cells covered
    sides: U64  # (P, W) cells beside it
    corners: U64  # (P, W) cells at its corners
    start: I32  # (64 W + 1,) first entry of each cell in `covering`
    covering: I32  # placements that cover a cell
    key: U64  # (P, B) random keys by colour


class Beam(NamedTuple):
    """K positions. B colours that are built; the others are their images."""

    orbits: U64  # (K, V) covered, and those that do not exist
    forbidden: U64  # (K, B, W) cells beside own ones
    corners: U64  # (K, B, W) cells at own corners, or starting cells
    left: I8  # (K, B, N) copies not yet placed
    key: U64  # (K,) sum of the keys of what is placed: equal for equal positions


class Children(NamedTuple):
    """Room for M successors."""

    parent: I32  # (M,)
    placement: I32  # (M,)
    score: I64  # (M,) the higher the better
    key: U64  # (M,)


class Turn(NamedTuple):
    """Whose turn it is, and how successors are judged: weights in tenths of a point."""

    colour: int  # of those built
    size: int  # of the piece, or ANY_SIZE
    seed: np.uint64
    noise: int


ORBIT, LIBERTY, FEWEST, FREE, LEAST = 10, 15, 40, 3, 20
"""Weights: orbits that some colour can still cover; corner liberties of all colours, and of the colour with the fewest;
cells that each colour can still cover, and those of the colour with the least."""


@part
def _fits(shapes: Shapes, beam: Beam, k: int, colour: int, placement: int, word: int, bit: np.uint64) -> bool:
    """Whether a placement is legal and the liberty `bit` of `word` is the first that it covers: it is listed once."""
    wrong = np.uint64(0)
    for v in range(beam.orbits.shape[1]):
        wrong |= shapes.orbits[placement, v] & beam.orbits[k, v]
    for w in range(word):
        wrong |= shapes.cells[placement, w] & beam.corners[k, colour, w]
    wrong |= shapes.cells[placement, word] & beam.corners[k, colour, word] & (bit - np.uint64(1))
    for w in range(beam.forbidden.shape[2]):
        wrong |= shapes.cells[placement, w] & beam.forbidden[k, colour, w]
    return wrong == 0


@part
def _score(shapes: Shapes, beam: Beam, k: int, colour: int, placement: int) -> int:
    """What a position promises after a placement, without noise."""
    words, orbit_words = beam.forbidden.shape[2], beam.orbits.shape[1]
    total, fewest, least = 0, 1 << 20, 1 << 20
    for built in range(beam.forbidden.shape[1]):
        liberties, free = 0, 0
        for w in range(words):
            v = w % orbit_words
            closed = beam.orbits[k, v] | shapes.orbits[placement, v] | beam.forbidden[k, built, w]
            corners = beam.corners[k, built, w]
            if built == colour:
                closed |= shapes.sides[placement, w]
                corners |= shapes.corners[placement, w]
            free += popcount(~closed)
            liberties += popcount(corners & ~closed)
        total += LIBERTY * liberties + FREE * free
        fewest, least = min(fewest, liberties), min(least, free)
    for v in range(orbit_words):
        open_orbits = np.uint64(0)
        for w in range(v, words, orbit_words):
            for built in range(beam.forbidden.shape[1]):
                sides = shapes.sides[placement, w] if built == colour else np.uint64(0)
                open_orbits |= ~(beam.forbidden[k, built, w] | sides)
        total += ORBIT * popcount(open_orbits & ~(beam.orbits[k, v] | shapes.orbits[placement, v]))
    return total + FEWEST * fewest + LEAST * least


@kernel
def expand(shapes: Shapes, beam: Beam, turn: Turn, out: Children) -> int:
    """Write all successors of all positions; returns their number, or the room and one more where it is too small."""
    n, room = 0, len(out.parent)
    colour = turn.colour
    for k in range(len(beam.key)):
        for word in range(beam.forbidden.shape[2]):
            open_cells = beam.corners[k, colour, word] & ~beam.forbidden[k, colour, word]
            open_cells &= ~beam.orbits[k, word % beam.orbits.shape[1]]
            while open_cells:
                bit = open_cells & (~open_cells + np.uint64(1))
                cell = word * 64 + trailing_zeros(open_cells)
                open_cells ^= bit
                for at in range(shapes.start[cell], shapes.start[cell + 1]):
                    placement = shapes.covering[at]
                    piece = shapes.piece[placement]
                    if beam.left[k, colour, piece] == 0:
                        continue
                    if turn.size != ANY_SIZE and shapes.size[piece] != turn.size:
                        continue
                    if not _fits(shapes, beam, k, colour, placement, word, bit):
                        continue
                    if n == room:
                        return room + 1
                    key = beam.key[k] + shapes.key[placement, colour]
                    noise = (mix(key ^ turn.seed) >> np.uint64(33)) * np.uint64(turn.noise) >> np.uint64(31)
                    out.parent[n], out.placement[n], out.key[n] = k, placement, key
                    out.score[n] = _score(shapes, beam, k, colour, placement) + np.int64(noise)
                    n += 1
    return n


@kernel
def grow(shapes: Shapes, beam: Beam, colour: int, parent: I32, placement: I32, out: Beam) -> None:
    """Write the positions after some placements, one each."""
    for i in range(len(parent)):
        k, p = parent[i], placement[i]
        out.key[i] = beam.key[k] + shapes.key[p, colour]
        for v in range(beam.orbits.shape[1]):
            out.orbits[i, v] = beam.orbits[k, v] | shapes.orbits[p, v]
        for built in range(beam.forbidden.shape[1]):
            for w in range(beam.forbidden.shape[2]):
                forbidden, corners = beam.forbidden[k, built, w], beam.corners[k, built, w]
                if built == colour:
                    forbidden |= shapes.sides[p, w]
                    corners |= shapes.corners[p, w]
                out.forbidden[i, built, w], out.corners[i, built, w] = forbidden, corners
            for piece in range(beam.left.shape[2]):
                out.left[i, built, piece] = beam.left[k, built, piece]
        out.left[i, colour, shapes.piece[p]] -= 1
