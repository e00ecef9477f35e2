"""A slow, obvious twin of the engine: sets and loops, no bit strings, no table of the engine's.

It knows boards from the rule page, pieces from the gold values, and reads nothing of the engine but the rows of
`engine.variants` and the fields of a `Ruleset`. Cells are (column, row), row 0 at the bottom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache

from engine.rulesets import Ruleset
from engine.variants import VARIANTS
from tests.oracle import gold

XY = tuple[int, int]
Cells = frozenset[XY]

ASSIGNED = {"square20": ["a20", "t20", "t1", "a1"], "square14": ["e10", "j5"]}
MARKED = {
    "square14": ["e10", "j5"],
    "hexagon9": ["r15", "r4", "j12", "j7", "z12", "z7"],
    "hexagon8": ["p14", "p3", "h11", "h6", "x11", "x6"],
}
OUTER = {
    "square20": ["a1", "a20", "t1", "t20"],
    "square14": ["a1", "a14", "n1", "n14"],
    "hexagon9": ["i1 j1", "z1 aa1", "a9 a10", "ai9 ai10", "i18 j18", "z18 aa18"],
    "hexagon8": ["h1 i1", "w1 x1", "a8 a9", "ae8 ae9", "h16 i16", "w16 x16"],
}


def cell(name: str) -> XY:
    """(column, row) of a cell name."""
    letters = name.rstrip("0123456789")
    column = ord(letters) - 97 if len(letters) == 1 else 26 + ord(letters[1]) - 97
    return column, int(name[len(letters) :]) - 1


class Board:
    """Cells of a board and what touches what."""

    def __init__(self, board_id: str) -> None:
        self.id = board_id
        self.triangles = board_id.startswith("hexagon")
        edge = int(board_id.removeprefix("hexagon").removeprefix("square"))
        rows = {y: range(edge) for y in range(edge)}
        if self.triangles:  # rows of 2 edge + 1, + 2 a row up to the middle, then the same down again
            insets = [*range(edge - 1, -1, -1), *range(edge)]
            rows = {y: range(inset, 4 * edge - 1 - inset) for y, inset in enumerate(insets)}
        self.cells = [(x, y) for y in sorted(rows) for x in rows[y]]
        self.place = set(self.cells)
        # The first triangle of the lowest row points down, so does every one at an even distance from it.
        self.down = sum(self.cells[0]) % 2
        self.sides = {c: self._on_board(c, self._side_offsets(c)) for c in self.cells}
        self.corners = {c: self._on_board(c, self._touching(c)) - self.sides[c] for c in self.cells}

    def points_up(self, at: XY) -> bool:
        return self.triangles and sum(at) % 2 != self.down

    def _on_board(self, at: XY, offsets: list[XY]) -> Cells:
        return frozenset((at[0] + dx, at[1] + dy) for dx, dy in offsets) & self.place

    def _side_offsets(self, at: XY) -> list[XY]:
        if not self.triangles:
            return [(-1, 0), (1, 0), (0, -1), (0, 1)]
        return [(-1, 0), (1, 0), (0, -1 if self.points_up(at) else 1)]

    def _touching(self, at: XY) -> list[XY]:
        """Everything that shares a point with the cell."""
        if not self.triangles:
            return [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        flat = -1 if self.points_up(at) else 1  # the row at the flat side: five triangles, at the tip: three
        beside = [(dx, 0) for dx in (-2, -1, 1, 2)]
        return beside + [(dx, flat) for dx in (-2, -1, 0, 1, 2)] + [(dx, -flat) for dx in (-1, 0, 1)]


@cache
def board_of(variant_id: str) -> Board:
    return Board(VARIANTS[variant_id].board)


@cache
def placements(variant_id: str) -> dict[Cells, str]:
    """All placements: cells -> piece name."""
    board = board_of(variant_id)
    found: dict[Cells, str] = {}
    for name, piece in gold("pieces")["sets"][VARIANTS[variant_id].pieces].items():
        for image in piece["orientations"]:
            for x0 in range(36):
                for y0 in range(20):
                    if board.triangles and ((x0 + y0) % 2 != board.down) == bool(image["parity"]):
                        continue
                    cells = frozenset((x0 + x, y0 + y) for x, y in image["cells"])
                    if cells <= board.place:
                        found[cells] = name
    return found


@cache
def covering(variant_id: str) -> dict[tuple[str, XY], list[Cells]]:
    """The placements of a piece that cover a cell."""
    out: dict[tuple[str, XY], list[Cells]] = {}
    for cells, name in placements(variant_id).items():
        for c in cells:
            out.setdefault((name, c), []).append(cells)
    return out


@cache
def start_groups(variant_id: str, start: str, colour: int) -> list[list[XY]]:
    """Starting cells of a colour in groups that are taken together."""
    board = board_of(variant_id)
    if start == "assigned":
        return [[cell(ASSIGNED[board.id][colour])]]
    if start == "marked":
        return [[cell(name)] for name in MARKED[board.id]]
    if start == "any_corner":
        return [[cell(name) for name in group.split()] for group in OUTER[board.id]]
    return [[c] for c in board.cells if len(board.sides[c]) < (3 if board.triangles else 4)]


@dataclass
class Game:
    """A game in progress. A turn counts when it is over; `events` of the twin replay are in `tests.naive_replay`."""

    variant_id: str
    rules: Ruleset
    nominal: int = 0
    turn: int = 0
    plies: int = 0
    owner: dict[XY, int] = field(default_factory=dict)
    hands: list[Counter[str]] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    everything_at: dict[int, int] = field(default_factory=dict)
    single_last: set[int] = field(default_factory=set)
    fits: bool = True

    def __post_init__(self) -> None:
        self.board = board_of(self.variant_id)
        pieces = gold("pieces")["sets"][VARIANTS[self.variant_id].pieces]
        self.full = Counter({name: piece["copies"] for name, piece in pieces.items()})
        self.colours = range(len(VARIANTS[self.variant_id].colours))
        self.hands = [self.full.copy() for _ in self.colours]

    def set_up(self, pieces: Sequence[tuple[int, Cells | None]]) -> None:
        """Put pieces on the board before the first move; `fits` says whether that went well."""
        for colour, cells in pieces:
            name = placements(self.variant_id).get(cells) if cells else None
            if name is None or not self.hands[colour][name] or any(c in self.owner for c in cells or ()):
                self.fits = False
                return
            self.put(colour, cells or frozenset())
        self.plies = 0
        self.single_last.clear()

    def put(self, colour: int, cells: Cells) -> None:
        """Place a piece; the turn is counted by the caller beforehand."""
        name = placements(self.variant_id)[cells]
        self.owner |= dict.fromkeys(cells, colour)
        self.hands[colour][name] -= 1
        self.plies += 1
        if not +self.hands[colour]:
            self.everything_at[colour] = self.turn
            if len(cells) == 1:
                self.single_last.add(colour)

    def own(self, colour: int) -> set[XY]:
        return {c for c, of in self.owner.items() if of == colour}

    def free_starts(self, colour: int) -> set[XY]:
        groups = start_groups(self.variant_id, self.rules.start, colour)
        return {c for group in groups if not any(g in self.owner for g in group) for c in group}

    def begun(self, colour: int) -> bool:
        return any(of == colour for of in self.owner.values())

    def targets(self, colour: int) -> set[XY]:
        """Cells of which a move must cover one: free starting cells, or cells at the corners of the colour's own."""
        if not self.begun(colour):
            return self.free_starts(colour)
        return {n for c in self.own(colour) for n in self.board.corners[c]} - set(self.owner)

    def placing(self, colour: int, cells: Cells, targets: set[XY] | None = None) -> str:
        """Verdict by the rules of placing alone."""
        name = placements(self.variant_id).get(cells)
        if name is None:
            return "not_a_piece"
        if not self.hands[colour][name]:
            return "piece_used"
        if any(c in self.owner for c in cells):
            return "occupied"
        if any(self.owner.get(n) == colour for c in cells for n in self.board.sides[c]):
            return "side_contact"
        if cells & (self.targets(colour) if targets is None else targets):
            return "legal"
        return "no_corner_contact" if self.begun(colour) else "start_rule"

    def legal_moves(self, colour: int) -> Iterator[Cells]:
        """Legal moves, some of them more than once."""
        targets = self.targets(colour)
        beside = {n for c in self.own(colour) for n in self.board.sides[c]}
        for target in targets - beside:
            for name in +self.hands[colour]:
                for cells in covering(self.variant_id).get((name, target), ()):
                    if self.placing(colour, cells, targets) == "legal":
                        yield cells

    def can_move(self, colour: int) -> bool:
        return next(self.legal_moves(colour), None) is not None

    def in_game(self, colour: int) -> bool:
        return colour not in self.out and self.can_move(colour)

    def to_move(self) -> int | None:
        n = len(self.colours)
        return next((c % n for c in range(self.nominal, self.nominal + n) if self.in_game(c % n)), None)

    def last_turn(self) -> int:
        """Last turn of the end rule `rounds:N`: of round N, or of the round in which a colour placed everything."""
        n = len(self.colours)
        rounds = [self.rules.rounds]
        for turn in self.everything_at.values():
            rounds.append(max(1, (turn + n - 1) // n))
        return min(rounds) * n

    def is_over(self) -> bool:
        if self.to_move() is None:
            return True
        if self.rules.end == "first_blocked":
            return any(not any(self.can_move(c) for c in owned) for owned in self.rules.seats)
        if self.rules.end == "rounds":
            return self.nobody_until(self.last_turn())
        if self.rules.end == "max_rounds":
            return self.nobody_until(self.rules.rounds * len(self.colours))
        return False

    def nobody_until(self, last: int) -> bool:
        """Whether no colour can use its turn up to turn `last`."""
        n = len(self.colours)
        slots = range(last - self.turn)[:n]
        return not any(self.in_game((self.nominal + s) % n) for s in slots)

    def may_end(self) -> bool:
        """Whether a record that stops here has ended: under `max_rounds` with any round once a colour is done."""
        if self.rules.end != "max_rounds" or not self.everything_at:
            return self.is_over()
        n = len(self.colours)
        return self.is_over() or self.nobody_until(max(1, (self.turn + n - 1) // n) * n)

    def at_turn_of(self, colour: int) -> Game:
        """The same position with the turns before that of `colour` gone by."""
        twin = copy(self)
        twin.turn += (colour - self.nominal) % len(self.colours)
        twin.nominal = colour
        return twin

    def verdict(self, colour: int, cells: Cells | None) -> str:
        """Verdict on a placement; cells that are None or hold none of the board's cells are off it."""
        if cells is None or not cells <= self.board.place:
            return "off_board"
        if self.at_turn_of(colour).is_over():
            return "game_over"
        return "colour_out" if colour in self.out else self.placing(colour, cells)

    def pass_kind(self, colour: int) -> str:
        if colour in self.out:
            return "out"
        if not self.can_move(colour):
            return "forced"
        if self.rules.passing == "voluntary" and self.begun(colour):
            return "voluntary"
        return "forced" if self.is_over() else "unforced"

    def identity(self) -> tuple[object, ...]:
        """What the position key stands for."""
        return (
            frozenset(self.owner.items()),
            self.to_move(),
            frozenset(self.out),
            frozenset(self.single_last),
        )
