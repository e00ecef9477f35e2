"""What the rule texts advise, measured in one game: the centre, big pieces, corners closed, ways out, cells kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.boards import cells_by_name
from engine.pieces import PIECE_SETS
from engine.variants import variant
from pipeline.ground import Ground
from pipeline.queries import GameView, Row

EARLY = 8
"""Own moves that count as early."""


@dataclass(frozen=True, slots=True)
class Followed:
    """How far a colour (0..) followed the advice; None where it cannot be said.

    `centre`: ply at which it first covered a centre cell. `early_cells` of its first `EARLY` moves, `early_most` the
    most that so many pieces have. `four_inside_five`: fours played where a five would have fitted around them.
    `closed`: live corner liberties that its moves took from opponents. `sides`: sectors of the board with a way out,
    the mean over the positions up to its last move, of `sectors`. `protected`: the most cells that it alone could
    reach, `protected_left` those at the end. `disputed_early` and `disputed_late`: share of the cells of the first and
    second half of its moves that others could have taken as well. `single_move`: own move with the single cell, of
    `own_moves`.
    """

    colour: int
    own_moves: int
    centre: int | None
    early_cells: int
    early_most: int
    four_inside_five: int | None
    closed: int
    sides: float | None
    sectors: int
    protected: int
    protected_left: int
    disputed_early: float | None
    disputed_late: float | None
    single_move: int | None


def followed(view: GameView, ground: Ground) -> list[Followed]:
    """The advice measured for every colour of a game; empty where it has no position."""
    if ground.plies < 0:
        return []
    return [_of_colour(view.moves[: ground.plies], ground, at) for at in range(len(view.colours))]


def _of_colour(moves: list[Row], ground: Ground, colour: int) -> Followed:
    found = ground.measures
    own = [move for move in moves if move["colour"] == colour + 1]
    plies = np.array([move["ply"] for move in own], np.int64)
    sizes = _sizes(ground.variant)
    fours = found.four_inside_five[plies]
    contact = int(found.centre_contact[0, colour])
    until = int(plies[-1]) + 1 if own else 1
    access = found.corner_access[:, :until, colour] > 0
    disputed = [_disputed(ground, move) for move in own]
    half = len(own) // 2
    single = next((at for at, move in enumerate(own, 1) if move["piece"] == "1"), None)
    return Followed(
        colour,
        len(own),
        contact if contact >= 0 else None,
        sum(len(move["move"].split(",")) for move in own[:EARLY]),
        sum(sizes[: min(EARLY, len(own))]),
        None if (fours < 0).all() else int((fours > 0).sum()),
        int(found.block_liberties[plies].sum()),
        float(access.sum(axis=0).mean()) if own else None,
        len(access),
        int(found.exclusive[:, colour].max()),
        int(found.exclusive[-1, colour]),
        _mean(disputed[:half]),
        _mean(disputed[half:]),
        single,
    )


def _sizes(variant_id: str) -> list[int]:
    """Cells of all pieces of a colour, the largest first."""
    pieces = PIECE_SETS[variant(variant_id).pieces]
    return sorted(
        (len(cells) for cells in pieces.shapes.values() for _ in range(pieces.copies)), reverse=True
    )


def _disputed(ground: Ground, move: Row) -> float:
    """Part of a move's cells that another colour could have covered as well."""
    by_name = cells_by_name(variant(ground.variant).board)
    cells = [by_name[name] for name in move["move"].split(",")]
    contested = set(ground.contested(move["ply"] - 1))
    return sum(cell in contested for cell in cells) / len(cells)


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
