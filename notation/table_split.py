"""Tables cut into chunks of whole games, also where the rows of several games are mixed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from notation import stream
from notation.errors import BadRecord
from notation.record import Problem
from notation.stream import BROKEN_OFF, RECORD_LIMIT, Chunk, Feed, Read, oversized
from notation.table_layout import Columns, Layout, layout_of, unpack
from notation.table_rows import Rows, games_of, lines_of, rows_of

WINDOW = RECORD_LIMIT
"""Bytes of a table that are looked at together."""

APART = 1024 * 1024
"""Bytes that may lie between two rows of one game."""

REMEMBERED = 128 * 1024
"""Games that are remembered at least, so that one whose rows come back later is noticed."""


@dataclass(slots=True)
class _Window:
    """Rows of some bytes: for each its game (where a row is a move) and where its text ends."""

    data: bytes
    rows: Rows
    games: list[str]
    ends: list[int]

    def span(self, first: int, last: int) -> bytes:
        """Bytes of rows from `first` to before `last`, with the blank lines before them."""
        return self.data[self.ends[first - 1] if first else 0 : self.ends[last - 1]]

    def line(self, first: int) -> int:
        """Line (from 0) at which the span of a row begins."""
        return self.rows.ends[first - 1] if first else 0


class _Memory:
    """The latest games, by the hash of their names; older ones are forgotten in halves."""

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._old: set[int] = set()
        self.told: set[int] = set()

    def __contains__(self, game: str) -> bool:
        return hash(game) in self._new or hash(game) in self._old

    def add(self, games: set[str]) -> None:
        """Remember games."""
        self._new.update(map(hash, games))
        if len(self._new) > REMEMBERED:
            self._old, self._new = self._new, set()

    def tell(self, game: str) -> bool:
        """Whether a game that came back has not been told yet."""
        fresh = hash(game) not in self.told and len(self.told) < REMEMBERED
        self.told.add(hash(game))
        return fresh


def split(read: Read, columns: Columns = ()) -> Iterator[Chunk]:
    """Cut a table between games; `Chunk.head` carries the layout of its columns.

    Rows of one game may be mixed with those of others as long as no more than `APART` bytes lie between them. Rows of a
    game that come later are refused. A table of moves without a column `game` is one game.
    """
    feed = Feed(read)
    data, whole = _gather(feed, b"")
    try:
        layout = layout_of(data, columns)
    except BadRecord as error:
        if data.strip():
            yield Chunk(data[:2048], problems=feed.problems, refused=error.message)
        return
    cutter = _Cutter(layout, feed.problems)
    data = data[layout.size :]
    while data.strip():
        done = 0
        for chunk, end in cutter.cut(data, whole):
            yield chunk
            done = end
        if whole or not done:
            return
        data, whole = _gather(feed, data[done:])


def _gather(feed: Feed, data: bytes) -> tuple[bytes, bool]:
    """Fill the window; the flag says that the source is at its end."""
    parts, size = [data], len(data)
    while size < WINDOW:
        block = feed.read(WINDOW - size)
        if not block:
            return b"".join(parts), True
        parts.append(block)
        size += len(block)
    return b"".join(parts), False


class _Cutter:
    """Cuts window after window, and knows the games that went before."""

    def __init__(self, layout: Layout, problems: tuple[Problem, ...]) -> None:
        self._layout, self._head, self._problems = layout, layout.pack(), problems
        self._memory = _Memory()
        self._record, self._line = 1, 1 + layout.lines

    def cut(self, data: bytes, whole: bool) -> Iterator[tuple[Chunk, int]]:
        """Yield chunks, each with the bytes of the window that are done with it; 0 where the table cannot go on."""
        window = _window(data, self._layout, whole)
        games = set(window.games)
        cuts = _cuts(window, len(data) if whole else len(data) - APART)
        if not cuts and not whole:
            if not window.ends or (self._layout.one_move_a_row and len(games) < 2):
                yield oversized(data, self._record, self._line, self._problems), 0
                return
            # All games but that of the last row may be whole; if not even that, rows that come later are refused.
            cuts = _cuts(window, window.ends[-1] - 1)[-1:] or [len(window.ends)]
        first = 0
        for last in cuts:
            for chunk in self._chunks(window, first, last):
                yield chunk, window.ends[last - 1]
            first = last

    def _chunks(self, window: _Window, first: int, last: int) -> Iterator[Chunk]:
        """The chunk of some rows; those of games that went before apart from it, and refused."""
        text, base = window.span(first, last), window.line(first)
        line, record = self._line, self._record
        self._line += window.line(last) - base
        names = window.games[first:last]
        games = set(names)
        late = {game for game in games if game in self._memory}
        self._memory.add(games)
        if late:
            mine = [number for number in range(first, last) if window.games[number] in late]
            text = _without(text, [(window.rows.starts[n] - base, window.rows.ends[n] - base) for n in mine])
        fresh = len(games - late) if self._layout.one_move_a_row else last - first
        if fresh:
            self._record += fresh
            yield Chunk(text, record, line, self._problems, head=self._head)
        for game in sorted(late):
            if self._memory.tell(game):
                number = first + names.index(game)
                shown = window.rows.text(number)
                yield self._late(game, shown, line + window.rows.starts[number] - base)

    def _late(self, game: str, text: str, line: int) -> Chunk:
        name = game.encode("latin-1").decode("utf-8", "replace")
        message = (
            f"rows of the game {name[:60]!r} come back here, far behind its others: "
            "sort the table by game, these are not read"
        )
        self._record += 1
        return Chunk(text.encode("latin-1")[:2048], self._record - 1, line, self._problems, message)


def _window(data: bytes, layout: Layout, whole: bool) -> _Window:
    """All rows of some bytes; the last one, which may go on behind them, only where the source ends there."""
    # Half a line at the end would make the reader look at every row by itself.
    end = len(data) if whole else data.rfind(b"\n") + 1 or len(data)
    lines = lines_of(data[:end].decode("latin-1"))
    rows = rows_of(lines, layout)
    count = len(rows) if whole else max(len(rows) - 1, 0)
    sizes = list(accumulate(map(len, lines)))
    games = games_of(rows, layout)[:count] if layout.one_move_a_row else []
    return _Window(data, rows, games, [sizes[end - 1] for end in rows.ends[:count]])


def _cuts(window: _Window, limit: int) -> list[int]:
    """Numbers of rows before which to cut: no game on both sides, about a block apart, within the limit of bytes."""
    cuts: list[int] = []
    begun = safe = 0
    for number in _safe_cuts(window):
        end = window.ends[number - 1]
        if end > limit:
            break
        safe = number
        if end - begun >= stream.BLOCK:
            cuts.append(safe)
            begun = end
    if safe and (not cuts or cuts[-1] != safe):
        cuts.append(safe)
    return cuts


def _safe_cuts(window: _Window) -> Iterator[int]:
    """Numbers of rows before which no game has begun that goes on behind them."""
    games, count = window.games, len(window.ends)
    if not games:
        yield from range(1, count + 1)
        return
    last_of = {game: number for number, game in enumerate(games)}
    latest = 0
    for number in [i for i in range(1, count) if games[i] != games[i - 1]] + [count]:
        latest = max(latest, last_of[games[number - 1]])
        if latest < number:
            yield number


def _without(text: bytes, gone: list[tuple[int, int]]) -> bytes:
    """A text whose lines of some rows are blank."""
    lines = lines_of(text.decode("latin-1"))
    for start, end in gone:
        lines[start:end] = ["\n"] * (end - start)
    return "".join(lines).encode("latin-1")


def broken_off(chunk: Chunk) -> Iterator[Chunk]:
    """Refuse the last game of a damaged source: nobody knows how it goes on."""
    if chunk.refused:
        yield chunk
        return
    layout = unpack(chunk.head)
    window = _window(chunk.data, layout, True)
    rows = window.rows
    if not window.ends:
        return
    mine, kept = [len(rows) - 1], len(rows) - 1
    if layout.one_move_a_row:
        mine = [number for number, game in enumerate(window.games) if game == window.games[-1]]
        kept = len(set(window.games)) - 1
    if kept:
        yield replace(chunk, data=_without(chunk.data, [(rows.starts[n], rows.ends[n]) for n in mine]))
    shown = rows.text(mine[0]).encode("latin-1")[:2048]
    yield Chunk(shown, chunk.record + kept, chunk.line + rows.starts[mine[0]], chunk.problems, BROKEN_OFF)
