"""How far apart the answers of searches with different seeds are: the standard errors that are stated with them."""

from __future__ import annotations

from math import sqrt

from engine.brains import weights

# Columns of `Weights.noise`.
_SHARE, _SHARE_POWER, _POINTS, _POINTS_POWER = range(4)


def share_error(variant_id: str, share: float, visits: int) -> float:
    """Standard error of a share that `visits` simulations found: ``a sqrt(s (1 - s)) / (visits + 1)^b``.

    a and b are fitted to searches of the same positions with other seeds (`python -m engine.learning.noise`).
    """
    noise = weights(variant_id).noise
    return float(noise[_SHARE] * sqrt(max(share * (1 - share), 1e-4)) / (visits + 1) ** noise[_SHARE_POWER])


def points_error(variant_id: str, visits: int) -> float:
    """Standard error of expected points, fitted in the same way: ``a / (visits + 1)^b``."""
    noise = weights(variant_id).noise
    return float(noise[_POINTS] / (visits + 1) ** noise[_POINTS_POWER])
