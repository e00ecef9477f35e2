"""The order of a game's rows: by their numbers, where a table has any; what is twice or missing is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from notation.record import Event, Move
from notation.table_layout import Layout

Warn = Callable[[str, str, int | None, int], None]
"""Code, message, number of the row and ply of something odd."""

_NUMBER = re.compile(r"(\d{1,9})(?:\.0+)?", re.ASCII)
_COUNTED = tuple(str(number) for number in range(1, 257))


@dataclass(slots=True)
class Said:
    """A row by its number, its cells, and what it says; `reason` says why that is nothing."""

    number: int
    cells: list[str]
    event: Event | None
    reason: str = ""


def is_counted(columns: list[tuple[str, ...]], layout: Layout) -> bool:
    """Whether the rows have no numbers, or stand in the order 1, 2, 3, .. of all they have."""
    return all(
        columns[at] == _COUNTED[: len(columns[at])]
        for name in ("turn", "ply")
        if (at := layout.at.get(name)) is not None
    )


def in_order(rows: list[Said], layout: Layout, warn: Warn) -> list[Said]:
    """Return the rows of a game in the order of play: by turn, else by ply, else as they stand.

    A pass without a number follows the row before it. Rows that say the same twice are one.
    """
    for column in ("turn", "ply"):
        at = layout.at.get(column)
        if at is None or not any(said.cells[at].strip() for said in rows):
            continue
        numbers = _numbers(rows, at, column, warn)
        if numbers is None:
            return rows
        order = sorted(range(len(rows)), key=numbers.__getitem__)
        if order != list(range(len(rows))):
            warn("row_order", f"the rows are not in the order of their {column}: sorted", None, 0)
        return _single([rows[i] for i in order], [numbers[i] for i in order], column, warn)
    return rows


def _numbers(rows: list[Said], at: int, column: str, warn: Warn) -> list[int] | None:
    out = []
    number = 0
    for said in rows:
        text = said.cells[at].strip()
        if text or isinstance(said.event, Move):
            match = _NUMBER.fullmatch(text)
            if match is None:
                message = f"no number of a {column}: {text[:40]!r}; the rows stay as they are"
                warn("row_number", message, said.number, 0)
                return None
            number = int(match[1])
        out.append(number)
    return out


def _single(rows: list[Said], numbers: list[int], column: str, warn: Warn) -> list[Said]:
    """Leave out rows that repeat one of the same number; tell of numbers that are missing or twice."""
    out: list[Said] = []
    same: set[tuple[str, ...]] = set()
    ply = between = 0
    last = -1 if numbers and numbers[0] == 0 and isinstance(rows[0].event, Move) else 0
    for said, number in zip(rows, numbers, strict=True):
        if not isinstance(said.event, Move):
            between += 1
            out.append(said)
            continue
        cells = tuple(said.cells)
        if ply and number == last and cells in same:
            warn("row_twice", f"the row of {column} {number} comes twice: taken once", said.number, ply)
            continue
        same = {cells} if number != last else same | {cells}
        ply += 1
        if ply > 1 and number == last:
            warn("ply_twice", f"two moves have the {column} {number}", said.number, ply)
        elif column == "ply" and number - last > 1 + between:
            gap = f"{last + 1} to {number - 1}" if number - last > 2 else str(last + 1)
            warn("ply_gap", f"ply {gap} is missing", said.number, ply)
        last, between = number, 0
        out.append(said)
    return out
