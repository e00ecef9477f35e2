"""Reader of games as JSON lists of cells, with passes and an engine's log; see pages/json_cells.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.boards import BOARDS
from engine.errors import RuleError
from engine.rulesets import parse_rules
from engine.variants import VARIANTS, Variant, variant
from notation.blksgf_result import outs_of, parse_result
from notation.errors import BadPosition, BadRecord, Where
from notation.fragments import Item, PositionRecord
from notation.json_events import piece_names, read_events
from notation.json_objects import (
    add_headers,
    head_pieces,
    integer,
    read_objects,
    shallow,
    shown,
    split_objects,
)
from notation.position_text import PositionText, format_position
from notation.record import TERMINATIONS, Declared, Event, GameRecord, Move, Problem
from notation.stream import Chunk, ReadOptions
from notation.timestamps import date_of

SQUARE = tuple(row.id for row in VARIANTS.values() if not BOARDS[row.board].lattice.triangular)
"""Variants whose cells have a row and a column."""

split = split_objects

_IS = rb"\s*+:\s*+"
_LIST = re.compile(rb'"(?:moves|history)"' + _IS + rb"\[\s*+\{([^{}]{0,2000}+)\}")
_PLACED = re.compile(rb'"cells"' + _IS + rb"\[\s*+\[\s*+-?\d{1,3}\s*+,\s*+-?\d{1,3}\s*+\]")
_PASSED = re.compile(rb'"pass(?:ed)?"' + _IS + rb"true")
_SIDE = re.compile(rb'"(?:side|by|colou?r)"' + _IS)
_EMPTY = re.compile(rb'"moves"' + _IS + rb"\[\s*+\]")
_OURS = re.compile(
    rb'"(?:final_score_p0|engine_side)"|"variant"' + _IS + rb'"(?:duo|junior|classic(?:_[23])?)"'
)

_KNOWN = frozenset(
    (
        *("version", "variant", "moves", "history", "engine_eval_log", "players", "headers", "rules"),
        *("result", "side_to_move", "ply", "termination", "penalty_applied"),
        *(f"final_score_p{seat}" for seat in range(4)),
    )
)


def looks_like(head: bytes, name: str) -> bool:
    """An object whose first move has a side, and cells as pairs of numbers or a pass."""
    for piece in head_pieces(head, 3):
        first = _LIST.search(piece)
        if first is None:
            if _EMPTY.search(piece) and _OURS.search(piece):
                return True
        elif _SIDE.search(first[1]) and (_PLACED.search(first[1]) or _PASSED.search(first[1])):
            return True
    return False


def read(chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield a game, a position or an error for every object."""
    return read_objects(chunk, options, _record)


def _record(value: dict[str, Any], where: Where, options: ReadOptions) -> Item:
    row = _variant(value, where, options)
    if isinstance(value.get("moves"), list):
        return _game(value, row, where)
    if isinstance(value.get("history"), list):
        return _position(value, row, where)
    raise BadRecord("the object has no list of moves", where)


def _variant(value: dict[str, Any], where: Where, options: ReadOptions) -> Variant:
    """The variant that a record states, else the caller's, else Duo."""
    said = value.get("variant")
    found = (options.variant or "duo") if said is None else said
    if found not in SQUARE:
        message = f"rows and columns are for {', '.join(SQUARE)}, not for {shown(found, 40)!r}"
        raise BadRecord(message, where)
    if options.variant not in (None, found):
        raise BadRecord(f"the record is of {found}, not of {options.variant}", where)
    return variant(found)


def _game(value: dict[str, Any], row: Variant, where: Where) -> GameRecord:
    events, problems, broken = read_events(value["moves"], row, where.line)
    record = GameRecord(row.id, "json_cells", events, problems=problems, broken=broken, line=where.line)
    known = _players(record, value, len(row.seats))
    _headers(record, value, known)
    _rules(record, value, where)
    _evaluations(record, value)
    _result(record, value, row)
    return record


def _players(record: GameRecord, value: dict[str, Any], seats: int) -> frozenset[str]:
    """Names by seat, from a list or from the name of the engine's opponent; returns the keys that are no headers."""
    listed = value.get("players")
    if isinstance(listed, list) and 0 < len(listed) <= seats:
        record.players = [name if isinstance(name, str) else None for name in listed]
        return _KNOWN
    side, opponent = value.get("engine_side"), value.get("opponent")
    if seats == 2 and type(side) is int and side in (0, 1) and isinstance(opponent, str):
        record.players = [None, opponent] if side == 0 else [opponent, None]
        return _KNOWN | {"opponent"}
    return _KNOWN


def _headers(record: GameRecord | PositionRecord, value: dict[str, Any], known: frozenset[str]) -> None:
    date = date_of(value.get("timestamp"))
    if date is not None:
        record.headers["date"] = date
    given = value.get("headers")
    if isinstance(given, dict):
        record.headers.update((key, text) for key, text in given.items() if isinstance(text, str))
    add_headers(record.headers, record.problems, value, known, record.line)


def _rules(record: GameRecord, value: dict[str, Any], where: Where) -> None:
    said = value.get("rules")
    if said is None:
        return
    if not isinstance(said, dict) or not all(isinstance(setting, str) for setting in said.values()):
        raise BadRecord("the rules are no object of texts", where)
    try:
        parse_rules(record.variant, said)
    except RuleError as error:
        raise BadRecord(str(error), where) from None
    record.rules = said


def _evaluations(record: GameRecord, value: dict[str, Any]) -> None:
    """The engine's log: each entry at the event whose number it names."""
    log = value.get("engine_eval_log")
    if log is None:
        return
    if not isinstance(log, list):
        record.problems.append(
            Problem("evaluations", "the engine's log is no list: it is left out", record.line)
        )
        return
    left_out = 0
    for entry in log:
        event = integer(entry.get("ply")) if isinstance(entry, dict) and shallow(entry) else None
        if event is None or not 0 <= event < len(record.events) or event in record.evaluations:
            left_out += 1
            continue
        record.evaluations[event] = {key: inner for key, inner in entry.items() if key != "ply"}
    if left_out:
        message = f"{left_out} entries of the engine's log belong to no move: they are left out"
        record.problems.append(Problem("evaluations", message, record.line))


def _result(record: GameRecord, value: dict[str, Any], row: Variant) -> None:
    """Scores by seat or colour, a result as text, how the game ended."""
    given = [value[key] for seat in range(4) if (key := f"final_score_p{seat}") in value]
    scores = [score for score in map(integer, given) if score is not None]
    if len(scores) != len(given) or len(scores) not in (0, len(row.seats), len(row.colours)):
        message = "the final scores are not a number for each: they are left out"
        record.problems.append(Problem("final_scores", message, record.line))
        scores = []
    text = value.get("result")
    if isinstance(text, str):
        said = parse_result(text, len(row.seats))
        record.declared = Declared(text, said.winner, said.margin, tuple(scores), said.termination)
        record.events += outs_of(said, len(row.seats))
    elif scores:
        record.declared = Declared(scores_text(scores), scores=tuple(scores))
    if value.get("termination") in TERMINATIONS:
        record.termination = value["termination"]
    if isinstance(value.get("penalty_applied"), bool):
        record.penalty_applied = value["penalty_applied"]


def scores_text(scores: list[int] | tuple[int, ...]) -> str:
    """Text of a result of which only the scores are known."""
    return " / ".join(map(str, scores))


def _position(value: dict[str, Any], row: Variant, where: Where) -> PositionRecord:
    """The position after a history, which is kept as a header."""
    events, problems, broken = read_events(value["history"], row, where.line)
    moves = [event for event in events if isinstance(event, Move)]
    if broken:
        raise BadRecord(problems[-1].message.partition(": the rest")[0], where)
    if any(move.colour < 0 for move in moves):
        raise BadRecord("a piece of the position has no side", where)
    position = PositionText(
        row.id,
        tuple(sorted(moves, key=lambda move: (move.colour, move.cells))),
        _to_move(value, events, row, problems, where.line),
        (),
        _single_last(moves, row),
    )
    try:
        format_position(position)
    except BadPosition as error:
        raise BadRecord(str(error), where) from None
    record = PositionRecord("json_cells", position, problems=problems, line=where.line)
    record.headers["history"] = ";".join(_event_text(event, row) for event in events)
    _headers(record, value, _KNOWN)
    if value.get("ply") not in (None, len(events)):
        message = (
            f"the position is said to be after {shown(value['ply'], 20)} moves, its history has {len(events)}"
        )
        record.problems.append(Problem("ply_order", message, where.line))
    return record


def _to_move(
    value: dict[str, Any], events: list[Event], row: Variant, problems: list[Problem], line: int
) -> int:
    said = value.get("side_to_move")
    if type(said) is int and 0 <= said < len(row.colours):
        return said
    if said is not None:
        problems.append(Problem("side_to_move", f"no side to move: {shown(said, 20)!r}", line))
    last = getattr(events[-1], "colour", -1) if events else -1
    return int(last + 1) % len(row.colours)


def _single_last(moves: list[Move], row: Variant) -> tuple[int, ...]:
    """Colours that placed as many pieces as they have, the single cell last."""
    names, out = piece_names(row.id), []
    for colour in range(len(row.colours)):
        own = [move for move in moves if move.colour == colour]
        pieces = {names[move.placement] for move in own if move.placement >= 0}
        if own and len(own[-1].cells) == 1 and len(pieces) == len(set(names)):
            out.append(colour)
    return tuple(out)


def _event_text(event: Event, row: Variant) -> str:
    colour = getattr(event, "colour", -1)
    side = row.colours[colour] if colour >= 0 else ""
    return f"{side}:{event.text if isinstance(event, Move) else 'pass'}"
