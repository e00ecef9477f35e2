"""Playouts a second, and against the simulations a second of a reference engine from the same positions.

Part of `make bench`. The comparison runs where the environment variable CORNERWISE_REFERENCE names the reference's GTP
program; it reads the statistics that program prints for each move. Its simulations hold the work on its tree too, which
ours are without: the ratio says what a simulation of ours may spend on one.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from functools import cache

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.boards import cell_names
from engine.geometry import geometry, placement_cells
from engine.playouts import playouts
from engine.position import Position
from engine.random_games import random_games
from engine.rulesets import default_rules
from engine.variants import variant

REFERENCE = os.environ.get("CORNERWISE_REFERENCE")
LEVELS = {4: 20, 5: 10, 6: 2}
"""Level of the reference -> how often each move is asked for."""

VARIANTS = {"duo": (0, 6, 12), "classic_2": (0, 16, 32), "trigon_2": (0, 16, 32)}
"""Variant -> plies of the positions that are compared."""


@cache
def _positions(variant_id: str) -> list[tuple[Position, list[tuple[int, str]]]]:
    """Positions of a random game, each with the moves that lead to it as (colour, cells)."""
    tables, names = geometry(variant_id), cell_names(variant(variant_id).board)
    events = random_games(variant_id, default_rules(variant_id), 1, 1, opening_plies=99).batch.events
    out = []
    for plies in VARIANTS[variant_id]:
        position, moves = Position(variant_id), []
        for colour, placement in events[:plies].tolist():
            placed = placement_cells(tables, placement)
            position.play(colour, placed)
            moves.append((colour, ",".join(names[c] for c in placed)))
        out.append((position, moves))
    return out


def _rate(variant_id: str, games: int) -> float:
    """Playouts a CPU second."""
    for position, _ in _positions(variant_id):
        playouts(position, 1)
    start = time.process_time()
    for position, _ in _positions(variant_id):
        playouts(position, games)
    return games * len(_positions(variant_id)) / (time.process_time() - start)


def _reference_rate(variant_id: str, level: int) -> float:
    """Simulations a CPU second of the reference at the same positions."""
    assert REFERENCE
    words = ("b", "w") if len(variant(variant_id).colours) == 2 else ("1", "2", "3", "4")
    simulations, seconds = 0, 0.0
    for position, moves in _positions(variant_id):
        assert position.to_move is not None
        again = ["clear_board", *(f"play {words[colour]} {cells}" for colour, cells in moves)]
        again.append(f"genmove {words[position.to_move]}")
        # The first move makes room for its tree and is left out; its clock is coarse, so the others come several times.
        lines = [*again, "cputime", *again * LEVELS[level], "cputime", "quit"]
        command = [REFERENCE, "--nobook", "-g", variant_id, "-l", str(level), "--threads", "1", "--seed", "1"]
        said = subprocess.run(
            command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=True
        )
        before, after = re.findall(r"^= ([0-9][0-9.e-]*)\s*$", said.stdout, re.MULTILINE)
        seconds += float(after) - float(before)
        simulations += sum(int(n) for n in re.findall(r"\bSim ([0-9]+)", said.stderr)[1:])
    return simulations / seconds


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_playouts(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], variant_id: str) -> None:
    rate = benchmark.pedantic(_rate, (variant_id, 1000), rounds=1)
    benchmark.extra_info["playouts a second"] = round(rate)
    figures = f"{variant_id}: {rate:,.0f} playouts a second"
    if REFERENCE:
        for level in LEVELS:
            # Ours before and after: the machine's own speed changes within seconds.
            before, theirs = _rate(variant_id, 1000), _reference_rate(variant_id, level)
            ours = (before + _rate(variant_id, 1000)) / 2
            figures += f"; level {level}: {theirs:,.0f} simulations, ratio {ours / theirs:.2f}"
    with capsys.disabled():
        print(f"\n  {figures}")
