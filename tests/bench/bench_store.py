"""How long the library takes for 100,000 games of 70 plies and for 100 more: `python -m tests.bench.bench_store`."""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.store import check_library, open_reader, open_writer, write_unit
from pipeline.tables import CATALOGUE, MOVES, PASSES, UNIT_GAMES

PLIES = 70
COLOURS = 4


@contextmanager
def timed(what: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    print(f"{what:<44} {time.perf_counter() - start:8.3f} s")


def unit_tables(unit: int, games: int, rng: np.random.Generator) -> dict[str, pa.Table]:
    """Tables with the sizes and the spread of values of real ones, but no sense."""
    numbers = unit * UNIT_GAMES + np.arange(games)
    ids = [rng.bytes(16).hex() for _ in range(games)]
    digest = rng.bytes(16).hex()
    rows = [
        {
            "game_no": int(number),
            "id": name,
            "variant": "classic",
            "scoring": "board",
            "format": "blksgf",
            "date_text": "2020-01-02",
            "year": 2020,
            "plies": PLIES,
            "recorded_plies": PLIES,
            "termination": "normal",
            "outcome": "win",
            "winners": [1],
            "illegal": False,
            "irregular": False,
            "unfinished": False,
            "empty": False,
        }
        for number, name in zip(numbers, ids, strict=True)
    ]
    people = [f"player {n}" for n in rng.integers(0, 500, COLOURS)]
    seen = [
        {
            "game_no": row["game_no"],
            "id": row["id"],
            "source": f"archive/unit{unit}.blksgf",
            "digest": digest,
            "record": record,
            "players": people,
            "headers": f'{{"event": "Cup of the year", "round": "{record}", "date": "2020-01-02"}}',
        }
        for record, row in enumerate(rows, 1)
    ]
    seats = [
        {"game_no": int(n), "seat": s, "player": people[s - 1], "colours": [s], "place": s, "share": 0.0}
        for n in numbers
        for s in range(1, COLOURS + 1)
    ]
    colours = [
        {"game_no": int(n), "colour": c, "seat": c, "cells_placed": 60 + c, "pieces_placed": 15}
        | {"all_placed": False, "single_last": False, "blocked": True, "passes": 5}
        for n in numbers
        for c in range(1, COLOURS + 1)
    ]
    small = {"games": rows, "seats": seats, "colours": colours, "sightings": seen, "quarantine": []}
    tables = {name: pa.Table.from_pylist(part, CATALOGUE[name]) for name, part in small.items()}
    return tables | {"moves": _moves(numbers, rng), "passes": _passes(numbers)}


def _names(values: np.ndarray, names: list[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(values.astype(np.int32)), pa.array(names))


def _moves(numbers: np.ndarray, rng: np.random.Generator) -> pa.Table:
    rows = len(numbers) * PLIES
    ply = np.tile(np.arange(1, PLIES + 1), len(numbers))
    keys = rng.integers(0, 2**63, (2, rows), dtype=np.uint64)
    placement = rng.integers(0, 30_433, rows).astype(np.uint16)
    names = [f"a{n % 20},b{n % 19},c{n % 17},d{n}" for n in range(30_433)]
    columns = {
        "game_no": np.repeat(numbers, PLIES),
        "ply": ply.astype(np.int16),
        "turn": ply.astype(np.int32),
        "round": ((ply + 3) // 4).astype(np.int16),
        "colour": ((ply - 1) % 4 + 1).astype(np.int8),
        "seat": ((ply - 1) % 4 + 1).astype(np.int8),
        "piece": _names(placement % 21, [f"P{n}" for n in range(21)]),
        "placement": placement,
        "move": _names(placement, names),
        "key_hi": keys[0],
        "key_lo": keys[1],
    }
    return pa.table(columns).cast(MOVES)


def _passes(numbers: np.ndarray) -> pa.Table:
    rows = len(numbers) * 20
    small = np.tile(np.arange(20), len(numbers))
    columns = {
        "game_no": np.repeat(numbers, 20),
        "turn": (small + 60).astype(np.int32),
        "round": (small // 4 + 15).astype(np.int16),
        "after_ply": (small + 50).astype(np.int16),
        "colour": (small % 4 + 1).astype(np.int8),
        "kind": _names(np.zeros(rows), ["forced"]),
        "recorded": np.zeros(rows, bool),
    }
    return pa.table(columns).cast(PASSES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--unit", type=int, default=1000)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        with open_writer(path) as writer:
            spent = dict.fromkeys(("make", "write", "add"), 0.0)
            with timed("commit and publish"), writer.batch("bench") as batch:
                for _ in range(options.games // options.unit):
                    number = writer.next_unit()
                    marks = [time.perf_counter()]
                    tables = unit_tables(number, options.unit, rng)
                    marks.append(time.perf_counter())
                    unit = write_unit(writer.folder, number, tables)
                    marks.append(time.perf_counter())
                    batch.add_unit(unit)
                    marks.append(time.perf_counter())
                    for name, one, two in zip(spent, marks, marks[1:], strict=False):
                        spent[name] += two - one
                print("   of which", {name: round(value, 2) for name, value in spent.items()})
            for _ in range(3):
                with writer.batch("100 more") as batch:
                    number = writer.next_unit()
                    batch.add_unit(write_unit(path, number, unit_tables(number, 100, rng)))
                    start = time.perf_counter()
                print(f"{'100 more: commit and publish':<44} {time.perf_counter() - start:8.3f} s")
            with timed("publish alone"):
                writer.publish()
            with timed("undo of 100 games, with publish"):
                writer.undo(batch.number)
        with timed("open a writer"):
            open_writer(path).close()
        sizes = {p.name: sum(f.stat().st_size for f in p.rglob("*") if f.is_file()) for p in path.iterdir()}
        print("bytes", sizes or "", (path / "library.duckdb").stat().st_size)
        with timed("open a reader"):
            reader = open_reader(path)
        with reader:
            for question in (
                "SELECT count(*) FROM moves",
                "SELECT piece, colour, count(*), avg(ply) FROM moves GROUP BY ALL",
                "FROM moves WHERE game_no = 50 * 1048576 + 17",
                "FROM games_view LIMIT 20",
                "SELECT scoring, avg(points) FROM seat_scores GROUP BY ALL",
            ):
                for _ in range(2):
                    with timed(question[:44]):
                        reader.table(question)
            with timed("check"):
                print(check_library(reader))
    print("peak memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "MiB")


if __name__ == "__main__":
    main()
