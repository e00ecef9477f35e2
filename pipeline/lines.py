"""Lines of moves from the start of a variant, or from a position, on: how they are written, and where they lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.errors import IllegalMove
from engine.position import Position
from engine.rulesets import parse_rules, rule_settings
from engine.scoring import Leaving, remaining_units
from engine.variants import variant
from notation.errors import BadRecord
from notation.fragments import PositionRecord
from notation.position_text import PositionText, format_position, parse_position
from notation.record import ANY_COLOUR, CAUSES, Event, GameRecord, Move, Out, Pass, Setup
from pipeline.asking import PASS, events_of
from pipeline.errors import NotThere
from pipeline.judged import RuleChoice
from pipeline.positions import TEXT_BEGINS, Reached, nth_pasted, position_on_board
from pipeline.unit import Reading

OUT = "out"
"""Begins the text of a seat that leaves: ``out:2:resigned``."""

MOST = 1000
"""Moves of the longest line that is written or read."""

Rules = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Moves of a variant under settings of its rules, and the ply at which one looks (None: behind the last move).

    They begin at `base`, a position text, or where that is empty at the start. Moves of the colour on turn do not name
    it (`ANY_COLOUR`).
    """

    variant: str
    rules: Rules = ()
    base: str = ""
    events: tuple[Event, ...] = ()
    ply: int | None = None

    @property
    def moves(self) -> int:
        """How many placements there are, those behind `ply` too."""
        return sum(isinstance(event, Move) for event in self.events)

    def played(self) -> tuple[Event, ...]:
        """What has happened at `ply`."""
        if self.ply is None:
            return self.events
        places = [at for at, event in enumerate(self.events) if isinstance(event, Move)]
        if self.ply > len(places):
            return self.events
        return self.events[: places[self.ply - 1] + 1] if self.ply > 0 else ()

    def then(self, event: Event) -> Line:
        """The line with something else happening at `ply`; what was behind is gone."""
        return replace(self, events=(*self.played(), event), ply=None)

    def back(self) -> Line:
        """One placement back; what comes after it stays, except for passes at the end."""
        if self.ply is None and self.events and not isinstance(self.events[-1], Move):
            return replace(self, events=self.events[:-1])
        at = self.moves if self.ply is None else self.ply
        return self.at(at - 1)

    def at(self, ply: int) -> Line:
        """The line seen at a ply, or at the nearest that it has."""
        found = min(max(ply, 0), self.moves)
        return replace(self, ply=None if found == self.moves else found)


@dataclass(frozen=True, slots=True)
class Stop:
    """The placement that cannot be played: its number from 1, its cells as written, and why, see `engine.verdicts`."""

    ply: int
    text: str
    reason: str


@dataclass(slots=True)
class Stood:
    """Where a line leads: the position, what has happened with the colours in it, and what could not be played."""

    reached: Reached
    events: list[Event] = field(default_factory=list)
    stop: Stop | None = None

    @property
    def ply(self) -> int:
        """Placements of the line so far."""
        return sum(isinstance(event, Move) for event in self.events)


def stand(line: Line) -> Stood:
    """Play a line as far as it goes.

    Raises:
        UnknownVariant, RuleError, BadPosition: where it begins makes no sense.
    """
    stood = Stood(_beginning(line))
    for event in line.played():
        _step(stood, event)
        if stood.stop is not None:
            break
    return stood


def _beginning(line: Line) -> Reached:
    if line.base:
        return position_on_board(parse_position(line.base), dict(line.rules))
    return Reached(Position(line.variant, parse_rules(line.variant, dict(line.rules))), 0)


def _step(stood: Stood, event: Event) -> None:
    """Let an event happen, or note why it cannot."""
    reached = stood.reached
    if isinstance(event, Out):
        if 0 <= event.seat < len(reached.position.rules.seats):
            reached.leave(event.seat)
            stood.events.append(event)
        return
    colour = reached.to_move if event.colour == ANY_COLOUR else event.colour
    if isinstance(event, Pass):
        if colour is not None:
            reached.position.pass_turn(colour)
            stood.events.append(Pass(colour))
        return
    if colour is None or reached.over:
        stood.stop = Stop(stood.ply + 1, event.text, "game_over")
        return
    try:
        reached.position.play(colour, event.cells or (-1,))
    except IllegalMove as error:
        stood.stop = Stop(stood.ply + 1, event.text, error.reason)
        return
    move = event._replace(colour=colour)
    stood.events.append(move)
    reached.pieces.append(move)
    if reached.ply is not None:
        reached.ply += 1


def seat_on_turn(reached: Reached) -> int | None:
    """The seat (from 0) that makes the next move, of its own colour or of one that is shared; None: nobody."""
    colour, rules = reached.to_move, reached.position.rules
    if colour is None:
        return None
    for seat, owned in enumerate(rules.seats):
        if colour in owned:
            return seat
    turn = sum(piece.colour == colour for piece in reached.pieces)
    order = [(turn + step) % len(rules.seats) for step in range(len(rules.seats))]
    return next((seat for seat in order if not set(rules.seats[seat]) <= reached.left), order[0])


def line_text(events: Sequence[Event]) -> str:
    """Moves as one text without blanks, for addresses: ``e10-e9.j5.pass``; `line_events` reads it.

    >>> line_text(line_events("duo", "e10-e9.2:j5.pass.out:1:time"))
    'e10-e9.2:j5.pass.out:1:time'
    """
    return ".".join(map(_event_text, events))


def _event_text(event: Event) -> str:
    if isinstance(event, Out):
        return f"{OUT}:{event.seat + 1}:{event.cause}"
    cells = PASS if isinstance(event, Pass) else event.text.replace(",", "-")
    return cells if event.colour == ANY_COLOUR else f"{event.colour + 1}:{cells}"


def line_events(variant_id: str, text: str) -> tuple[Event, ...]:
    """Moves of their text, see `line_text`; also ``;`` between moves, ``,`` and ``+`` between cells are read.

    Raises:
        UnknownVariant, NoSuchColour, BadRecord: it is none.
    """
    parts = [part.strip() for part in text.replace(";", ".").split(".") if part.strip()]
    if len(parts) > MOST:
        raise BadRecord(f"a line has at most {MOST} moves, here are {len(parts)}")
    out: list[Event] = []
    for part in parts:
        kind, _, rest = part.partition(":")
        if kind == OUT:
            seat, _, cause = rest.partition(":")
            if cause not in CAUSES or not (seat.isascii() and seat.isdigit() and 0 < int(seat[:3]) < 5):
                raise BadRecord(f"{part[:40]!r} should be out:SEAT:CAUSE, as in out:1:resigned")
            out.append(Out(int(seat) - 1, cause))
        else:
            out += events_of(variant_id, [part.replace("-", ",")])
    return tuple(out)


def line_of_pasted(
    data: bytes, name: str, number: int = 1, ply: int | None = None
) -> tuple[Line, Stop | None]:
    """The line of a position text, or of a record of any format, and where its legal part ends before its end.

    Args:
        data: what was pasted.
        name: what messages call it.
        number: which of several records, from 1.
        ply: where to look at it.

    Raises:
        NotationError, NotThere, PipelineError: there is no such record; a ply that it does not have.
        EngineError: rules that do not fit.
    """
    text = data.strip()
    if text.startswith(TEXT_BEGINS.encode()):
        read = parse_position(text.decode("utf-8", "replace"))
        return Line(read.variant, base=format_position(read)), None
    record = nth_pasted(data, name, Reading(), number)
    if isinstance(record, PositionRecord):
        return Line(record.position.variant, base=format_position(record.position)), None
    line, stop = line_of_record(record)
    if ply is not None and not 0 <= ply <= line.moves:
        raise NotThere(f"the legal part of this game has {line.moves} plies, there is no ply {ply}")
    return line if ply is None else line.at(ply), stop


def line_of_record(record: GameRecord) -> tuple[Line, Stop | None]:
    """The legal part of a game as a line, and what ended it before its end; raises as `stand`."""
    rules = rule_settings(record.variant, RuleChoice().of(record))
    base = ""
    if record.setup:
        text = PositionText(record.variant, tuple(record.setup.pieces), record.setup.to_move or 0)
        base = format_position(text)
    line = Line(record.variant, tuple(sorted(rules.items())), base)
    stood = Stood(_beginning(line))
    events: list[Event] = []
    for event in record.events[:MOST]:
        due, before = stood.reached.to_move, len(stood.events)
        _step(stood, event)
        if stood.stop is not None:
            break
        for found in stood.events[before:]:
            if isinstance(found, Out) or found.colour != due:
                events.append(found)
            else:
                events.append(found._replace(colour=ANY_COLOUR))
    return replace(line, events=tuple(events)), stood.stop


def record_of_line(
    line: Line, players: Sequence[str | None] = (), headers: Mapping[str, str] | None = None
) -> GameRecord:
    """The game that a line is at its ply, as a record; raises as `stand`."""
    stood = stand(line)
    position = stood.reached.position
    setup, gone = Setup(), []
    if line.base:
        read = parse_position(line.base)
        setup = Setup(list(read.pieces), read.to_move)
        gone = [
            Out(seat, "abandoned")
            for seat, owned in enumerate(position.rules.seats)
            if set(owned) & set(read.out)
        ]
    outs = [event for event in (*gone, *stood.events) if isinstance(event, Out)]
    leavings = [Leaving(event.seat, event.cause, at) for at, event in enumerate(outs)]
    over = stood.reached.over or (bool(outs) and remaining_units(position.rules, leavings) <= 1)
    return GameRecord(
        variant(line.variant).id,
        "blksgf",
        events=[*gone, *stood.events],
        players=list(players),
        headers=dict(headers or {}),
        rules=rule_settings(line.variant, position.rules),
        setup=setup,
        termination=None if over else "unfinished",
    )
