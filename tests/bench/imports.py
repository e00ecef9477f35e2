"""Speed and memory of imports, measured as whole processes: `python -m tests.bench.imports`, part of `make bench`.

Prints games a second end to end, how time and memory grow from 10,000 to 200,000 games, the share of the time that goes
into tables, and how long 100 more games take to publish in a library of 100,000.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pipeline.ingest import import_paths
from pipeline.portions import Inventory, portions_of
from pipeline.store import open_writer, write_unit
from pipeline.unit import Portion, Reading, unit_tables
from tests.bench.library import archive, library

SIZES = (10_000, 50_000, 100_000, 200_000)

_CHILD = """
import json, sys
from pathlib import Path
from pipeline.ingest import import_paths
summary = import_paths(Path(sys.argv[1]), sys.argv[2:]).as_dict()
print(json.dumps({"games": summary["stored"], "plies": summary["plies"]}))
"""

_PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20


def resident(session: int) -> tuple[float, float]:
    """MiB in memory of all processes of a session now: their sum, and the largest. Pages they share count in each."""
    sizes = [0.0]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(process.name)) == session:
                sizes.append(int((process / "statm").read_text().split()[1]) * _PAGE)
        except (OSError, IndexError):
            continue
    return sum(sizes), max(sizes)


def watched(command: list[str]) -> tuple[float, str, float, float]:
    """Run a command; seconds, what it printed, and the largest sum and single size of its processes in MiB."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as child:
        whole = largest = 0.0
        while child.poll() is None:
            now = resident(child.pid)
            whole, largest = max(whole, now[0]), max(largest, now[1])
            time.sleep(0.1)
        assert child.stdout is not None
        return time.perf_counter() - started, child.stdout.read(), whole, largest


def files(games: int) -> list[str]:
    """Files of 1,000 games each, so many games in all."""
    found = (
        sorted(str(path) for seed in (1, 2) for path in archive(100_000, seed).iterdir())
        if games > 100_000
        else []
    )
    found = found or sorted(str(path) for path in archive(100_000, 1).iterdir())
    return found[: games // 1000]


def growth() -> None:
    """Time and memory of imports of growing size, each in a process of its own."""
    first = 0.0
    for games in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", _CHILD, str(Path(folder) / "library"), *files(games)]
            seconds, printed, whole, largest = watched(command)
        told = json.loads(printed)
        each = seconds / told["games"] * 1e6
        first = first or each
        print(
            f"import {told['games']:>7,} games: {seconds:6.1f} s with the start of the program, "
            f"{told['games'] / seconds:6,.0f} games/s, {told['plies'] / seconds:8,.0f} moves/s, "
            f"time a game {each / first:.2f} of the first row's, "
            f"peak {whole:.0f} MiB in all processes, {largest:.0f} in the largest"
        )


def shares(games: int = 10_000) -> None:
    """Where the time of one process goes: reading and judging, tables, the catalogue."""
    portions = [p for p in portions_of(files(games), Reading(), Inventory()) if isinstance(p, Portion)]
    unit_tables(1, portions[:2], Reading())  # compiled and warm
    spent = dict.fromkeys(("reading and judging", "partitions", "catalogue"), 0.0)
    with tempfile.TemporaryDirectory() as folder, open_writer(Path(folder) / "library") as writer:
        clock = time.perf_counter()
        with writer.batch("bench") as batch:
            for start in range(0, len(portions), 4):
                unit = writer.next_unit()
                rows = unit_tables(unit, portions[start : start + 4], Reading())
                spent["reading and judging"] -= clock - (clock := time.perf_counter())
                written = write_unit(writer.folder, unit, rows.tables())
                spent["partitions"] -= clock - (clock := time.perf_counter())
                batch.add_unit(written)
                spent["catalogue"] -= clock - (clock := time.perf_counter())
        spent["catalogue"] -= clock - time.perf_counter()
    whole = sum(spent.values())
    print(f"one process, {games:,} games: " + ", ".join(f"{k} {v / whole:.0%}" for k, v in spent.items()))
    print(f"  writing the tables takes {(spent['partitions'] + spent['catalogue']) / whole:.0%} of the time")


def publishing() -> None:
    """100 more games into a copy of the library of 100,000."""
    with tempfile.TemporaryDirectory(dir=library().parent) as folder:
        copy = Path(folder) / "library"
        shutil.copytree(library(), copy)
        extra = Path(folder) / "extra.blksgf"
        lines = Path(files(200_000)[-1]).read_text().splitlines(keepends=True)
        extra.write_text("".join(lines[:100]))
        started = time.perf_counter()
        summary = import_paths(copy, [str(extra)])
        seconds = time.perf_counter() - started
        started = time.perf_counter()
        with open_writer(copy) as writer:
            writer.publish()
        again = time.perf_counter() - started
    print(f"100 more games in 100,000: import and publish {seconds:.2f} s ({summary.counts.stored} stored)")
    print(f"publishing alone, the library opened for it: {again:.2f} s")


if __name__ == "__main__":
    library()
    growth()
    shares()
    publishing()
