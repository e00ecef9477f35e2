"""A game while it is being played: moves, turns that go by, taking back, seats that leave, the result, the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.geometry import geometry, placement_cells
from engine.position import Position
from engine.rulesets import Ruleset, parse_rules, rule_settings
from engine.scoring import Leaving, SeatResult, points, results
from engine.variants import variant
from engine.verdicts import WORDS
from notation.moves import move_from_cells
from notation.record import Event, GameRecord, Move, Out, Pass, Setup


class PlayedGame:
    """Moves of one game, each checked when it is played; colours and seats from 0.

    >>> game = PlayedGame("duo")
    >>> game.play(0, game.position.legal_moves(0)[0][1])
    >>> len(game.moves), game.to_move
    (1, 1)
    """

    def __init__(
        self, variant_id: str, settings: Mapping[str, str] | None = None, setup: Setup | None = None
    ) -> None:
        """Begin a game.

        Raises:
            EngineError: unknown variant, rules that do not fit it, a setup whose pieces do not fit together.
        """
        self.variant = variant(variant_id)
        self.rules: Ruleset = parse_rules(variant_id, dict(settings or {}))
        self.setup = setup or Setup()
        self.events: list[Event] = []
        self.position = self._start()

    def _start(self) -> Position:
        pieces = [(piece.colour, piece.placement) for piece in self.setup.pieces]
        return Position(self.variant.id, self.rules, pieces, self.setup.to_move or 0)

    @property
    def moves(self) -> list[Move]:
        """Placements so far."""
        return [event for event in self.events if isinstance(event, Move)]

    @property
    def last(self) -> tuple[int, ...]:
        """Cells of the last placement; none before the first."""
        return next((event.cells for event in reversed(self.events) if isinstance(event, Move)), ())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    @property
    def to_move(self) -> int | None:
        """The colour on turn, the next that can move; None when the game is over."""
        return None if self.over else self.position.to_move

    def owner(self, colour: int) -> int:
        """The seat that plays a colour now; the shared one is played in turn, by its pieces on the board."""
        for seat, owned in enumerate(self.rules.seats):
            if colour in owned:
                return seat
        played = [*self.setup.pieces, *self.moves]
        return sum(move.colour == colour for move in played) % len(self.rules.seats)

    def why_illegal(self, colour: int, cells: Sequence[int]) -> str | None:
        """A sentence why a move is illegal; None where it is legal."""
        reason = self.position.why_illegal(colour, tuple(cells) or (-1,))
        return None if reason is None else WORDS[reason]

    def play(self, colour: int, cells: Sequence[int]) -> None:
        """Play a move.

        Raises:
            IllegalMove: with the reason; nothing has changed.
        """
        self.position.play(colour, tuple(cells) or (-1,))
        self.events.append(move_from_cells(self.variant.id, colour, cells))

    def play_placement(self, colour: int, placement: int) -> None:
        """Play a placement, see `play`."""
        self.play(colour, placement_cells(geometry(self.variant.id), placement))

    def pass_turn(self, colour: int) -> None:
        """Let the turn of a colour go by."""
        self.position.pass_turn(colour)
        self.events.append(Pass(colour))

    def leave(self, seat: int, cause: str) -> None:
        """A seat leaves the game; `cause` is one of `notation.record.CAUSES`."""
        self.position.leave(seat)
        self.events.append(Out(seat, cause))

    def undo(self) -> Move | None:
        """Take the last placement back, with what happened behind it; None where there is none."""
        at = next((i for i in reversed(range(len(self.events))) if isinstance(self.events[i], Move)), None)
        if at is None:
            return None
        events, self.events = self.events, []
        self.position = self._start()
        for event in events[:at]:
            self.add(event)
        move = events[at]
        assert isinstance(move, Move)
        return move

    def add(self, event: Event) -> None:
        """Let an event happen; raises as `play`."""
        if isinstance(event, Move):
            self.play(event.colour, event.cells)
        elif isinstance(event, Pass):
            self.pass_turn(event.colour)
        else:
            self.leave(event.seat, event.cause)

    def colour_points(self) -> list[int]:
        """Points of every colour so far, cells placed counting for and not those left against it."""
        scoring = "online" if self.rules.scoring == "board" else self.rules.scoring
        return [points(scoring, self.variant.id, facts) for facts in self.position.facts]

    def results(self, decided: bool = True) -> list[SeatResult]:
        """Result of every seat if the game ends here; those that left come last, the later the better."""
        outs = [(at, event) for at, event in enumerate(self.events) if isinstance(event, Out)]
        leavings = [Leaving(event.seat, event.cause, at) for at, event in outs]
        return results(self.variant.id, self.rules, self.position.facts, leavings, decided)

    def record(
        self, players: Sequence[str | None] = (), headers: Mapping[str, str] | None = None
    ) -> GameRecord:
        """The game as a record; it states the rules that differ from the variant's default."""
        return GameRecord(
            self.variant.id,
            "blksgf",
            events=list(self.events),
            players=list(players),
            headers=dict(headers or {}),
            rules=rule_settings(self.variant.id, self.rules),
            setup=self.setup,
        )
