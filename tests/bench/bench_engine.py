"""Speed of the kernels over the gold positions: microseconds a colour, moves a second, ratios to the slow twin.

Part of `make bench`. Ratios compare two programs in the same run, so they mean something on any machine; the
figures are of this one. Kernels are called from a loop that is compiled too: a call from Python costs more than one.
"""

from __future__ import annotations

import random
import time
from statistics import median
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.features import features
from engine.geometry import I32, Geometry, geometry
from engine.heat import heat_maps
from engine.kernel_rules import kernel_rules
from engine.kernels.compile import kernel
from engine.kernels.legal import ANY, LIST, SPARE, legal
from engine.kernels.replay import CODE, COLOUR, EVENT_END, EVENT_START, Batch
from engine.kernels.state import Rules, State, clear, new_state, place
from engine.replay import Script, batch_of, replay_batch
from engine.rulesets import default_rules
from tests.engine.hostile import code
from tests.naive import Cells, Game, cell
from tests.naive_features import Measured
from tests.naive_replay import Twin
from tests.oracle import oracle_games

VARIANTS = ("classic", "duo", "junior", "trigon", "trigon_3")
MODES = {"list": LIST, "any": ANY}


@kernel
def sweep(
    tables: Geometry, rules: Rules, state: State, batch: Batch, mode: int, ask: bool, out: I32
) -> int:  # pragma: no cover
    """Play all games and, if told so, ask for the legal moves of every colour at every ply; returns their sum.

    Every position is asked once: the same question again is a third cheaper, the processor having learnt its branches.
    """
    total = 0
    for g in range(len(batch.games)):
        clear(tables, state)
        for e in range(batch.games[g, EVENT_START], batch.games[g, EVENT_END] + 1):
            if ask:
                for colour in range(len(state.facts)):
                    total += legal(tables, rules, state, colour, mode, out)
            if e < batch.games[g, EVENT_END]:
                place(tables, state, np.int64(batch.events[e, COLOUR]), np.int64(batch.events[e, CODE]))
    return total


def _games(variant_id: str) -> list[list[tuple[int, Cells]]]:
    return [
        [(colour - 1, frozenset(map(cell, text.split(",")))) for colour, _, text in game["moves"]]
        for game in oracle_games(variant_id)
    ]


def _batch(variant_id: str, copies: int = 1) -> Batch:
    scripts = [Script([(c, code(variant_id, what)) for c, what in game]) for game in _games(variant_id)]
    return batch_of(scripts * copies)


def _say(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with capsys.disabled():
        print(f"\n  {text}", end="")


def _seconds_of_playing(*arguments: Any) -> float:
    """Median time of a sweep that asks nothing."""
    spent = []
    for _ in range(20):
        start = time.perf_counter()
        sweep(*arguments[:5], False, arguments[-1])
        spent.append(time.perf_counter() - start)
    return median(spent)


def _twin_lists(variant_id: str, positions: int) -> float:
    """Seconds a list of legal moves takes the slow twin, over random plies of random gold games."""
    rng, rules, spent = random.Random(1), default_rules(variant_id), 0.0
    for _ in range(positions):
        moves = rng.choice(_games(variant_id))
        twin = Twin(Game(variant_id, rules))
        twin.replay(list(moves[: rng.randrange(len(moves))]))
        colour = rng.choice(twin.game.colours)
        start = time.perf_counter()
        set(twin.game.legal_moves(colour))
        spent += time.perf_counter() - start
    return spent / positions


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant_id", VARIANTS)
def test_legal_moves(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], variant_id: str, mode: str
) -> None:
    tables, batch = geometry(variant_id), _batch(variant_id)
    rules = kernel_rules(variant_id, default_rules(variant_id))
    known = oracle_games(variant_id)
    counts = [count for game in known for row in game["legal"] for count in row]
    able = sum(count > 0 for count in counts)
    state = new_state(tables, len(known[0]["legal"][0]))
    room = np.empty(len(tables.placement_piece) + SPARE, np.int32)
    arguments = (tables, rules, state, batch, MODES[mode], True, room)
    assert sweep(*arguments) == (sum(counts) if mode == "list" else able)
    benchmark.pedantic(sweep, arguments, rounds=20)
    spent = benchmark.stats.stats.median - _seconds_of_playing(*arguments)
    micro, busy = spent / len(counts) * 1e6, spent / able * 1e6
    benchmark.extra_info["microseconds a colour"] = round(micro, 3)
    slow = _twin_lists(variant_id, 10) * 1e6
    figures = f"{micro:.2f} us a colour, {busy:.2f} where it can move ({able / len(counts):.0%})"
    _say(capsys, f"{variant_id} {mode}: {figures}; 1/{slow / micro:,.0f} of the slow twin's time")


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_replay(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], variant_id: str) -> None:
    rules, batch = default_rules(variant_id), _batch(variant_id, 60)
    assert not replay_batch(variant_id, rules, batch).verdicts.events[:, 0].any()
    benchmark.pedantic(replay_batch, (variant_id, rules, batch), rounds=10)
    rate = len(batch.events) / benchmark.stats.stats.median
    benchmark.extra_info["moves a second"] = round(rate)
    game = _games(variant_id)[0]
    Twin(Game(variant_id, rules)).replay(list(game))  # its tables are not part of its time
    start = time.perf_counter()
    Twin(Game(variant_id, rules)).replay(list(game))
    slow = len(game) / (time.perf_counter() - start)
    _say(
        capsys,
        f"{variant_id}: {rate / 1e6:.2f} million moves a second, {rate / slow:,.0f} times the slow twin",
    )


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_features(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], variant_id: str) -> None:
    """All measures of all colours at every ply; the goal is 25,000 plies a second, half of that on triangles."""
    rules = default_rules(variant_id)
    replay = replay_batch(variant_id, rules, _batch(variant_id, 20))
    found = features(variant_id, rules, replay)
    benchmark.pedantic(features, (variant_id, rules, replay), rounds=10)
    rate = len(found.game) / benchmark.stats.stats.median
    benchmark.extra_info["plies a second"] = round(rate)
    heat_maps(variant_id, replay, found)
    start = time.perf_counter()
    heat_maps(variant_id, replay, found)
    heat = (time.perf_counter() - start) / len(found.game)
    game = _games(variant_id)[0]
    start = time.perf_counter()
    slow = len(Measured(Game(variant_id, rules), list(game)).rows) / (time.perf_counter() - start)
    _say(
        capsys,
        f"{variant_id}: {rate:,.0f} plies a second, {rate / slow:,.0f} times the slow twin; "
        f"heat maps {heat * 1e6:.2f} us a ply",
    )
