"""Budgets: words and numbers."""

from __future__ import annotations

import pytest

from engine.budgets import BUDGETS, MOST, simulations
from engine.errors import EngineError, UnknownVariant
from engine.variants import VARIANTS


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_words_stand_for_ever_more(variant_id: str) -> None:
    instant, quick, standard, deep = (simulations(variant_id, word) for word in BUDGETS)
    assert instant == 0 < quick
    assert (standard, deep) == (10 * quick, 100 * quick)
    assert deep <= MOST


def test_numbers_are_taken_as_they_are() -> None:
    assert [simulations("duo", n) for n in (1, "1", "0050", 50, MOST, str(MOST))] == [
        1,
        1,
        50,
        50,
        MOST,
        MOST,
    ]


@pytest.mark.parametrize(
    "wrong", [0, -1, MOST + 1, 10**9, "0", "-3", "1.5", "1e3", "", " 7", "Quick", "slow", "٣", "9" * 30]
)
def test_nonsense_is_refused_with_what_to_do(wrong: str | int) -> None:
    with pytest.raises(EngineError, match="instant, quick, standard, deep"):
        simulations("duo", wrong)


def test_the_variant_is_checked() -> None:
    with pytest.raises(UnknownVariant):
        simulations("chess", "quick")
