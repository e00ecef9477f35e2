"""Made-up libraries of decided games: only who sat where and came in which place, no moves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.contests import ContestFilter
from pipeline.store import open_writer, write_unit
from pipeline.tables import CATALOGUE, PARTITIONED, RESULTS, UNIT_FRAGMENTS, UNIT_GAMES
from tests.pipeline.factory import digest, game_id

ALL = ContestFilter()


@dataclass(frozen=True)
class Played:
    """A decided game: players and places by seat; cells placed by seat, where the points matter."""

    players: tuple[str | None, ...]
    places: tuple[int | None, ...]
    variant: str = "duo"
    date: str | None = "2020-01-02"
    cells: tuple[int, ...] = ()
    event: str | None = None
    turn: str | None = None
    teams: tuple[int, ...] = ()
    name: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Stated:
    """A result without moves."""

    players: tuple[str | None, ...]
    places: tuple[int, ...] = ()
    variant: str | None = "classic"
    date: str | None = None
    scores: tuple[int, ...] = ()
    margin: int | None = None
    unfinished: bool = False
    key: str = ""


def library(folder: Path, *found: Played | Stated) -> Path:
    """A library at `folder` with these, in one batch more if it is there already."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in (*CATALOGUE, *PARTITIONED)}
    with open_writer(folder) as writer:
        number = writer.next_unit()
        for index, one in enumerate(found):
            if isinstance(one, Played):
                _add_game(rows, number * UNIT_GAMES + index, one, index)
            else:
                rows["results"].append(_result(number * UNIT_FRAGMENTS + index, one, index))
        schemas = {**CATALOGUE, **PARTITIONED}
        tables = {name: pa.Table.from_pylist(part, schemas[name]) for name, part in rows.items()}
        with writer.batch("test") as batch:
            batch.add_unit(write_unit(writer.folder, number, tables))
    return folder


def share(places: Sequence[int | None], seat: int, teams: Sequence[int]) -> float | None:
    units = {teams[at] if teams else at: place for at, place in enumerate(places) if place is not None}
    mine = places[seat]
    if mine is None:
        return None
    better = sum(place < mine for place in units.values())
    tied = sum(place == mine for place in units.values())
    return 1 - (better + (tied - 1) / 2) / (len(units) - 1)


def _add_game(rows: dict[str, list[dict[str, Any]]], number: int, game: Played, index: int) -> None:
    name = game.name or repr(game) + str(number)
    one = {"game_no": number, "id": game_id(name)}
    parts = [int(part) for part in game.date.split("-")] if game.date else []
    date = dict(zip(("year", "month", "day"), parts, strict=False))
    flags = dict.fromkeys(
        ("illegal", "irregular", "unfinished", "empty", "mismatch", "foreign_pieces"), False
    )
    first = [seat for seat, place in enumerate(game.places, 1) if place == 1]
    known = {
        "variant": game.variant, "scoring": "board", "format": "blksgf", "date_text": game.date, **date,
        "event": game.event, "event_round": game.turn, "plies": 1, "recorded_plies": 1, "termination": "normal",
        "outcome": ("win" if len(first) == 1 or game.teams else "draw") if first else None, "winners": first,
    }  # fmt: skip
    rows["games"].append({**one, **known, **flags, **game.extra})
    place = {"source": f"{name[:20]}.blksgf", "digest": digest(name), "record": 1, "line": 1}
    rows["sightings"].append({**one, **place, "players": list(game.players), "headers": "{}"})
    for seat, player in enumerate(game.players):
        of_seat = {"game_no": number, "seat": seat + 1}
        rows["seats"].append(
            {
                **of_seat,
                "player": player,
                "colours": [seat + 1],
                "team": game.teams[seat] if game.teams else None,
                "neutral": False,
                "place": game.places[seat],
                "share": share(game.places, seat, game.teams),
            }
        )
        cells = game.cells[seat] if game.cells else 50
        rows["colours"].append(
            {**of_seat, "colour": seat + 1, "cells_placed": cells, "all_placed": False, "single_last": False}
        )


def _result(number: int, one: Stated, index: int) -> dict[str, Any]:
    empty = dict.fromkeys(RESULTS.names)
    identity = digest(repr(one))
    return {
        **empty,
        "source": "results.jsonl",
        "digest": digest("results" + str(number)),
        "record": index + 1,
        "format": "result_log",
        "variant": one.variant,
        "id": identity,
        "players": list(one.players),
        "headers": json.dumps({"date": one.date} if one.date else {}),
        "warnings": [],
        "warning_codes": [],
        "seen_no": number,
        "key": one.key or None,
        "scores": list(one.scores),
        "places": list(one.places),
        "margin": one.margin,
        "unfinished": one.unfinished,
    }
