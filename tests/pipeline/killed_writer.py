"""A writer that is killed again and again: `python -m tests.pipeline.killed_writer FOLDER SEED`, for the tests.

A child goes through batches, undos, merges and publications until its last moment, which is a number of calls inside
the store for most, a number of microseconds for the others (those die inside the database too). Then another
child reads the library as it was left, repairs it, and proves that it holds whole batches only.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from pipeline.store import check_library, merge, open_reader, open_writer, publish
from pipeline.store.layout import Layout
from pipeline.tables import INDEXES, PARTITIONED
from tests.pipeline.factory import Found, unit

DEATHS = 20
BATCHES = 3
UNITS = 2
GAMES = 6


class Calls:
    """Counts calls that code of the store makes, and kills the process at the last of them."""

    def __init__(self, last: int) -> None:
        self.count = 0
        self.last = last

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event in ("call", "c_call") and f"pipeline{os.sep}store" in frame.f_code.co_filename:
            self.count += 1
            if self.count == self.last:
                os.kill(os.getpid(), signal.SIGKILL)


def work(folder: Path, log: Path) -> None:
    """Import, undo every third batch, publish; write down what is finished."""
    merge.MANY = 5
    publish.KEPT_SECONDS = 0.0
    with open_writer(folder) as writer:
        for _ in range(BATCHES):
            with writer.batch("killed") as batch:
                for part in range(UNITS):
                    source = f"batch {batch.number}"
                    known = Found("known to all", source=source, record=1)
                    found = [
                        Found(f"{source} {part} {n}", source=source, record=2 + part * GAMES + n)
                        for n in range(GAMES)
                    ]
                    batch.add_unit(unit(writer, [known, *found]))
            finished(log, f"batch {batch.number}")
            if batch.number % 3 == 0:
                writer.undo(batch.number - 1)
                finished(log, f"undo {batch.number - 1}")


def finished(log: Path, what: str) -> None:
    with log.open("a") as out:
        out.write(what + "\n")


def prove(folder: Path, log: Path) -> None:
    """Check the library as readers find it and as the next writer leaves it."""
    layout = Layout.of(folder)
    if layout.read_pointer() is None:
        open_writer(folder).close()
    with open_reader(folder) as reader:
        assert check_library(reader) == [], "before the repair"
        open_writer(folder).close()
        assert not reader.refresh() or check_library(reader) == []
        batches = reader.table(
            "SELECT batch, undone IS NOT NULL AS undone FROM batches ORDER BY 1"
        ).to_pylist()
        games = reader.table("SELECT batch, count(*) AS n FROM sightings GROUP BY 1").to_pylist()
        listed = reader.table("SELECT kind, file FROM partitions").to_pylist()
        retired = reader.table("SELECT kind, file FROM library.retired").to_pylist()
    done = set(log.read_text().splitlines()) if log.exists() else set()
    stored = {f"batch {row['batch']}" for row in batches}
    stored |= {f"undo {row['batch']}" for row in batches if row["undone"]}
    assert done <= stored, f"lost: {done - stored}"
    assert len(stored - done) <= 1, f"more than what was under way: {stored - done}"
    whole = {row["batch"]: UNITS * GAMES + 1 for row in batches if not row["undone"]}
    assert {row["batch"]: row["n"] for row in games} == whole, (games, batches)
    log.write_text("".join(line + "\n" for line in sorted(stored)))
    files = {path for kind in (*PARTITIONED, *INDEXES) for path in layout.partitions(kind).iterdir()}
    needed = {layout.partition(row["kind"], row["file"]) for row in listed}
    assert needed <= files <= needed | {layout.partition(row["kind"], row["file"]) for row in retired}
    left = sorted(p.name for p in folder.iterdir())
    folders = sorted((*PARTITIONED, *INDEXES, "snapshots"))
    assert left == sorted(["library.duckdb", "library.lock", *folders]), left
    assert not list(layout.snapshots.glob("*.tmp"))


def child(job: Callable[[], None]) -> int:
    """Run a job in a forked process; returns its exit code, the negative signal if it was killed."""
    pid = os.fork()
    if pid == 0:
        try:
            job()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main(folder: Path, seed: int) -> None:
    """Kill DEATHS writers of one library, which goes on growing."""
    chance = random.Random(seed)
    folder.mkdir()

    def rehearse() -> None:
        calls = Calls(0)
        start = time.perf_counter()
        sys.setprofile(calls)
        work(folder / "rehearsal", folder / "rehearsal.log")
        sys.setprofile(None)
        (folder / "measure").write_text(f"{calls.count} {time.perf_counter() - start}")

    assert child(rehearse) == 0
    calls, seconds = (float(word) for word in (folder / "measure").read_text().split())
    library, log = folder / "library", folder / "log"
    for death in range(DEATHS):
        last = chance.randrange(1, int(calls)), chance.uniform(0.001, seconds)

        def die(death: int = death, last: tuple[int, float] = last) -> None:
            if death % 3:
                sys.setprofile(Calls(last[0]))
            else:
                signal.setitimer(signal.ITIMER_REAL, last[1])
            work(library, log)

        code = child(die)
        assert code in (0, -signal.SIGKILL, -signal.SIGALRM), code
        assert child(lambda: prove(library, log)) == 0, f"after death {death} at {last}"
        print(death, signal.Signals(-code).name if code else "survived", *last, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
