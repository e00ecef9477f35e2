"""Reader of results without moves in JSON, also glued ones; see pages/result_log.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.variants import variant
from notation.errors import BadRecord, Where
from notation.fragments import Item, ResultRecord
from notation.json_objects import (
    HEADER_LIMIT,
    add_headers,
    head_pieces,
    integer,
    read_objects,
    shown,
    split_objects,
)
from notation.record import Problem
from notation.stream import Chunk, ReadOptions
from notation.timestamps import date_of

split = split_objects

_SEATS = (2, 3, 4)
_SCORES = re.compile(rb'"final_scores"\s*+:\s*+[{\[]')
_BESIDE = re.compile(rb'"(?:winner_ids?|seat_assignment|agent_ids|final_ranks)"\s*+:')
_KNOWN = frozenset(
    (
        *("game_id", "final_scores", "final_ranks", "seat_assignment", "agent_ids", "moves_made"),
        *("num_turns", "passes", "truncated", "agent_scores", "agent_ranks"),
    )
)


def looks_like(head: bytes, name: str) -> bool:
    """One of the first objects has final scores and names winners, ranks or players."""
    return any(_SCORES.search(piece) and _BESIDE.search(piece) for piece in head_pieces(head, 5))


def read(chunk: Chunk, options: ReadOptions) -> Iterator[Item]:
    """Yield a result or an error for every object."""
    return read_objects(chunk, options, result_of)


def result_of(value: dict[str, Any], where: Where, options: ReadOptions) -> ResultRecord:
    """Return the result that an object states.

    Raises:
        BadRecord: it states none, or its seats are none of a game.
    """
    names = _by_seat(value.get("seat_assignment", value.get("agent_ids")), where)
    scores = _numbers(value.get("final_scores"), "final_scores", where)
    ranks = _numbers(value.get("final_ranks"), "final_ranks", where)
    seats = {len(part) for part in (names, scores, ranks) if part}
    if not scores and not ranks:
        raise BadRecord("the object has neither final scores nor ranks", where)
    if len(seats) != 1 or not seats <= set(_SEATS):
        raise BadRecord("players, scores and ranks are not of the same two to four seats", where)
    (count,) = seats
    record = ResultRecord(
        _variant(count, where, options),
        "result_log",
        key=shown(value.get("game_id") or "", HEADER_LIMIT),
        players=[name if isinstance(name, str) and name else None for name in names] or [None] * count,
        scores=tuple(scores),
        places=_places(ranks, 1) or _places(scores, -1),
        plies=_count(value.get("moves_made", value.get("num_turns"))),
        passes=_count(value.get("passes")),
        unfinished=value.get("truncated") is True or bool(value.get("error")),
        line=where.line,
    )
    _headers(record, value)
    _check(record, value, ranks)
    return record


def _variant(seats: int, where: Where, options: ReadOptions) -> str:
    """Classic for four; what two or three seats play the object does not say, but the caller may."""
    if options.variant is None:
        return "classic" if seats == 4 else ""
    known = len(variant(options.variant).seats)
    if known != seats:
        raise BadRecord(f"the result is of {seats} seats, {options.variant} has {known}", where)
    return options.variant


def _by_seat(value: object, where: Where) -> list[Any]:
    """Values by seat: of a list, or of an object whose keys are the numbers of the seats, from 1."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and len(value) <= max(_SEATS):
        listed = [value.get(str(seat)) for seat in range(1, len(value) + 1)]
        if all(str(seat) in value for seat in range(1, len(value) + 1)):
            return listed
    raise BadRecord("the seats are not numbered from 1", where)


def _numbers(value: object, what: str, where: Where) -> list[int]:
    numbers = [integer(number) for number in _by_seat(value, where)]
    if None in numbers:
        raise BadRecord(f"{what}: not a whole number for every seat", where)
    return [number for number in numbers if number is not None]


def _places(values: list[int], sign: int) -> tuple[int, ...]:
    """Places from 1, shared where values are equal: after two first places comes the third."""
    return tuple(1 + sum(sign * other < sign * value for other in values) for value in values)


def _count(value: object) -> int | None:
    number = integer(value)
    return number if number is not None and 0 <= number < 30_000 else None


def _headers(record: ResultRecord, value: dict[str, Any]) -> None:
    date = date_of(value.get("timestamp")) or date_of(value.get("run_id"))
    if date is not None:
        record.headers["date"] = date
    add_headers(record.headers, record.problems, value, _KNOWN, record.line)
    if value.get("error"):
        message = f"the program stopped the game with an error: {shown(value['error'], 80)}"
        record.problems.append(Problem("program_error", message, record.line))


def _check(record: ResultRecord, value: dict[str, Any], ranks: list[int]) -> None:
    """A warning for everything in which the object contradicts itself."""
    first = [seat + 1 for seat, place in enumerate(record.places) if place == 1]
    said = []
    if ranks and record.scores and record.places != _places(list(record.scores), -1):
        said.append(f"the ranks {ranks} are not those of the scores {list(record.scores)}")
    winners = value.get("winner_ids")
    if isinstance(winners, list) and {shown(seat, 9) for seat in winners} != {str(seat) for seat in first}:
        said.append(f"winners {shown(winners, 40)}, but seats {first} are first")
    winner = value.get("winner_id")
    if winner is not None and shown(winner, 9) not in [str(seat) for seat in first]:
        said.append(f"winner {shown(winner, 9)}, but seats {first} are first")
    if isinstance(value.get("is_tie"), bool) and value["is_tie"] != (len(first) > 1):
        said.append(f"is_tie is {value['is_tie']}, but seats {first} are first")
    for key, own in (("agent_scores", list(record.scores)), ("agent_ranks", ranks)):
        by_name = value.get(key)
        distinct = len(set(record.players)) == len(record.players)
        listed = [by_name.get(str(name)) for name in record.players] if isinstance(by_name, dict) else own
        if own and distinct and listed != own:
            said.append(f"{key} are not those of the seats")
    record.problems += [Problem("result_inconsistent", message, record.line) for message in said]
