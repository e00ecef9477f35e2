"""From losses to labels and accuracy; `move_quality.md` beside this file has the formulas in words."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import exp, hypot

VERSION = 2
"""Goes up when a formula or threshold changes; stands in every row."""

GOOD, INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10, 0.15
"""Losses in share of the result from which a move is no longer good, is an inaccuracy, a mistake, a blunder."""

CLEAR = 2.0
"""Standard errors that a loss must exceed, or it is unclear."""

SCALE = 0.15
"""Loss in share at which the accuracy of a move has fallen to 100/e; the page says how it was fitted."""

LABELS = ("forced", "best", "good", "fair", "unclear", "inaccuracy", "mistake", "blunder")

ERRORS = ("inaccuracy", "mistake", "blunder")
"""Labels that the error rate counts."""

STEPS = {"best": 0, "good": 0, "fair": 1, "unclear": 1, "inaccuracy": 2, "mistake": 3, "blunder": 4}
"""How far from the best a label is, for comparing two analyses of a game."""


def label(loss: float | None, error: float, *, forced: bool, best: bool) -> str | None:
    """The label of a move by its loss in share and the standard error of that; None where nobody loses anything.

    >>> label(0.12, 0.01, forced=False, best=False), label(0.12, 0.07, forced=False, best=False)
    ('mistake', 'unclear')
    """
    if forced:
        return "forced"
    if loss is None:
        return None
    if best:
        return "best"
    if loss < GOOD:
        return "good"
    if loss < CLEAR * error:
        return "unclear"
    limits = ((INACCURACY, "fair"), (MISTAKE, "inaccuracy"), (BLUNDER, "mistake"))
    return next((name for limit, name in limits if loss < limit), "blunder")


def is_unclear(loss: float | None, error: float, *, forced: bool, best: bool) -> bool:
    """Whether the difference to the best move is within the noise."""
    return loss is not None and not forced and not best and error > 0 and abs(loss) < CLEAR * error


def accuracy(loss: float, error: float) -> float:
    """Accuracy of one move, 0 to 100: ``100 exp(-max(0, loss - error) / SCALE)``.

    >>> accuracy(0.0, 0.0), round(accuracy(0.1, 0.0))
    (100.0, 51)
    """
    return 100 * exp(-max(0.0, loss - error) / SCALE)


def accuracy_error(loss: float, error: float) -> float:
    """Standard error of the accuracy of one move, from that of its loss."""
    return min(100.0, accuracy(loss, error) * error / SCALE)


def difference_error(one: float, other: float) -> float:
    """Standard error of the difference of two searches."""
    return hypot(one, other)


@cache
def quality_page() -> str:
    """The page with all formulas, in Markdown."""
    return files("pipeline").joinpath("move_quality.md").read_text(encoding="utf-8")
