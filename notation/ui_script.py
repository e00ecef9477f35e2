"""Reader of the typed input of a Duo program: `T5 r r f p 6 9`; one file is one game. See pages/ui_script.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files

from engine.boards import cell_numbers, cells_by_name
from notation.errors import NotationError
from notation.moves import move_from_cells
from notation.recognise import text_of_head
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, GameRecord, Move, Problem
from notation.stream import HEAD, Chunk, ReadOptions, refused, split_whole

VARIANT = "duo"

split = split_whole(1024 * 1024, "an input script")

_PIECE = "[1-5IVLZOTNPWUFXY][1-5]?"
_INPUT = re.compile(
    rf"({_PIECE})((?:[ \t]++[RF])*+)[ \t]++P[ \t]++(-?\d{{1,4}})[ \t]++(-?\d{{1,4}})", re.I | re.A
)
_NAME_LENGTH = 60

_TURNS = {"R": (0, 1, -1, 0), "F": (-1, 0, 0, 1)}
"""Matrix (xx, xy, yx, yy) of a key, y up: x' = xx x + xy y, y' = yx x + yy y. R is clockwise, F mirrors x."""

_Matrix = tuple[int, int, int, int]


def looks_like(head: bytes, name: str) -> bool:
    """The inputs begin in the first or the third line, and are more than half of the lines from there on."""
    lines = [line.strip() for line in text_of_head(head).splitlines() if line.strip()]
    if len(head) >= HEAD:
        lines = lines[:-1]
    inputs = lines[_names(lines) :]
    known = sum(_is_input(line) for line in inputs)
    return bool(inputs) and _is_input(inputs[0]) and 2 * known > len(inputs)


def _is_input(line: str) -> bool:
    match = _INPUT.fullmatch(line)
    return match is not None and _piece(match[1]) in _shapes()


def _names(lines: list[str]) -> int:
    """Lines before the inputs: two short ones that are none, or none."""
    named = len(lines) > 1 and not any(_is_input(line) or len(line) > _NAME_LENGTH for line in lines[:2])
    return 2 if named else 0


@cache
def _shapes() -> dict[str, tuple[tuple[int, int], ...]]:
    """Piece -> covered cells seen from the block that is placed, y up."""
    table = json.loads(files("notation").joinpath("ui_script_pieces.json").read_text("utf-8"))
    return {piece: tuple((x, y) for x, y in cells) for piece, cells in table.items()}


@cache
def _piece(name: str) -> str:
    """The program's name of a piece, from others that are usual: `N5`, `O`, `1`."""
    name = name.upper()
    if name in ("1", "2"):
        return f"I{name}"
    if name == "O":
        return "O4"
    return name[0] if name[1:] == "5" and name[0] in "NPWUFXY" else name


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield the record of a file, or one error."""
    if not chunk.refused and options.variant not in (None, VARIANT):
        chunk = replace(chunk, refused=f"input scripts are for {VARIANT}, not for {options.variant}")
    if chunk.refused:
        yield refused(chunk, options)
        return
    record = GameRecord(VARIANT, "ui_script", problems=list(chunk.problems), line=chunk.line)
    _lines(record, chunk.data.decode("utf-8", "replace").split("\n"))
    if any(isinstance(event, Move) and event.placement != NOT_A_PIECE for event in record.events):
        yield record
    else:
        why = (
            record.problems[-1].message.partition(": the rest")[0]
            if record.broken
            else "no input in the file"
        )
        yield refused(replace(chunk, refused=why), options)


def _lines(record: GameRecord, lines: list[str]) -> None:
    at = [number for number, line in enumerate(lines) if line.strip()]
    names = _names([lines[number].strip() for number in at[:2]])
    record.players = [lines[number].strip() for number in at[:names]]
    for number in at[names:]:
        text = lines[number].strip()
        record.events.append(_move(text))
        if record.events[-1] is _BROKEN:
            record.events[-1] = Move(ANY_COLOUR, (), NOT_A_PIECE, text[:80])
            message = f"{text[:40]!r} is no input that places a piece: the rest is kept as text"
            record.problems.append(Problem("broken_input", message, record.line + number, len(record.events)))
            record.broken = "\n".join(lines[number:])
            break
    _start(record)


_BROKEN = Move(ANY_COLOUR, (), NOT_A_PIECE, "")


def _move(text: str) -> Move:
    """The move of an input; `_BROKEN` where it is none."""
    match = _INPUT.fullmatch(text)
    if match is None or (piece := _piece(match[1])) not in _shapes():
        return _BROKEN
    matrix: _Matrix = (1, 0, 0, 1)
    for key in match[2].split():
        matrix = _product(_TURNS[key.upper()], matrix)
    move = _placed(piece, matrix, int(match[3]), int(match[4]))
    return move if move.cells else move._replace(text=" ".join(text.split())[:80])


def _product(then: _Matrix, first: _Matrix) -> _Matrix:
    a, b, c, d = then
    e, f, g, h = first
    return (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)


@cache
def _placements() -> dict[tuple[str, _Matrix, int, int], Move]:
    return {}


def _placed(piece: str, matrix: _Matrix, x: int, y: int) -> Move:
    """The move of a turned piece whose origin lies in column `x`, row `y` from the bottom, both from 0."""
    known = _placements()
    move = known.get((piece, matrix, x, y))
    if move is None:
        xx, xy, yx, yy = matrix
        numbers = cell_numbers("square14")
        cells = [numbers.get((x + xx * dx + xy * dy, y + yx * dx + yy * dy)) for dx, dy in _shapes()[piece]]
        on_board = [cell for cell in cells if cell is not None]
        if len(on_board) < len(cells):
            return Move(ANY_COLOUR, (), OFF_BOARD, "")
        move = known[piece, matrix, x, y] = move_from_cells(VARIANT, ANY_COLOUR, on_board)
    return move


def _start(record: GameRecord) -> None:
    """State the program's rule, that either player may take either start cell, where the first one used it."""
    first = record.events[0] if record.events else None
    if isinstance(first, Move) and cells_by_name("square14")["j5"] in first.cells:
        record.rules["start"] = "marked"
