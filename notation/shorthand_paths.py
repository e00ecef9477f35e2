"""From the shorthand's paths to cells: a start square and steps, made whole by the name of the piece.

A path visits all cells of a piece that is a line without branches. Straight pieces are given by one step. Of
pieces with branches a path leaves cells out: they are found where only one placement of the piece covers the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.boards import cell_names, cells, cells_by_name
from engine.geometry import geometry, placement_cells
from engine.pieces import PIECE_SETS
from notation.shorthand_lines import Play

VARIANT = "duo"
_BOARD = "square14"
_STEPS = {"u": (0, 1), "d": (0, -1), "l": (-1, 0), "r": (1, 0)}
_KEPT = 50_000


@dataclass(frozen=True, slots=True)
class Resolved:
    """Cells of a path, ascending; empty when one is off the board or `candidates` are several (or none).

    `candidates` are the placements that fit, as texts of cells, where they are not exactly one. `renamed`: the
    path is whole, but its shape is not the piece that is named.
    """

    cells: tuple[int, ...] = ()
    off_board: bool = False
    candidates: tuple[str, ...] | None = None
    renamed: bool = False


def resolve(play: Play) -> Resolved:
    """Return the cells of a play with a path; of several ways the one meant, if all lead to the same cells."""
    found = _resolve(play.name, play.column, play.row, play.steps)
    if not play.others and not play.choice:
        return found
    ways = {found.cells: found}
    for steps in play.others:
        other = _resolve(play.name, play.column, play.row, steps)
        ways[other.cells] = other
    if len(ways) == 1 and not play.choice:
        return found
    return Resolved(candidates=tuple(_text(way) for way in ways))


@lru_cache(maxsize=_KEPT)
def _resolve(name: str, column: str, row: int, steps: str) -> Resolved:
    """Follow a path and make it whole."""
    path = _path(column, row, steps)
    size = len(PIECE_SETS["polyominoes"].shapes[name])
    if path is not None and len(path) < size and len(set(steps)) == 1 and name[0] in "I2":
        path = _path(column, row, steps[0] * (size - 1))
    if path is None:
        return Resolved(off_board=True)
    whole = tuple(sorted(path))
    if len(whole) >= size:
        return Resolved(whole, renamed=whole not in _placements(name)[whole[0]])
    fits = [placed for placed in _placements(name)[whole[0]] if path <= set(placed)]
    if len(fits) == 1:
        return Resolved(fits[0])
    return Resolved(candidates=tuple(map(_text, fits)))


def _path(column: str, row: int, steps: str) -> set[int] | None:
    """Cells of a start square and steps; None when one is off the board."""
    numbers, names = cells(_BOARD), cells_by_name(_BOARD)
    at = names.get(f"{column}{row}")
    if at is None:
        return None
    x, y = numbers[at]
    path = {at}
    for step in steps:
        x, y = x + _STEPS[step][0], y + _STEPS[step][1]
        if not (0 <= x < 14 and 0 <= y < 14):
            return None
        path.add(14 * y + x)
    return path


@cache
def _placements(name: str) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For every cell the placements of a piece that cover it, as ascending cells."""
    number = PIECE_SETS["polyominoes"].names.index(name)
    tables = geometry(VARIANT)
    covering: list[list[tuple[int, ...]]] = [[] for _ in cells(_BOARD)]
    for placement, piece in enumerate(tables.placement_piece.tolist()):
        if piece == number:
            placed = placement_cells(tables, placement)
            for cell in placed:
                covering[cell].append(placed)
    return tuple(map(tuple, covering))


def _text(of: Resolved | Sequence[int]) -> str:
    if isinstance(of, Resolved):
        return _text(of.cells) if of.cells else "a path that cannot be followed"
    return ",".join(cell_names(_BOARD)[cell] for cell in of)
