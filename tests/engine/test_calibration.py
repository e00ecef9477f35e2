"""Calibration: who tells the truth is told apart from who exaggerates, and results of one game count once."""

from __future__ import annotations

import numpy as np

from engine.calibration import calibrate, one_ply_of_each

GAMES = 2_000


def _true(units: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares of drawn strengths, and results drawn with them."""
    random = np.random.default_rng(3)
    strength = random.normal(0, 1.2, (GAMES, units))
    ahead = 1 / (1 + np.exp(strength[:, None, :] - strength[:, :, None]))
    shares = (ahead.sum(axis=2) - 0.5) / (units - 1)
    order = strength + random.gumbel(size=strength.shape)
    better = (order[:, None, :] > order[:, :, None]).sum(axis=2)
    return shares, 1 - better / (units - 1)


def test_the_truth_is_no_farther_off_than_its_floor() -> None:
    for units in (2, 4):
        found = calibrate(*_true(units))
        assert abs(found.error - found.floor) < 0.01
        assert found.log_loss < found.base_log_loss - 0.03
        assert found.games == GAMES
        assert sum(one.number for one in found.bins) == GAMES * units


def test_who_exaggerates_is_found_out() -> None:
    shares, results = _true(2)
    odds = 3 * np.log(shares / (1 - shares))
    honest, proud = calibrate(shares, results), calibrate(1 / (1 + np.exp(-odds)), results)
    assert proud.error > proud.floor + 0.05
    assert proud.brier > honest.brier and proud.log_loss > honest.log_loss


def test_ties_lie_between_wins_and_losses() -> None:
    half = np.full((1_000, 2), 0.5)
    found = calibrate(half, half)
    assert found.error == 0 and found.brier == 0
    assert found.floor < 1e-9


def test_every_game_gives_one_wanted_ply() -> None:
    game = np.repeat(np.arange(50), 8)
    wanted = np.tile(np.arange(8) >= 4, 50)
    rows = one_ply_of_each(game, wanted, seed=5)
    assert game[rows].tolist() == list(range(50)) and wanted[rows].all()
    assert len(set((rows % 8).tolist())) == 4
    assert one_ply_of_each(game, np.zeros(400, bool), seed=5).tolist() == []
