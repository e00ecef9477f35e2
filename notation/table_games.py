"""Tables with one game a row: the moves are one cell, joined by semicolons."""

from __future__ import annotations

from engine.rulesets import Ruleset
from notation.errors import BadRecord, Where
from notation.record import GameRecord
from notation.stream import ReadOptions
from notation.table_events import Unreadable, event_of, event_table
from notation.table_layout import BY_GAME, Layout
from notation.table_record import begin, finish


def game_of_row(
    form: str, cells: list[str], layout: Layout, where: Where, options: ReadOptions
) -> GameRecord:
    """Return the game of a row.

    Raises:
        BadRecord: the row says no game that can be read.
    """
    names = (*BY_GAME, "game")
    said = {name: cells[at].strip() for name in names if (at := layout.at.get(name)) is not None}
    others = {name: cells[at].strip() for at, name in layout.others}
    record, rules = begin(form, said, others, where, options)
    _moves(record, rules, cells[layout.key], where)
    finish(record, said)
    return record


def _moves(record: GameRecord, rules: Ruleset, text: str, where: Where) -> None:
    """Read `colour:cells;..`, or cells alone, which belong to the colours in turn."""
    known = event_table(record.variant)
    parts = text.strip().rstrip(";").split(";") if text.strip() else []
    for number, part in enumerate(parts):
        colour, _, cells = part.rpartition(":")
        event = known.get((colour, cells))
        if event is None:
            try:
                event = event_of(record.variant, rules, colour, cells)
            except Unreadable as error:
                raise BadRecord(f"move {number + 1}, {part.strip()[:40]!r}: {error}", where) from None
        record.events.append(event)
