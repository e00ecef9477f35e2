"""From the colours of a board's cells to a position: which pieces lie there, seen by the sides at which cells touch.

Pieces of one colour touch by corners only, so each area of one colour that is connected by sides is one piece.
Areas grow as bit strings: cell (column x, row y) is bit y * (width + 1) + x, and the spare column keeps rows apart.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from engine.boards import BOARDS, cell_names, cell_numbers
from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.variants import variant
from notation.errors import BadPosition
from notation.moves import move_from_cells
from notation.position_text import PositionText
from notation.record import Move, Problem


def position_of(variant_id: str, cells: str, to_move: int | None) -> PositionText:
    """Return the position of a board given as digits, row by row from the top: 0 is empty, 1 the first colour.

    Raises:
        BadPosition: an area of one colour is no piece; the message names a cell of it.
    """
    row = variant(variant_id)
    width = BOARDS[row.board].width
    rows = "0".join(cells[at : at + width][::-1] for at in range(0, len(cells), width))
    pieces: list[Move] = []  # in order: by colour, and the lowest bit of an area is its first cell
    for colour in range(len(row.colours)):
        known = _moves(variant_id, colour)
        left = int(rows.translate(_BITS[colour]), 2)
        while left:
            area = _area(left, width + 1)
            left ^= area
            pieces.append(known.get(area) or _piece(known, variant_id, colour, area))
    return PositionText(variant_id, tuple(pieces), to_move)


def pieces_of(position: PositionText) -> list[Counter[str]]:
    """How many there are of each piece, by name, for every colour."""
    names, of = PIECE_SETS[variant(position.variant).pieces].names, _piece_numbers(position.variant)
    return [
        Counter([names[of[placement]] for owner, _, placement, _ in position.pieces if owner == colour])
        for colour in range(len(variant(position.variant).colours))
    ]


def used_too_often(position: PositionText, line: int) -> list[Problem]:
    """A problem for every piece of which a colour has more on the board than the set holds."""
    row = variant(position.variant)
    copies, of = PIECE_SETS[row.pieces].copies, _piece_numbers(position.variant)
    # Quick where all is well: as many different pieces as moves.
    if len({32 * colour + of[placement] for colour, _, placement, _ in position.pieces}) == len(
        position.pieces
    ):
        return []
    return [
        Problem("piece_twice", f"{row.colours[colour]} has the piece {name} {count} times", line)
        for colour, counts in enumerate(pieces_of(position))
        for name, count in counts.items()
        if count > copies
    ]


_BITS = tuple(str.maketrans("01234", "".join(str(int(d == c)) for d in range(5))) for c in range(1, 5))
"""For every colour: its digit to 1, the others to 0."""


def _area(left: int, stride: int) -> int:
    """The connected area that has the lowest bit."""
    area = left & ~(left + (left & -left))  # the first run of a row: the sum carries through it
    while True:
        # A whole step sideways and then up and down: fewer rounds than with single steps.
        grown = (area | area << 1 | area >> 1) & left
        grown = (grown | grown << stride | grown >> stride) & left
        if grown == area:
            return area
        area = grown


@cache
def _moves(variant_id: str, colour: int) -> dict[int, Move]:
    """Bits of an area -> the move of that colour; placements only, so there is an end to it."""
    return {}


@cache
def _piece_numbers(variant_id: str) -> list[int]:
    """Placement -> number of its piece."""
    numbers: list[int] = geometry(variant_id).placement_piece.tolist()
    return numbers


@cache
def _cell_at(board_id: str) -> dict[int, int]:
    """Bit -> cell."""
    stride = BOARDS[board_id].width + 1
    return {y * stride + x: cell for (x, y), cell in cell_numbers(board_id).items()}


def _piece(known: dict[int, Move], variant_id: str, colour: int, area: int) -> Move:
    row = variant(variant_id)
    at, cells, left = _cell_at(row.board), [], area
    while left:
        cells.append(at[(left & -left).bit_length() - 1])
        left &= left - 1
    move = move_from_cells(variant_id, colour, cells)
    if move.placement < 0:
        first = cell_names(row.board)[cells[0]]
        raise BadPosition(
            f"{len(cells)} cells of {row.colours[colour]} that touch by sides, from {first} on, are no piece"
        )
    known[area] = move
    return move
