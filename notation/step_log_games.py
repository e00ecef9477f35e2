"""From the steps of one game of a step log to its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.variants import VARIANTS
from notation.errors import BadRecord, NotationError, Where
from notation.json_objects import add_headers, integer, load
from notation.record import NOT_A_PIECE, Declared, GameRecord, Move, Pass, Problem
from notation.step_log_codes import EDGE, PIECE_SET, move_of
from notation.stream import ReadOptions
from notation.timestamps import date_of

Row = tuple[int, bytes]
"""Line and bytes of a step."""

FITTING = tuple(row.id for row in VARIANTS.values() if row.board == f"square{EDGE}")
"""Variants whose colours and board the steps have."""

_COLOURS = "RED,BLUE,YELLOW,GREEN"
_CODE = ("piece_id", "orientation", "anchor_row", "anchor_col")
_OF_GAME = ("game_id", "seed")
_LEGAL = ("legal_moves_before", "legal_moves_after")


class _Step(NamedTuple):
    """A step: its turn, its colour, the code of its placement (None: a pass), where it stands, all that it says."""

    turn: int
    colour: int
    code: tuple[int, ...] | None
    line: int
    piece: bytes
    value: dict[str, Any]


def game_of(rows: Sequence[Row], where: Where, options: ReadOptions) -> GameRecord:
    """Return the game of some steps, as far as they can be read.

    Raises:
        BadRecord: not one of them can; or another variant is asked for.
    """
    variant_id = options.variant or "classic"
    if variant_id not in FITTING:
        raise BadRecord(f"a step log is of {', '.join(FITTING)}, not of {variant_id}", where)
    record = GameRecord(variant_id, "step_log", line=where.line)
    steps = _in_order(record, _steps(record, rows, where))
    if not steps:
        raise BadRecord(record.problems[-1].message if record.problems else "no step of a game", where)
    _headers(record, steps[0])
    for index, step in enumerate(steps):
        if not _play(record, step):
            _stop(record, b"".join(rest.piece for rest in steps[index:]))
            break
    message = f"played with another set of pieces for every colour: {PIECE_SET}"
    record.problems.append(Problem("piece_set", message, record.line))
    return record


def _steps(record: GameRecord, rows: Sequence[Row], where: Where) -> list[_Step]:
    """Steps in the order of the source, up to one that cannot be read."""
    out: list[_Step] = []
    for index, (line, piece) in enumerate(rows):
        try:
            value, odd = load(piece, Where(where.source, where.record, line))
            record.problems += odd
            if _is_result(record, value):
                continue
            out.append(_step(value, line, piece, where))
        except NotationError as error:
            more = ": the rest is kept as text" if out else ""
            record.problems.append(Problem("broken_step", f"{error.message}{more}", line, len(out) + 1))
            _stop(record, b"".join(piece for _, piece in rows[index:]))
            break
    return out


def _step(value: dict[str, Any], line: int, piece: bytes, where: Where) -> _Step:
    turn, player, action = (
        integer(value.get("turn_index")),
        integer(value.get("player_id")),
        value.get("action"),
    )
    if turn is None or player is None or turn < 0:
        raise BadRecord("a step has no turn_index or no player_id", where)
    if not 1 <= player <= 4:
        raise BadRecord(f"player_id {player} is none of 1 to 4", where)
    if action is None and "action" in value:
        return _Step(turn, player - 1, None, line, piece, value)
    if not isinstance(action, dict):
        raise BadRecord("a step has no action", where)
    code = [integer(action.get(key)) for key in _CODE]
    if None in code:
        raise BadRecord(f"an action has no whole numbers for {', '.join(_CODE)}", where)
    return _Step(turn, player - 1, tuple(number for number in code if number is not None), line, piece, value)


def _is_result(record: GameRecord, value: dict[str, Any]) -> bool:
    """Take the result of the game, where it stands among its steps: scores by colour."""
    scores = value.get("final_scores")
    if "turn_index" in value or not isinstance(scores, dict):
        return False
    numbers = [integer(scores.get(str(player))) for player in range(1, 5)]
    if None in numbers:
        record.problems.append(Problem("final_scores", "the final scores are not four numbers", record.line))
    else:
        said = tuple(number for number in numbers if number is not None)
        record.declared = Declared(" / ".join(map(str, said)), scores=said)
    return True


def _in_order(record: GameRecord, steps: list[_Step]) -> list[_Step]:
    """Steps by turn, without those that stand there twice; up to a turn that has two different ones."""
    ordered = sorted(steps, key=lambda step: step.turn)
    if ordered != steps:
        message = "the steps are not in the order of their turns: they are sorted"
        record.problems.append(Problem("turn_order", message, record.line))
    out: list[_Step] = []
    repeated = missing = 0
    for index, step in enumerate(ordered):
        last = out[-1] if out else None
        if last is not None and last.turn == step.turn:
            if (last.colour, last.code) == (step.colour, step.code):
                repeated += 1
                continue
            message = f"turn {step.turn} is there twice with different moves: the rest is kept as text"
            record.problems.append(Problem("turn_conflict", message, step.line, len(out)))
            _stop(record, b"".join(rest.piece for rest in ordered[index - 1 :]))
            out.pop()
            break
        missing += step.turn - (last.turn + 1 if last is not None else int(step.turn == 1))
        out.append(step)
    if repeated:
        record.problems.append(Problem("turn_repeated", f"{repeated} steps are there twice", record.line))
    if missing:
        first = f"; the first one there is turn {out[0].turn}" if out and out[0].turn > 1 else ""
        record.problems.append(Problem("turn_gap", f"{missing} turns are missing{first}", record.line))
    return out


def _headers(record: GameRecord, first: _Step) -> None:
    date = date_of(first.value.get("timestamp"))
    if date is not None:
        record.headers["date"] = date
    said = {key: first.value.get(key) for key in _OF_GAME}
    add_headers(record.headers, record.problems, said, frozenset(), record.line)
    record.headers["piece_set"] = PIECE_SET
    record.headers["colour_names"] = _COLOURS


def _play(record: GameRecord, step: _Step) -> bool:
    """Add the event of a step; False when its code is none."""
    if step.code is None:
        record.events.append(Pass(step.colour))
        return True
    move = move_of(record.variant, step.colour, *step.code)
    if not move.cells and move.placement == NOT_A_PIECE:
        record.events.append(move)
        ply = sum(isinstance(event, Move) for event in record.events)
        message = f"piece {step.code[0]} has no orientation {step.code[1]}: the rest is kept as text"
        record.problems.append(Problem("broken_code", message, step.line, ply))
        return False
    counts = {key: count for key in _LEGAL if (count := integer(step.value.get(key))) is not None}
    if counts:
        record.evaluations[len(record.events)] = counts
    record.events.append(move)
    return True


def _stop(record: GameRecord, rest: bytes) -> None:
    """Keep what is not read as text, before what is kept already."""
    record.broken = rest.decode("utf-8", "replace") + record.broken
