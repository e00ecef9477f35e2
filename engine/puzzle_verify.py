"""Whether placements solve a puzzle, and what is wrong where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from engine import pieces
from engine.boards import column_name
from engine.lattices import XY
from engine.pieces import Orientation, anchored
from engine.puzzle_boards import touching, turned
from engine.puzzle_kinds import FALLING, Placed, Puzzle
from engine.verdicts import WORDS


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong: the number of the placement (from 1; 0: of none), a short stable word, a sentence."""

    number: int
    code: str
    message: str


def cell_name(xy: XY) -> str:
    """Name of a cell: column letters, row number from the bottom; off to the left there are no letters."""
    return f"{column_name(xy[0])}{xy[1] + 1}" if min(xy) >= 0 else f"({xy[0]},{xy[1]})"


@cache
def _names(piece_set: str) -> dict[Orientation, str]:
    return {shape: name for name, shapes in pieces.orientations(piece_set).items() for shape in shapes}


def piece_of(piece_set: str, cells: Iterable[XY], parity: int = 0) -> str | None:
    """Name of the piece that covers these cells of a board; None where no piece of the set does."""
    lattice = pieces.PIECE_SETS[piece_set].lattice
    ordered = sorted(set(cells), key=lambda xy: (xy[1], xy[0]))
    if not ordered:
        return None
    x, y = ordered[0]
    shape = anchored(lattice, ordered)
    if lattice.triangular:
        shape = Orientation(shape.offsets, (x + y + parity) % 2)
    return _names(piece_set).get(shape)


def verify(puzzle: Puzzle, placed: Sequence[Placed], partial: bool = False) -> list[Problem]:
    """What is wrong with a solution, or (`partial`) with a beginning of one; empty when nothing is.

    Placements are in order of play. Cells of tilings may be those of the board turned by a quarter, and lie anywhere.

    >>> from engine.puzzle_kinds import puzzle
    >>> verify(puzzle("1"), [Placed(0, "2", ((3, 3), (4, 3)))], partial=True)[0].code
    'start_rule'
    """
    found = list(_shapes(puzzle, placed))
    if all(problem.code == "piece_used" for problem in found):
        found += _overlaps(puzzle, placed)
        found += _play(puzzle, placed) if puzzle.by_rules else _rectangle(puzzle, placed, partial)
        found.sort(key=lambda problem: problem.number or len(placed) + 1)
    if not partial and not any(problem.code == "piece_used" for problem in found):
        found += _missing(puzzle, placed)
    elif not partial and len(placed) != puzzle.pieces:
        found.append(Problem(0, "wrong_number", f"{len(placed)} pieces, the puzzle has {puzzle.pieces}"))
    return found


def _who(puzzle: Puzzle, one: Placed) -> str:
    where = ",".join(map(cell_name, one.cells))
    name = piece_of(puzzle.piece_set, one.cells, puzzle.board.parity)
    return f"{puzzle.colours[one.colour]} {name or 'cells'} on {where}"


def _shapes(puzzle: Puzzle, placed: Sequence[Placed]) -> Iterator[Problem]:
    """Cells that are no piece of the puzzle, or off its board, and pieces that come too often."""
    used: dict[tuple[int, str], list[int]] = {}
    on_board = set(puzzle.board.cells)
    for number, one in enumerate(placed, 1):
        name = piece_of(puzzle.piece_set, one.cells, puzzle.board.parity)
        if name is None or len(set(one.cells)) < len(one.cells):
            yield Problem(number, "not_a_piece", f"{_who(puzzle, one)}: {WORDS['not_a_piece']}")
            continue
        if puzzle.by_rules and not on_board.issuperset(one.cells):
            yield Problem(number, "off_board", f"{_who(puzzle, one)}: off the board {puzzle.board.name}")
        before = used.setdefault((one.colour if puzzle.by_rules else -1, name), [])
        if len(before) >= puzzle.bag.get(name, 0):
            yield Problem(
                number, "piece_used", f"{_who(puzzle, one)}: {_too_many(puzzle, one, name, before)}"
            )
        before.append(number)


def _too_many(puzzle: Puzzle, one: Placed, name: str, before: Sequence[int]) -> str:
    """That a piece comes too often, and where it came before."""
    copies = puzzle.bag.get(name, 0)
    whose = f"{puzzle.colours[one.colour]} has" if puzzle.by_rules else "the puzzle has"
    if not copies:
        return f"{whose} no piece {name}"
    return f"{whose} {copies} {name}, placed before as number {', '.join(map(str, before))}"


def _overlaps(puzzle: Puzzle, placed: Sequence[Placed]) -> Iterator[Problem]:
    owner: dict[XY, int] = {}
    for number, one in enumerate(placed, 1):
        for xy in one.cells:
            if xy in owner:
                other = _who(puzzle, placed[owner[xy] - 1])
                message = f"{cell_name(xy)} is covered by number {owner[xy]}, {other}"
                yield Problem(number, "occupied", f"{_who(puzzle, one)}: {message}")
                break
        else:
            owner |= dict.fromkeys(one.cells, number)


def _play(puzzle: Puzzle, placed: Sequence[Placed]) -> Iterator[Problem]:
    """The first placement that the rules of play forbid, and the first piece that is bigger than the one before."""
    own: list[set[XY]] = [set() for _ in puzzle.colours]
    around = touching(puzzle.board)
    for number, one in enumerate(placed, 1):
        turn = (number - 1) % len(puzzle.colours)
        if one.colour != turn:
            expected = puzzle.colours[turn]
            message = f"{_who(puzzle, one)}: it is {expected}'s turn, which has pieces left and may not be passed over"
            yield Problem(number, "unforced_pass", message)
            return
        problem = _contact(puzzle, one, own[one.colour], around)
        if problem is not None:
            yield Problem(number, problem[0], f"{_who(puzzle, one)}: {problem[1]}")
            return
        own[one.colour] |= set(one.cells)
    if puzzle.rule == FALLING:
        for number, (one, following) in enumerate(pairwise(placed), 2):
            if len(following.cells) > len(one.cells):
                after = f"after one of {len(one.cells)} cells"
                yield Problem(
                    number, "not_falling", f"{_who(puzzle, following)}: {len(following.cells)} cells {after}"
                )
                return


def _contact(
    puzzle: Puzzle, one: Placed, own: set[XY], around: dict[XY, tuple[frozenset[XY], frozenset[XY]]]
) -> tuple[str, str] | None:
    cells = set(one.cells)
    if not own:
        starts = puzzle.starts[one.colour]
        if starts.isdisjoint(cells):
            names = " ".join(sorted(map(cell_name, starts)))
            return "start_rule", f"the first piece of a colour covers its start, here {names}"
        return None
    if any(around[xy][0] & own for xy in cells):
        return "side_contact", WORDS["side_contact"]
    if not any(around[xy][1] & own for xy in cells):
        return "no_corner_contact", WORDS["no_corner_contact"]
    return None


def _box(placed: Sequence[Placed]) -> tuple[XY, int, int]:
    """Lower left corner, columns and rows of all cells."""
    columns = [x for one in placed for x, _ in one.cells]
    rows = [y for one in placed for _, y in one.cells]
    corner = min(columns, default=0), min(rows, default=0)
    return corner, max(columns, default=0) + 1 - corner[0], max(rows, default=0) + 1 - corner[1]


def _rectangle(puzzle: Puzzle, placed: Sequence[Placed], partial: bool) -> Iterator[Problem]:
    _, width, height = _box(placed)
    board = puzzle.board
    fitting = [b for b in (board, turned(board)) if width <= b.width and height <= b.height]
    if not fitting:
        yield Problem(0, "off_board", f"the pieces take {width}x{height} cells, the board is {board.name}")
    elif not partial and len(placed) == puzzle.pieces and not puzzle.holes and (width, height) != (
        fitting[0].width, fitting[0].height
    ):  # fmt: skip
        yield Problem(0, "holes", f"the pieces do not fill {board.name}: they take {width}x{height} cells")


def _missing(puzzle: Puzzle, placed: Sequence[Placed]) -> Iterator[Problem]:
    if puzzle.by_rules:
        groups = [(name, [p for p in placed if p.colour == c]) for c, name in enumerate(puzzle.colours)]
    else:
        groups = [("", list(placed))]
    for whose, of in groups:
        left = Counter(puzzle.bag)
        left.subtract(piece_of(puzzle.piece_set, p.cells, puzzle.board.parity) or "?" for p in of)
        names = [name if n == 1 else f"{n} {name}" for name, n in left.items() if n > 0]
        if names:
            total = sum(n for n in left.values() if n > 0)
            lacking = f"{whose} lacks {total}" if whose else f"{total} missing"
            message = f"{len(placed)} pieces, the puzzle has {puzzle.pieces}; {lacking}: {' '.join(names)}"
            yield Problem(0, "wrong_number", message)


def on_board(puzzle: Puzzle, placed: Sequence[Placed]) -> list[Placed]:
    """Verified pieces with their names, those of a tiling as they lie on the puzzle's own board.

    They stay where they are if they fit there; else they are moved to its corner, and turned where the board was.
    """
    (x0, y0), width, height = _box(placed)
    board = puzzle.board
    turn = not puzzle.by_rules and (width > board.width or height > board.height)
    stays = puzzle.by_rules or (
        min(x0, y0) >= 0 and x0 + width <= board.width and y0 + height <= board.height
    )
    out = []
    for one in placed:
        cells = [xy if stays else (xy[0] - x0, xy[1] - y0) for xy in one.cells]
        cells = [(y, x) for x, y in cells] if turn else cells
        ordered = tuple(sorted(cells, key=lambda xy: (xy[1], xy[0])))
        out.append(Placed(one.colour, piece_of(puzzle.piece_set, ordered, board.parity) or "", ordered))
    return out
