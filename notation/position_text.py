"""The position text: one compact, URL-safe, lossless text. Grammar in README.md, "Position text"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.boards import BOARDS, cell_names, cell_numbers, cells_by_name, neighbours
from engine.variants import VARIANTS, Variant, variant
from notation.errors import BadPosition
from notation.moves import move_from_cells
from notation.record import Move

VERSION = "cw1"
LETTERS = "ABCD"
NOBODY = "0"
"""Stands for the colour to move when the game is over."""

_TEXT_LIMIT = 8192
_RUN = re.compile(r"([1-9]\d?)|([A-D])")


@dataclass(frozen=True, slots=True)
class PositionText:
    """A position as the text holds it.

    `pieces` are the pieces on the board, by colour and cells; `to_move` the colour on turn, None when the
    game is over; `out` the colours whose player left (not those merely blocked); `single_last` the colours
    that placed everything and the single cell last.
    """

    variant: str
    pieces: tuple[Move, ...] = ()
    to_move: int | None = 0
    out: tuple[int, ...] = ()
    single_last: tuple[int, ...] = ()


def format_position(position: PositionText) -> str:
    """Return the text of a position.

    Raises:
        BadPosition: a piece that is no placement, or two on one cell.
    """
    row = variant(position.variant)
    owner: dict[int, int] = {}
    for piece in position.pieces:
        if piece.placement < 0:
            raise BadPosition(f"{piece.text!r} is no piece of {row.id}")
        for cell in piece.cells:
            if cell in owner:
                raise BadPosition(f"two pieces on {cell_names(row.board)[cell]}")
            owner[cell] = piece.colour
    listed = _listed(row, position.pieces)
    fields = [
        VERSION,
        row.id,
        _rows(row, owner),
        NOBODY if position.to_move is None else str(position.to_move + 1),
        _digits(position.out),
        _digits(position.single_last),
        "~".join(f"{piece.colour + 1}{piece.text.replace(',', '-')}" for piece in listed),
    ]
    while fields[-1] == "":
        fields.pop()
    return ".".join(fields)


def parse_position(text: str) -> PositionText:
    """Return the position of a text.

    Raises:
        BadPosition: it is no position; the message says which part and why.
    """
    if len(text) > _TEXT_LIMIT:
        raise BadPosition(f"a position text has at most {_TEXT_LIMIT} characters")
    version, *fields = text.strip().split(".")
    if version != VERSION:
        raise BadPosition(f"a position text begins with {VERSION}., not with {version[:20]!r}")
    if not 1 <= len(fields) <= 6:
        raise BadPosition(f"a position text has up to seven parts between dots, here are {len(fields) + 1}")
    name, rows, to_move, out, single, listed = fields + [""] * (6 - len(fields))
    if name not in VARIANTS:
        raise BadPosition(f"unknown variant {name[:20]!r}: choose one of {', '.join(VARIANTS)}")
    row = VARIANTS[name]
    owner = _owners(row, rows)
    mover = () if to_move == NOBODY else _colours(row, "colour to move", to_move or "1")
    if len(mover) > 1:
        raise BadPosition(f"one colour is to move, not {to_move[:20]!r}")
    pieces = _pieces(row, owner, _listed_pieces(row, listed))
    return PositionText(
        name,
        pieces,
        mover[0] if mover else None,
        _colours(row, "colours out", out),
        _colours(row, "single last", single),
    )


def _digits(colours: Iterable[int]) -> str:
    return "".join(str(colour + 1) for colour in sorted(set(colours)))


def _colours(row: Variant, what: str, digits: str) -> tuple[int, ...]:
    known = "1234"[: len(row.colours)]
    if any(digit not in known for digit in digits) or len(set(digits)) != len(digits):
        raise BadPosition(f"{what}: {digits[:20]!r} should be digits out of {known}")
    return tuple(sorted(int(digit) - 1 for digit in digits))


def _rows(row: Variant, owner: dict[int, int]) -> str:
    """Rows from the top, empty cells counted, those behind the last piece left out."""
    board = BOARDS[row.board]
    number = cell_numbers(row.board)
    out = []
    for y in reversed(range(board.height)):
        text, empty = "", 0
        for x in board.row_columns(y):
            colour = owner.get(number[x, y])
            if colour is None:
                empty += 1
                continue
            text += (str(empty) if empty else "") + LETTERS[colour]
            empty = 0
        out.append(text)
    return "_".join(out).rstrip("_")


def _owners(row: Variant, rows: str) -> dict[int, int]:
    board = BOARDS[row.board]
    number = cell_numbers(row.board)
    texts = rows.split("_")
    if len(texts) > board.height:
        raise BadPosition(f"{row.id} has {board.height} rows, here are {len(texts)}")
    owner: dict[int, int] = {}
    for down, text in enumerate(texts):
        y = board.height - 1 - down
        columns = board.row_columns(y)
        at, read = 0, 0
        for match in _RUN.finditer(text):
            if match.start() != read:
                break
            read = match.end()
            at += int(match[1] or 1)
            if at > len(columns):
                raise BadPosition(f"row {y + 1} has {len(columns)} cells, {text[:60]!r} is longer")
            if match[2]:
                colour = LETTERS.index(match[2])
                if colour >= len(row.colours):
                    raise BadPosition(f"row {y + 1}: {row.id} has no colour {match[2]}")
                owner[number[columns[at - 1], y]] = colour
        if read != len(text):
            raise BadPosition(
                f"row {y + 1}: {text[read : read + 10]!r} is neither a number of cells nor a colour A to D"
            )
    return owner


def _components(row: Variant, owner: dict[int, int]) -> list[tuple[int, frozenset[int]]]:
    """Colour and cells of every edge-connected area of one colour, by first cell."""
    around = neighbours(row.board)
    left = set(owner)
    out = []
    for first in sorted(owner):
        if first not in left:
            continue
        colour, area, todo = owner[first], {first}, [first]
        left.discard(first)
        while todo:
            for cell in around[todo.pop()][0]:
                if cell in left and owner[cell] == colour:
                    left.discard(cell)
                    area.add(cell)
                    todo.append(cell)
        out.append((colour, frozenset(area)))
    return out


def _listed(row: Variant, pieces: tuple[Move, ...]) -> list[Move]:
    """Pieces that touch another one of their colour by a side: these are not seen on the board."""
    owner = {cell: piece.colour for piece in pieces for cell in piece.cells}
    areas = {area for _, area in _components(row, owner)}
    hidden = [piece for piece in pieces if frozenset(piece.cells) not in areas]
    return sorted(hidden, key=lambda piece: (piece.colour, piece.cells))


def _listed_pieces(row: Variant, text: str) -> list[Move]:
    by_name = cells_by_name(row.board)
    out = []
    for part in text.split("~") if text else []:
        (colour,) = _colours(row, "pieces", part[:1]) or (-1,)
        names = part[1:].split("-")
        if colour < 0 or any(name not in by_name for name in names):
            raise BadPosition(f"pieces: {part[:40]!r} should be a colour and cells, as 1a1-b1")
        out.append(_piece(row, colour, [by_name[name] for name in names]))
    return out


def _piece(row: Variant, colour: int, of: Iterable[int]) -> Move:
    piece = move_from_cells(row.id, colour, sorted(of))
    if piece.placement < 0:
        raise BadPosition(f"the cells {piece.text} of {row.colours[colour]} are no piece of {row.id}")
    return piece


def _pieces(row: Variant, owner: dict[int, int], listed: list[Move]) -> tuple[Move, ...]:
    """All pieces: the listed ones, and each area without any."""
    covered: dict[int, Move] = {}
    for piece in listed:
        for cell in piece.cells:
            if owner.get(cell) != piece.colour or cell in covered:
                raise BadPosition(f"pieces: {piece.text} does not fit the rows")
            covered[cell] = piece
    out = list(listed)
    for colour, area in _components(row, owner):
        if area.isdisjoint(covered):
            out.append(_piece(row, colour, area))
        elif not area <= covered.keys():
            missing = cell_names(row.board)[min(area - covered.keys())]
            raise BadPosition(
                f"pieces: the area of {row.colours[colour]} is listed in part, {missing} is left over"
            )
    return tuple(sorted(out, key=lambda piece: (piece.colour, piece.cells)))
