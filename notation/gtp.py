"""Reader and writer of GTP transcripts: commands to one engine or to two, and answers. See pages/gtp.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

from engine.variants import VARIANTS, variant
from notation.blksgf_ids import GAMES, OTHER_GAMES, ids
from notation.errors import BadRecord, CannotWrite, ForeignGame, NotationError, Where
from notation.gtp_lines import LINE, SIDED, game_starts, lines_of, looks_like
from notation.gtp_session import UNANSWERED, Session
from notation.moves import keeps, move_from_text
from notation.record import Event, GameRecord, Move, Out, Pass, Problem
from notation.stream import (
    BLOCK,
    BROKEN_OFF,
    RECORD_LIMIT,
    Chunk,
    Feed,
    Read,
    ReadOptions,
    excerpt,
    oversized,
    refused,
)

__all__ = ["broken_off_games", "looks_like", "read", "split", "write"]


def split(read: Read) -> Iterator[Chunk]:
    """Cut transcripts where a new game begins; `head` is the last line before that sets the game."""
    feed = Feed(read)
    data, record, line, size, head = b"", 1, 1, BLOCK, b""
    while block := feed.read(size):
        data += block
        starts = game_starts(data[: data.rfind(b"\n") + 1])
        if cut := starts[-1]:
            yield Chunk(data[:cut], record, line, feed.problems, head=head)
            record += len(starts) - 1
            line += data.count(b"\n", 0, cut)
            for start, end in pairwise(starts):
                text, sided = _text(data[start:end])
                head = _set_game(text, sided, head.decode()).encode()
            data = data[cut:]
        if len(data) > RECORD_LIMIT:
            yield oversized(data, record, line, feed.problems)
            return
        size = max(BLOCK, len(data))
    if data.strip():
        yield Chunk(data, record, line, feed.problems, head=head)


def broken_off_games(chunk: Chunk) -> Iterator[Chunk]:
    """The last chunk of a damaged source: its last game is refused, the others stay."""
    if chunk.refused:
        yield chunk
        return
    starts = game_starts(chunk.data)
    cut = starts[-1]
    if cut:
        yield replace(chunk, data=chunk.data[:cut])
    line = chunk.line + chunk.data.count(b"\n", 0, cut)
    rest = chunk.data[cut : cut + 2048]
    yield replace(chunk, data=rest, record=chunk.record + len(starts) - 1, line=line, refused=BROKEN_OFF)


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield one record or one error for every game of a chunk."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    starts, line, head = game_starts(chunk.data), chunk.line, chunk.head.decode()
    for index, (start, end) in enumerate(zip(starts, [*starts[1:], len(chunk.data)], strict=True)):
        data = chunk.data[start:end]
        where = Where(options.source, chunk.record + index, line)
        text, sided = _text(data)
        head = _set_game(text, sided, head)
        try:
            variant_id = _variant(head, text, sided, where, options)
            record = None if sided else _plain(text, variant_id, where)
            record = record or _general(text, sided, variant_id, where)
            record.problems[:0] = chunk.problems
            yield record
        except NotationError as error:
            error.text = excerpt(data.lstrip())
            yield error
        line += data.count(b"\n")


def _text(data: bytes) -> tuple[str, bool]:
    """Text of a game and whether its commands name their side."""
    return data.decode("utf-8", "replace"), b">>" in data and SIDED.search(data) is not None


_MOVING = ("play", "genmove", "p", "g")


def _set_game(text: str, sided: bool, head: str) -> str:
    """The line that sets the game: the last one before the first move, else an earlier one."""
    for _, match in lines_of(text, sided):
        command = (match["command"] or "").lower()
        if command == "set_game":
            head = f"set_game {match['arguments'] or ''}"[:200]
        elif command in _MOVING:
            break
    return head


def _variant(head: str, text: str, sided: bool, where: Where, options: ReadOptions) -> str:
    """The variant that is set, else the caller's."""
    said = LINE.fullmatch(head.rstrip())
    if said is None:
        front = (match["command"] for _, match in lines_of(text, sided))
        if any(command in ("boardsize", "komi") for command in islice(front, _FRONT)):
            raise ForeignGame("the transcript is of Go: it sets the size of a board or komi", where)
        if options.variant is None:
            raise BadRecord("the transcript does not set the game: state it with --variant", where)
        return options.variant
    name = " ".join((said["arguments"] or "").lower().split())
    found = GAMES.get(name, name if name in VARIANTS else "")
    if not found:
        raise ForeignGame(f"the transcript is of another game: {OTHER_GAMES.get(name, name[:40])}", where)
    if options.variant not in (None, found):
        raise BadRecord(f"the record is of {found}, not of {options.variant}", where)
    return found


_FRONT = 20
"""Commands in which a transcript says that it is of Go."""

_PLAY = re.compile(r"play (\w{1,10}) ([a-z0-9,]{2,100})", re.A)


@cache
def _play_table(variant_id: str) -> dict[str, Move]:
    """Shared cache: line with nothing but a readable move -> the move (see `moves.keeps`)."""
    return {}


def _plain(text: str, variant_id: str, where: Where) -> GameRecord | None:
    """Read a game of nothing but plain moves behind its first lines, fast; None for any other."""
    front, first, rest = text.partition("\nplay ")
    if not first or "=" in front:
        return None
    table = _play_table(variant_id)
    lines = (first[1:] + rest).rstrip().split("\n")
    events: list[Event] = []
    for line in lines:
        move = table.get(line)
        if move is None:
            match = _PLAY.fullmatch(line)
            colour = ids(variant_id).to_move.get(match[1].upper()) if match else None
            if match is None or colour is None:
                return None
            move = move_from_text(variant_id, colour, match[2])
            if move.placement < 0:
                return None
            if keeps(table, match[2], move):
                table[line] = move
        events.append(move)
    commands = {match["command"].lower() for _, match in lines_of(front, False) if match["command"]}
    return None if commands.intersection(_MOVING) else GameRecord(variant_id, "gtp", events, line=where.line)


def _general(text: str, sided: bool, variant_id: str, where: Where) -> GameRecord:
    sessions: dict[str, Session] = {}
    for number, match in lines_of(text, sided):
        session = sessions.setdefault(match["side"] or "", Session(variant_id))
        if session.over:
            continue
        if match["answer"]:
            session.answer(match["answer"] == "=", match["of"] or "", (match["text"] or "").strip())
        else:
            at = where.line + number
            session.command(match["command"].lower(), match["id"] or "", match["arguments"] or "", at)
    for session in sessions.values():
        session.finish()
    return _merged(sessions, variant_id, text, where)


def _merged(sessions: dict[str, Session], variant_id: str, text: str, where: Where) -> GameRecord:
    """One record from what the sides know: the side that knows most tells the game."""
    best = max(
        sessions.values(),
        key=lambda session: (len(session.events), session.moved, session.stop < 0),
        default=Session(variant_id),
    )
    open_ends = [problem.message for problem in best.problems if problem.code == UNANSWERED]
    if not best.events and (best.why or open_ends or not best.moved):
        raise BadRecord(best.why or "".join(open_ends[:1]) or "no move in the transcript", where)
    record = GameRecord(variant_id, "gtp", best.events, problems=best.problems, line=where.line)
    record.declared = best.declared or next((s.declared for s in sessions.values() if s.declared), None)
    if any(isinstance(event, Out) for event in best.events):
        record.termination = "resigned"
    moves = best.moves
    for side, other in sessions.items():
        for ply, (ours, theirs) in enumerate(zip(moves, other.moves, strict=False), 1):
            if ours != theirs:
                message = f"side {side} has another move: {theirs.text[:60]!r}"
                record.problems.append(Problem("sides_differ", message, where.line, ply))
                break
    if best.stop >= 0:
        record.problems.append(
            Problem("broken_transcript", f"{best.why}: the rest is kept as text", best.stop)
        )
        record.broken = "\n".join(text.split("\n")[best.stop - where.line :])
    return record


def write(record: GameRecord) -> str:
    """Return the commands that set up the game: `set_game`, `clear_board`, a `play` for every move and recorded pass.

    Players, headers, comments and results have no place in this format.

    Raises:
        CannotWrite: no moves, a setup, rules, a move without a colour or without cells, a player who left otherwise
            than by resigning.
    """
    if record.setup:
        raise CannotWrite("a transcript has no setup")
    if record.rules:
        raise CannotWrite("a transcript has no place for rules")
    names = [name.lower() for name in ids(record.variant).move_id]
    lines = [f"set_game {variant(record.variant).name}", "clear_board"]
    lines += [f"play {_event(record, event, names)}" for event in record.events]
    if len(lines) == 2:
        raise CannotWrite("a transcript without a move is no game")
    return "\n".join(lines) + "\n"


def _event(record: GameRecord, event: Move | Pass | Out, names: list[str]) -> str:
    if isinstance(event, Out):
        if event.cause != "resigned":
            raise CannotWrite("a transcript cannot say that a player left, only that one resigned")
        return f"{names[variant(record.variant).seats[event.seat][0]]} resign"
    if event.colour < 0:
        raise CannotWrite("a move without a colour: the format names the colour of every move")
    if isinstance(event, Pass):
        return f"{names[event.colour]} pass"
    if event.placement < 0:
        again = Session(record.variant)
        again.command("play", "", f"{names[event.colour]} {event.text}", 0)
        if again.events != [event] or "#" in event.text or not event.text.isprintable():
            raise CannotWrite(f"the move {event.text[:40]!r} has no cells to write")
    return f"{names[event.colour]} {event.text}"
