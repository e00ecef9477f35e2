"""The neutral game record: what every reader returns and every writer takes.

A record may be illegal or incomplete; only `engine.replay` judges it. Cells are numbers of the variant's board
(`engine.boards`), colours 0.. in order of play, seats 0.. inside the program and from 1 wherever they leave it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

ANY_COLOUR = -1
"""Colour of a move or pass whose record does not say it: the colour on turn."""

OFF_BOARD = -1
NOT_A_PIECE = -2
"""`Move.placement` of cells that are no placement of the variant."""


class Move(NamedTuple):
    """A placement as recorded: a colour and a set of cells; piece and orientation are derived from the cells.

    `cells` are ascending as recorded (a cell named twice stays twice); empty when one of them is not on the board.
    `placement` is the number in `engine.geometry`, or OFF_BOARD, or NOT_A_PIECE. `text` is the canonical
    text of the cells (`a1,b1`), or what the record says where that is not possible.
    """

    colour: int
    cells: tuple[int, ...]
    placement: int
    text: str


class Pass(NamedTuple):
    """A recorded pass."""

    colour: int = ANY_COLOUR


class Out(NamedTuple):
    """A seat leaves the game here: `cause` is time, resigned, abandoned or violation."""

    seat: int
    cause: str


Event = Move | Pass | Out

CAUSES = ("time", "resigned", "abandoned", "violation")
TERMINATIONS = ("normal", *CAUSES, "unfinished")


@dataclass(slots=True)
class Setup:
    """Pieces on the board before the first move, and the colour to move if it is stated."""

    pieces: list[Move] = field(default_factory=list)
    to_move: int | None = None

    def __bool__(self) -> bool:
        return bool(self.pieces) or self.to_move is not None


@dataclass(frozen=True, slots=True)
class Declared:
    """A result as the record states it. `winner` is a seat, -1 for a draw, None when it names nobody.

    `margin` is in points of the winner over the others (two seats); `scores` are points by colour or by seat as
    written, in the scale the record uses.
    """

    text: str
    winner: int | None = None
    margin: int | None = None
    scores: tuple[int, ...] = ()
    termination: str | None = None

    @property
    def says_something(self) -> bool:
        """Whether there is anything to compare with the computed result."""
        return self.winner is not None or bool(self.scores)


@dataclass(slots=True)
class Note:
    """A comment and annotations at an event (index in `events`, -1: the root). `marks` are raw properties."""

    event: int
    comment: str = ""
    marks: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


@dataclass(slots=True)
class Branch:
    """A variation: the raw SGF text of a sibling of event `event` (index in `events`)."""

    event: int
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a record that does not stop the reading. `code` is a short stable word."""

    code: str
    message: str
    line: int = 0
    ply: int = 0


@dataclass(slots=True)
class GameRecord:
    """One game as recorded.

    `rules` are the settings the record itself states (keys of `engine.rulesets.RULE_KEYS`); `players` the names by
    seat, None where unknown; `headers` everything else, by the format's own names, in order (values as read).
    `termination` is None unless the record states it; `penalty_applied` belongs to `abandoned`.
    `clocks` are seconds left after an event, by event index. `evaluations` are kept as read (JSON values by event
    index). `broken` is the rest of the record as text, from where it could not be read.
    """

    variant: str
    format: str
    events: list[Event] = field(default_factory=list)
    players: list[str | None] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)
    setup: Setup = field(default_factory=Setup)
    declared: Declared | None = None
    termination: str | None = None
    penalty_applied: bool | None = None
    notes: list[Note] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    clocks: dict[int, float] = field(default_factory=dict)
    evaluations: dict[int, object] = field(default_factory=dict)
    broken: str = ""
    line: int = 0

    @property
    def date(self) -> str:
        """The date as written; empty when there is none."""
        return self.headers.get("date", "")
