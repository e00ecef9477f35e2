"""Reader and writer of our own JSON Lines form, one game a line, lossless. See pages/jsonl.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from engine.errors import RuleError
from engine.rulesets import parse_rules
from engine.variants import Variant, variant
from notation.encodings import decode
from notation.errors import BadRecord, CannotWrite, NotationError, Where
from notation.jsonl_model import FORMAT, VERSION, GameLine, MoveLine, OutLine, PassLine, SetupPiece
from notation.moves import move_from_text
from notation.record import (
    ANY_COLOUR,
    NOT_A_PIECE,
    OFF_BOARD,
    Branch,
    Declared,
    Event,
    GameRecord,
    Move,
    Note,
    Out,
    Pass,
    Problem,
    Setup,
)
from notation.stream import Chunk, ReadOptions, excerpt, refused, split_lines

split = split_lines

_UNREADABLE = {"off_board": OFF_BOARD, "not_a_piece": NOT_A_PIECE}


def read(chunk: Chunk, options: ReadOptions) -> Iterator[GameRecord | NotationError]:
    """Yield one record or one error for every line with text."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    number = chunk.record
    for offset, line in enumerate(chunk.data.split(b"\n")):
        if not line.strip():
            continue
        where = Where(options.source, number, chunk.line + offset)
        number += 1
        try:
            record = _decoded(line, where)
            if options.variant not in (None, record.variant):
                raise BadRecord(f"the record is of {record.variant}, not of {options.variant}", where)
            record.problems[:0] = chunk.problems
            yield record
        except NotationError as error:
            error.text = excerpt(line)
            yield error


def _decoded(line: bytes, where: Where) -> GameRecord:
    """The game of one line, which should be in UTF-8: a stray byte costs no game."""
    try:
        return record_of(line, where)
    except BadRecord:
        text, odd = decode(line)
        if not odd:
            raise
    record = record_of(text, where)
    record.problems[:0] = [replace(problem, line=where.line) for problem in odd]
    return record


def record_of(line: bytes | str, where: Where | None = None) -> GameRecord:
    """Return the game of one line.

    Raises:
        BadRecord: it is not in our form; the message says where in the object and what is wrong.
    """
    where = where or Where()
    try:
        game = GameLine.model_validate_json(line)
    except ValidationError as error:
        raise BadRecord(_what_is_wrong(error), where) from None
    row = variant(game.variant)
    record = GameRecord(game.variant, "jsonl", line=where.line)
    try:
        _fill(record, game, row)
        parse_rules(game.variant, game.rules)
    except (_Misfit, RuleError) as error:
        raise BadRecord(str(error), where) from None
    return record


class _Misfit(ValueError):
    """Something that the schema cannot check."""


def _what_is_wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    models = ("MoveLine", "PassLine", "OutLine")
    path = ".".join(
        str(part + 1 if isinstance(part, int) else part) for part in first["loc"] if part not in models
    )
    message = _plain_words(first["type"], first["msg"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{path}: {message}{more}" if path else f"{message}{more}"


def _plain_words(kind: str, message: str) -> str:
    """A message of pydantic's in words for those who did not write the model."""
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is no part of this form"
    if kind == "literal_error":
        listed = message.removeprefix("Input should be ").replace("'", "").replace(" or ", ", ")
        return f"must be {'one of ' if ', ' in listed else ''}{listed}"
    if kind == "json_invalid":  # a record is one line: its number in the file stands elsewhere
        return message.replace("Invalid JSON: ", "no valid JSON: ").replace(" at line 1 column", ", column")
    return message.removeprefix("Value error, ").replace("Input should ", "must ")


def _fill(record: GameRecord, game: GameLine, row: Variant) -> None:
    record.events = [_event(line, row) for line in game.events]
    seats = len(row.seats)
    if len(game.players) > seats:
        raise _Misfit(f"players: {row.id} has {seats} seats, here are {len(game.players)} names")
    record.players = list(game.players)
    record.headers, record.rules = game.headers, game.rules
    if game.setup is not None:
        pieces = [_move(piece, row) for piece in game.setup.pieces]
        to_move = game.setup.to_move
        record.setup = Setup(pieces, None if to_move is None else _colour(to_move, row))
    if game.declared is not None:
        said = game.declared
        winner = None if said.winner is None else said.winner - 1
        if winner is not None and winner >= seats:
            raise _Misfit(f"declared.winner: {row.id} has {seats} seats")
        record.declared = Declared(said.text, winner, said.margin, tuple(said.scores), said.termination)
    record.termination, record.penalty_applied, record.broken = (
        game.termination,
        game.penalty_applied,
        game.broken,
    )
    record.notes = [Note(n.event - 1, n.comment, [(k, tuple(v)) for k, v in n.marks]) for n in game.notes]
    record.branches = [Branch(b.event - 1, b.text) for b in game.branches]
    record.clocks = {clock.event - 1: clock.seconds for clock in game.clocks}
    record.evaluations = {line.event - 1: line.value for line in game.evaluations}
    _check_numbers(record)
    if record.broken:
        record.problems.append(Problem("broken", "the game is kept as text from some place on", record.line))


def _check_numbers(record: GameRecord) -> None:
    count = len(record.events)
    for name, used, limit in (
        ("notes", [note.event for note in record.notes], count),
        ("clocks", list(record.clocks), count),
        ("evaluations", list(record.evaluations), count),
        ("branches", [branch.event for branch in record.branches], count + 1),
    ):
        if any(event >= limit for event in used):
            raise _Misfit(f"{name}: event {max(used) + 1} of {count}")


def _event(line: MoveLine | PassLine | OutLine, row: Variant) -> Event:
    if isinstance(line, MoveLine):
        return _move(line, row)
    if isinstance(line, PassLine):
        return Pass(ANY_COLOUR if line.colour is None else _colour(line.colour, row))
    if line.out > len(row.seats):
        raise _Misfit(f"events: {row.id} has {len(row.seats)} seats, seat {line.out} leaves")
    return Out(line.out - 1, line.cause)


def _move(line: MoveLine | SetupPiece, row: Variant) -> Move:
    colour = ANY_COLOUR if line.colour is None else _colour(line.colour, row)
    if line.unreadable is not None:
        return Move(colour, (), _UNREADABLE[line.unreadable], line.cells)
    return move_from_text(row.id, colour, line.cells)


def _colour(name: str, row: Variant) -> int:
    try:
        return row.colours.index(name)
    except ValueError:
        raise _Misfit(f"{row.id} has no colour {name!r}: its colours are {', '.join(row.colours)}") from None


def write(record: GameRecord) -> str:
    """Return the line of a game, with its line end.

    Raises:
        CannotWrite: an evaluation or a clock that JSON cannot hold.
    """
    try:
        return (
            json.dumps(object_of(record), ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise CannotWrite(
            f"the evaluations or clocks of the game cannot be written as JSON: {error}"
        ) from None


def object_of(record: GameRecord) -> dict[str, Any]:
    """Return the JSON object of a game; parts that say nothing are left out."""
    names = variant(record.variant).colours
    out: dict[str, Any] = {"format": FORMAT, "version": VERSION, "variant": record.variant}
    said = record.declared
    parts: dict[str, Any] = {
        "players": record.players,
        "headers": record.headers,
        "rules": record.rules,
        "setup": _setup_object(record.setup, names),
        "events": [_event_object(event, names) for event in record.events],
        "broken": record.broken,
        "declared": None if said is None else _declared_object(said),
        "termination": record.termination,
        "clocks": [{"event": at + 1, "seconds": seconds} for at, seconds in record.clocks.items()],
        "evaluations": [{"event": at + 1, "value": value} for at, value in record.evaluations.items()],
        "notes": [_note_object(note) for note in record.notes],
        "branches": [{"event": branch.event + 1, "text": branch.text} for branch in record.branches],
    }
    out |= {key: value for key, value in parts.items() if value}
    if record.penalty_applied is not None:
        out["penalty_applied"] = record.penalty_applied
    return out


def _setup_object(setup: Setup, names: tuple[str, ...]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if setup.pieces:
        out["pieces"] = [_event_object(piece, names) for piece in setup.pieces]
    if setup.to_move is not None:
        out["to_move"] = names[setup.to_move]
    return out


def _event_object(event: Event, names: tuple[str, ...]) -> dict[str, Any]:
    if isinstance(event, Out):
        return {"out": event.seat + 1, "cause": event.cause}
    out: dict[str, Any] = {} if event.colour < 0 else {"colour": names[event.colour]}
    if isinstance(event, Pass):
        return out | {"pass": True}
    out["cells"] = event.text
    if not event.cells:
        out["unreadable"] = "off_board" if event.placement == OFF_BOARD else "not_a_piece"
    return out


def _declared_object(said: Declared) -> dict[str, Any]:
    out: dict[str, Any] = {"text": said.text}
    if said.winner is not None:
        out["winner"] = said.winner + 1
    if said.margin is not None:
        out["margin"] = said.margin
    if said.scores:
        out["scores"] = list(said.scores)
    if said.termination is not None:
        out["termination"] = said.termination
    return out


def _note_object(note: Note) -> dict[str, Any]:
    out: dict[str, Any] = {"event": note.event + 1}
    if note.comment:
        out["comment"] = note.comment
    if note.marks:
        out["marks"] = [[name, list(values)] for name, values in note.marks]
    return out
