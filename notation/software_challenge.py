"""Reader of the Software-Challenge's replays and protocols, seasons 2021 and 2027. See pages/software_challenge.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from notation.errors import ForeignGame, NotationError, Where
from notation.fragments import ResultRecord
from notation.recognise import text_of_head
from notation.record import GameRecord, Problem
from notation.software_challenge_codes import VARIANT
from notation.software_challenge_game import Game, record_of
from notation.stream import Chunk, Feed, Read, ReadOptions, refused

if TYPE_CHECKING:
    from notation.xml_stream import Stop

FILE_LIMIT = 64 * 1024 * 1024
"""Bytes of the largest file. A game takes about 2 MiB: every state repeats the whole board."""

_FIRST_TAG = re.compile(
    r"(?:\s++|<!--.*?-->|<\?.*?\?>)*+<(!DOCTYPE|[A-Za-z_][\w.-]{0,60})([^>]{0,400})", re.S
)
_MARKS = re.compile(
    r"""\broomId\s*=|\bclass\s*=\s*["'](?:memento|state|moveRequest|sc\.)|\bsc\.plugin\d{4}\.|\bstartPiece\s*="""
    r"""|\bgameType\s*=\s*["']swc_|\bclass\s*=\s*["'](?:set|skip)move["']"""
)
_BARE = {
    "room": re.compile(r"\broomId\s*="),
    "data": re.compile(r"""\bclass\s*=\s*["'](?:sc\.plugin\d{4}\.\w+|memento|setmove|skipmove)["']"""),
    "state": re.compile(r"\bstartPiece\s*="),
}


def looks_like(head: bytes, name: str) -> bool:
    """The first element is a protocol that holds what theirs do, or one of its messages."""
    text = text_of_head(head)
    first = _FIRST_TAG.match(text)
    if first is None:
        return False
    if first[1] in ("protocol", "!DOCTYPE"):
        at = text.find("<protocol", first.start(1) - 1)
        return at >= 0 and _MARKS.search(text, at) is not None
    return first[1] in _BARE and _BARE[first[1]].search(first[2]) is not None


def split(read: Read) -> Iterator[Chunk]:
    """Take the whole file as one chunk."""
    feed = Feed(read)
    parts, size = [], 0
    while size <= FILE_LIMIT and (part := feed.read(1024 * 1024)):
        parts.append(part)
        size += len(part)
    if size > FILE_LIMIT:
        message = f"a file of more than {FILE_LIMIT // (1024 * 1024)} MiB is no replay of one game"
        yield Chunk(parts[0][:2048], problems=feed.problems, refused=message)
    elif any(part.strip() for part in parts):
        yield Chunk(b"".join(parts), problems=feed.problems)


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | ResultRecord | NotationError]:
    """Yield a record for every game of a protocol, or one error."""
    # The parser is wanted by this reader only; whoever just lists the formats need not wait for it.
    from notation.software_challenge_xml import Protocol
    from notation.xml_stream import read_xml

    if not chunk.refused and options.variant not in (None, VARIANT):
        chunk = replace(chunk, refused=f"the Software-Challenge plays {VARIANT}, not {options.variant}")
    if chunk.refused:
        yield refused(chunk, options)
        return
    protocol = Protocol()
    stop, problems = read_xml(chunk, protocol)
    games = [game for game in protocol.games if game.is_blokus or game.result or game.other_season]
    if not games or (stop is not None and stop.doctype):
        yield _no_game(chunk, options, stop)
        return
    if stop is None and len(protocol.path) > 1 and games[-1].result is None:
        line = chunk.data.count(b"\n") + 1
        games[-1].problems.append(Problem("truncated", "the file ends within the game", line))
    for number, game in enumerate(games):
        item = _item(game, options, chunk.record + number)
        if not isinstance(item, NotationError):
            item.problems[:0] = [*chunk.problems, *problems]
            if stop is not None and game is games[-1]:
                _broken(item, game, stop)
        yield item


def _item(game: Game, options: ReadOptions, number: int) -> GameRecord | ResultRecord | NotationError:
    if game.other_season and not game.season:
        message = f"a game of the Software-Challenge that is not Blokus: {game.other_season}"
        error = ForeignGame(message, Where(options.source, number, game.line))
        error.text = game.room
        return error
    record = record_of(game, options.source)
    return record if game.is_blokus else _result_record(record)


def _result_record(record: GameRecord) -> ResultRecord:
    """What is known of a game of which only the result was sent."""
    said = record.declared
    places: tuple[int, ...] = ()
    if said is not None and said.winner is not None:
        places = tuple(1 if said.winner in (-1, seat) else 2 for seat in range(2))
    return ResultRecord(
        VARIANT,
        record.format,
        record.headers.get("room", ""),
        record.players,
        () if said is None else said.scores,
        places,
        headers=record.headers,
        problems=record.problems,
        line=record.line,
    )


def _broken(item: GameRecord | ResultRecord, game: Game, stop: Stop) -> None:
    """Note where the XML broke; the rest belongs to the last game, unless that had its result already."""
    if isinstance(item, GameRecord) and game.result is None:
        message = f"the XML breaks here ({stop.message}): the rest is kept as text"
        item.broken = stop.rest
        item.problems.append(Problem("broken_xml", message, stop.line, len(game.moves)))
    else:
        message = f"behind the game the XML breaks ({stop.message}): the rest is left out"
        item.problems.append(Problem("text_after", message, stop.line))


def _no_game(chunk: Chunk, options: ReadOptions, stop: Stop | None) -> NotationError:
    message = "no game in the protocol" if stop is None else f"no game in the XML: {stop.message}"
    if stop is not None and stop.doctype:
        message = stop.message
    error = refused(replace(chunk, refused=message), options)
    if stop is not None:
        error.where = Where(options.source, chunk.record, stop.line)
    return error
