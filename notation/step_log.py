"""Reader of step logs of Classic: an object a step, games one after the other or mixed; see pages/step_log.md."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from notation.errors import NotationError, Where
from notation.fragments import Item
from notation.json_objects import head_pieces, pieces, split_objects
from notation.record import Problem
from notation.step_log_games import Row, game_of
from notation.stream import BLOCK, RECORD_LIMIT, Chunk, Read, ReadOptions, excerpt, refused

WINDOW = 1024 * 1024
"""Bytes of other games after which a game is taken to be over."""

HELD_LIMIT = 64 * 1024 * 1024
"""Bytes of the games that are mixed with each other."""

_GAME = re.compile(rb'"game_id"\s*+:\s*+("(?:[^"\\]|\\.){0,200}+"|-?\d{1,20})', re.S)
_FIRST_TURN = re.compile(rb'"turn_index"\s*+:\s*+0\s*+[,}]')
_NEEDED = tuple(
    re.compile(rb'"' + key + rb'"\s*+:')
    for key in (b"game_id", b"turn_index", b"player_id", b"action", b"anchor_row")
)


def looks_like(head: bytes, name: str) -> bool:
    """One of the first objects is a step with game, turn, player and the code of a placement."""
    return any(all(key.search(piece) for key in _NEEDED) for piece in head_pieces(head, 20))


@dataclass(slots=True)
class _Game:
    """Steps of a game as far as they have come; `last` is the place in the source of the newest one."""

    rows: list[Row] = field(default_factory=list)
    size: int = 0
    last: int = 0
    oversized: bool = False

    def add(self, line: int, piece: bytes) -> None:
        if not self.oversized:
            self.rows.append((line, piece))
            self.size += len(piece)
        if self.size > RECORD_LIMIT:
            self.oversized = True
            self.rows = [(self.rows[0][0], self.rows[0][1][:2048])]
            self.size = len(self.rows[0][1])


class _Sorter:
    """Gathers the steps of games that are mixed. A step without a game goes to that of the step before it."""

    def __init__(self) -> None:
        self._live: OrderedDict[bytes, _Game] = OrderedDict()  # the one with the newest step last
        self._key = b""
        self._at = 0
        self.held = 0

    def add(self, line: int, piece: bytes) -> Iterator[_Game]:
        """Take a step; yields the games that are over."""
        match = _GAME.search(piece)
        self._key = key = match[1] if match else self._key
        game = self._live.get(key)
        if game is not None and _begins_again(game, piece):
            yield self._over(key)
            game = None
        if game is None:
            game = self._live[key] = _Game()
        self._live.move_to_end(key)
        self.held -= game.size
        game.add(line, piece)
        self.held += game.size
        self._at += len(piece)
        game.last = self._at
        while True:
            oldest = next(iter(self._live))
            if self._live[oldest].last >= self._at - WINDOW:
                return
            yield self._over(oldest)

    def rest(self) -> Iterator[_Game]:
        """All games that are left."""
        while self._live:
            yield self._over(next(iter(self._live)))

    def _over(self, key: bytes) -> _Game:
        game = self._live.pop(key)
        self.held -= game.size
        return game


def _begins_again(game: _Game, piece: bytes) -> bool:
    """Whether a step is the first one of another game of the same name, and not the same step twice."""
    return bool(_FIRST_TURN.search(piece)) and game.rows[0][1].strip() != piece.strip()


def split(read: Read) -> Iterator[Chunk]:
    """Gather the steps of each game. `Chunk.head` says `line:bytes` of every step; a semicolon ends a game."""
    sorter, record, end = _Sorter(), 1, None
    ready: list[_Game] = []
    size = 0
    problems: tuple[Problem, ...] = ()
    for chunk in split_objects(read):
        problems = chunk.problems
        if chunk.refused:
            end = chunk
            break
        for line, piece in pieces(chunk):
            for game in sorter.add(line, piece):
                ready.append(game)
                size += game.size
            if size >= BLOCK:
                yield from _chunks(ready, record, problems)
                record += len(ready)
                ready, size = [], 0
        if sorter.held > HELD_LIMIT:
            message = "the steps of too many games are mixed: the rest of the input is not read"
            end = Chunk(b"", line=chunk.line, problems=problems, refused=message)
            break
    ready += sorter.rest()
    yield from _chunks(ready, record, problems)
    if end is not None:
        yield replace(end, record=record + len(ready))


def _chunks(games: list[_Game], record: int, problems: tuple[Problem, ...]) -> Iterator[Chunk]:
    whole: list[_Game] = []
    for number, game in enumerate(games, record):
        if not game.oversized:
            whole.append(game)
            continue
        if whole:
            yield _chunk(whole, number - len(whole), problems)
            whole = []
        line, piece = game.rows[0]
        message = f"a game has steps of more than {RECORD_LIMIT // (1024 * 1024)} MiB: it is not read"
        yield Chunk(piece, number, line, problems, message)
    if whole:
        yield _chunk(whole, record + len(games) - len(whole), problems)


def _chunk(games: list[_Game], record: int, problems: tuple[Problem, ...]) -> Chunk:
    data = b"".join(piece for game in games for _, piece in game.rows)
    head = ";".join(" ".join(f"{line}:{len(piece)}" for line, piece in game.rows) for game in games)
    return Chunk(data, record, games[0].rows[0][0], problems, head=head.encode())


def read(chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield one record or one error for every game."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    for index, rows in enumerate(_rows(chunk)):
        where = Where(options.source, chunk.record + index, rows[0][0])
        try:
            record = game_of(rows, where, options)
            record.problems[:0] = chunk.problems
            yield record
        except NotationError as error:
            error.text = excerpt(rows[0][1])
            yield error


def _rows(chunk: Chunk) -> Iterator[Sequence[Row]]:
    """Steps by game."""
    at = 0
    for game in chunk.head.decode().split(";") if chunk.head else []:
        rows = []
        for step in game.split():
            line, size = map(int, step.split(":"))
            rows.append((line, chunk.data[at : at + size]))
            at += size
        yield rows
