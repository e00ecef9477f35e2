"""Cells as lines of a drawing: outlines of sets of cells and the grid of a board, on squares and triangles alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan2, sqrt

from engine.boards import BOARDS, cells, neighbours
from engine.lattices import XY, Lattice
from pipeline.svg import number

Loop = list[XY]
"""Vertices around a set of cells, the last joined to the first."""


@dataclass(frozen=True, slots=True)
class Plane:
    """Where the vertices of a lattice lie in a drawing; `side` of a cell, `rows` from the top down to row 0."""

    lattice: Lattice
    side: float
    rows: int
    left: float = 0.0
    top: float = 0.0
    parity: int = 0

    @property
    def step(self) -> tuple[float, float]:
        """Width of a vertex column and height of a row."""
        return (self.side / 2, self.side * sqrt(3) / 2) if self.lattice.triangular else (self.side, self.side)

    def point(self, vertex: tuple[float, float]) -> tuple[float, float]:
        """Place of a vertex, x to the right and y downwards."""
        across, down = self.step
        return (self.left + vertex[0] * across, self.top + (self.rows - vertex[1]) * down)

    def centre(self, xy: XY) -> tuple[float, float]:
        """Middle of a cell."""
        corners = self.lattice.vertices(xy, self.parity)
        return self.point(
            (sum(u for u, _ in corners) / len(corners), sum(v for _, v in corners) / len(corners))
        )

    def path(self, loops: Iterable[Sequence[XY]]) -> str:
        """Closed lines as data of an SVG path."""
        return "".join("M" + "L".join(map(self._pair, loop)) + "Z" for loop in loops)

    def lines(self, ends: Iterable[tuple[XY, XY]]) -> str:
        """Open lines as data of an SVG path."""
        return "".join(f"M{self._pair(a)}L{self._pair(b)}" for a, b in ends)

    def _pair(self, vertex: XY) -> str:
        x, y = self.point(vertex)
        return f"{number(x)} {number(y)}"


def corners(lattice: Lattice, xy: XY, parity: int) -> list[XY]:
    """Vertices of a cell, counter-clockwise."""
    found = lattice.vertices(xy, parity)
    x, y = sum(u for u, _ in found) / len(found), sum(v for _, v in found) / len(found)
    return sorted(found, key=lambda p: atan2(p[1] - y, p[0] - x))


def outline(lattice: Lattice, shape: Iterable[XY], parity: int = 0) -> list[Loop]:
    """Lines around a set of cells, holes included, without points in the middle of a straight line."""
    edges: set[tuple[XY, XY]] = set()
    for xy in shape:
        around = corners(lattice, xy, parity)
        for edge in zip(around, around[1:] + around[:1], strict=True):
            # A side between two cells comes twice, once in each direction.
            if (edge[1], edge[0]) in edges:
                edges.remove((edge[1], edge[0]))
            else:
                edges.add(edge)
    following: dict[XY, list[XY]] = {}
    for start, end in sorted(edges):
        following.setdefault(start, []).append(end)
    loops = []
    while following:
        start = next(iter(following))
        loop, at = [start], _step(following, start)
        while at != start:
            loop.append(at)
            at = _step(following, at)
        loops.append(_straightened(loop))
    return loops


def _step(following: dict[XY, list[XY]], at: XY) -> XY:
    ends = following[at]
    end = ends.pop()
    if not ends:
        del following[at]
    return end


def _straightened(loop: Loop) -> Loop:
    kept = []
    for before, at, after in zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True):
        one, two = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
        if one[0] * two[1] != one[1] * two[0]:
            kept.append(at)
    return kept


@cache
def grid_lines(board_id: str) -> tuple[tuple[XY, XY], ...]:
    """All sides of the cells of a board, joined to lines as long as they go."""
    board = BOARDS[board_id]
    tracks: dict[tuple[XY, int], set[XY]] = {}
    for xy in cells(board_id):
        around = corners(board.lattice, xy, board.parity)
        for a, b in zip(around, around[1:] + around[:1], strict=True):
            start, end = sorted((a, b))
            way = (end[0] - start[0], end[1] - start[1])
            tracks.setdefault((way, start[0] * way[1] - start[1] * way[0]), set()).add(start)
    out = []
    for (way, _), starts in sorted(tracks.items()):
        for start in sorted(starts):
            if (start[0] - way[0], start[1] - way[1]) in starts:
                continue
            end = start
            while end in starts:
                end = (end[0] + way[0], end[1] + way[1])
            out.append((start, end))
    return tuple(out)


def joined(board_id: str, group: Collection[int]) -> list[list[int]]:
    """Parts of a set of cells that hang together side by side: of one colour these are its pieces."""
    around, left, parts = neighbours(board_id), set(group), []
    for cell in sorted(group):
        if cell not in left:
            continue
        left.remove(cell)
        part = [cell]
        for at in part:
            near = [other for other in around[at][0] if other in left]
            left.difference_update(near)
            part += near
        parts.append(sorted(part))
    return parts
