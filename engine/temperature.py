"""Temperature scaling (Guo et al. 2017): how sure an answer is beside what the engine found.

The log odds of the shares of two sides are divided by a temperature. It changes no search, only what is told of it; it
hangs on the weights, and is measured with `python -m pipeline.calibration`.

In games of the engine against itself results were further from a half than searches of some hundred simulations had
said. In Duo, in games of 160 visits a move, 0.75 fits best; in games between levels of the reference, 1 is better than
0.9 or less. In use is the mildest that brings the former close enough. Searches of thousands of simulations need none.

Without a search the engine is too careful in the openings of Duo, and too sure of itself in Classic for two when the
board fills.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, log1p

import numpy as np

from engine.scoring import cells_of_set
from engine.searching import Search

SEARCHED: dict[str, tuple[tuple[int, float], ...]] = {
    "duo": ((100, 0.88), (1_000, 0.88), (8_000, 1.0)),
    "junior": ((100, 0.88), (1_000, 0.88), (8_000, 1.0)),
}
"""Variants of two sides -> (simulations, temperature), the logarithm of the simulations interpolated; 1 for others."""

STATIC: dict[str, tuple[tuple[float, float], ...]] = {
    "duo": ((0.2, 0.88), (0.4, 1.0)),
    "classic_2": ((0.5, 1.0), (1.0, 2.2)),
}
"""Variants of two sides -> (part of all cells that is placed, temperature without a search), interpolated; 1 for
others."""


def temperature(variant_id: str, visits: int, filled: float) -> float:
    """The temperature of an answer of so many simulations; `filled` is the part of all pieces' cells that is placed.

    >>> temperature("duo", 300, 0.2), temperature("duo", 10**6, 0.2), temperature("classic", 300, 0.2)
    (0.88, 1.0, 1.0)
    >>> [round(temperature("classic_2", visits, filled), 2) for visits, filled in ((0, 0.4), (0, 0.75), (100, 0.75))]
    [1.0, 1.6, 1.0]
    """
    parts, static = zip(*STATIC.get(variant_id, ((0.0, 1.0),)), strict=True)
    unsearched = float(np.interp(filled, parts, static))
    at, found = zip((0, unsearched), *SEARCHED.get(variant_id, ((100, 1.0),)), strict=True)
    return float(np.interp(log1p(visits), np.log1p(at), found))


def temperature_of(search: Search) -> float:
    """The temperature of what a search tells of its root and its moves: one for all, so that their order stays."""
    colours = len(search.state.facts)
    filled = np.count_nonzero(search.state.board >= 0) / (colours * cells_of_set(search.variant_id))
    return temperature(search.variant_id, search.visits, filled)


def tempered(share: float, temperature: float) -> float:
    """A share of two sides with its log odds divided by a temperature; what is settled stays so.

    >>> round(tempered(0.6, 0.75), 3), tempered(0.6, 1.0), tempered(1.0, 0.75)
    (0.632, 0.6, 1.0)
    """
    if temperature == 1 or not 0 < share < 1:
        return share
    return 1 / (1 + exp(-log(share / (1 - share)) / temperature))


def tempered_shares(shares: Iterable[float], temperature: float) -> list[float]:
    """`tempered` for the shares of all units, which are two where the temperature is not 1."""
    return [tempered(float(share), temperature) for share in shares]


def steepness(share: float, temperature: float) -> float:
    """How much `tempered` moves when a share moves: what its standard error is multiplied by.

    >>> steepness(0.5, 0.8), steepness(0.3, 1.0)
    (1.25, 1.0)
    """
    if temperature == 1 or not 0 < share < 1:
        return 1.0
    out = tempered(share, temperature)
    return out * (1 - out) / (share * (1 - share)) / temperature
