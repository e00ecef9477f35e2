"""Speed of the static evaluation and of the search, and what the first use costs.

Part of `make bench`. The static evaluation is timed as the search uses it: the positions after all moves of a root.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.position import Position
from engine.random_games import random_games
from engine.searching import Search
from engine.variants import VARIANTS

PLIES = dict.fromkeys(VARIANTS, 20) | {"duo": 8, "junior": 10, "trigon_3": 16}
SIMULATIONS = 2_000


def middle_game(variant_id: str) -> Position:
    """A position of a game with big pieces first."""
    from engine.geometry import geometry, placement_cells

    tables = geometry(variant_id)
    position = Position(variant_id)
    games = random_games(variant_id, position.rules, 7, 1, opening_plies=PLIES[variant_id])
    for colour, placement in games.batch.events[: PLIES[variant_id]].tolist():
        position.play(colour, placement_cells(tables, placement))
    return position


@pytest.mark.parametrize("variant_id", list(VARIANTS))
def test_static_evaluation(benchmark: BenchmarkFixture, variant_id: str) -> None:
    position = middle_game(variant_id)
    moves = len(position.legal_placements(position.to_move or 0))

    def search() -> tuple[tuple[Search], dict[str, int]]:
        return (Search(position, 1, moves + 1),), {}

    benchmark.pedantic(lambda planted: planted.look(moves), setup=search, rounds=20)
    if benchmark.stats is not None:
        each = benchmark.stats.stats.min / moves * 1e6
        benchmark.extra_info["microseconds a position"] = each
        print(f"\n{variant_id}: {each:.1f} us a static evaluation of all seats, the move to it included")
        assert each < 20


@pytest.mark.parametrize("variant_id", list(VARIANTS))
def test_simulations(benchmark: BenchmarkFixture, variant_id: str) -> None:
    position = middle_game(variant_id)

    def search() -> tuple[tuple[Search], dict[str, int]]:
        return (Search(position, 1, SIMULATIONS),), {}

    benchmark.pedantic(lambda planted: planted.run(SIMULATIONS), setup=search, rounds=5)
    if benchmark.stats is not None:
        each = benchmark.stats.stats.min / SIMULATIONS * 1e6
        print(f"\n{variant_id}: {each:.1f} us a simulation")


def test_first_use(tmp_path: Path) -> None:
    """An evaluation in a new process, with an empty cache of kernels and then with a filled one."""
    code = "from engine.evaluate import evaluate; from engine.position import Position; "
    code += "evaluate(Position('duo'), 100)"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    seconds = []
    for _ in range(2):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        seconds.append(time.perf_counter() - began)
    print(f"\nfirst evaluation: {seconds[0]:.1f} s, later starts: {seconds[1]:.1f} s")
    assert seconds[0] < 40 and seconds[1] < 4
