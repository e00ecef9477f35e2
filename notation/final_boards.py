"""Reader of final boards: the board at the end of a game as digits, a line a game. See pages/final_boards.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from engine.boards import BOARDS
from engine.variants import VARIANTS, Variant, variant
from notation.board_areas import position_of, used_too_often
from notation.errors import BadPosition, BadRecord, Where
from notation.fragments import Item, PositionRecord
from notation.recognise import text_of_head
from notation.stream import HEAD, Chunk, ReadOptions, excerpt, refused, split_lines

_DIGITS = re.compile(r"[0-4]++")
_STRATEGIES = re.compile(r"[1-9]{4}")
_VARIANTS = {400: "classic", 196: "duo"}
_LINES_SEEN = 20

split = split_lines


def looks_like(head: bytes, name: str) -> bool:
    """The first lines, or nearly all of them, are as many digits as a board has cells."""
    lines = [line for line in text_of_head(head).splitlines() if line.strip()]
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()
    fit = [_board(line) is not None for line in lines[:_LINES_SEEN]]
    return bool(fit) and fit[0] and 2 * sum(fit) > len(fit)


def read(chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield the position of every line, or an error."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    headers = _headers(options.source)
    number = chunk.record
    for line, data in enumerate(chunk.data.split(b"\n"), chunk.line):
        if not data.strip():
            continue
        try:
            position = _position(data.decode("utf-8", "replace"), line, options)
            position.headers |= headers
            position.problems[:0] = chunk.problems
            yield position
        except BadPosition as error:
            bad = BadRecord(error.message, Where(options.source, number, line))
            bad.text = excerpt(data)
            yield bad
        number += 1


def _position(text: str, line: int, options: ReadOptions) -> PositionRecord:
    """Read a line.

    Raises:
        BadPosition: it is no board.
    """
    digits = _board(text)
    if digits is None:
        shown = text.strip()
        raise BadPosition(
            f"not a board: {len(shown)} characters, {shown[:20]!r}; a board is 400 digits 0 to 4 or 196 digits 0 to 2"
        )
    row = variant(_VARIANTS[len(digits)])
    if options.variant is not None:
        row = _as_the_caller_says(row, options.variant)
    position = position_of(row.id, digits, None)
    return PositionRecord("final_boards", position, problems=used_too_often(position, line), line=line)


def _as_the_caller_says(row: Variant, variant_id: str) -> Variant:
    """The variant that the caller names, where it has this board."""
    said = VARIANTS[variant_id]
    if said.board != row.board:
        width = BOARDS[row.board].width
        raise BadPosition(f"the board has {width} x {width} cells, that of {said.id} has not")
    return said


def _board(line: str) -> str | None:
    """The digits of a line; None when it is no board."""
    text = line.strip().removesuffix(",").rstrip()
    if len(text) not in _VARIANTS or not _DIGITS.fullmatch(text):
        return None
    return None if len(text) == 196 and ("3" in text or "4" in text) else text


def _headers(source: str) -> dict[str, str]:
    """What the name of the file says: four digits are the strategies of the four players."""
    stem = PurePosixPath(source.replace("!", "/")).stem
    return {"strategies": stem} if _STRATEGIES.fullmatch(stem) else {}
