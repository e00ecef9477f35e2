"""How far predicted shares can be believed: reliability, log-loss, Brier score, calibration error and its floor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry import F64
from engine.places import log_strengths

BINS = 10
_SMALL = 1e-4


class Reliability(NamedTuple):
    """One bin of predictions: how many, their mean, the mean of what came of them."""

    number: int
    predicted: float
    happened: float


class Calibration(NamedTuple):
    """Predictions of shares against results, one of each game."""

    games: int
    log_loss: float
    brier: float
    base_log_loss: float
    """Log-loss of predicting every seat's mean result, whatever the position."""
    error: float
    """Expected calibration error: mean distance of the bins from the diagonal, weighted by their counts."""
    floor: float
    """The same of a perfectly calibrated predictor with as many games, on average."""
    bins: tuple[Reliability, ...]


def calibrate(predicted: F64, happened: F64, seed: int = 1) -> Calibration:
    """Compare predicted shares with results, both ``(games, units)``.

    The floor is simulated: results are drawn with the predicted chances, for ties as often as there were some.
    Predictions of one game depend on each other, so give one position of each game.

    >>> calibrate(np.array([[0.5, 0.5]] * 4), np.array([[1.0, 0.0], [0.0, 1.0]] * 2)).log_loss.__round__(3)
    0.693
    """
    base = np.broadcast_to(happened.mean(axis=0), happened.shape)
    bins = _bins(predicted, happened)
    return Calibration(
        games=len(predicted),
        log_loss=_log_loss(predicted, happened),
        brier=float(((predicted - happened) ** 2).mean()),
        base_log_loss=_log_loss(base, happened),
        error=_error(bins),
        floor=_floor(predicted, happened, np.random.default_rng(seed)),
        bins=bins,
    )


def _log_loss(predicted: F64, happened: F64) -> float:
    p = np.clip(predicted, _SMALL, 1 - _SMALL)
    return float(-(happened * np.log(p) + (1 - happened) * np.log(1 - p)).mean())


def _bins(predicted: F64, happened: F64) -> tuple[Reliability, ...]:
    flat, truth = predicted.reshape(-1), happened.reshape(-1)
    number = np.minimum((flat * BINS).astype(int), BINS - 1)
    out = []
    for bin_ in range(BINS):
        found = number == bin_
        if found.any():
            out.append(Reliability(int(found.sum()), float(flat[found].mean()), float(truth[found].mean())))
    return tuple(out)


def _error(bins: tuple[Reliability, ...]) -> float:
    total = sum(b.number for b in bins)
    return sum(b.number * abs(b.predicted - b.happened) for b in bins) / total


def _floor(predicted: F64, happened: F64, random: np.random.Generator, rounds: int = 100) -> float:
    """Mean calibration error where the predictions are the truth."""
    units = predicted.shape[1]
    strengths = np.array([log_strengths(row.tolist()) for row in predicted]) if units > 2 else predicted
    errors = []
    for _ in range(rounds):
        drawn = _drawn(predicted, happened, random) if units <= 2 else _drawn_places(strengths, random)
        errors.append(_error(_bins(predicted, drawn)))
    return float(np.mean(errors))


def _drawn(predicted: F64, happened: F64, random: np.random.Generator) -> F64:
    """Results of one unit or two, with as many ties as there were."""
    won = (random.random(len(predicted)) < predicted[:, 0]).astype(float)
    tied = random.random(len(predicted)) < (happened[:, 0] == 0.5).mean()
    first = np.where(tied & (np.abs(predicted[:, 0] - 0.5) < 0.4), 0.5, won)
    return np.stack([first, 1 - first], axis=1)[:, : predicted.shape[1]]


def _drawn_places(strengths: F64, random: np.random.Generator) -> F64:
    """Results of several units, in orders drawn by the Plackett-Luce model of `engine.places`."""
    drawn = strengths + random.gumbel(size=strengths.shape)
    better = (drawn[:, None, :] > drawn[:, :, None]).sum(axis=2)
    out: F64 = 1 - better / (strengths.shape[1] - 1)
    return out


def one_ply_of_each(
    game: npt.NDArray[np.int64], wanted: npt.NDArray[np.bool_], seed: int
) -> npt.NDArray[np.int64]:
    """Row numbers: one drawn from the wanted rows of each game."""
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(wanted))
    _, first = np.unique(game[rows], return_index=True)
    return np.sort(rows[first])
