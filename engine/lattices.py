"""The two lattices, squares and triangles: corners of a cell and symmetries, nothing of boards.

A cell is (column, row), row 0 at the bottom. Its vertices are integer points; cells that share two
vertices are edge neighbours, cells that share one are corner neighbours. A triangle at (x, y) points up when
x + y has the parity `up`; its vertices lie on half columns, two to a column step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

XY = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Squares (`triangular` false) or triangles."""

    triangular: bool

    @property
    def edges(self) -> int:
        """Number of edge neighbours of a cell inside the board."""
        return 3 if self.triangular else 4

    @property
    def transforms(self) -> int:
        """Number of symmetries that keep a point fixed."""
        return 12 if self.triangular else 8

    def vertices(self, xy: XY, parity: int) -> tuple[XY, ...]:
        """Vertices of a cell; `parity` is the value of (x + y) % 2 of upward triangles."""
        x, y = xy
        if not self.triangular:
            return ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))
        if (x + y) % 2 == parity:
            return ((x, y), (x + 2, y), (x + 1, y + 1))
        return ((x, y + 1), (x + 2, y + 1), (x + 1, y))

    def from_vertices(self, vertices: Iterable[XY]) -> XY:
        """Return the cell with these vertices."""
        points = tuple(vertices)
        n = len(points)
        sum_x, sum_y = sum(p[0] for p in points), sum(p[1] for p in points)
        if self.triangular:
            return (sum_x // n - 1, sum_y // n)
        return ((sum_x - 2) // n, (sum_y - 2) // n)

    def rotate(self, point: XY) -> XY:
        """Turn a vertex by the smallest rotation about the origin (90 or 60 degrees)."""
        u, v = point
        if not self.triangular:
            return (-v, u)
        # In the basis (2, 0), (1, 1) a turn by 60 degrees maps (a, b) to (-b, a + b).
        a, b = (u - v) // 2, v
        return (a - b, a + b)

    def mirror(self, point: XY) -> XY:
        """Reflect a vertex in the vertical axis through the origin."""
        return (-point[0], point[1])

    def images(self, cells: Iterable[XY], parity: int) -> list[list[XY]]:
        """All images of a set of cells under the symmetries about the origin, duplicates included.

        The origin must be a vertex; for triangles it is one when `parity` is 0.
        """
        current = [self.vertices(c, parity) for c in cells]
        out: list[list[XY]] = []
        for _ in range(2):
            for _ in range(self.transforms // 2):
                out.append(sorted((self.from_vertices(v) for v in current), key=lambda c: (c[1], c[0])))
                current = [tuple(self.rotate(p) for p in v) for v in current]
            current = [tuple(self.mirror(p) for p in v) for v in current]
        return out


SQUARES = Lattice(triangular=False)
TRIANGLES = Lattice(triangular=True)
