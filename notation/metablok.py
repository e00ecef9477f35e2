"""Reader of MetaBlok's `.sav` files: Duo, one file is one game. See pages/metablok.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from notation.errors import NotationError
from notation.metablok_codes import PIECES, broken_move, move_of, piece_name
from notation.recognise import text_of_head
from notation.record import GameRecord, Problem
from notation.stream import Chunk, ReadOptions, refused, split_whole

VARIANT = "duo"

split = split_whole(1024 * 1024, "a MetaBlok game")

_COMMENT = re.compile(r"//[^\n]*+|/\*.*?(\*/|\Z)", re.S)
_KEYWORDS = ("number_of_players", "size_of_board", "start_tile", "move", "pieces", "score")
_SETTINGS = re.compile(r"^[ \t]*+(?:number_of_players|size_of_board)[ \t]++-?\d", re.I | re.M)
_NUMBER = re.compile(r"-?\d{1,4}", re.A)
_LEFT = re.compile(rf"[01]{{{PIECES}}}", re.A)

_START_TILES = ((4, 4), (9, 9))
"""Start tiles of the first and the second colour: column and row from the top left, from 0."""

_SHOWN = 3
"""Problems of one kind that are listed one by one."""


def looks_like(head: bytes, name: str) -> bool:
    """The first line that is no comment is one of the settings, and both settings are there."""
    text = _without_comments(text_of_head(head)).lstrip()
    first = text.partition("\n")[0].split()
    if not first or first[0].lower() not in _KEYWORDS or not all(map(_NUMBER.fullmatch, first[1:3])):
        return False
    found = {match[0].split()[0].lower() for match in _SETTINGS.finditer(text)}
    return len(found) == 2


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield the record of a file, or one error."""
    if not chunk.refused and options.variant not in (None, VARIANT):
        chunk = replace(chunk, refused=f"MetaBlok games are {VARIANT}, not {options.variant}")
    if not chunk.refused:
        game = _Game(GameRecord(VARIANT, "metablok", problems=list(chunk.problems), line=chunk.line))
        _read(game, chunk.data.decode("utf-8", "replace"))
        chunk = replace(chunk, refused=_why_not(game))
        if not chunk.refused:
            yield _finished(game)
            return
    yield refused(chunk, options)


@dataclass(slots=True)
class _Game:
    """A record in the making, with what its lines said of the match; players from 0."""

    record: GameRecord
    players: str = ""
    size: str = ""
    tiles: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    pieces: list[int] = field(default_factory=list)
    unknown: int = 0


def _without_comments(text: str) -> str:
    """The text with comments blanked out, on the same lines."""
    return _COMMENT.sub(lambda match: " " + "\n" * match[0].count("\n"), text)


def _read(game: _Game, source: str) -> None:
    text = _without_comments(source)
    for number, line in enumerate(text.split("\n")):
        words = line.split()
        if words and not _line(game, words, game.record.line + number):
            game.record.broken = "\n".join(source.split("\n")[number:])
            break


def _line(game: _Game, words: list[str], line: int) -> bool:
    """Read a line; False when it is a broken move."""
    key, values = words[0].lower(), words[1:]
    if key == "move":
        return _move(game, values, line)
    if key == "number_of_players" and len(values) == 1:
        game.players = values[0]
    elif key == "size_of_board" and len(values) == 1:
        game.size = values[0]
    elif key == "start_tile" and len(values) == 3:
        game.tiles[values[0]] = tuple(values[1:])
    elif key == "pieces" and len(values) == 2 and _LEFT.fullmatch(values[1]):
        game.left[values[0]] = values[1]
    elif key == "score" and values:
        game.record.headers["score"] = " ".join(values)[:200]
    else:
        game.unknown += 1
        if game.unknown <= _SHOWN:
            message = f"no line of a MetaBlok game, left out: {' '.join(words)[:60]!r}"
            game.record.problems.append(Problem("unknown_line", message, line))
    return True


def _move(game: _Game, values: list[str], line: int) -> bool:
    record = game.record
    if len(values) == 5 and all(map(_NUMBER.fullmatch, values)):
        piece, x, y, turns, flip = map(int, values)
        if 0 <= piece < PIECES and 0 <= turns < 4 and 0 <= flip < 2:
            record.events.append(move_of(piece, x, y, turns, flip))
            game.pieces.append(piece)
            return True
    text = " ".join(values)[:80]
    record.events.append(broken_move(text))
    message = f"'Move {text[:40]}' is no move: the rest is kept as text"
    record.problems.append(Problem("broken_move", message, line, len(record.events)))
    return False


def _why_not(game: _Game) -> str:
    """Why a file is no game of Duo; empty where it is one."""
    if not game.players or not game.size:
        return "no MetaBlok game: it does not state the number of players and the size of the board"
    if (game.players, game.size) != ("2", "14"):
        return (
            f"a MetaBlok game of {game.players[:20]} players on a board of {game.size[:20]}: "
            "only that of 2 players on 14 is Duo"
        )
    if game.tiles and _tiles(game) is None:
        stated = ", ".join(f"{player} {' '.join(at)}" for player, at in list(game.tiles.items())[:4])
        return f"start tiles {stated[:80]!r}, where Duo has '0 4 4' and '1 9 9'"
    return ""


def _tiles(game: _Game) -> int | None:
    """Colour of player 0 by the start tiles; None where they are not those of Duo."""
    first, second = (tuple(map(str, tile)) for tile in _START_TILES)
    if game.tiles == {"0": first, "1": second}:
        return 0
    return 1 if game.tiles == {"0": second, "1": first} else None


def _finished(game: _Game) -> GameRecord:
    record = game.record
    if not game.tiles:
        message = "the start tiles are not stated: taken for those of Duo"
        record.problems.append(Problem("start_tiles", message, record.line))
    elif _tiles(game) == 1:
        record.setup.to_move = 1  # player 0 always begins, here on the start tile of our second colour
    if game.unknown > _SHOWN:
        message = f"{game.unknown - _SHOWN} more such lines"
        record.problems.append(Problem("unknown_line", message, record.line))
    if not record.broken:
        _check_left(game)
    return record


def _check_left(game: _Game) -> None:
    """Compare the pieces that the file says are left with those that its moves played.

    By piece and for both players at once: who played is certain only where nobody was skipped.
    """
    if set(game.left) != {"0", "1"}:
        return
    played = Counter(game.pieces)
    differ = [
        piece_name(piece)
        for piece in range(PIECES)
        if sum(left[piece] == "0" for left in game.left.values()) != played[piece]
    ]
    if differ:
        message = f"the pieces left do not fit the moves: {', '.join(differ)}"
        game.record.problems.append(Problem("pieces_left", message, game.record.line))
