"""What there is to know of the position that a line leads to; shared by all visitors, so never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dashboards.app.placing import Cells, Ground, ghost_map, pointed_at
from engine.boards import cell_names
from engine.pieces import PIECE_SETS
from engine.rulesets import Ruleset, start_groups
from engine.variants import Variant
from pipeline.documents import score_document
from pipeline.lines import Line, Stop, line_text, seat_on_turn, stand

Hand = tuple[str, int]
"""A piece and its image, see `placing`."""


@dataclass(frozen=True)
class Standing:
    """A position: board, whose turn it is, pieces left and legal moves of the colour on turn, points so far.

    `stop` is the move of the line that cannot be played: the position is the one before it.
    """

    line: Line
    variant: Variant
    rules: Ruleset
    board: npt.NDArray[np.int8]
    last: Cells
    ply: int
    to_move: int | None
    seat: int | None
    left: tuple[Mapping[str, int], ...]
    legal: frozenset[Cells]
    movable: frozenset[str]
    starts: Cells
    text: str | None
    score: Mapping[str, Any]
    stop: Stop | None

    @property
    def over(self) -> bool:
        """Whether nobody is to move."""
        return self.to_move is None

    @property
    def may_pass(self) -> bool:
        """Whether the colour on turn may let its turn go by."""
        return not self.over and self.rules.passing == "voluntary"

    @property
    def key(self) -> str:
        """Names the position with the rules, and the moves on which more than the board may depend."""
        line = self.line
        return f"{line.variant} {line.rules} {line.base} {line_text(line.played())}"

    def named(self, cells: Cells) -> str:
        """Cells by their names: ``e10,e9``."""
        names = cell_names(self.variant.board)
        return ",".join(names[cell] for cell in cells)


@lru_cache(maxsize=300)
def standing(line: Line) -> Standing:
    """The position of a line.

    Raises:
        EngineError, NotationError: where it begins makes no sense.
    """
    stood = stand(line)
    reached = stood.reached
    position = reached.position
    row, rules = position.variant, position.rules
    to_move = reached.to_move
    moves = [] if to_move is None else reached.moves(to_move)
    board = position.board
    board.flags.writeable = False
    fresh = to_move is not None and not (board == to_move).any()
    groups = start_groups(row.id, rules.start)[to_move or 0] if fresh else ()
    last = next((move.cells for move in reversed(reached.pieces)), ()) if stood.ply else ()
    return Standing(
        line=line,
        variant=row,
        rules=rules,
        board=board,
        last=last,
        ply=stood.ply,
        to_move=to_move,
        seat=seat_on_turn(reached),
        left=tuple(position.pieces_left(colour) for colour in range(len(row.colours))),
        legal=frozenset(cells for _, cells in moves),
        movable=frozenset(piece for piece, _ in moves),
        starts=tuple(cell for group in groups if all(board[c] < 0 for c in group) for cell in group),
        text=reached.text(),
        score=score_document(reached),
        stop=stood.stop,
    )


@lru_cache(maxsize=300)
def ghosts(line: Line, hand: Hand) -> dict[int, tuple[Cells, bool]]:
    """Where the piece in the hand lies, for every cell that is pointed at, see `placing.ghost_map`."""
    here = standing(line)
    return ghost_map(Ground.of(here.variant.board), here.variant.pieces, *hand, here.legal)


def why_not(line: Line, hand: Hand, cell: int) -> tuple[str, str]:
    """(reason, cells by name) why the piece in the hand cannot lie where it is nearest to a cell."""
    here = standing(line)
    ground = Ground.of(here.variant.board)
    number = {xy: at for at, xy in enumerate(ground.cells)}
    place = pointed_at(ground, here.variant.pieces, *hand, cell)
    cells = tuple(sorted(number[xy] for xy in place if xy in number))
    named = here.named(cells)
    if len(cells) < len(place) or here.to_move is None:
        return ("game_over" if here.to_move is None else "off_board"), named
    found = stand(line).reached.why_illegal(here.to_move, named)
    return ("not_reached" if found is None else found[0]), named


def piece_of(here: Standing, cells: Cells) -> str:
    """Name of the piece that covers these cells."""
    from engine.geometry import geometry, placements_by_cells

    placement = placements_by_cells(here.variant.id)[cells]
    return PIECE_SETS[here.variant.pieces].names[int(geometry(here.variant.id).placement_piece[placement])]
