"""Corrections of a record: which fields there are, what they may be, and a record with its corrections applied.

A correction changes what the library says of a game. The record as read stays in its sightings, and the identity of the
game, which is of its moves, stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import pyarrow as pa

from engine.rulesets import parse_rules
from notation.blksgf_ids import PROPERTIES
from notation.blksgf_result import outs_of, parse_result
from notation.dates import parse_date
from notation.record import CAUSES, TERMINATIONS, GameRecord, Out
from pipeline.errors import BadEdit

RESULT, TERMINATION = "result", "termination"

OWN_HEADER = "header:"
"""Before the name of a header that no format knows."""

_PLAYER = re.compile(r"player(\d{1,3})")
_NOTHING_KNOWN = ("?", "void")


class Asks(Protocol):
    """Whoever answers questions to the library's tables: a reader, or a writer inside its transaction."""

    def table(self, question: str, parameters: Any = ()) -> pa.Table:
        """Answer a question."""
        ...


@dataclass(frozen=True, slots=True)
class Change:
    """A field and what it becomes; None: it is taken away."""

    field: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Edit:
    """A correction that was made: those of one command have the same number. `made` is UTC."""

    edit: int
    id: str
    field: str
    old: str | None
    value: str | None
    made: datetime | None
    note: str | None


def edits_of(library: Asks, ids: Sequence[str]) -> dict[str, list[Edit]]:
    """The corrections of games by identity, in the order in which they apply; games without any are left out."""
    found: dict[str, list[Edit]] = {}
    question = (
        "SELECT edit, id, field, old, value, made, note FROM edits "
        "WHERE id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY id, edit, field"
    )
    for row in library.table(question, {"ids": list(ids)}).to_pylist():
        found.setdefault(row["id"], []).append(Edit(**row))
    return found


def checked(record: GameRecord, change: Change) -> Change:
    """The change as it is stored: blanks around it gone, the record's spelling of the field.

    Raises:
        BadEdit: there is no such field, or the value makes no sense for it.
    """
    field = field_of(record, change.field.strip())
    if change.value is None:
        if value_of(record, field) is None:
            raise BadEdit(f"{field} cannot be taken away: the game has none")
        return Change(field, None)
    value = change.value.strip()
    if not value:
        raise BadEdit(f"{field}: nothing to set it to; --unset {field} takes it away")
    if field == "date" and (problem := parse_date(value).problem):
        raise BadEdit(f"date: {problem}; write 2020-12-30, 2020-12, 2020 or ???? where nothing is known")
    if field == TERMINATION and value not in TERMINATIONS:
        raise BadEdit(f"termination: {value[:40]!r} is none of {', '.join(TERMINATIONS)}")
    if field == RESULT:
        _check_result(record, value)
    return Change(field, value)


def field_of(record: GameRecord, name: str) -> str:
    """Name of a field as it is stored.

    Raises:
        BadEdit: the record cannot have such a field.
    """
    if not name:
        raise BadEdit("write it as FIELD=VALUE, date=2020-12-30 for example")
    if player := _PLAYER.fullmatch(name):
        seats = _seats(record)
        if not 1 <= int(player[1]) <= seats:
            raise BadEdit(f"{name}: {record.variant} has the seats 1 to {seats}")
        return f"player{int(player[1])}"
    if name in (RESULT, TERMINATION) or name in record.headers or name in PROPERTIES:
        return name
    if name.startswith(OWN_HEADER) and name != OWN_HEADER:
        return name.removeprefix(OWN_HEADER)
    own = sorted(set(record.headers) - set(PROPERTIES))
    raise BadEdit(
        f"there is no field {name[:40]!r}: known are player1 to player{_seats(record)}, {RESULT}, {TERMINATION}, "
        f"{', '.join([*PROPERTIES, *own])}; {OWN_HEADER}{name[:40]} makes a header of that name"
    )


def _seats(record: GameRecord) -> int:
    return len(parse_rules(record.variant, record.rules).seats)


def _check_result(record: GameRecord, value: str) -> None:
    seats = _seats(record)
    if parse_result(value, seats).winner is None and value.lower() not in _NOTHING_KNOWN:
        raise BadEdit(
            f"result: {value[:40]!r} says nothing of {record.variant}, which has the seats 1 to {seats}; "
            "write 1+7 (seat 1 wins by 7), 2+ (seat 2 wins), 2+R (seat 1 resigned), 1+T (ran out of time), "
            "1+F (violation), draw, or ? where it is unknown"
        )


def value_of(record: GameRecord, field: str) -> str | None:
    """What a record says in a field; None: nothing."""
    if player := _PLAYER.fullmatch(field):
        seat = int(player[1]) - 1
        return record.players[seat] if seat < len(record.players) else None
    if field == RESULT:
        return None if record.declared is None else record.declared.text
    if field == TERMINATION:
        return record.termination
    return record.headers.get(field)


def apply(record: GameRecord, changes: Iterable[Change | Edit]) -> None:
    """Bring a record up to date with corrections, the later ones last."""
    for change in changes:
        if player := _PLAYER.fullmatch(change.field):
            seat = int(player[1]) - 1
            missing = seat + 1 - len(record.players)
            record.players = [*record.players, *[None] * missing]
            record.players[seat] = change.value
        elif change.field in (RESULT, TERMINATION):
            _apply_ending(record, change)
        elif change.value is None:
            record.headers.pop(change.field, None)
        else:
            record.headers[change.field] = change.value


def _apply_ending(record: GameRecord, change: Change | Edit) -> None:
    """Set result or termination. Of two seats the one that left lost, so that a correction says it anew."""
    two = _seats(record) == 2
    if change.field == TERMINATION:
        record.termination = change.value
        if two and change.value in CAUSES:
            record.events = [
                Out(event.seat, change.value) if isinstance(event, Out) else event for event in record.events
            ]
        elif two and change.value is not None:
            _take_leaving_back(record)
        return
    said = [event for event in record.events if isinstance(event, Out)]
    if two and (change.value is not None or said == outs_of(record.declared, 2)):
        _take_leaving_back(record)
    record.declared = None if change.value is None else parse_result(change.value, _seats(record))


def _take_leaving_back(record: GameRecord) -> None:
    """Take away that somebody left behind the last move, and what hangs on it."""
    while record.events and isinstance(last := record.events[-1], Out):
        record.events.pop()
        if record.termination == last.cause:
            record.termination = None
    count = len(record.events)
    record.notes = [note for note in record.notes if note.event < count]
    record.branches = [branch for branch in record.branches if branch.event <= count]
    record.clocks = {at: seconds for at, seconds in record.clocks.items() if at < count}
    record.evaluations = {at: value for at, value in record.evaluations.items() if at < count}
