"""Tables of a puzzle for its kernels: everything that can lie on the board, as bit strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import pieces
from engine.geometry import I32, I64, U64, surroundings
from engine.kernels.beam import Shapes
from engine.kernels.cover import Rows
from engine.lattices import XY
from engine.puzzle_boards import PuzzleBoard, rotations, symmetries
from engine.puzzle_kinds import Puzzle

HOLE = ""
"""Name of what covers a cell that stays empty."""

_FRAME = 8
"""Columns and rows around the board that shapes on it may touch, and more."""


def bit_strings(lists: I64, words: int) -> U64:
    """``(P, words)`` bit strings of ``(P, n)`` bits; negative ones stand for nothing."""
    out = np.zeros((len(lists), words), np.uint64)
    rows = np.broadcast_to(np.arange(len(lists))[:, None], lists.shape)[lists >= 0]
    bits = lists[lists >= 0]
    np.bitwise_or.at(out, (rows, bits >> 6), np.uint64(1) << (bits & 63).astype(np.uint64))
    return out


@dataclass(frozen=True, slots=True)
class Layout:
    """Numbers of cells under a group of `order` rotations: ``segment * 64 words + orbit``.

    `number` has the cells, `middle` the cells that a rotation maps to themselves: nobody covers them. `images` are the
    rotations, clockwise from the identity on.
    """

    number: dict[XY, int]
    middle: frozenset[XY]
    images: tuple[dict[XY, XY], ...]
    orbits: int

    @property
    def order(self) -> int:
        """Rotations of the group, and segments."""
        return len(self.images)

    @property
    def words(self) -> int:
        """Words of a set of orbits."""
        return -(-self.orbits // 64)


def layout(board: PuzzleBoard, order: int) -> Layout:
    """Cells of a board under its rotations by 1/order of a turn."""
    every = rotations(board)
    images = every[:: len(every) // order]
    orbit: dict[XY, int] = {}
    segment: dict[XY, int] = {}
    middle = set()
    count = 0
    for xy in board.cells:
        if xy in orbit:
            continue
        around = [image[xy] for image in images]
        if len(set(around)) < order:
            middle.add(xy)
            continue
        orbit.update(dict.fromkeys(around, count))
        segment.update({cell: k for k, cell in enumerate(around)})
        count += 1
    words = -(-count // 64)
    number = {xy: segment[xy] * words * 64 + orbit[xy] for xy in orbit}
    return Layout(number, frozenset(middle), images, count)


def _anchored(board: PuzzleBoard, shape: pieces.Orientation) -> I64:
    """``(A, 2)`` cells where the anchor of an orientation may lie, as far as its direction goes."""
    found = np.array(board.cells)
    if board.lattice.triangular:
        found = found[(found.sum(axis=1) + board.parity) % 2 == shape.parity]
    return found


@dataclass(frozen=True, slots=True)
class Placements:
    """All that can lie on a board: ``(P,)`` piece, and numbers of cells in ``(P, n)``, -1 for none."""

    piece: I64
    cells: I64
    sides: I64
    corners: I64


def placements(board: PuzzleBoard, piece_set: str, names: Sequence[str], number: dict[XY, int]) -> Placements:
    """Placements of some pieces that cover numbered cells only."""
    grid = np.full((board.width + 2 * _FRAME, board.height + 2 * _FRAME), -1, np.int64)
    for (x, y), cell in number.items():
        grid[x + _FRAME, y + _FRAME] = cell
    columns: list[list[I64]] = [[], [], []]
    kinds = []
    for piece, name in enumerate(names):
        for shape in pieces.orientations(piece_set)[name]:
            anchors = _anchored(board, shape) + _FRAME
            offsets = [np.array(part).reshape(-1, 2) for part in surroundings(board.lattice, shape)]
            found = [
                grid[anchors[:, :1] + part[:, 0], anchors[:, 1:] + part[:, 1]]
                if len(part)
                else anchors[:, :0]
                for part in offsets
            ]
            here = (found[0] >= 0).all(axis=1)
            kinds.append(np.full(int(here.sum()), piece))
            for column, part in zip(columns, found, strict=True):
                column.append(part[here])
    wide = [max((part.shape[1] for part in column), default=0) for column in columns]
    padded = [
        np.concatenate([np.pad(p, ((0, 0), (0, w - p.shape[1])), constant_values=-1) for p in column])
        for column, w in zip(columns, wide, strict=True)
    ]
    return Placements(np.concatenate(kinds), *padded)


def play_tables(puzzle: Puzzle, names: Sequence[str], cells: Layout) -> Shapes:
    """Tables for the beam search; placements that meet their own images are left out."""
    found = placements(puzzle.board, puzzle.piece_set, names, cells.number)
    span, words = cells.words * 64, cells.words * cells.order
    orbits = np.sort(
        np.where(found.cells >= 0, found.cells % span, -1 - np.arange(found.cells.shape[1])), axis=1
    )
    alone = (np.diff(orbits, axis=1) != 0).all(axis=1)
    piece, own = found.piece[alone], found.cells[alone]
    rows, _ = np.nonzero(own >= 0)
    flat = own[own >= 0]
    by_cell = np.argsort(flat, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(flat, minlength=words * 64))])
    rng = np.random.default_rng(0)
    return Shapes(
        piece=piece.astype(np.int8),
        size=np.array([puzzle.size(name) for name in names], np.int8),
        orbits=bit_strings(np.where(own >= 0, own % span, -1), cells.words),
        cells=bit_strings(own, words),
        sides=bit_strings(found.sides[alone], words),
        corners=bit_strings(found.corners[alone], words),
        start=start.astype(np.int32),
        covering=rows[by_cell].astype(np.int32),
        key=rng.integers(0, 2**64, (len(piece), len(puzzle.colours)), dtype=np.uint64),
    )


@dataclass(frozen=True, slots=True)
class CoverTables:
    """Tables for exact covers: `rows` for the kernel; the cells of each row; names of pieces, `HOLE` the last."""

    rows: Rows
    cells: list[tuple[XY, ...]]
    names: tuple[str, ...]
    copies: I32


def cover_tables(puzzle: Puzzle, with_symmetries: bool = False) -> CoverTables:
    """Tables of a tiling; cells are numbered along the shorter side, so that what is open stays short."""
    board = puzzle.board
    across = (1, 0) if board.height > board.width else (0, 1)
    ordered = sorted(board.cells, key=lambda xy: (xy[across[0]], xy[across[1]]))
    number = {xy: i for i, xy in enumerate(ordered)}
    names = tuple(puzzle.bag)
    found = placements(board, puzzle.piece_set, names, number)
    numbered = [
        (int(piece), tuple(sorted(row[row >= 0].tolist())))
        for piece, row in zip(found.piece, found.cells, strict=True)
    ]
    copies = list(puzzle.bag.values())
    if puzzle.holes > 0:
        names, copies = (*names, HOLE), [*copies, puzzle.holes]
        numbered += [(len(names) - 1, (cell,)) for cell in range(len(ordered))]
    numbered.sort(key=lambda row: row[1][0])
    first = [row[1][0] for row in numbered]
    words = -(-len(ordered) // 64)
    longest = max(len(row) for _, row in numbered)
    padded = np.array([[*row, *[-1] * (longest - len(row))] for _, row in numbered])
    rows = Rows(
        start=np.searchsorted(first, np.arange(len(ordered) + 1)).astype(np.int32),
        piece=np.array([piece for piece, _ in numbered], np.int8),
        bits=bit_strings(padded, words),
        board=bit_strings(np.arange(len(ordered))[None], words)[0],
        image=_images(board, numbered, ordered, number) if with_symmetries else np.zeros((0, 0), np.int32),
    )
    shown = [tuple(sorted((ordered[c] for c in row), key=lambda xy: (xy[1], xy[0]))) for _, row in numbered]
    return CoverTables(rows, shown, names, np.array(copies, np.int32))


def _images(
    board: PuzzleBoard, numbered: list[tuple[int, tuple[int, ...]]], ordered: list[XY], number: dict[XY, int]
) -> I32:
    """For every symmetry the row that it makes of each row."""
    at = {row: i for i, row in enumerate(numbered)}
    return np.array(
        [
            [at[piece, tuple(sorted(number[image[ordered[c]]] for c in row))] for piece, row in numbered]
            for image in symmetries(board)
        ],
        np.int32,
    )
