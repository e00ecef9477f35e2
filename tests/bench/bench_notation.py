"""Speed of reading every format: MiB a second of text, and the ratio to Blokus SGF in the same run.

Part of `make bench`. Split and read, in one process, without judging the games. A Parquet file is packed: its figure is
of the CSV text that it stands for.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from notation.errors import NotationError
from notation.formats import FORMATS
from notation.stream import ReadOptions
from tests.samples import files

GAMES = {"software_challenge": 2, "jsonl": 300, "csv": 150, "tsv": 150, "parquet": 150}
"""Games that are read; 400 where nothing stands here."""

ROUNDS = 8
FLOOR = 0.1
"""The least ratio to Blokus SGF."""


def read_files(form: str, sources: Sequence[bytes]) -> int:
    """Read all; returns the number of records."""
    row, options, found = FORMATS[form], ReadOptions("bench", "duo" if form == "twogtp" else None), 0
    for data in sources:
        for chunk in row.split(io.BytesIO(data).read):
            for item in row.read(chunk, options):
                assert not isinstance(item, NotationError), item
                found += 1
    return found


def _input(form: str) -> list[bytes]:
    return files(form, GAMES.get(form, 400))


def _seconds(form: str, sources: Sequence[bytes]) -> float:
    start = time.perf_counter()
    read_files(form, sources)
    return time.perf_counter() - start


def ratio_to_blksgf(form: str, sources: Sequence[bytes], size: int) -> float:
    """How many times as fast as Blokus SGF: the best of rounds that take turns, so that other processes hit both."""
    usual = _input("blksgf")
    rounds = [(_seconds(form, sources), _seconds("blksgf", usual)) for _ in range(ROUNDS)]
    mine, theirs = (min(column) for column in zip(*rounds, strict=True))
    return size / mine / (sum(map(len, usual)) / theirs)


@pytest.mark.parametrize("form", FORMATS)
def test_reading(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], form: str) -> None:
    sources = _input(form)
    read_files(form, sources)
    benchmark.pedantic(read_files, (form, sources), rounds=ROUNDS)
    size = sum(map(len, _input("csv") if form == "parquet" else sources))
    speed = size / benchmark.stats.stats.min
    ratio = ratio_to_blksgf(form, sources, size)
    benchmark.extra_info["MiB a second"] = round(speed / 2**20, 2)
    with capsys.disabled():
        print(f"\n  {form}: {speed / 2**20:.2f} MiB/s, {ratio:.2f} of blksgf", end="")
    assert ratio >= FLOOR
