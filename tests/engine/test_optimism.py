"""Optimism taken off the mover: shares stay shares, settled results stay settled, no search changes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import optimism as module
from engine.evaluate import evaluate
from engine.optimism import OPTIMISM, Optimism, sobered_shares
from engine.position import Position
from engine.variants import VARIANTS

open_shares = st.lists(st.floats(0, 1), min_size=2, max_size=4)


def test_every_variant_has_its_own() -> None:
    assert OPTIMISM.keys() == VARIANTS.keys()


@given(open_shares, st.data(), st.floats(0, 0.2))
def test_what_the_mover_loses_the_others_get(
    shares: list[float], data: st.DataObject, optimism: float
) -> None:
    mover = data.draw(st.integers(0, len(shares) - 1))
    found = sobered_shares(shares, mover, optimism)
    total = sum(shares)
    assert sum(found) == pytest.approx(total)
    assert found[mover] <= shares[mover]
    assert min(found) >= 0
    assert all(new >= old for seat, (new, old) in enumerate(zip(found, shares, strict=True)) if seat != mover)


def test_a_settled_result_is_left_alone() -> None:
    assert sobered_shares([1.0, 0.0], 0, 0.1) == [1.0, 0.0]
    assert sobered_shares([0.0, 0.4, 1.0], 0, 0.1) == [0.0, 0.4, 1.0]
    assert sobered_shares([0.5, 0.5, 0.5], 1, 0.1, gone={0})[0] == 0.5


def test_off_the_mover_and_its_moves_but_not_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position("junior")
    instant, searched = evaluate(position, "instant", top=1), evaluate(position, 60, top=1)
    monkeypatch.setattr(module, "OPTIMISM", {"junior": Optimism(0.4, 2.0)})
    assert evaluate(position, "instant", top=1) == instant
    sober = evaluate(position, 60, top=1)
    old, new = searched.seats[0], sober.seats[0]
    assert old.share is not None and new.share is not None
    assert new.share < old.share - 0.05
    assert new.score < old.score
    assert sober.seats[1].score == searched.seats[1].score
    assert sober.moves[0].share < searched.moves[0].share - 0.05
    assert [move.placement for move in sober.moves] == [move.placement for move in searched.moves]
