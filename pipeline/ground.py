"""Who can go where in a stored game: the cells in reach, the corner liberties, and measures of every ply."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.boards import neighbours
from engine.features import Features, features
from engine.geometry import geometry
from engine.kernel_rules import kernel_rules
from engine.rulesets import Ruleset
from pipeline.evaluations import Subject
from pipeline.judged import RuleChoice, group_records
from pipeline.store import Reader

Cells = tuple[int, ...]
Board = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Ground:
    """Measures of all positions of a game's legal part, as `engine/measures.md` defines them; ply 0 first."""

    variant: str
    rules: Ruleset
    measures: Features

    @property
    def plies(self) -> int:
        """The last ply; -1 where the game has no position."""
        return len(self.measures.ply) - 1

    @cached_property
    def _reach(self) -> npt.NDArray[np.bool_]:
        bits = np.unpackbits(self.measures.reach_bits.view(np.uint8), axis=-1, bitorder="little")
        return bits[..., geometry(self.variant).cell_bit].astype(bool)

    def reach(self, ply: int, colour: int) -> Cells:
        """Cells that a legal placement of a colour (0..) covers."""
        return _numbers(self._reach[ply, colour])

    def exclusive(self, ply: int, colour: int) -> Cells:
        """Cells in the reach of a colour alone."""
        return _numbers(self._reach[ply, colour] & (self._reach[ply].sum(axis=0) == 1))

    def contested(self, ply: int) -> Cells:
        """Cells in the reach of several colours."""
        return _numbers(self._reach[ply].sum(axis=0) > 1)

    def dead(self, ply: int, board: Board) -> Cells:
        """Empty cells in nobody's reach; `board` as in `game_board.BoardAt`."""
        return _numbers((board < 0) & ~self._reach[ply].any(axis=0))

    def liberties(self, ply: int, colour: int, board: Board) -> tuple[Cells, Cells]:
        """Corner liberties of a colour: those that a legal placement covers, and the others."""
        free = _corner_liberties(self.variant, self.rules, colour, board)
        reach = self._reach[ply, colour]
        return tuple(c for c in free if reach[c]), tuple(c for c in free if not reach[c])


def ground(reader: Reader, identity: str) -> Ground:
    """Measure a game of the library, by its full identity.

    Raises:
        NotationError: rules or a setup that do not fit.
    """
    groups, refused = group_records([Subject.of_game(reader, identity).record], RuleChoice())
    if refused:
        raise refused[0][1]
    (group,) = groups
    return Ground(group.variant, group.rules, features(group.variant, group.rules, group.replay))


def _corner_liberties(variant_id: str, rules: Ruleset, colour: int, board: Board) -> list[int]:
    """Empty cells that touch the colour by a corner and not by a side; before its first piece its starting cells."""
    from engine.variants import variant

    if not (board == colour).any():
        groups = kernel_rules(variant_id, rules).start_groups[colour].tolist()
        whole = [[cell for cell in group if cell >= 0] for group in groups]
        return sorted(cell for group in whole if all(board[c] < 0 for c in group) for cell in group)
    return [
        cell
        for cell, (sides, corners) in enumerate(neighbours(variant(variant_id).board))
        if board[cell] < 0
        and any(board[c] == colour for c in corners)
        and all(board[c] != colour for c in sides)
    ]


def _numbers(mask: npt.NDArray[np.bool_]) -> Cells:
    return tuple(np.flatnonzero(mask).tolist())
