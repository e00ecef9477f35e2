"""Reader and writer of the four-character code of Duo; one file is one record. See pages/fourcode.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.boards import cells_by_name
from notation.encodings import writable
from notation.errors import CannotWrite, NotationError
from notation.fourcode_codes import CODE, PASSES, VARIANT, broken_move, code_of, move_of
from notation.record import ANY_COLOUR, Declared, GameRecord, Move, Out, Pass, Problem
from notation.stream import Chunk, Feed, Read, ReadOptions, refused

FILE_LIMIT = 1024 * 1024
"""Bytes of the largest file: a game has at most 42 placements."""

LINE = re.compile(r"(?:player\s*(\d{1,3})\s*:)?\s*(\S+)", re.I)
RESULT = re.compile(r"\s*\*\*")
_WON = re.compile(r"Player\s*([12])\s*won", re.I)
_LOST = re.compile(r"Player\s*([12])\s*lost[^(]*\(code\s*(-?\d{1,3})\)", re.I)
_SCORES = re.compile(r"Score:\s*(-?\d{1,4})\s*/\s*(-?\d{1,4})")
_TIMEOUT = "-10"


def split(read: Read) -> Iterator[Chunk]:
    """Take the whole file as one record."""
    feed = Feed(read)
    data = b""
    while block := feed.read(FILE_LIMIT):
        data += block
        if len(data) > FILE_LIMIT:
            yield Chunk(
                data[:2048],
                problems=feed.problems,
                refused="a file of more than 1 MiB is no game in this code",
            )
            return
    if data.strip():
        yield Chunk(data, problems=feed.problems)


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield the record of a file, or one error."""
    if not chunk.refused and options.variant not in (None, VARIANT):
        message = f"the four-character code is for {VARIANT}, not for {options.variant}"
        chunk = replace(chunk, refused=message)
    if chunk.refused:
        yield refused(chunk, options)
        return
    record = GameRecord(VARIANT, "fourcode", problems=list(chunk.problems), line=chunk.line)
    _lines(record, chunk.data.decode("utf-8", "replace").splitlines())
    yield record if record.events else refused(replace(chunk, refused="no code in the file"), options)


def _lines(record: GameRecord, lines: list[str]) -> None:
    outs: list[Out] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        if RESULT.match(text):
            _result(record, outs, text, record.line + number)
        elif not _code(record, text):
            last = record.events[-1]
            assert isinstance(last, Move)
            message = f"{text[:40]!r} is no code: the rest is kept as text"
            ply = sum(isinstance(event, Move) for event in record.events)
            record.problems.append(Problem("broken_code", message, record.line + number, ply))
            record.broken = "\n".join(lines[number:])
            break
    _start(record)
    record.events.extend(outs)


def _code(record: GameRecord, text: str) -> bool:
    """Read a line with a code; False when it is broken."""
    match = LINE.fullmatch(text)
    player = match[1] if match else None
    code = match[2].lower() if match else text.lower()
    colour = int(player) - 1 if player in ("1", "2") else ANY_COLOUR
    if player not in (None, "1", "2"):
        record.events.append(broken_move(ANY_COLOUR, text.lower()))
        return False
    if code in PASSES:
        record.events.append(Pass(colour))
        return True
    known = CODE.fullmatch(code) is not None
    record.events.append(move_of(colour, code) if known else broken_move(colour, code))
    return known


def _start(record: GameRecord) -> None:
    """The second colour begins when the first code covers its start cell."""
    first = record.events[0] if record.events else None
    if isinstance(first, Move) and first.colour != 0 and cells_by_name("square14")["j5"] in first.cells:
        record.setup.to_move = 1


def _result(record: GameRecord, outs: list[Out], text: str, line: int) -> None:
    """Read a line of the referee."""
    if record.declared is not None:
        record.problems.append(Problem("two_results", f"a second result is left out: {text[:80]!r}", line))
        return
    scores = _SCORES.search(text)
    points = (int(scores[1]), int(scores[2])) if scores else ()
    if lost := _LOST.search(text):
        cause = "time" if lost[2] == _TIMEOUT else "violation"
        loser = int(lost[1]) - 1
        outs.append(Out(loser, cause))
        record.termination = cause
        record.declared = Declared(text, winner=1 - loser, scores=points, termination=cause)
    elif won := _WON.search(text):
        winner = int(won[1]) - 1
        margin = points[winner] - points[1 - winner] if points else None
        record.declared = Declared(text, winner=winner, margin=margin, scores=points)
    elif "draw" in text.lower():
        record.declared = Declared(text, winner=-1, scores=points)
    else:
        if "terminated unexpectedly" in text.lower():
            record.termination = "unfinished"
        record.declared = Declared(text, scores=points, termination=record.termination)


def write(record: GameRecord) -> str:
    """Return the file of a game: a code a line, with the player where the record names the colour.

    Players, headers and comments have no place in this format.

    Raises:
        CannotWrite: another variant, a setup, rules, a move that is no placement, a player who left the game.
    """
    _check(record)
    lines = []
    codes = code_of()
    first = next((event for event in record.events if isinstance(event, Move | Pass)), None)
    begins_first = record.setup.to_move != 1 and isinstance(first, Move) and _begins_second(first)
    if begins_first and first is not None and first.colour == 1:
        lines.append("Player 1:0000")  # else the second colour would begin
    for event in record.events:
        if isinstance(event, Out):
            continue
        named = event.colour >= 0 or (begins_first and event is first)
        prefix = f"Player {max(event.colour, 0) + 1}:" if named else ""
        lines.append(prefix + (codes[event.placement] if isinstance(event, Move) else PASSES[0]))
    if record.declared is not None and RESULT.match(record.declared.text):
        lines.append(record.declared.text)
    return writable("\n".join(lines) + "\n")


def _begins_second(move: Move) -> bool:
    return move.colour != 0 and cells_by_name("square14")["j5"] in move.cells


def _check(record: GameRecord) -> None:
    """Raise for what the code cannot say."""
    if record.variant != VARIANT:
        raise CannotWrite(f"the four-character code is for {VARIANT}, not for {record.variant}")
    first = next((event for event in record.events if isinstance(event, Move | Pass)), None)
    begins_second = isinstance(first, Move) and _begins_second(first)
    if record.setup.pieces or (record.setup.to_move == 1 and not begins_second):
        raise CannotWrite("the four-character code has no setup")
    if record.rules:
        raise CannotWrite("the four-character code has no place for rules")
    if not any(isinstance(event, Move) for event in record.events):
        raise CannotWrite("the game has no moves: nobody would know the file for one")
    if any(isinstance(event, Move) and event.placement < 0 for event in record.events):
        raise CannotWrite("the game has a move that is no placement of a piece")
    twin = GameRecord(VARIANT, "fourcode")
    outs: list[Out] = []
    if record.declared is not None and RESULT.match(record.declared.text):
        _result(twin, outs, record.declared.text, 0)
    if [event for event in record.events if isinstance(event, Out)] != outs:
        raise CannotWrite("the four-character code cannot say that a player left the game")
