"""Verdicts on placements: the reasons of the rule page as numbers, in the order in which they are tested."""

from __future__ import annotations

from engine.facts import PIECES
from engine.geometry import CELLS_END, Geometry
from engine.kernels.compile import leaf, part
from engine.kernels.state import EMPTY, Rules, State, get_bit

LEGAL = 0
OFF_BOARD = 1
GAME_OVER = 2
COLOUR_OUT = 3
NOT_A_PIECE = 4
PIECE_USED = 5
OCCUPIED = 6
SIDE_CONTACT = 7
START_RULE = 8
NO_CORNER_CONTACT = 9
BAD_SETUP = 10
UNFORCED_PASS = 11
NOT_REACHED = 12


@leaf
def is_free_start(rules: Rules, state: State, colour: int, cell: int) -> bool:
    """Whether a cell is a starting cell of the colour whose group is not taken."""
    groups = rules.start_groups
    for g in range(groups.shape[1]):
        here, free = False, True
        for k in range(groups.shape[2]):
            other = groups[colour, g, k]
            if other >= 0:
                here = here or other == cell
                free = free and state.board[other] == EMPTY
        if here and free:
            return True
    return False


@part
def placing_verdict(geometry: Geometry, rules: Rules, state: State, colour: int, placement: int) -> int:
    """Verdict on a placement by the rules of placing alone: LEGAL or PIECE_USED .. NO_CORNER_CONTACT."""
    if state.left[colour, geometry.placement_piece[placement]] <= 0:
        return PIECE_USED
    first = state.facts[colour, PIECES] == 0
    side, corner = False, False
    for i in range(geometry.span[placement, 0], geometry.span[placement, CELLS_END]):
        cell = geometry.touched[i]
        if state.board[cell] != EMPTY:
            return OCCUPIED
        bit = geometry.cell_bit[cell]
        side = side or get_bit(state.forbidden, colour, bit)
        if first:
            corner = corner or is_free_start(rules, state, colour, cell)
        else:
            corner = corner or get_bit(state.attach, colour, bit)
    if side:
        return SIDE_CONTACT
    if not corner:
        return START_RULE if first else NO_CORNER_CONTACT
    return LEGAL
