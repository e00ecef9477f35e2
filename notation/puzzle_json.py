"""Our JSON of puzzle solutions: a list of pieces with colour and cells, alone or in an object that says which puzzle.

A cell is [row from the top, column from the left], from 0. `colour` is a number from 0 or a name; left out, it is the
colour on turn. `piece` is for people: the cells say what it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engine.puzzle_kinds import Placed, Puzzle
from notation.errors import BadRecord, Where

MOST = 1 << 20
"""Bytes of a file that may be such JSON."""


def looks_like(content: bytes) -> bool:
    """Whether a file is a JSON list of objects with cells, or an object with such a list as `pieces`."""
    if len(content) > MOST or not content.lstrip(b" \t\r\n\xef\xbb\xbf").startswith((b"[", b"{")):
        return False
    try:
        listed = _listed(json.loads(content))
    except (ValueError, RecursionError):
        return False
    return bool(listed) and all(isinstance(entry, dict) and "cells" in entry for entry in listed)


def _listed(value: object) -> list[Any]:
    found = value.get("pieces") if isinstance(value, dict) and "moves" not in value else value
    return found if isinstance(found, list) else []


def read(content: bytes, puzzle: Puzzle, source: str) -> list[Placed]:
    """The pieces of a file, as they lie on the board of a puzzle; nothing is verified but that they are cells.

    Raises:
        BadRecord: an entry that is no piece; the message says which.
    """
    value = json.loads(content)
    listed = _listed(value)
    board = value.get("board") if isinstance(value, dict) else None
    rows = [_cells(entry, number, source) for number, entry in enumerate(listed, 1)]
    height = puzzle.board.height
    if isinstance(board, str) and board.rpartition("x")[2].isdigit():
        height = int(board.rpartition("x")[2][:4])
    if not puzzle.by_rules:
        height = max([height, *(row + 1 for cells in rows for row, _ in cells)])
    out = []
    for number, (entry, cells) in enumerate(zip(listed, rows, strict=True)):
        places = sorted(((column, height - 1 - row) for row, column in cells), key=lambda xy: (xy[1], xy[0]))
        out.append(Placed(_colour(entry, puzzle, number, source), "", tuple(places)))
    return out


def _cells(entry: dict[str, Any], number: int, source: str) -> list[tuple[int, int]]:
    cells = entry["cells"]
    if not isinstance(cells, list) or not cells or len(cells) > 10:
        raise BadRecord(f"piece {number}: the cells are no list of up to ten", Where(source))
    for cell in cells:
        fits = isinstance(cell, list) and len(cell) == 2
        if not fits or not all(type(part) is int and 0 <= part < 100 for part in cell):
            shown = json.dumps(cell)[:40]
            raise BadRecord(f"piece {number}: {shown} is no cell: write [row, column], from 0", Where(source))
    return [(row, column) for row, column in cells]


def _colour(entry: dict[str, Any], puzzle: Puzzle, number: int, source: str) -> int:
    said = entry.get("colour", entry.get("color"))
    if said is None:
        return number % len(puzzle.colours)
    known: dict[object, int] = {name: i for i, name in enumerate(puzzle.colours)}
    known |= {i: i for i in range(len(puzzle.colours))}
    if type(said) not in (int, str) or said not in known:
        names = ", ".join(puzzle.colours)
        shown = json.dumps(said)[:40]
        raise BadRecord(f"piece {number + 1}: no colour {shown}: 0 is the first of {names}", Where(source))
    return known[said]


def document(puzzle: Puzzle, placed: Sequence[Placed]) -> dict[str, Any]:
    """The object of a solution."""
    top = puzzle.board.height - 1
    pieces = [
        {"colour": one.colour, "piece": one.piece, "cells": sorted([top - y, x] for x, y in one.cells)}
        for one in placed
    ]
    return {"puzzle": puzzle.kind, "board": puzzle.board.name, "pieces": pieces}
