"""Simulations that make CPU times equal."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.match.balance import balanced_simulations


@dataclass(frozen=True)
class Row:
    cpu: tuple[float, float]
    total_cpu: tuple[float, float]
    simulations: int | None


def test_nothing_is_known_before_the_first_game_and_wanted_after_the_last() -> None:
    assert balanced_simulations([], 0, 10) is None
    row = Row((1.0, 1.0), (1.0, 1.0), 100)
    assert balanced_simulations([row], 0, 1) is None
    assert balanced_simulations([Row((0.0, 0.0), (0.0, 0.0), 100)], 0, 10) is None


def test_equal_times_stay_as_they_are_and_steps_are_bounded() -> None:
    assert balanced_simulations([Row((1.0, 1.0), (1.0, 1.0), 100)], 0, 10) == 100
    assert balanced_simulations([Row((10.0, 1.0), (10.0, 1.0), 100)], 0, 100) == 67
    assert balanced_simulations([Row((1.0, 10.0), (1.0, 10.0), 100)], 0, 100) == 150


def test_total_times_meet_at_the_end_whatever_the_start_cost() -> None:
    for side in (0, 1):
        rows: list[Row] = []
        mine, theirs, simulations = 3.0, 0.1, 100
        for _ in range(200):
            simulations = balanced_simulations(rows, side, 200) or simulations
            cpu = (0.0005 * simulations, 0.2) if side == 0 else (0.2, 0.0005 * simulations)
            mine, theirs = mine + 0.0005 * simulations, theirs + 0.2
            rows.append(Row(cpu, (mine, theirs) if side == 0 else (theirs, mine), simulations))
        assert abs(mine / theirs - 1) < 0.005
