"""A game against the engine: whose turn it is, moves typed in, moves made, hints, taking back. Nothing is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.boards import cell_names
from engine.evaluation import MoveValue
from engine.geometry import geometry, placement_cells
from engine.pieces import PIECE_SETS
from notation.moves import move_from_cells, move_from_names
from notation.record import GameRecord, Move, Out
from pipeline.gtp_session import Chooser, Parts, turned_to
from pipeline.played_game import PlayedGame


@dataclass(frozen=True, slots=True)
class Hint:
    """What the engine would play: the cells, the piece, expected points and share of the mover's seat."""

    move: Move
    piece: str
    points: float
    share: float


class PlaySession:
    """People on some seats, the engine on the others.

    `people` are seats from 0; `budget` is a word or a number of simulations.
    """

    def __init__(
        self,
        parts: Parts,
        variant_id: str,
        people: Sequence[int],
        budget: str | int,
        seed: int,
        settings: Mapping[str, str],
    ) -> None:
        self.game = PlayedGame(variant_id, settings)
        self.people = frozenset(people)
        self._parts = parts
        self._budget = budget
        self._seed = seed
        self._chooser: Chooser = parts.make(variant_id, self.game.rules, seed)
        self._simulations = parts.simulations(variant_id, budget)

    @property
    def person_to_move(self) -> bool:
        """Whether a person is on turn."""
        colour = self.game.to_move
        return colour is not None and self.game.owner(colour) in self.people

    @property
    def engine_name(self) -> str:
        """What the engine is called in records."""
        effort = "no search" if self._simulations == 0 else f"{self._simulations} simulations"
        return f"Cornerwise {self._parts.version}, {effort}"

    def engine_move(self) -> Move:
        """Let the engine move for the colour on turn."""
        colour = self.game.to_move
        assert colour is not None
        placement = self._chooser.choose(turned_to(self.game.position, colour), self._simulations)
        self.game.play_placement(colour, placement)
        return self.game.moves[-1]

    def move(self, text: str) -> Move:
        """Play cells that somebody typed, in any order, joined by commas or blanks.

        Raises:
            IllegalMove: with the reason.
        """
        colour = self.game.to_move
        assert colour is not None
        names = text.replace("+", " ").replace(",", " ").split()
        self.game.play(colour, move_from_names(self.game.variant.id, colour, names).cells)
        return self.game.moves[-1]

    def hint(self) -> Hint:
        """What the engine thinks best for the colour on turn."""
        from engine.evaluate import evaluate

        best: MoveValue = evaluate(self.game.position, self._budget, self._seed, top=1).moves[0]
        colour = self.game.to_move
        assert colour is not None
        variant_id = self.game.variant.id
        move = move_from_cells(variant_id, colour, placement_cells(geometry(variant_id), best.placement))
        return Hint(move, self.piece_of(best.placement), best.score, best.share)

    def piece_of(self, placement: int) -> str:
        """Name of the piece of a placement."""
        number = int(geometry(self.game.variant.id).placement_piece[placement])
        return PIECE_SETS[self.game.variant.pieces].names[number]

    def counts(self) -> dict[str, int]:
        """Legal moves of the colour on turn by piece, biggest pieces first."""
        colour = self.game.to_move
        if colour is None:
            return {}
        moves = self.game.position.legal_moves(colour)
        sizes = {piece: len(cells) for piece, cells in moves}
        found = Counter(piece for piece, _ in moves)
        return {name: found[name] for name in sorted(found, key=lambda name: (-sizes[name], name))}

    def legal(self, piece: str) -> list[str]:
        """Legal moves of the colour on turn with a piece, as cells; none where there is no such piece."""
        colour = self.game.to_move
        if colour is None:
            return []
        names = cell_names(self.game.variant.board)
        moves = self.game.position.legal_moves(colour)
        return [
            ",".join(names[cell] for cell in cells) for name, cells in moves if name.lower() == piece.lower()
        ]

    def undo(self) -> int:
        """Take back to where a person was last on turn; returns how many placements that were."""
        taken = 0
        while self.game.undo() is not None:
            taken += 1
            if self.person_to_move:
                break
        return taken

    def resign(self) -> int:
        """The seat on turn leaves the game; returns it (0 is the first)."""
        colour = self.game.to_move
        assert colour is not None
        seat = self.game.owner(colour)
        self.game.leave(seat, "resigned")
        return seat

    @property
    def over(self) -> bool:
        """Whether nobody plays on: the end rule's end, or one who resigned left nobody to play against."""
        from engine.scoring import Leaving, remaining_units

        gone = [event.seat for event in self.game.events if isinstance(event, Out)]
        leavings = [Leaving(seat, "resigned", at) for at, seat in enumerate(gone)]
        return self.game.to_move is None or (bool(gone) and remaining_units(self.game.rules, leavings) <= 1)

    def record(self, name: str) -> GameRecord:
        """The game as a record, with people called `name`."""
        seats = range(len(self.game.rules.seats))
        record = self.game.record([name if seat in self.people else self.engine_name for seat in seats])
        if not self.over:
            record.termination = "unfinished"
        return record
