"""A slow, obvious judge of puzzles, and a counter of tilings: sets and gold values, nothing of the solver's.

Cells are (column, row), row 0 at the bottom; a solution is a list of (colour, cells) in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from tests.naive import XY, Cells, board_of, cell, placements
from tests.oracle import gold

Solution = Sequence[tuple[int, Cells]]

CORNERS = [(0, 19), (19, 19), (19, 0), (0, 0)]


@cache
def shapes() -> dict[Cells, str]:
    """Every image of a polyomino, moved to the lower left corner -> its name."""
    found = {}
    for name, piece in gold("pieces")["sets"]["polyominoes"].items():
        for image in piece["orientations"]:
            found[moved(frozenset((x, y) for x, y in image["cells"]))] = name
    return found


def moved(cells: Cells) -> Cells:
    """Cells moved to the lower left corner."""
    left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - bottom) for x, y in cells)


def beside(at: XY) -> set[XY]:
    x, y = at
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def diagonal(at: XY) -> set[XY]:
    x, y = at
    return {(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)}


def classic_fault(solution: Solution, falling: bool) -> str:
    """What is wrong with all 84 pieces by the rules of play; empty for nothing."""
    own: list[set[XY]] = [set() for _ in range(4)]
    used: Counter[tuple[int, str]] = Counter()
    for ply, (colour, cells) in enumerate(solution):
        if colour != ply % 4:
            return f"ply {ply}: turn"
        if not all(0 <= x < 20 and 0 <= y < 20 for x, y in cells):
            return f"ply {ply}: off the board"
        if any(cells & of for of in own):
            return f"ply {ply}: overlap"
        if own[colour]:
            if any(beside(at) & own[colour] for at in cells):
                return f"ply {ply}: side"
            if not any(diagonal(at) & own[colour] for at in cells):
                return f"ply {ply}: corner"
        elif CORNERS[colour] not in cells:
            return f"ply {ply}: start"
        if falling and ply and len(cells) > len(solution[ply - 1][1]):
            return f"ply {ply}: grows"
        own[colour] |= cells
        used[colour, shapes()[moved(cells)]] += 1
    wanted = {(colour, name) for colour in range(4) for name in set(shapes().values())}
    return "" if used == Counter(dict.fromkeys(wanted, 1)) else "pieces"


def variant_fault(variant_id: str, solution: Solution, copies: int) -> str:
    """The same for all pieces of another variant, on its own board; a first piece covers a free starting cell."""
    board, found = board_of(variant_id), placements(variant_id)
    starts = gold("pieces")["variants"][variant_id]["starting_cells"]
    colours = len(starts)
    own: list[set[XY]] = [set() for _ in range(colours)]
    used: Counter[tuple[int, str]] = Counter()
    for ply, (colour, cells) in enumerate(solution):
        if colour != ply % colours or any(cells & of for of in own) or cells not in found:
            return f"ply {ply}: turn, overlap or no piece"
        if own[colour]:
            if any(board.sides[at] & own[colour] for at in cells):
                return f"ply {ply}: side"
            if not any(board.corners[at] & own[colour] for at in cells):
                return f"ply {ply}: corner"
        elif not {cell(name) for name in starts[colour]} & cells:
            return f"ply {ply}: start"
        own[colour] |= cells
        used[colour, found[cells]] += 1
    wanted = {(colour, name): copies for colour in range(colours) for name in set(found.values())}
    return "" if used == Counter(wanted) else "pieces"


def tiling_fault(solution: Solution, size: int, copies: int, width: int, height: int) -> str:
    """What is wrong with a rectangle full of all pieces of a size; empty for nothing."""
    owner = Counter(at for _, cells in solution for at in cells)
    if owner != Counter({(x, y): 1 for x in range(width) for y in range(height)}):
        return "cells"
    used = Counter(shapes()[moved(cells)] for _, cells in solution)
    wanted = {name for image, name in shapes().items() if len(image) == size}
    return "" if used == Counter(dict.fromkeys(wanted, copies)) else "pieces"


def tilings(
    width: int, height: int, bag: dict[str, int], holes: int = 0
) -> list[frozenset[tuple[str, Cells]]]:
    """All tilings of a rectangle, each as the set of its pieces; `holes` cells stay empty."""
    images: dict[str, set[Cells]] = {}
    for image, name in shapes().items():
        images.setdefault(name, set()).add(image)
    board = [(x, y) for y in range(height) for x in range(width)]

    def fill(empty: Cells, left: Counter[str], spare: int) -> Iterator[frozenset[tuple[str, Cells]]]:
        if not empty:
            yield frozenset()
            return
        first = min(empty, key=lambda at: (at[1], at[0]))
        if spare:
            yield from fill(empty - {first}, left, spare - 1)
        for name in [name for name, n in left.items() if n]:
            for image in images[name]:
                for x, y in image:
                    piece = frozenset((first[0] + dx - x, first[1] + dy - y) for dx, dy in image)
                    if piece <= empty:
                        for rest in fill(empty - piece, left - Counter({name: 1}), spare):
                            yield rest | {(name, piece)}

    return list(fill(frozenset(board), Counter(bag), holes))


def different(width: int, height: int, found: Sequence[frozenset[tuple[str, Cells]]]) -> int:
    """Tilings up to the symmetries of the rectangle."""
    seen: set[frozenset[tuple[str, Cells]]] = set()
    count = 0
    for tiling in found:
        if tiling not in seen:
            count += 1
            seen |= {frozenset((name, image) for name, image in t) for t in _images(width, height, tiling)}
    return count


def _images(
    width: int, height: int, tiling: frozenset[tuple[str, Cells]]
) -> Iterator[frozenset[tuple[str, Cells]]]:
    for turn in (False, True) if width == height else (False,):
        for across in (False, True):
            for down in (False, True):
                out = []
                for name, cells in tiling:
                    image = []
                    for x, y in cells:
                        x, y = (y, x) if turn else (x, y)
                        image.append((width - 1 - x if across else x, height - 1 - y if down else y))
                    out.append((name, frozenset(image)))
                yield frozenset(out)
