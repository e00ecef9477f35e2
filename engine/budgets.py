"""Budgets of a search: names for numbers of simulations, so that they mean the same on every machine."""

from __future__ import annotations

from engine.errors import EngineError
from engine.variants import variant

BUDGETS = ("instant", "quick", "standard", "deep")
"""`instant` is the static evaluation, without a search; the others are about 0.1, 1 and 10 seconds of one core."""

QUICK: dict[str, int] = {
    "classic": 3_000,
    "classic_2": 3_000,
    "classic_3": 3_000,
    "duo": 8_000,
    "junior": 8_000,
    "trigon": 3_000,
    "trigon_2": 3_000,
    "trigon_3": 4_000,
}
"""Simulations of `quick`; `standard` has ten times as many, `deep` a hundred times."""

MOST = 10_000_000
"""More simulations than this are refused: their tree would not fit into memory."""


def simulations(variant_id: str, budget: str | int) -> int:
    """Simulations that a budget stands for; 0 for `instant`.

    >>> simulations("duo", "quick"), simulations("duo", 500)
    (8000, 500)

    Raises:
        EngineError: an unknown word, or a number that is not from 1 to MOST.
        UnknownVariant: the id is none of the eight.
    """
    row = variant(variant_id)
    if isinstance(budget, str) and budget in BUDGETS:
        return (0, QUICK[row.id], 10 * QUICK[row.id], 100 * QUICK[row.id])[BUDGETS.index(budget)]
    words = ", ".join(BUDGETS)
    if isinstance(budget, str):
        if not (budget.isascii() and budget.isdigit() and len(budget) <= 12):
            raise EngineError(f"unknown budget {budget!r}: choose one of {words}, or a number of simulations")
        budget = int(budget)
    if not 1 <= budget <= MOST:
        raise EngineError(f"a budget is one of {words}, or from 1 to {MOST:,} simulations, not {budget:,}")
    return budget
