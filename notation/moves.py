"""From the text of cells to shared `Move` objects; a table a variant makes that one look-up a move."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from functools import cache

from engine.boards import cell_names, cells_by_name
from engine.geometry import placements_by_cells
from engine.variants import variant
from notation.record import NOT_A_PIECE, OFF_BOARD, Move

TEXTS_KEPT = 300_000
"""Ways of writing moves that a table of one variant keeps; more are read anew each time."""

_SPARE = 16
"""Characters that a kept text may have more than the canonical one."""


def move_from_cells(variant_id: str, colour: int, cells: Sequence[int]) -> Move:
    """Return the move of these cell numbers, in any order."""
    ordered = tuple(sorted(cells))
    placement = placements_by_cells(variant_id).get(ordered)
    if placement is None:
        names = cell_names(variant(variant_id).board)
        return Move(colour, ordered, NOT_A_PIECE, ",".join(names[c] for c in ordered))
    shared = _shared(variant_id)
    move = shared.get((colour, placement))
    if move is None:
        names = cell_names(variant(variant_id).board)
        move = shared[colour, placement] = Move(
            colour, ordered, placement, ",".join(names[c] for c in ordered)
        )
    return move


def move_from_names(variant_id: str, colour: int, names: list[str]) -> Move:
    """Return the move of these cell names (`e5`; any case and order, leading zeros and blanks allowed)."""
    by_name = cells_by_name(variant(variant_id).board)
    cells = []
    for name in names:
        cell = by_name.get(name)
        if cell is None:
            cell = by_name.get(_plain(name))
        if cell is None:
            return Move(colour, (), OFF_BOARD, ",".join("".join(n.lower().split()) for n in names))
        cells.append(cell)
    if not cells:
        return Move(colour, (), NOT_A_PIECE, "")
    return move_from_cells(variant_id, colour, cells)


def move_from_text(variant_id: str, colour: int, text: str) -> Move:
    """Return the move of cell names joined by commas, from the shared table where it is there."""
    table = move_table(variant_id)
    move = table.get((colour, text))
    if move is None:
        move = move_from_names(variant_id, colour, text.split(","))
        if keeps(table, text, move):
            table[colour, text] = move
    return move


def keeps(table: Sized, text: str, move: Move) -> bool:
    """Whether a table of texts may take this one: placements only, no padding, no more than its limit."""
    return move.placement >= 0 and len(text) <= len(move.text) + _SPARE and len(table) < TEXTS_KEPT


def _plain(name: str) -> str:
    name = "".join(name.lower().split())
    letters = name.rstrip("0123456789")
    return letters + name[len(letters) :].lstrip("0")


@cache
def _shared(variant_id: str) -> dict[tuple[int, int], Move]:
    """(colour, placement) -> the one `Move` object for it."""
    return {}


@cache
def move_table(variant_id: str) -> dict[tuple[int, str], Move]:
    """Shared cache (colour, text of the cells) -> move; readers fill it with what they parse (see `keeps`)."""
    return {}
