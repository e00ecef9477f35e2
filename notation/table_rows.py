"""Rows of a table: cells, and what is wrong with a row that does not fit the header."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from notation.table_layout import Layout

BLANKS = " \t\r\n"
"""Characters around a cell that mean nothing; the same for bytes read as Latin-1 and for text."""


@dataclass(slots=True)
class Rows:
    """Rows by number: cells, and lines from `starts` up to `ends` (from 0).

    `faults` says of rows that do not fit the header why; their cells may stand anywhere.
    """

    lines: list[str]
    cells: list[list[str]]
    starts: Sequence[int]
    ends: Sequence[int]
    faults: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cells)

    def text(self, number: int) -> str:
        """Text of a row, without its line end."""
        return "".join(self.lines[self.starts[number] : self.ends[number]]).rstrip("\r\n")


def lines_of(text: str) -> list[str]:
    """Lines with their ends, which may be LF, CR LF or CR."""
    return list(io.StringIO(text, newline=""))


def decoded_lines(data: bytes) -> tuple[list[str], set[int]]:
    """Lines of UTF-8, and the numbers (from 0) of those that are not and were read as Latin-1."""
    try:
        return lines_of(data.decode("utf-8")), set()
    except UnicodeDecodeError:
        pass
    lines = lines_of(data.decode("latin-1"))
    odd = set()
    for number, line in enumerate(lines):
        try:
            lines[number] = line.encode("latin-1").decode("utf-8")
        except UnicodeDecodeError:
            odd.add(number)
    return lines, odd


def rows_of(lines: list[str], layout: Layout) -> Rows:
    """Return the rows; blank ones are none.

    A quoted cell may hold line ends. Where quotes are broken, or a cell is longer than 128 KiB, the row has a fault
    and no cells, and the next line begins another one.
    """
    width, key = layout.width, layout.key
    try:
        cells = list(csv.reader(lines, delimiter=layout.delimiter, strict=True))
    except csv.Error:
        return _one_by_one(lines, layout)
    # Most tables have a line a row and nothing odd: looking at rows one by one costs more than reading them.
    if len(cells) != len(lines) or any(size != width for size in set(map(len, cells))):
        return _one_by_one(lines, layout)
    if any(not row[key] and not any(row) for row in cells):
        return _one_by_one(lines, layout)
    return Rows(lines, cells, range(len(cells)), range(1, len(cells) + 1))


def _one_by_one(lines: list[str], layout: Layout) -> Rows:
    reader = csv.reader(lines, delimiter=layout.delimiter, strict=True)
    out: list[list[str]] = []
    starts: list[int] = []
    ends: list[int] = []
    faults: dict[int, str] = {}
    start = 0
    while True:
        try:
            cells = next(reader, None)
            if cells is None:
                return Rows(lines, out, starts, ends, faults)
            fault = "" if len(cells) == layout.width else _misfit(cells, layout)
        except csv.Error as error:
            cells, fault = [], f"broken quotes: {error}"
        if fault or any(cell.strip(BLANKS) for cell in cells):
            if fault:
                faults[len(out)] = fault
            out.append(cells if fault else cells[: layout.width])
            starts.append(start)
            ends.append(reader.line_num)
        start = reader.line_num


def _misfit(cells: list[str], layout: Layout) -> str:
    """Why cells do not fit the header; empty where they are blank or more only by empty ones."""
    if not any(cell.strip(BLANKS) for cell in cells):
        return ""
    if len(cells) > layout.width and not any(cells[layout.width :]):
        return ""
    hint = ""
    if len(cells) > layout.width and layout.delimiter == ",":
        hint = ": a cell with commas needs quotes"
    return f"{len(cells)} cells in the row, {layout.width} in the header{hint}"


def games_of(rows: Rows, layout: Layout) -> list[str]:
    """Name of the game of every row: that of the row before where it does not say.

    Of a row that does not fit only cells left of the moves stand where they should.
    """
    at = layout.at.get("game")
    if at is None:
        return [""] * len(rows)
    if not rows.faults:
        names = list(map(itemgetter(at), rows.cells))
        if all(name and name == name.strip(BLANKS) for name in set(names)):
            return names
    before = ""
    out = []
    for number, cells in enumerate(rows.cells):
        if number not in rows.faults or (at < len(cells) and at < layout.key):
            before = cells[at].strip(BLANKS) or before
        out.append(before)
    return out
