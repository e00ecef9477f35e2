"""What one side of a GTP transcript tells of one game: moves that it was told and moves that it made."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.variants import variant
from notation.blksgf_ids import ids
from notation.blksgf_result import parse_result
from notation.moves import move_from_text
from notation.record import ANY_COLOUR, NOT_A_PIECE, Declared, Event, Move, Out, Pass, Problem

_CELLS = re.compile(r"[a-z]{1,2}+\d{1,4}+(?:\s*+,\s*+[a-z]{1,2}+\d{1,4}+)*+", re.I | re.A)
_POINTS = re.compile(r"-?\d{1,4}+(?:\s++-?\d{1,4}+){2,3}", re.A)
_MOVE_LENGTH = 200

UNANSWERED = "unanswered_genmove"
"""Code of the problem that nobody says which move a program made."""


@dataclass(slots=True)
class Asked:
    """A command that waits for its answer; `at` is its line, `added` and `undone` what it did to the events."""

    command: str
    number: str
    at: int
    colour: int = ANY_COLOUR
    added: bool = False
    undone: Event | None = None


@dataclass(slots=True)
class Session:
    """Events of a game as one side knows them.

    `open` is a `genmove` whose move nobody has said yet. `stop` is the line from which nothing can be read, with `why`;
    -1 where the game was read to its end.
    """

    variant: str
    events: list[Event] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    declared: Declared | None = None
    asked: Asked | None = None
    open: Asked | None = None
    moved: bool = False
    over: bool = False
    stop: int = -1
    why: str = ""

    @property
    def moves(self) -> list[Move]:
        """Placements, in order."""
        return [event for event in self.events if isinstance(event, Move)]

    def command(self, name: str, number: str, arguments: str, at: int) -> None:
        """Take in a command; `at` is its line, `number` its id or empty."""
        self.asked = asked = Asked(name, number, at)
        if name == "play":
            colour, _, text = arguments.replace("\t", " ").partition(" ")
            self._play(asked, self._colour(colour, at), text.strip())
        elif name == "p" and _CELLS.match(arguments):
            self._play(asked, ANY_COLOUR, arguments.strip())
        elif name == "genmove":
            self._genmove(asked, self._colour(arguments.strip(), at))
        elif name == "g" and not arguments:
            self._genmove(asked, ANY_COLOUR)
        elif name == "undo":
            self._undo(asked)
        elif name in ("clear_board", "set_game"):
            self.over = self.moved
        elif name == "loadsgf":
            self._break(at, "a game is loaded from a file that is not here")

    def answer(self, good: bool, number: str, text: str) -> None:
        """Take in the answer to the last command."""
        asked, self.asked = self.asked, None
        if asked is None or (number and asked.number and int(number) != int(asked.number)):
            return
        if asked is self.open:
            if good and not text:
                return
            self.open = None
            if good:
                self._add(asked, asked.colour, text)
        elif not good:
            self._take_back(asked, text)
        elif asked.command == "final_score" and text:
            self._final_score(text)

    def finish(self) -> None:
        """Say what is still open at the end of the transcript."""
        if self.open is not None:
            self._say(UNANSWERED, "no answer says which move was made", self.open.at)

    def _say(self, code: str, message: str, at: int) -> None:
        self.problems.append(Problem(code, message, at, len(self.moves) + 1))

    def _break(self, at: int, why: str) -> None:
        self.stop, self.why, self.over = at, why, True

    def _colour(self, name: str, at: int) -> int | None:
        """Number of a colour; None where the variant has no such colour, then nothing more is read."""
        colour = ids(self.variant).to_move.get(name.upper())
        if colour is None:
            self._break(at, f"{self.variant} has no colour {name[:20]!r}")
        return colour

    def _continues(self, colour: int) -> bool:
        """Whether the game can go on with a move of this colour: not over an unknown move of another."""
        if self.open is None:
            return True
        if ANY_COLOUR not in (colour, self.open.colour) and colour != self.open.colour:
            self._break(self.open.at, "no answer says which move was made, and the game goes on behind it")
            self.open = None
            return False
        self.finish()
        self.open = None
        return True

    def _play(self, asked: Asked, colour: int | None, text: str) -> None:
        if colour is not None and self._continues(colour):
            self.moved = True
            self._add(asked, colour, text)

    def _genmove(self, asked: Asked, colour: int | None) -> None:
        if colour is not None and self._continues(colour):
            self.moved = True
            asked.colour = colour
            self.open = asked

    def _add(self, asked: Asked, colour: int, text: str) -> None:
        """Append what `text` says: a move, a pass, or that the player resigns."""
        low = text.lower()
        self.declared = None
        if low == "pass":
            self.events.append(Pass(colour))
        elif low == "resign":
            seats = variant(self.variant).seats
            seat = next((number for number, owned in enumerate(seats) if colour in owned), None)
            if seat is None:
                self._say("resigned", "it is not said who resigned", asked.at)
                return
            self.events.append(Out(seat, "resigned"))
        elif len(text) <= _MOVE_LENGTH and _CELLS.fullmatch(text):
            self.events.append(move_from_text(self.variant, colour, low))
        else:
            self.events.append(Move(colour, (), NOT_A_PIECE, text[:80]))
        asked.added = True

    def _undo(self, asked: Asked) -> None:
        self.declared = None
        if self.open is not None:
            self.open = None
        elif self.events:
            asked.undone = self.events.pop()
        else:
            self._say("undo", "there is no move to take back", asked.at)

    def _take_back(self, asked: Asked, text: str) -> None:
        """The program refused a command: it changed nothing."""
        if asked.undone is not None:
            self.events.append(asked.undone)
        elif asked.added:
            event = self.events.pop()
            shown = event.text[:60] if isinstance(event, Move) else "pass"
            message = f"the program refused {shown!r}: {text[:60] or 'no reason'}"
            self._say("refused_move", message, asked.at)

    def _final_score(self, text: str) -> None:
        row = variant(self.variant)
        text = " ".join(text.split())[:80]
        if len(row.seats) == 2:
            self.declared = parse_result(text, 2)
        elif _POINTS.fullmatch(text) and len(text.split()) == len(row.colours):
            self.declared = Declared(text, scores=tuple(map(int, text.split())))
        else:
            self.declared = Declared(text)
