"""Points of the competition room, an approximation: its four parameters are published, the formula is ours.

`competition.md` beside this file has the formula in words, examples and reasons.
"""

from __future__ import annotations

import math

START = FLOOR = 500.0
"""Where everybody starts, and below which nobody falls."""

TOP = 5000.0
"""What hardly anybody reaches: gains vanish there."""

LABEL = "approximation of the competition room's points"
"""What these points are called wherever they are shown."""

SCALE = 1000.0
"""Points of difference that make ten wins to one loss."""

STEP = 100.0
"""Points that a draw's worth of surprise moves twice over."""

MARGIN = 20.0
"""Difference of scores at which the margin counts 63 % of what it can."""

SCORE_WEIGHT = 0.4
BEST_SCORE = 1.25
"""Largest own score that counts, in parts of the cells of all own pieces: everything placed is 1.17, with the single
cell last 1.22."""


def expected(level: float, opponent: float) -> float:
    """Share of the game that was to be expected, from 0 to 1.

    >>> round(expected(1500, 500), 3)
    0.909
    """
    return 1 / (1 + 10 ** min(100.0, max(-100.0, (opponent - level) / SCALE)))


def change(
    level: float,
    opponent: float,
    result: float,
    difference: float | None = None,
    score: float | None = None,
) -> float:
    """Points that a game brings or costs.

    Args:
        level: own points before the game.
        opponent: those of the opponent.
        result: 1 won, 0.5 drawn, 0 lost.
        difference: own score minus the opponent's, in points; None: unknown. One that contradicts the result is none.
        score: own score (cells placed and bonus) in parts of the cells of all own pieces; None: unknown.
    """
    surprise = result - expected(level, opponent)
    won_by = (difference or 0.0) * (1 if result > 0.5 else -1 if result < 0.5 else 0)
    margin = 1 - math.exp(-max(0.0, won_by) / MARGIN)
    part = BEST_SCORE / 2 if score is None else min(BEST_SCORE, max(0.0, score))
    if surprise <= 0:
        moved = STEP * surprise * (1 + margin + SCORE_WEIGHT * (BEST_SCORE - part))
        return max(FLOOR - level, moved)
    room = max(0.0, (TOP - level) / (TOP - FLOOR))
    return STEP * surprise * (1 + margin + SCORE_WEIGHT * part) * room
