"""The solo puzzles as rows of data, and how users change their board and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine import boards, pieces
from engine.errors import BadPuzzle
from engine.lattices import XY
from engine.puzzle_boards import LONGEST, PuzzleBoard, hexagon, rectangle
from engine.rulesets import start_groups
from engine.variants import variant

PLAY, FALLING, TILING = "play", "falling", "tiling"
"""What a puzzle asks for: all pieces by the rules of play; the same in non-increasing size; no corner rule at all."""

MOST_PIECES = 400
"""Pieces that a puzzle may have."""


class Placed(NamedTuple):
    """A piece on a puzzle's board: its colour (0..), its name, its cells as (column, row) in cell order."""

    colour: int
    piece: str
    cells: tuple[XY, ...]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle.

    `bag` counts copies of pieces: those of every colour where the rules of play hold, else of all colours together.
    `starts` are the starting cells of each colour, of which its first piece covers one; none in tilings. `variant` is
    the one whose games hold solutions by the rules of play, None where no variant has the board or the pieces.
    """

    kind: str
    title: str
    rule: str
    board: PuzzleBoard
    piece_set: str
    bag: Mapping[str, int]
    colours: tuple[str, ...]
    starts: tuple[frozenset[XY], ...] = ()
    variant: str | None = None

    @property
    def by_rules(self) -> bool:
        """Whether the rules of play hold."""
        return self.rule != TILING

    @property
    def pieces(self) -> int:
        """Pieces of a solution."""
        return sum(self.bag.values()) * (len(self.colours) if self.by_rules else 1)

    @property
    def area(self) -> int:
        """Cells that a solution covers."""
        cells = sum(self.size(name) * copies for name, copies in self.bag.items())
        return cells * (len(self.colours) if self.by_rules else 1)

    @property
    def holes(self) -> int:
        """Cells that stay empty; negative where the pieces have more cells than the board."""
        return len(self.board.cells) - self.area

    def size(self, piece: str) -> int:
        """Cells of a piece."""
        return len(pieces.PIECE_SETS[self.piece_set].shapes[piece])


def _by_rules(kind: str, title: str, variant_id: str, rule: str = PLAY) -> Puzzle:
    row = variant(variant_id)
    board = (
        hexagon(row.board)
        if row.board.startswith("hexagon")
        else rectangle(*(boards.BOARDS[row.board].edge,) * 2)
    )
    places, groups = boards.cells(row.board), start_groups(variant_id, row.start)
    starts = tuple(frozenset(places[cell] for group in of for cell in group) for of in groups)
    bag = dict.fromkeys(pieces.PIECE_SETS[row.pieces].names, pieces.PIECE_SETS[row.pieces].copies)
    return Puzzle(kind, title, rule, board, row.pieces, bag, row.colours, starts, row.id)


def _tiling(kind: str, title: str, board: PuzzleBoard, size: int, copies: int) -> Puzzle:
    shapes = pieces.PIECE_SETS["polyominoes"].shapes
    bag = {name: copies for name, shape in shapes.items() if len(shape) == size}
    return Puzzle(kind, title, TILING, board, "polyominoes", bag, variant("classic").colours)


_ROWS = (
    _by_rules("1", "all 84 pieces of Classic by the rules of play", "classic"),
    _by_rules("2", "the same, no piece bigger than the one before it", "classic", FALLING),
    _tiling("3", "the 20 four-cell pieces in a rectangle", rectangle(8, 10), 4, 4),
    _tiling("4", "the 48 five-cell pieces in a rectangle", rectangle(15, 16), 5, 4),
    _by_rules("duo", "all 42 pieces of Duo by the rules of play", "duo"),
    _by_rules("junior", "all 48 pieces of Junior by the rules of play", "junior"),
    _by_rules("trigon", "all 88 pieces of Trigon by the rules of play", "trigon"),
    _by_rules("trigon_3", "all 66 pieces of Trigon for three by the rules of play", "trigon_3"),
    _tiling("tiling", "any pieces in any rectangle (--board, --pieces)", rectangle(6, 10), 5, 1),
)

PUZZLES: dict[str, Puzzle] = {row.kind: row for row in _ROWS}
"""Kind -> puzzle."""


def puzzle(kind: str, board: str | None = None, bag: Mapping[str, int] | None = None) -> Puzzle:
    """The puzzle of a kind, on another board (`WIDTHxHEIGHT`) or with other pieces where they are given.

    >>> puzzle("1", board="19x19").holes
    5

    Raises:
        BadPuzzle: no such kind, or a board or pieces that do not fit it.
    """
    if kind not in PUZZLES:
        raise BadPuzzle(f"unknown kind of puzzle {kind!r}: choose one of {', '.join(PUZZLES)}")
    row = PUZZLES[kind]
    if bag is not None:
        row = _with_pieces(row, bag)
    return row if board is None else _on_board(row, board)


def _with_pieces(row: Puzzle, bag: Mapping[str, int]) -> Puzzle:
    names = pieces.PIECE_SETS[row.piece_set].names
    for name, copies in bag.items():
        if name not in names:
            raise BadPuzzle(f"kind {row.kind} has no piece {name!r}: choose out of {' '.join(names)}")
        if copies < 1:
            raise BadPuzzle(f"{copies} copies of {name}: a piece comes once or more")
    if not bag:
        raise BadPuzzle("a puzzle has one piece or more")
    ordered = {name: bag[name] for name in names if name in bag}
    changed = replace(row, bag=ordered)
    if changed.pieces > MOST_PIECES:
        raise BadPuzzle(f"{changed.pieces} pieces: a puzzle has at most {MOST_PIECES}")
    # Without all pieces a colour is never done, and the game is none of the variant: it would be unfinished.
    return changed if ordered == row.bag else replace(changed, variant=None if row.by_rules else row.variant)


def _on_board(row: Puzzle, text: str) -> Puzzle:
    sides = text.lower().replace("×", "x").split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) <= 4 for side in sides):
        raise BadPuzzle(f"--board {text}: write it as WIDTHxHEIGHT, 8x10 for example")
    width, height = map(int, sides)
    if not (1 <= width <= LONGEST and 1 <= height <= LONGEST):
        raise BadPuzzle(f"--board {text}: a board has 1 to {LONGEST} columns and rows")
    board = rectangle(width, height)
    if board is row.board:
        return row
    if not row.by_rules:
        return replace(row, board=board)
    if len(row.colours) != 4 or row.board.lattice.triangular:
        raise BadPuzzle(
            f"kind {row.kind} has its own board: --board is for rectangles of kinds 1 to 4 and tiling"
        )
    if min(width, height) < 2:
        raise BadPuzzle(f"--board {text}: four colours need four corners")
    corners = ((0, height - 1), (width - 1, height - 1), (width - 1, 0), (0, 0))
    return replace(row, board=board, starts=tuple(frozenset({xy}) for xy in corners), variant=None)


def impossible(row: Puzzle) -> str | None:
    """Why a puzzle has no solution, where a count shows it; None where none does."""
    if row.holes < 0:
        return f"the pieces have {row.area} cells, the board {row.board.name} has {len(row.board.cells)}"
    if not row.by_rules and not row.board.lattice.triangular:
        return _parity(row)
    return None


def _parity(row: Puzzle) -> str | None:
    """A board coloured like a chess-board, and pieces that cover more of one colour than of the other."""
    board = sum(1 - 2 * ((x + y) % 2) for x, y in row.board.cells)
    shapes = pieces.PIECE_SETS[row.piece_set].shapes
    reach, uneven = {0}, []
    for name, copies in row.bag.items():
        by = abs(sum(1 - 2 * ((x + y) % 2) for x, y in shapes[name]))
        if by:
            uneven.append(name if copies == 1 else f"{copies} {name}")
        for _ in range(copies if by else 0):
            reach = {r + d for r in reach for d in (-by, by)}
    if any(abs(board - r) <= row.holes for r in reach):
        return None
    odd = f"; unlike numbers are covered by {', '.join(uneven)} alone" if uneven else ""
    return (
        f"on a chess-board of {row.board.name} one colour has {abs(board)} cells more than the other, "
        f"and these pieces can cover {_numbers(reach)} more of one{odd}"
    )


def _numbers(reach: set[int]) -> str:
    shown = sorted({abs(r) for r in reach})
    return " or ".join(map(str, shown)) if len(shown) <= 4 else f"{shown[0]}, {shown[1]}, ... or {shown[-1]}"
