"""Puzzles as the figures state them: five seeds of each kind as new processes, the four counts, and what takes long.

Part of `make bench`; the first process compiles what no kernel cache holds. Solutions are judged by the naive judge.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.puzzles import Clock, count_tilings, puzzle
from tests import naive_puzzles as naive

SEEDS = range(1, 6)

LIMIT = {"1": 10, "2": 10, "3": 10, "4": 60}
"""Seconds a kind may take, from a cold start."""

NUMBERS = {"3x20": 2, "4x15": 368, "5x12": 1010, "6x10": 2339}


def _solved(*arguments: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "dashboards.cli", "puzzle", "solve", *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _plain(found: dict[str, Any]) -> list[tuple[int, frozenset[tuple[int, int]]]]:
    top = int(found["board"].rpartition("x")[2]) - 1
    return [(one["colour"], frozenset((x, top - y) for y, x in one["cells"])) for one in found["pieces"]]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", LIMIT)
def test_cold_start(benchmark: BenchmarkFixture, kind: str, seed: int) -> None:
    found = benchmark.pedantic(_solved, (kind, "--seed", seed, "--budget", 600), rounds=1)
    size, width, height = {"3": (4, 8, 10), "4": (5, 15, 16)}.get(kind, (0, 20, 20))
    solution = _plain(found)
    fault = (
        naive.tiling_fault(solution, size, 4, width, height)
        if size
        else naive.classic_fault(solution, kind == "2")
    )
    assert fault == ""
    assert benchmark.stats.stats.min < LIMIT[kind]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["1", "2"])
def test_without_symmetry(benchmark: BenchmarkFixture, kind: str, seed: int) -> None:
    arguments = (kind, "--seed", seed, "--symmetry", "none", "--budget", 600)
    solution = _plain(benchmark.pedantic(_solved, arguments, rounds=1))
    assert naive.classic_fault(solution, kind == "2") == ""
    assert benchmark.stats.stats.min < 60


def test_counts(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str]) -> None:
    """The tilings of the four rectangles by the twelve pentominoes: in under a minute together."""

    def count() -> dict[str, int | None]:
        found = {}
        for board in NUMBERS:
            began = time.perf_counter()
            found[board] = count_tilings(puzzle("tiling", board), Clock(600)).different
            with capsys.disabled():
                print(f"\n  {board}: {found[board]} in {time.perf_counter() - began:.1f} s", end="")
        return found

    assert benchmark.pedantic(count, rounds=1) == NUMBERS
    assert benchmark.stats.stats.min < 60
