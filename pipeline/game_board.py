"""The board of a stored game at a ply, and what every colour has left: from the stored moves, without a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.boards import cell_names, cells_by_name
from engine.pieces import PIECE_SETS
from engine.variants import variant
from notation.position_text import parse_position
from pipeline.errors import no_such_ply
from pipeline.queries import GameView


@dataclass(frozen=True, slots=True)
class BoardAt:
    """A board after `ply` placements: ``(C,) int8`` colour (0..) on each cell, -1 where it is empty.

    `last` are the cells of the last placement, `left` the pieces that each colour has, by name with their number.
    """

    variant: str
    ply: int
    board: npt.NDArray[np.int8]
    last: tuple[int, ...]
    left: list[dict[str, int]]

    def cells_by_colour(self) -> dict[str, list[str]]:
        """Names of the cells that each colour covers."""
        row = variant(self.variant)
        names = cell_names(row.board)
        return {
            colour: [names[c] for c in np.flatnonzero(self.board == number).tolist()]
            for number, colour in enumerate(row.colours)
        }


def board_at(view: GameView, ply: int | None = None) -> BoardAt:
    """The board of a game after `ply` placements; by default after its last legal one.

    Raises:
        NotThere: the game has not so many.
    """
    row, plies = variant(view.game["variant"]), len(view.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise no_such_ply(ply, plies, view.game["stop_ply"])
    pieces = PIECE_SETS[row.pieces]
    left = [dict.fromkeys(pieces.names, pieces.copies) for _ in row.colours]
    by_name = cells_by_name(row.board)
    board = np.full(len(by_name), -1, np.int8)
    for colour, piece, cells in _setup(view.game):
        board[list(cells)] = colour
        left[colour][piece] -= 1
    last: tuple[int, ...] = ()
    for move in view.moves[:ply]:
        last = tuple(by_name[name] for name in move["move"].split(","))
        board[list(last)] = move["colour"] - 1
        left[move["colour"] - 1][move["piece"]] -= 1
    remaining = [{name: n for name, n in colour.items() if n > 0} for colour in left]
    return BoardAt(row.id, plies if ply is None else ply, board, last, remaining)


def _setup(game: dict[str, Any]) -> list[tuple[int, str, tuple[int, ...]]]:
    """(colour, piece, cells) of the pieces set up before the first move."""
    if game["setup"] is None:
        return []
    from engine.geometry import geometry  # only such games need its tables

    row = variant(game["variant"])
    names = PIECE_SETS[row.pieces].names
    placement_piece = geometry(row.id).placement_piece
    return [
        (piece.colour, names[placement_piece[piece.placement]], piece.cells)
        for piece in parse_position(game["setup"]).pieces
    ]
