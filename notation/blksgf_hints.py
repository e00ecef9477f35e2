"""What a record's moves say of the program that wrote it, where its headers say nothing or something wrong."""

from __future__ import annotations

from functools import cache

from engine.boards import BOARDS, cells
from engine.rulesets import start_groups
from engine.variants import variant
from notation.record import GameRecord, Move, Problem


def upside_down(record: GameRecord) -> Problem | None:
    """Return a hint where every first piece lies as it should if row 1 were the top row.

    Some programs count rows from the top and claim to write the reference program's form. Nothing is turned
    round: the moves may also be illegal as they stand, and the replay says so.
    """
    starts = _starts(record.variant)
    first = record.events[0] if record.events else None
    if (
        not starts
        or not isinstance(first, Move)
        or starts[first.colour][1] not in first.cells
        or "start" in record.rules
        or record.setup
    ):
        return None
    left = set(range(len(starts)))
    for event in record.events:
        if isinstance(event, Move) and event.colour in left:
            right, mirrored = starts[event.colour]
            if mirrored not in event.cells or right in event.cells:
                return None
            left.discard(event.colour)
            if not left:
                break
    message = "every first piece lies where it would be right if rows were counted from the top: upside down?"
    return Problem("upside_down", message, record.line, 1)


@cache
def _starts(variant_id: str) -> tuple[tuple[int, int], ...]:
    """For every colour its starting cell and the one in whose place that is upside down; empty on other boards."""
    row = variant(variant_id)
    if row.start != "assigned":
        return ()
    board = BOARDS[row.board]
    number = {xy: cell for cell, xy in enumerate(cells(row.board))}
    out = []
    for groups in start_groups(variant_id, row.start):
        x, y = cells(row.board)[groups[0][0]]
        out.append((groups[0][0], number[x, board.height - 1 - y]))
    return tuple(out)
