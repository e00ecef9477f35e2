"""What archives hold beside games: results without moves, positions without a game, lists of pieces without cells.

They are kept, but never replayed: no verdict, no quality of moves and no opening can come of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from notation.errors import NotationError
from notation.position_text import PositionText
from notation.record import GameRecord, Problem


@dataclass(slots=True)
class ResultRecord:
    """A game of which only the result is known: it feeds ratings and tables of wins.

    `variant` is empty where neither the source nor the caller says it. `key` is the source's own name of the game,
    empty where it has none; `players`, `scores` and `places` are by seat: `scores` as the source writes them, `places`
    from 1 and shared on ties, each empty where unknown. `margin` is what the first of two seats has more than the
    second, where nothing else is said. `unfinished`: stopped before its end.
    """

    kind: ClassVar[str] = "result"

    variant: str
    format: str
    key: str = ""
    players: list[str | None] = field(default_factory=list)
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    margin: int | None = None
    plies: int | None = None
    passes: int | None = None
    unfinished: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    line: int = 0


@dataclass(slots=True)
class PositionRecord:
    """A position without the moves that led to it."""

    kind: ClassVar[str] = "position"

    format: str
    position: PositionText
    players: list[str | None] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    line: int = 0


@dataclass(slots=True)
class PieceList:
    """A game of which only the pieces are known: `pieces` are (colour, name of the piece) in order of play."""

    kind: ClassVar[str] = "piece_list"

    variant: str
    format: str
    pieces: list[tuple[int, str]] = field(default_factory=list)
    players: list[str | None] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    line: int = 0


Fragment = ResultRecord | PositionRecord | PieceList

Item = GameRecord | Fragment | NotationError
"""What a reader finds: one for every record of a source, an error where it is none."""
