"""Made-up unit tables for tests of the store: consistent with one another, not with any rule of play."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.store import UnitTables, Writer, write_unit
from pipeline.tables import CATALOGUE, PARTITIONED, UNIT_GAMES


@dataclass(frozen=True)
class Found:
    """A record found in a file: `game` names a made-up game, None is a record that cannot be read."""

    game: str | None
    source: str = "a.blksgf"
    record: int = 1
    plies: int = 3
    passes: int = 1
    illegal: bool = False
    rules: str | None = None
    date: str = "2020-01-02"
    players: tuple[str, ...] = ("Ada", "Ben")
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        return digest(self.source)


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def game_id(name: str) -> str:
    return digest("game " + name)


def tables(unit: int, found: Sequence[Found]) -> dict[str, pa.Table]:
    """Tables of a unit that holds these records."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in (*CATALOGUE, *PARTITIONED)}
    for index, record in enumerate(found):
        _add(rows, None if record.game is None else unit * UNIT_GAMES + index, record)
    schemas = {**CATALOGUE, **PARTITIONED}
    return {name: pa.Table.from_pylist(part, schemas[name]) for name, part in rows.items()}


def unit(writer: Writer, found: Sequence[Found]) -> UnitTables:
    number = writer.next_unit()
    return write_unit(writer.folder, number, tables(number, found))


def add(writer: Writer, *found: Found) -> int:
    """Import the records as one batch; returns its number."""
    with writer.batch("test") as batch:
        batch.add_unit(unit(writer, found))
    return batch.number


def files(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def _add(rows: dict[str, list[dict[str, Any]]], number: int | None, record: Found) -> None:
    place = {"source": record.source, "digest": record.digest, "record": record.record, "line": 1}
    if record.game is None or number is None:
        rows["quarantine"].append({**place, "code": "bad_record", "message": "not a game", "text": "(;"})
        return
    one = {"game_no": number, "id": game_id(record.game)}
    year, month, day = (int(part) for part in record.date.split("-"))
    dated = {"date_text": record.date, "year": year, "month": month, "day": day, "event": f"Cup of {year}"}
    rows["games"].append(
        {
            **one,
            **dated,
            "variant": "duo",
            "rules": record.rules,
            "scoring": "board",
            "format": "blksgf",
            "plies": record.plies,
            "recorded_plies": record.plies,
            "termination": "normal",
            "illegal": record.illegal,
            "irregular": False,
            "unfinished": False,
            "empty": record.plies == 0,
            **record.extra,
        }
    )
    seen = {**one, **place, "format": "blksgf", "players": list(record.players), "headers": "{}"}
    rows["sightings"].append({**seen, "rules": record.rules, "rules_differ": False})
    for seat, player in enumerate(record.players, 1):
        rows["seats"].append({"game_no": number, "seat": seat, "player": player, "colours": [seat]})
        placed = 10 * seat
        rows["colours"].append(
            {"game_no": number, "colour": seat, "seat": seat, "cells_placed": placed, "all_placed": False}
        )
    if record.illegal:
        rows["quarantine"].append(
            {**place, **one, "ply": record.plies + 1, "code": "occupied", "message": "taken"}
        )
    _add_turns(rows, number, record)


def _add_turns(rows: dict[str, list[dict[str, Any]]], number: int, record: Found) -> None:
    """Placements, and the passes after them."""
    for ply in range(1, record.plies + 1):
        rows["moves"].append(
            {
                "game_no": number,
                "ply": ply,
                "turn": ply,
                "round": (ply + 1) // 2,
                "colour": 1 + (ply + 1) % 2,
                "seat": 1 + (ply + 1) % 2,
                "piece": "1",
                "placement": ply,
                "move": f"a{ply}",
                "key_hi": number,
                "key_lo": ply,
            }
        )
    for turn in range(record.passes):
        one_pass = {
            "game_no": number,
            "turn": record.plies + 1 + turn,
            "colour": 1,
            "after_ply": record.plies,
        }
        rows["passes"].append({**one_pass, "kind": "forced", "recorded": False})
