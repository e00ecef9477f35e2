"""Errors of reading and writing records.

NotationError(message, where)     anything notation refuses; `where` says source, record, line, column
  +- NotARecord                   the bytes hold no game record of any known format
  +- ForeignGame                  a record of another game in a known syntax; the message names the game
  +- BadRecord                    a record that cannot be read as a game at all
  +- CannotWrite                  the format cannot hold this game; the message says what it lacks
  +- BadPosition                  a position text that is none, or a position it cannot hold
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Where:
    """A place in the input: source name, record index in it (from 1), line and column (from 1); 0 is unknown."""

    source: str = ""
    record: int = 0
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.source] if self.source else []
        for name, value in (("record", self.record), ("line", self.line), ("column", self.column)):
            if value:
                parts.append(f"{name} {value}")
        return ", ".join(parts)


class NotationError(ValueError):
    """Anything notation refuses. `code` is a short stable word for tables, `where` the place.

    `text` is the beginning of the record in question, where a reader refuses one.
    """

    code = "notation"
    text = ""

    def __init__(self, message: str, where: Where | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where or Where()

    def __str__(self) -> str:
        place = str(self.where)
        return f"{place}: {self.message}" if place else self.message


class NotARecord(NotationError):
    """The bytes hold no game record of any known format."""

    code = "not_a_record"


class ForeignGame(NotationError):
    """A record of another game in a known syntax."""

    code = "other_game"


class BadRecord(NotationError):
    """A record that cannot be read as a game at all."""

    code = "bad_record"


class CannotWrite(NotationError):
    """The format cannot hold this game."""

    code = "cannot_write"


class BadPosition(NotationError):
    """A text that is no position, or a position that the text cannot hold."""

    code = "bad_position"
