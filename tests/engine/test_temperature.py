"""Temperature: answers of small searches are surer than the mean of their simulations, in the same order."""

from __future__ import annotations

import pytest

from engine.evaluate import NOISE, evaluate
from engine.position import Position
from engine.searching import Search
from engine.temperature import SEARCHED, STATIC, steepness, temperature, tempered
from engine.variants import VARIANTS, variant
from tests.engine.searched import at, taste_of


def searched(position: Position, visits: int) -> Search:
    """The search that `evaluate` makes."""
    search = Search(position, 1, visits, taste_of(position, NOISE))
    search.run(visits)
    return search


@pytest.mark.parametrize("variant_id", SEARCHED)
def test_answers_are_surer_than_the_mean_of_the_simulations(variant_id: str) -> None:
    position = at(variant_id, {}, 8)
    told, search = evaluate(position, 300, proofs=False), searched(position, 300)
    raw = search.shares()[0]
    assert abs(raw - 0.5) > 0.02  # else there is nothing to see
    share = told.seats[0].share
    assert share is not None and abs(share - 0.5) > abs(raw - 0.5) * 1.03
    assert sum(seat.share or 0.0 for seat in told.seats) == pytest.approx(1)
    assert [move.placement for move in told.moves] == [c.placement for c in search.children()[:10]]
    shares = sorted(told.moves, key=lambda move: -move.share)
    raws = sorted(search.children()[:10], key=lambda child: -child.share)
    assert [move.placement for move in shares] == [child.placement for child in raws]


def _surer(variant_id: str, plies: int) -> float:
    """How much further from a half the static answer is than what the network says."""
    position = at(variant_id, {}, plies)
    told, raw = evaluate(position, "instant").seats[0].share, Search(position, 1, 1).shares()[0]
    assert told is not None
    return (told - 0.5) / (float(raw) - 0.5)


def test_without_a_search_the_temperature_hangs_on_how_full_the_board_is() -> None:
    assert _surer("classic_2", 20) == pytest.approx(1)
    assert 0 < _surer("classic_2", 60) < 0.97
    assert _surer("duo", 4) > 1.03
    assert _surer("duo", 22) == pytest.approx(1)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_only_variants_of_two_sides_have_one(variant_id: str) -> None:
    """With more, shares would not add up any more."""
    if variant_id in SEARCHED.keys() | STATIC.keys():
        assert len(variant(variant_id).seats) == 2
    else:
        assert {temperature(variant_id, visits, 0.8) for visits in (0, 1, 300)} == {1}


def test_an_error_grows_as_much_as_a_share_moves() -> None:
    for share in (0.1, 0.5, 0.8):
        moved = (tempered(share + 1e-6, 0.75) - tempered(share - 1e-6, 0.75)) / 2e-6
        assert steepness(share, 0.75) == pytest.approx(moved, rel=1e-6)


def test_what_is_settled_stays_settled() -> None:
    assert [tempered(share, 0.5) for share in (0.0, 1.0)] == [0.0, 1.0]
    assert [steepness(share, 0.5) for share in (0.0, 1.0)] == [1.0, 1.0]
