"""Positions out of records and position texts, on which moves can be asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.position import Position
from engine.rulesets import parse_rules
from engine.verdicts import WORDS
from notation.errors import BadPosition, BadRecord, NotARecord, NotationError, Where
from notation.fragments import PositionRecord
from notation.moves import move_from_names
from notation.position_text import PositionText, format_position, parse_position
from notation.record import Event, GameRecord, Move, Pass
from pipeline.errors import NotThere, PipelineError, no_such_ply
from pipeline.judged import Group, RuleChoice, Stop, found_colour, group_records, resolved_colours, stop_of
from pipeline.messages import stop_message
from pipeline.portions import Digest, Inventory, portions_of, portions_of_bytes
from pipeline.unit import Portion, Reading, read_portion

TEXT_BEGINS = "cw1."
"""How a position text begins."""


@dataclass(slots=True)
class Reached:
    """A position and how it came about.

    `ply` counts the placements of its record before it (None: of no record); `pieces` are those on the board; `left`
    are colours whose player has left; `note` says why the record goes no further, `stop` where.
    """

    position: Position
    ply: int | None
    left: set[int] = field(default_factory=set)
    pieces: list[Move] = field(default_factory=list)
    note: str | None = None
    declared_over: bool = False
    stop: Stop | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.declared_over or self.position.is_over

    @property
    def to_move(self) -> int | None:
        """The colour to move, None when the game is over."""
        return None if self.over else self.position.to_move

    def mobility(self, colour: int) -> int:
        """Legal moves of a colour, on turn or not; none once the game is over or its player has left."""
        return 0 if self.over or colour in self.left else self.position.mobility(colour)

    def moves(self, colour: int) -> list[tuple[str, tuple[int, ...]]]:
        """(piece, cells) of the legal moves of a colour, see `mobility`."""
        return [] if self.over or colour in self.left else self.position.legal_moves(colour)

    def leave(self, seat: int) -> None:
        """The player of a seat (from 0) leaves, with the colours of their own."""
        self.position.leave(seat)
        self.left |= set(self.position.rules.seats[seat])

    def text(self) -> str | None:
        """The position text; None for a position that the text cannot hold."""
        single = [c for c, facts in enumerate(self.position.facts) if facts.single_last]
        try:
            return format_position(
                PositionText(
                    self.position.variant.id,
                    tuple(self.pieces),
                    self.to_move,
                    tuple(sorted(self.left)),
                    tuple(single),
                )
            )
        except BadPosition:
            return None

    def why_illegal(self, colour: int, cells: str) -> tuple[str, str] | None:
        """(reason, sentence) why these cells are no legal move of a colour; None if they are one."""
        if self.over:
            reason: str | None = "game_over"
        elif colour in self.left:
            reason = "colour_out"
        else:
            move = move_from_names(self.position.variant.id, colour, cells.replace("+", ",").split(","))
            # Cells off the board have no number: -1 stands for them.
            reason = self.position.why_illegal(colour, move.cells or (-1,))
        return None if reason is None else (reason, WORDS[reason])


def position_of_text(text: str, settings: Mapping[str, str]) -> Reached:
    """The position of a position text, under the variant's rules with these settings.

    Raises:
        BadPosition: it is no position, or its pieces do not fit together.
        RuleError: settings that do not fit the variant.
    """
    return position_on_board(parse_position(text), settings)


def position_on_board(read: PositionText, settings: Mapping[str, str]) -> Reached:
    """The position that a text or a position record holds; raises as `position_of_text`."""
    rules = parse_rules(read.variant, dict(settings))
    setup = [(piece.colour, piece.placement) for piece in read.pieces]
    try:
        position = Position(read.variant, rules, setup, read.to_move or 0, read.single_last)
    except EngineError as error:
        raise BadPosition(str(error)) from error
    reached = Reached(position, None, pieces=list(read.pieces), declared_over=read.to_move is None)
    for seat, owned in enumerate(rules.seats):
        if set(owned) & set(read.out):
            reached.leave(seat)
    return reached


def position_of_record(record: GameRecord, choice: RuleChoice, ply: int | None = None) -> Reached:
    """The position of a record right after `ply` placements.

    Without `ply` it is the one at the end of the record's legal part, with the passes and leavings behind the last
    placement.

    Raises:
        BadRecord: rules or a setup that do not fit.
        NotThere: the legal part of the game is shorter.
    """
    groups, refused = group_records([record], choice)
    if refused:
        raise refused[0][1]
    (group,) = groups
    stop = stop_of(group, 0)
    if stop is not None and stop.event < 0:
        raise BadRecord(stop_message(group, 0, stop, [], []), Where(line=record.line))
    setup = [(piece.colour, piece.placement) for piece in record.setup.pieces]
    position = Position(record.variant, group.rules, setup, record.setup.to_move or 0)
    events = record.events if stop is None else record.events[: stop.event]
    plies = sum(isinstance(event, Move) for event in events)
    if ply is not None and not 0 <= ply <= plies:
        raise no_such_ply(ply, plies, None if stop is None else stop.ply)
    reached = Reached(position, 0, pieces=list(record.setup.pieces))
    _play(reached, group, events, ply)
    if stop is not None:
        colours = resolved_colours(group, 0, stop)
        reached.stop = stop
        reached.note = stop_message(group, 0, stop, group.moves_of(0), colours)
    return reached


def _play(reached: Reached, group: Group, events: Sequence[Event], ply: int | None) -> None:
    """Play events up to a ply; turns that go by in between are inferred, as in the replay."""
    for at, event in enumerate(events):
        if reached.ply == ply:
            return
        if isinstance(event, Move):
            colour = found_colour(group, 0, at)
            reached.position.play(colour, event.cells)
            reached.pieces.append(event._replace(colour=colour))
            reached.ply = (reached.ply or 0) + 1
        elif isinstance(event, Pass):
            reached.position.pass_turn(found_colour(group, 0, at))
        elif 0 <= event.seat < len(group.rules.seats):
            reached.leave(event.seat)


def nth_record(paths: list[str], reading: Reading, number: int = 1) -> GameRecord | PositionRecord:
    """The record of that number (from 1) among all records of some inputs, a game or a position.

    Raises:
        NotationError: it cannot be read as a game, or the inputs hold no records.
        NotThere: there are fewer.
        PipelineError: the input cannot be read.
    """
    inventory = Inventory()
    return _nth(portions_of(paths, reading, inventory), inventory, ", ".join(paths), reading, number)


def nth_pasted(data: bytes, name: str, reading: Reading, number: int = 1) -> GameRecord | PositionRecord:
    """The record of that number in what somebody pasted, called `name` in messages; raises as `nth_record`."""
    inventory = Inventory()
    return _nth(portions_of_bytes(data, name, reading, inventory), inventory, name, reading, number)


def _nth(
    portions: Iterator[Portion | Digest], inventory: Inventory, place: str, reading: Reading, number: int
) -> GameRecord | PositionRecord:
    seen = 0
    for portion in portions:
        if isinstance(portion, Digest):
            continue
        for found in read_portion(portion, reading):
            seen += 1
            if seen < number:
                continue
            if isinstance(found.item, NotationError):
                raise found.item
            if not isinstance(found.item, GameRecord | PositionRecord):
                kind = found.item.kind.replace("_", " ")
                raise BadRecord(
                    f"this is a {kind}, without moves or a position", Where(found.origin.source, number)
                )
            return found.item
    for name, reason in inventory.unreadable:
        raise PipelineError(f"{name}: {reason}")
    if not seen:
        name, reason = inventory.other_files[0] if inventory.other_files else (place, "no game records")
        raise NotARecord(reason, Where(name))
    raise NotThere(f"there is no game {number} in {place}: the last is game {seen}")
