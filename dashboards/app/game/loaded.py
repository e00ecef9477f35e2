"""What the page of a game knows of it, asked once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline import queries
from pipeline.abbreviations import find_game, short_ids
from pipeline.advice import Followed, followed
from pipeline.analysis.comments import MoveComment, game_comments
from pipeline.analysis.queries import GameAnalysis, game_analysis
from pipeline.ground import ground
from pipeline.queries import GameView, Row
from pipeline.store import Reader


@dataclass(frozen=True)
class Loaded:
    """A game with its judgement, if it has one. Shared by all visitors: nobody changes it."""

    view: GameView
    short: str
    analysis: GameAnalysis | None
    _made: dict[str, str] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], str]) -> str:
        """A drawing of the whole game, which is the same at every ply: made once."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    @property
    def identity(self) -> str:
        """The full identity."""
        return str(self.view.game["id"])

    @property
    def variant(self) -> str:
        """The variant's id."""
        return str(self.view.game["variant"])

    @property
    def plies(self) -> int:
        """Legal placements."""
        return len(self.view.moves)

    def judged(self, ply: int) -> Row | None:
        """What is known of a placement."""
        rows = self.analysis.moves if self.analysis else []
        return next((row for row in rows if row["ply"] == ply), None)


def load(reader: Reader, text: str) -> Loaded:
    """The game whose identity begins so.

    Raises:
        NoIdentity, NoSuchGame, AmbiguousGame: as `find_game`.
    """
    identity = find_game(reader, text)
    view = queries.game(reader, identity)
    analysis = game_analysis(reader, view.game["game_no"])
    return Loaded(view, short_ids(reader, [identity])[identity], analysis)


def comments(reader: Reader, game_no: int) -> dict[int, MoveComment]:
    """Its mistakes explained, by ply."""
    analysis = game_analysis(reader, game_no)
    return {} if analysis is None else game_comments(reader, game_no, analysis)


def advice(reader: Reader, identity: str) -> list[Followed]:
    """The advice of the rule texts, measured; raises as `pipeline.ground.ground`."""
    return followed(queries.game(reader, identity), ground(reader, identity))
