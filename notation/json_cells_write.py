"""Writer of games as JSON lists of cells, a game a line; see pages/json_cells.md."""

from __future__ import annotations

from typing import Any

from engine.boards import BOARDS, cells
from engine.variants import Variant, variant
from notation.blksgf_result import outs_of
from notation.errors import CannotWrite
from notation.json_cells import SQUARE, scores_text
from notation.json_events import PIECE_IDS, piece_names
from notation.json_objects import compact, shallow
from notation.record import Event, GameRecord, Out, Pass


def write(record: GameRecord) -> str:
    """Return the line of a game, with its line end. Comments, variations and clocks have no place in it.

    Raises:
        CannotWrite: another board, a setup, a player who left, a move off the board, an evaluation that is no JSON.
    """
    row = variant(record.variant)
    if row.id not in SQUARE:
        raise CannotWrite(f"rows and columns are for {', '.join(SQUARE)}, not for {row.id}")
    if record.setup:
        raise CannotWrite("a JSON list of cells has no setup")
    outs = [event for event in record.events if isinstance(event, Out)]
    if outs and (outs != outs_of(record.declared, len(row.seats)) or record.events[-len(outs) :] != outs):
        raise CannotWrite("a JSON list of cells cannot say that a player left the game")
    moves = [event for event in record.events if not isinstance(event, Out)]
    out: dict[str, Any] = {"version": 1, "variant": row.id}
    parts: dict[str, Any] = {
        "players": record.players,
        "headers": record.headers,
        "rules": record.rules,
        "termination": record.termination,
    }
    out |= {key: value for key, value in parts.items() if value}
    if record.penalty_applied is not None:
        out["penalty_applied"] = record.penalty_applied
    out["moves"] = [_entry(event, ply, row) for ply, event in enumerate(moves)]
    if record.evaluations:
        out["engine_eval_log"] = _log(record)
    out |= _result(record, row)
    try:
        return compact(out) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise CannotWrite(f"the game cannot be written as JSON: {error}") from None


def _entry(event: Event, ply: int, row: Variant) -> dict[str, Any]:
    assert not isinstance(event, Out)
    out: dict[str, Any] = {"ply": ply, "side": event.colour if event.colour >= 0 else None}
    if isinstance(event, Pass):
        return out | {"pass": True}
    if not event.cells:
        raise CannotWrite(f"the game has a move without cells: {event.text[:40]!r}")
    if event.placement >= 0:
        out["piece_id"] = PIECE_IDS.index(piece_names(row.id)[event.placement])
    top, xy = BOARDS[row.board].height - 1, cells(row.board)
    out["cells"] = sorted([top - xy[cell][1], xy[cell][0]] for cell in event.cells)
    return out


def _log(record: GameRecord) -> list[dict[str, Any]]:
    """Evaluations by event; what is no object stands in `value`."""
    out = []
    for event, value in record.evaluations.items():
        if not shallow(value):
            raise CannotWrite("an evaluation of the game is nested too deeply")
        out.append({**(value if isinstance(value, dict) else {"value": value}), "ply": event})
    return out


def _result(record: GameRecord, row: Variant) -> dict[str, Any]:
    said = record.declared
    if said is None:
        return {}
    fits = len(said.scores) in (len(row.seats), len(row.colours))
    out: dict[str, Any] = (
        {f"final_score_p{seat}": score for seat, score in enumerate(said.scores)} if fits else {}
    )
    if not out or said.text != scores_text(said.scores):
        out["result"] = said.text
    return out
