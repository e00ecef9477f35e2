"""Reader of saved boards: pictures of rows, and matrices in JSON or XML; positions only. See pages/board_picture.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.boards import cell_numbers, neighbours
from engine.pieces import PIECE_SETS
from engine.variants import VARIANTS, variant
from notation.board_areas import pieces_of, position_of, used_too_often
from notation.board_matrix import Matrix, is_matrix, matrix_of
from notation.errors import BadPosition
from notation.fragments import Item, PositionRecord
from notation.piece_names import PIECE_NAMES
from notation.position_text import PositionText
from notation.recognise import text_of_head
from notation.record import Problem
from notation.stream import Chunk, ReadOptions, refused, split_whole

FILE_LIMIT = 256 * 1024
"""Bytes of the largest file: a matrix of a Classic board in XML has 11 KiB."""

_GRID = re.compile(r"\s*+((?:[+@O*]{2,64}+[ \t\r]*+\n){2,64}+)~", re.A)
_DIGITS = str.maketrans("+*@O", "0012")
_PLAYER = re.compile(r"player ([12]) (score|used)", re.I)
_VARIANTS = {(14, 14): "duo", (20, 20): "classic"}

split = split_whole(FILE_LIMIT, "a saved board")


def looks_like(head: bytes, name: str) -> bool:
    """Rows of one alphabet up to a line with a tilde, or a matrix of numbers under the name `field`."""
    text = text_of_head(head)
    return _GRID.match(text) is not None or is_matrix(text)


def read(chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield the position of a file, or one error."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    text = chunk.data.decode("utf-8", "replace")
    try:
        record = _of_matrix(matrix_of(text), options) if is_matrix(text) else _of_picture(text, options)
    except BadPosition as error:
        yield refused(replace(chunk, refused=error.message), options)
        return
    record.line = chunk.line
    record.problems = [*chunk.problems, *used_too_often(record.position, chunk.line), *record.problems]
    yield record


def _variant(rows: list[int], options: ReadOptions) -> str:
    """The variant of a board with rows of these lengths.

    Raises:
        BadPosition: no variant has it, or not the one that the caller names.
    """
    width = rows[0] if rows else 0
    if any(row != width for row in rows):
        raise BadPosition("the rows of the board differ in length")
    found = _VARIANTS.get((width, len(rows)))
    if found is None:
        raise BadPosition(
            f"a board of {width} x {len(rows)} cells: only 14 x 14 and 20 x 20 are boards of ours"
        )
    if options.variant in (None, found):
        return found
    if VARIANTS[options.variant].board != variant(found).board:
        raise BadPosition(f"the board is of {found}, not of {options.variant}")
    return options.variant


def _of_matrix(matrix: Matrix, options: ReadOptions) -> PositionRecord:
    """The position of a matrix.

    Raises:
        BadPosition: it is none of this program's boards.
    """
    variant_id = _variant([len(row) for row in matrix.rows], options)
    colours = len(variant(variant_id).colours)
    if matrix.players not in (None, colours):
        raise BadPosition(f"{matrix.players} players on a board of {variant_id}, which has {colours} colours")
    if any(value >= colours for row in matrix.rows for value in row) or matrix.to_move >= colours:
        raise BadPosition(f"{variant_id} has the players 0 to {colours - 1}, the file has another one")
    digits = "".join(str(value + 1) for row in matrix.rows for value in row)
    record = PositionRecord("board_picture", position_of(variant_id, digits, matrix.to_move))
    pieces = PIECE_SETS[variant(variant_id).pieces]
    whole = len(pieces.names) * pieces.copies
    for colour, placed in enumerate(pieces_of(record.position)[: len(matrix.left)]):
        if (count := sum(matrix.left[colour]) + sum(placed.values())) != whole:
            message = f"player {colour} has {count} pieces on the board and beside it, a set has {whole}"
            record.problems.append(Problem("pieces_left", message))
    return record


def _of_picture(text: str, options: ReadOptions) -> PositionRecord:
    """The position of a picture.

    Raises:
        BadPosition: it is none of this program's boards.
    """
    grid = _GRID.match(text)
    if grid is None:
        raise BadPosition("no picture of a board: rows of + @ O * and a line with ~ behind them")
    rows = grid[1].split()
    variant_id = _variant([len(row) for row in rows], options)
    if len(variant(variant_id).colours) != 2:
        raise BadPosition(f"pictures have two players, {variant_id} has more colours")
    position = position_of(variant_id, "".join(rows).translate(_DIGITS), None)
    mover, how = _on_turn(position, rows)
    record = PositionRecord("board_picture", replace(position, to_move=mover))
    record.problems.append(Problem("colour_to_move", f"the picture does not say who is on turn: {how}"))
    placed = pieces_of(position)
    for section in text[grid.end() :].split("~"):
        _section(record, section.split("\n"), placed)
    return record


def _on_turn(position: PositionText, rows: list[str]) -> tuple[int, str]:
    """The colour on turn, as the hints or the numbers of pieces have it, and how that was found."""
    hints = [
        (x, y) for y, row in enumerate(reversed(rows)) if "*" in row for x, c in enumerate(row) if c == "*"
    ]
    if hints:
        fits = [_all_touch(position, colour, hints) for colour in (0, 1)]
        if fits[0] != fits[1]:
            return fits.index(True), "the hints are those of this colour"
    first = sum(piece.colour == 0 for piece in position.pieces)
    second = len(position.pieces) - first
    return int(first > second), "found from the numbers of pieces"


def _all_touch(position: PositionText, colour: int, places: list[tuple[int, int]]) -> bool:
    """Whether all places touch a colour by corners and none by sides."""
    board = variant(position.variant).board
    numbers, around = cell_numbers(board), neighbours(board)
    own = {cell for piece in position.pieces if piece.colour == colour for cell in piece.cells}
    sides, corners = zip(*(around[numbers[place]] for place in places), strict=True)
    return all(map(own.isdisjoint, sides)) and not any(map(own.isdisjoint, corners))


def _section(record: PositionRecord, lines: list[str], placed: list[Counter[str]]) -> None:
    """Read what stands between two tildes: a title and its lines."""
    title, *rest = [line.strip() for line in lines if line.strip()] or [""]
    match = _PLAYER.fullmatch(title)
    if match and match[2].lower() == "used":
        colour = int(match[1]) - 1
        _used(record, colour, rest, placed[colour])
    elif match and rest:
        record.headers[f"score{match[1]}"] = rest[0][:20]
    elif title.lower() == "difficulty" and rest:
        record.headers["difficulty"] = rest[0][:20]
    elif title:
        record.problems.append(Problem("unknown_section", f"left out: {title[:40]!r}"))


def _used(record: PositionRecord, colour: int, names: list[str], placed: Counter[str]) -> None:
    """Compare the pieces that a player is said to have used with the board."""
    stated = Counter(PIECE_NAMES.get(name.upper(), name[:20]) for name in names)
    if placed != stated:
        only_stated, only_placed = (
            " ".join((a - b).elements()) for a, b in ((stated, placed), (placed, stated))
        )
        message = f"used by player {colour + 1}: only in the list {only_stated or '-'}, only seen {only_placed or '-'}"
        record.problems.append(Problem("pieces_used", message))
