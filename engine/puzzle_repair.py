"""Destroy and repair: a part of a position is taken off the board and built again, until no piece is missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.geometry import U64
from engine.puzzle_beam import BeamSearch, Found, Row
from engine.puzzle_search import Clock

PATIENCE = 2_000
"""Repairs without a new best position until an attempt is given up."""

STALE = 150
"""Repairs without progress until a large part is built anew, whatever that costs."""

WIDTH = 20
"""Positions that a repair keeps at every turn."""

WARMTH = 0.3
"""Cells that a repair may lose on average: without losses the search gets stuck."""

DRAWS = 20
"""Regions that are drawn to find one with which not too much falls."""

EARLY = 0.1
"""Share of repairs where small pieces may come before big ones."""

NEWS = 50
"""Repairs between two reports."""


class Repair:
    """The repairs of one attempt, beginning with the rows that a beam search has placed."""

    def __init__(self, beams: BeamSearch, rows: Sequence[Row]) -> None:
        self.beams, self.rows, self.rng = beams, list(rows), beams.rng
        puzzle, cells = beams.puzzle, beams.cells
        at: list[list[tuple[int, int]]] = [[] for _ in range(cells.orbits)]
        for xy, number in sorted(cells.number.items()):
            at[number % (cells.words * 64)].append(xy)
        self.at = np.array(at, np.int64).reshape(cells.orbits, beams.order, 2)
        self.covered = self._bits(beams.begin().orbits)[0]
        pieces = (puzzle.pieces - len(beams.given)) // beams.order
        self.fewest, self.most = 3 + pieces // 42, 4 + pieces // 14
        self.all = int((beams.left(()) * beams.shapes.size).sum())
        self.work = 0

    def run(self, clock: Clock, tell: str) -> Found:
        """Repair until nothing is missing, patience ends, or the budget is spent; returns the best position."""
        now = lowest = least = self._missing(self.rows)
        best, since, stale, repairs = self.rows, 0, 0, 0
        while least and since < PATIENCE and not clock.over:
            if repairs % NEWS == 0:
                placed = len(self.beams.given) + len(best) * self.beams.order
                clock.tell(f"{tell}, {repairs} repairs: {placed} of {self.beams.puzzle.pieces} pieces")
            repairs, since, stale = repairs + 1, since + 1, stale + 1
            anew = stale > STALE
            kept = self._destroyed(anew)
            found = self.beams.search(self._turns(kept), WIDTH, clock, kept)
            self.work += found.work
            missing = self._missing(found.rows)
            if anew or missing <= now + self.rng.exponential(WARMTH):
                self.rows, now = found.rows, missing
            if anew or now < lowest:
                lowest, stale = now, 0
            if now < least:
                best, least, since = self.rows, now, 0
        return Found(self.beams.in_order(best), self.work, False, least == 0)

    def _missing(self, rows: Sequence[Row]) -> int:
        """Cells of the pieces that are not on the board, without images."""
        return self.all - sum(map(self.beams.size, rows))

    def _bits(self, orbits: U64) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Orbits of each row as truth values."""
        bits = np.unpackbits(orbits.view(np.uint8), axis=1, bitorder="little")
        return bits[:, : self.beams.cells.orbits].astype(np.bool_)

    def _destroyed(self, large: bool = False) -> list[Row]:
        """The rows without those around some cell, and without what only they lead to."""
        if not self.rows:
            return []
        covers = self._bits(self.beams.shapes.orbits[[row for _, row in self.rows]])
        holes = np.flatnonzero(~(self.covered | covers.any(axis=0)))
        kept: list[Row] = []
        for _ in range(DRAWS):
            near_hole = len(holes) > 0 and self.rng.random() < 0.5
            middle = self.rng.choice(holes) if near_hole else self.rng.integers(len(self.at))
            distance = ((self.at - self.at[middle, 0]) ** 2).sum(axis=2).min(axis=1)
            nearest = np.where(covers, distance, 1 << 20).min(axis=1) + 4 * self.rng.random(len(covers))
            number = 2 * self.most if large else int(self.rng.integers(self.fewest, self.most + 1))
            gone = set(np.argsort(nearest)[:number].tolist())
            kept = self.beams.in_order(row for i, row in enumerate(self.rows) if i not in gone)
            if large or len(self.rows) - len(kept) <= 2 * self.most:
                break
        return kept

    def _turns(self, kept: Sequence[Row]) -> list[Row]:
        """(colour, size) of all that is missing, the biggest first, colours in random order."""
        beams = self.beams
        left = beams.left(kept)
        sizes = [
            (colour, int(beams.shapes.size[piece]))
            for colour, piece in np.argwhere(left > 0).tolist()
            for _ in range(left[colour, piece])
        ]
        early = 0.0 if beams.falling or self.rng.random() >= EARLY else 1.5
        key = self.rng.random(len(sizes)) + self.rng.normal(0, 1, len(sizes)) * early
        keys = key - np.array([size for _, size in sizes], float)
        return [sizes[i] for i in np.argsort(keys, kind="stable").tolist()]
