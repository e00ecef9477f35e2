"""Intervals of 95 % for shares and means: no interval rather than one that means nothing."""

from __future__ import annotations

import math
from typing import NamedTuple

Z = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""

_T = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
    2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484,
    2.0452, 2.0423,
)  # fmt: skip
"""The same of Student's distribution with 1 to 30 degrees of freedom."""


class Interval(NamedTuple):
    """Bounds of a 95 % interval."""

    low: float
    high: float


def wilson(share: float | None, n: int) -> Interval | None:
    """Wilson's interval of a share of n independent games; None without a game.

    Shares of games for several seats lie between 0 and 1, where they vary less than wins and losses do: for them the
    interval is somewhat too wide.

    >>> wilson(0.5, 10)
    Interval(low=0.2366, high=0.7634)
    """
    if share is None or n < 1:
        return None
    spread = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    middle, scale = share + Z * Z / (2 * n), 1 + Z * Z / n
    return Interval(
        round(max(0.0, (middle - spread) / scale), 4), round(min(1.0, (middle + spread) / scale), 4)
    )


def student(mean: float | None, deviation: float | None, n: int) -> Interval | None:
    """Student's interval of a mean with the standard deviation of n values; None for fewer than two.

    >>> student(10.0, 2.0, 2)
    Interval(low=-7.969, high=27.969)
    """
    if mean is None or deviation is None or n < 2:
        return None
    half = _quantile(n - 1) * deviation / math.sqrt(n)
    return Interval(round(mean - half, 4), round(mean + half, 4))


def _quantile(degrees: int) -> float:
    if degrees <= len(_T):
        return _T[degrees - 1]
    z = Z
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
