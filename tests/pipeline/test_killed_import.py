"""The command `import`, killed from outside: whole batches, no worker left, the next one succeeds."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import compiling
from pipeline.generate_archive import write_archive
from pipeline.store import check_library, open_reader
from tests.places import REPOSITORY

GAMES = 6000


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough for several units in each of several files."""
    path = tmp_path_factory.mktemp("archive") / "games"
    write_archive(path, "duo", GAMES, 1, {}, "jsonl", jobs=2)
    return path


def start(archive: Path, library: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "dashboards.cli", "import", str(archive), "--library", str(library)]
    return subprocess.Popen(
        [*command, "--jobs", "2"],
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(process: subprocess.Popen[str], happened: Callable[[], bool]) -> bool:
    """Watch a process until something is so; False when it ended before."""
    while not happened():
        try:
            process.wait(0.0005)
            return False
        except subprocess.TimeoutExpired:
            continue
    return True


def left(session: int) -> list[str]:
    """Command lines of the processes of a session that live."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and os.getsid(int(entry.name)) == session:
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if state not in "ZX":
                    found.append((entry / "cmdline").read_text().replace("\0", " "))
        except (OSError, ValueError):  # gone meanwhile
            continue
    return found


def all_gone(session: int) -> bool:
    deadline = time.monotonic() + 10
    while left(session):
        if time.monotonic() > deadline:
            return False
    return True


def parts(library: Path, kind: str = "moves") -> int:
    folder = library / kind
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def whole_batches(library: Path) -> int:
    """Prove that a library is sound and has whole batches only; returns how many."""
    with open_reader(library) as reader:
        assert check_library(reader) == []
        batches = reader.table("SELECT games FROM batches").to_pylist()
        games = reader.table("FROM games").num_rows
    assert all(row["games"] == GAMES for row in batches)
    assert games == (GAMES if batches else 0)
    return len(batches)


# In this order: until the fifth nothing is stored, so that every import has all its work to do.
MOMENTS: list[Callable[[Path, set[Path]], bool]] = [
    lambda library, _: (library / "library.lock").exists(),
    lambda library, _: parts(library) >= 1,
    lambda library, _: parts(library) >= 2,
    lambda library, _: any((library / "moves").glob("0*.parquet")),
    lambda library, before: any(
        p.suffix == ".tmp" for p in (library / "snapshots").iterdir() if p not in before
    ),
    lambda library, before: len(set((library / "snapshots").glob("library-*.duckdb")) - before) >= 1,
]


def test_an_import_killed_at_seeded_moments_leaves_whole_batches_and_no_worker(
    tmp_path: Path, archive: Path
) -> None:
    chance = random.Random(1)
    library = tmp_path / "L"
    for number, moment in enumerate(MOMENTS):
        before = set((library / "snapshots").glob("*"))
        process = start(archive, library)
        if until(process, lambda moment=moment, before=before: moment(library, before)) and number < 4:  # type: ignore[misc]
            end = time.monotonic() + chance.uniform(0, 0.2)
            until(process, lambda end=end: time.monotonic() > end)  # type: ignore[misc]
        process.kill()
        process.communicate(timeout=120)
        assert all_gone(process.pid), left(process.pid)
        if (library / "snapshots" / "current").exists():
            assert whole_batches(library) <= number + 1
    again = start(archive, library)
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert whole_batches(library) >= 1


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_import_that_is_stopped_takes_everything_back_and_says_one_line(
    tmp_path: Path, archive: Path, sign: signal.Signals
) -> None:
    library = tmp_path / "L"
    process = start(archive, library)
    assert until(process, lambda: parts(library) >= 2)
    process.send_signal(sign)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    lines = [line for line in said.splitlines() if line != compiling.MESSAGE]
    assert lines == ["cornerwise: stopped: nothing of this batch is stored"]
    assert all_gone(process.pid), left(process.pid)
    assert (parts(library), parts(library, "passes")) == (0, 0)
    assert whole_batches(library) == 0
