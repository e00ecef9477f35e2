"""Which records of a unit are new: pure decisions, no disk and no database."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

RecordKey = tuple[str, int]
"""Digest of a file's bytes and index of the record in it."""


@dataclass(slots=True)
class Decision:
    """What stays of a unit.

    `new_games` are the game numbers to store; `sightings` the rows to add, `targets` the game each of them
    belongs to; `quarantine` the rows to add; `duplicates` and `refused` count records.
    """

    new_games: list[int] = field(default_factory=list)
    sightings: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    quarantine: list[int] = field(default_factory=list)
    duplicates: int = 0
    refused: int = 0


def record_keys(table: pa.Table) -> list[RecordKey]:
    """Return the key of every row of sightings or quarantine."""
    return list(zip(table["digest"].to_pylist(), table["record"].to_pylist(), strict=True))


def decide(
    sightings: pa.Table,
    quarantine: pa.Table,
    known: dict[str, int],
    seen: set[RecordKey],
    held: set[RecordKey],
) -> Decision:
    """Decide about the records of a unit.

    Args:
        sightings: in the unit's numbering, ascending.
        quarantine: likewise; a row without a game number is a refused record.
        known: game id -> number in the library, at least for the ids in `sightings`.
        seen: keys of the sightings in the library, at least those of this unit.
        held: the same of quarantine; a refusal is listed once, whatever options it was tried with.

    A record seen before adds nothing, whatever it was read as this time. A problem is listed with the record
    that brought its game, so a duplicate of an illegal game is no second problem.
    """
    known, seen, held = dict(known), set(seen), set(held)
    decision = Decision()
    rows = zip(
        record_keys(sightings), sightings["id"].to_pylist(), sightings["game_no"].to_pylist(), strict=True
    )
    for row, (key, game_id, number) in enumerate(rows):
        if key in seen or game_id in known:
            decision.duplicates += 1
        else:
            decision.new_games.append(number)
        if key not in seen:
            seen.add(key)
            decision.sightings.append(row)
            decision.targets.append(known.setdefault(game_id, number))
    new = set(decision.new_games)
    for row, (key, number) in enumerate(
        zip(record_keys(quarantine), quarantine["game_no"].to_pylist(), strict=True)
    ):
        decision.refused += number is None
        if number in new or (number is None and key not in held):
            held.add(key)
            decision.quarantine.append(row)
    return decision


def of_games(table: pa.Table, numbers: pa.Array) -> pa.Table:
    """Return the rows of these games."""
    return table.filter(pc.is_in(table["game_no"], value_set=numbers))


def numbers_array(numbers: list[int]) -> pa.Array:
    """Return numbers of games or rows as Arrow wants them, even none."""
    return pa.array(numbers, pa.int64())
