"""Libraries with games of all kinds, for tests of their features; and what their features should be."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from engine.features import Features, colour_columns, features, position_columns
from engine.variants import VARIANTS
from notation import jsonl
from notation.record import GameRecord
from pipeline.export import rebuild
from pipeline.generate import generate_records
from pipeline.ingest import import_paths
from pipeline.judged import Group, RuleChoice, group_records
from pipeline.store import Reader

Lines = list[dict[str, Any]]


def generated(variant: str, games: int, seed: int = 1, rules: dict[str, str] | None = None) -> Lines:
    """Random games in our own JSON form."""
    records = generate_records(variant, games, seed, rules or {}, 0)
    return [json.loads(jsonl.write(record)) for record in records]


def with_setup(game: dict[str, Any], pieces: int) -> dict[str, Any]:
    """The game with its first moves set up instead of played."""
    events = game["events"]
    to_move = events[pieces]["colour"]
    return {
        **game,
        "setup": {"pieces": events[:pieces], "to_move": to_move},
        "events": events[pieces:],
    }


def with_leaving(game: dict[str, Any], *seats: int, after: int = 9) -> dict[str, Any]:
    """The game in which seats leave after some moves; their colours' later moves are taken out, the others go on."""
    colours = list(VARIANTS[game["variant"]].colours)
    owned = {colours[c] for seat in seats for c in VARIANTS[game["variant"]].seats[seat - 1]}
    before, later = game["events"][:after], game["events"][after:]
    out = [{"out": seat, "cause": "time"} for seat in seats]
    return {**game, "events": [*before, *out, *(e for e in later if e["colour"] not in owned)]}


def with_repeat(game: dict[str, Any], at: int) -> dict[str, Any]:
    """The game with a move played twice: illegal from there on."""
    events = game["events"]
    return {**game, "events": [*events[:at], events[0], *events[at:]]}


def odd_games() -> Lines:
    """Games with setups, leavings and illegal moves, of several variants and rulesets; an empty one, a wrong setup."""
    classic, duo, trigon = generated("classic", 4), generated("duo", 4), generated("trigon", 2)
    two, three = generated("classic_2", 2), generated("classic_3", 2)
    clash = [duo[0]["events"][0], {**duo[0]["events"][0], "colour": "second"}]
    return [
        with_setup(classic[0], 7),
        with_leaving(classic[1], 2),
        with_leaving(classic[2], 3, 1, after=5),
        with_repeat(classic[3], 20),
        with_setup(duo[0], 3),
        with_leaving(duo[1], 1),
        with_repeat(duo[2], 6),
        {**duo[3], "events": []},
        {**duo[3], "setup": {"pieces": clash}},
        *generated("duo", 3, 5, {"start": "any_corner", "end": "first_blocked"}),
        with_leaving(two[0], 2),
        with_setup(three[0], 4),
        *(two[1:] + three[1:] + trigon),
        *(game for name in ("junior", "trigon_2", "trigon_3") for game in generated(name, 1)),
    ]


def imported(folder: Path, library: Path, games: Lines) -> Path:
    """Import games as one batch."""
    path = folder / f"{len(list(folder.glob('*.jsonl')))}.jsonl"
    path.write_text("".join(json.dumps(game) + "\n" for game in games))
    import_paths(library, [str(path)], jobs=1)
    return library


def records(reader: Reader) -> dict[int, GameRecord]:
    """All games of a library, rebuilt, by their numbers."""
    numbers = reader.table("SELECT game_no, id FROM games ORDER BY game_no").to_pylist()
    found = rebuild(reader, [row["game_no"] for row in numbers])
    return {row["game_no"]: record for row, (_, record) in zip(numbers, found, strict=True)}


def measured(record: GameRecord) -> tuple[Group, Features]:
    """A record replayed and measured on its own."""
    ((group,), _) = group_records([record], RuleChoice())
    return group, features(record.variant, group.rules, group.replay)


def expected(reader: Reader, row_of: Callable[[Features], dict[str, Any]]) -> Lines:
    """Rows that the library should have, out of its rebuilt records."""
    rows: Lines = []
    for number, record in records(reader).items():
        columns = {name: array.tolist() for name, array in row_of(measured(record)[1]).items()}
        for values in zip(*columns.values(), strict=True):
            rows.append({**dict(zip(columns, values, strict=True)), "game": number})
    return rows


def expected_colours(reader: Reader) -> Lines:
    """Rows of `features_raw`."""
    empty = dict.fromkeys(f"corner_access_{sector}" for sector in range(1, 7))
    return [
        {**empty, "game_no": row.pop("game"), **row, "colour": row["colour"] + 1}
        for row in expected(reader, colour_columns)
    ]


def expected_positions(reader: Reader) -> Lines:
    """Rows of `feature_plies_raw`."""
    return [
        {
            "game_no": row.pop("game"),
            **row,
            "mover": None if row["mover"] < 0 else row["mover"] + 1,
            "four_inside_five": None if row["four_inside_five"] < 0 else row["four_inside_five"] > 0,
        }
        for row in expected(reader, position_columns)
    ]


def everything(reader: Reader, names: Sequence[str] = ()) -> dict[str, pa.Table]:
    """All rows of the features and of the heat maps, in an order of their own."""
    keys = {
        "features": "game_no, ply, colour",
        "feature_plies": "game_no, ply",
        "feature_games": "game_no",
        "heat": "variant, player, colour",
    }
    return {
        kind: reader.table(f"FROM {kind}_raw ORDER BY {key}")
        for kind, key in keys.items()
        if not names or kind in names
    }
