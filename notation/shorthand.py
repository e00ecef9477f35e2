"""Reader of the Duo community's shorthand in posts and notes. See pages/shorthand.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from notation.errors import BadRecord, Where
from notation.fragments import Item, PieceList
from notation.moves import move_from_cells
from notation.recognise import text_of_head
from notation.record import NOT_A_PIECE, OFF_BOARD, GameRecord, Move, Pass, Problem
from notation.shorthand_lines import BROKEN, PASS, Play, read_line
from notation.shorthand_paths import VARIANT, resolve
from notation.shorthand_turns import Sequence, sequences
from notation.stream import HEAD, RECORD_LIMIT, Chunk, ReadOptions, excerpt, refused, split_whole

split = split_whole(RECORD_LIMIT, "a text with moves")

_CANDIDATES_SHOWN = 8
_PROBLEMS_SHOWN = 20


def looks_like(head: bytes, name: str) -> bool:
    """Lines begin with two moves that have paths, or with turns 1 and 2 of pieces by name."""
    lines = text_of_head(head).split("\n")
    if len(head) >= HEAD:
        lines.pop()
    paths, last = 0, 0
    for line in lines:
        if line.lstrip().startswith(("'", '"')):
            continue  # a text in some program
        for turn in read_line(line).turns:
            paths += sum(map(_surely_a_path, turn.plays))
            whole = len(turn.plays) == 2 and turn.plays[1].name != BROKEN and turn.number == last + 1
            last = turn.number if whole else 0
            if paths >= 2 or last >= 2:
                return True
    return False


def _surely_a_path(play: Play) -> bool:
    return "a" <= play.column <= "n" and 1 <= play.row <= 14 and (play.steps != "" or play.name == "1")


def read(chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield a game, a list of pieces or an error for every sequence of turns in a text."""
    if not chunk.refused and options.variant not in (None, VARIANT):
        chunk = replace(chunk, refused=f"the shorthand is for {VARIANT}, not for {options.variant}")
    if chunk.refused:
        yield refused(chunk, options)
        return
    lines = chunk.data.decode("utf-8", "replace").split("\n")
    found = sequences(lines)
    if not found:
        yield refused(replace(chunk, refused="no move in the shorthand"), options)
    for index, sequence in enumerate(found):
        if sequence.refused:
            where = Where(options.source, chunk.record + index, chunk.line + sequence.first)
            error = BadRecord(sequence.refused, where)
            error.text = excerpt(lines[sequence.first].encode("utf-8", "replace"))
            yield error
        elif all(said.play.has_path or said.play.name in (PASS, BROKEN) for said in sequence.plays):
            yield _game(sequence, lines, chunk)
        else:
            yield _piece_list(sequence, chunk)


def _problems(sequence: Sequence, chunk: Chunk, stop: int) -> list[Problem]:
    """What is to be said of a sequence that is read up to line `stop`; its lines are counted from the chunk's."""
    out = list(sequence.problems)
    if sequence.gap is not None and stop == sequence.gap.line:
        out.append(sequence.gap)
    if texts := sum(stop < 0 or line < stop for line in sequence.texts):
        message = f"lines of text around the moves that are left out: {texts}"
        out.append(Problem("text_around", message, sequence.first))
    return [*chunk.problems, *(replace(problem, line=chunk.line + problem.line) for problem in out)]


def _game(sequence: Sequence, lines: list[str], chunk: Chunk) -> GameRecord:
    record = GameRecord(VARIANT, "shorthand", line=chunk.line + sequence.first, players=sequence.players)
    stop, ply = sequence.stop, 0
    for said in sequence.plays:
        event, problem = _event(said.play, said.colour)
        record.events.append(event)
        ply += isinstance(event, Move)
        if problem is not None:
            ends = problem.code != "piece_name"
            if ends or len(record.problems) < _PROBLEMS_SHOWN:
                record.problems.append(replace(problem, line=chunk.line + said.line, ply=ply))
            if ends:
                stop = said.line
                break
    record.problems = _problems(sequence, chunk, stop) + record.problems
    if stop >= 0:
        record.broken = "\n".join(lines[stop : sequence.end]).rstrip()
    return record


@lru_cache(maxsize=50_000)
def _event(play: Play, colour: int) -> tuple[Move | Pass, Problem | None]:
    """The move or pass of a play, and what is odd about it; all but `piece_name` ends the game."""
    if play.name == PASS:
        return Pass(colour), None
    unreadable = Move(colour, (), NOT_A_PIECE, play.text)
    if play.name == BROKEN:
        message = f"{play.text!r} cannot be read: the rest is kept as text"
        return unreadable, Problem("broken_move", message)
    found = resolve(play)
    if found.off_board:
        return Move(colour, (), OFF_BOARD, play.text), None
    if found.candidates is not None:
        return unreadable, _undecided(play, found.candidates)
    problem = None
    if found.renamed:
        problem = Problem(
            "piece_name", f"the path of {play.text} has another shape than the piece that is named"
        )
    return move_from_cells(VARIANT, colour, found.cells), problem


def _undecided(play: Play, candidates: tuple[str, ...]) -> Problem:
    shown = " or ".join(candidates[:_CANDIDATES_SHOWN])
    if play.choice:
        message = f"{play.text} is one of two moves between which the text does not choose"
    elif len(candidates) > 1:
        more = (
            f" and {len(candidates) - _CANDIDATES_SHOWN} more" if len(candidates) > _CANDIDATES_SHOWN else ""
        )
        message = f"{play.text} may be {shown}{more}"
    else:
        return Problem("broken_move", f"no {play.name} covers the path of {play.text}")
    return Problem("ambiguous_path", message)


def _piece_list(sequence: Sequence, chunk: Chunk) -> PieceList:
    record = PieceList(VARIANT, "shorthand", line=chunk.line + sequence.first, players=sequence.players)
    stop = sequence.stop
    for said in sequence.plays:
        if said.play.choice or said.play.name == BROKEN:
            stop = said.line
            message = f"the list ends before {said.play.text!r}, which is not one piece"
            record.problems.append(Problem("broken_move", message, chunk.line + stop, len(record.pieces) + 1))
            break
        if said.play.name != PASS:
            record.pieces.append((said.colour, said.play.name))
    record.problems = _problems(sequence, chunk, stop) + record.problems
    if any(said.play.has_path for said in sequence.plays):
        message = "some moves have paths and some only names: kept as a list of pieces"
        record.problems.append(Problem("moves_without_cells", message, record.line))
    return record
