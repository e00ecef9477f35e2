"""Tables of games: CSV and TSV, one move or one game a row. See pages/csv.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from notation.errors import BadRecord, NotationError, Where
from notation.fragments import Item
from notation.recognise import text_of_head
from notation.record import CAUSES, GameRecord, Problem
from notation.stream import HEAD, Chunk, ReadOptions, excerpt, refused
from notation.table_events import PASSES
from notation.table_games import game_of_row
from notation.table_layout import Columns, Layout, layout_of, unpack
from notation.table_moves import game_of_rows
from notation.table_rows import Rows, decoded_lines, games_of, lines_of, rows_of

_SAMPLE = 100
"""Lines that recognition looks at."""

_CELL = re.compile(r"\s*(?:[a-z]|a[a-i])\d{1,2}\s*", re.I | re.ASCII)
_ENCODING = "the rows are not in UTF-8: read as Latin-1"


def looks_like_csv(head: bytes, name: str, columns: Columns = ()) -> bool:
    """The header has our columns, parted by commas or semicolons, and the cells below are moves."""
    layout = _recognised(head, columns)
    return layout is not None and layout.delimiter != "\t"


def looks_like_tsv(head: bytes, name: str, columns: Columns = ()) -> bool:
    """The header has our columns, parted by tabs, and the cells below are moves."""
    layout = _recognised(head, columns)
    return layout is not None and layout.delimiter == "\t"


def _recognised(head: bytes, columns: Columns) -> Layout | None:
    text = text_of_head(head)
    if not columns and "move" not in text[:4096].lower():
        return None
    data = text.encode("utf-8", "replace")
    try:
        layout = layout_of(data, columns)
    except BadRecord:
        return None
    if len(layout.at) < 2 or layout.width < 2:
        return None
    lines = lines_of(data[layout.size : HEAD].decode("utf-8", "replace"))
    if len(head) >= HEAD:
        lines = lines[:-1]
    return layout if _are_moves(rows_of(lines[:_SAMPLE], layout), layout) else None


def _are_moves(rows: Rows, layout: Layout) -> bool:
    """Whether cells are lists of cells of a board in most rows; all must be, where each is of one cell only."""
    cells = [row for row in rows.cells if len(row) > layout.key]
    texts = [row[layout.key] for row in cells]
    if layout.one_move_a_row:
        kinds = [_kind(text) for text in texts]
    else:
        kinds = [max(_kind(part.rpartition(":")[2]) for part in text.split(";")) for text in texts]
    if max(kinds, default=0) == 0:
        at = layout.at.get("ply", -1)
        return any(-1 < at < len(row) and row[at] == "0" for row in cells)
    good = sum(kind >= 0 for kind in kinds)
    return 2 * good >= len(rows) if 2 in kinds else good == len(rows)


def _kind(text: str) -> int:
    """How much a text looks like a move: 2 several cells, 1 one, 0 a pass or a player who leaves, -1 none."""
    if text.strip().lower() in (*PASSES, *CAUSES):
        return 0
    cells = re.split(r"[,\s+]+", text.strip(",+ \t\r\n"))
    return -1 if not all(map(_CELL.fullmatch, cells)) else 1 + (len(cells) > 1)


def read(form: str, chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield one record or one error for every game of a chunk."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    layout = unpack(chunk.head)
    lines, odd = decoded_lines(chunk.data)
    rows = rows_of(lines, layout)
    reader = _by_moves if layout.one_move_a_row else _by_games
    for item, numbers in reader(form, chunk, layout, rows, options):
        if isinstance(item, GameRecord):
            problems = list(chunk.problems)
            if odd and any(not odd.isdisjoint(range(rows.starts[n], rows.ends[n])) for n in numbers):
                problems.append(Problem("encoding", _ENCODING, item.line))
            item.problems[:0] = problems
        else:
            item.text = excerpt(rows.text(numbers[0]).encode("utf-8", "replace"))
        yield item


_Found = Iterator[tuple[GameRecord | NotationError, Sequence[int]]]


def _by_moves(form: str, chunk: Chunk, layout: Layout, rows: Rows, options: ReadOptions) -> _Found:
    for index, (name, numbers) in enumerate(_groups(games_of(rows, layout)).items()):
        where = Where(options.source, chunk.record + index, chunk.line + rows.starts[numbers[0]])
        try:
            yield game_of_rows(form, name, rows, numbers, layout, chunk.line, where, options), numbers
        except NotationError as error:
            yield error, numbers


def _groups(games: list[str]) -> dict[str, Sequence[int]]:
    """Game -> numbers of its rows, in the order of their first rows."""
    firsts = [0, *(i for i in range(1, len(games)) if games[i] != games[i - 1])] if games else []
    if len(firsts) == len(set(games)):
        spans = map(range, firsts, [*firsts[1:], len(games)])
        return dict(zip((games[first] for first in firsts), spans, strict=True))
    out: dict[str, list[int]] = {}
    for number, game in enumerate(games):
        out.setdefault(game, []).append(number)
    return dict(out)


def _by_games(form: str, chunk: Chunk, layout: Layout, rows: Rows, options: ReadOptions) -> _Found:
    for number, cells in enumerate(rows.cells):
        where = Where(options.source, chunk.record + number, chunk.line + rows.starts[number])
        try:
            if number in rows.faults:
                raise BadRecord(rows.faults[number], where)
            yield game_of_row(form, cells, layout, where, options), [number]
        except NotationError as error:
            yield error, [number]
