"""Priors of moves against the formula."""

from __future__ import annotations

import math

import pytest

from engine.kernels.policy import BUCKETS, bucket_weights
from engine.kernels.tree import PLACEMENT, PRIOR
from engine.searching import Search
from tests.engine.searched import CASES, Case, at, loud_brain, name, taste_of
from tests.naive_network import log_weights, priors
from tests.naive_playouts import WORD, Stream, mix

SEED = 5


def listed(search: Search) -> dict[int, float]:
    """Placements and priors of the root, as they are ranked."""
    search.look(0)
    first, count = search.tree.nodes[0, :2].tolist()
    edges = range(first, first + count)
    return {int(search.tree.edges[e, PLACEMENT]): float(search.tree.weights[e, PRIOR]) for e in edges}


@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("case", [*CASES[:8:2], *CASES[8:14:3], CASES[-1]], ids=name)
def test_priors_are_those_of_the_formula(case: Case, noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    position = at(*case)
    brain = loud_brain(position.variant.id)
    monkeypatch.setattr("engine.searching.brain", lambda variant_id: brain)
    found = listed(Search(position, SEED, 0, taste_of(position, noise)))
    colour = position.to_move
    assert colour is not None
    weights = log_weights(position, colour, brain.policy)
    if noise:
        stream = Stream(mix(mix(SEED) % WORD))
        weights = {p: w + noise * ((stream.draw() >> 11) * 2.0**-52 - 1) for p, w in weights.items()}
    assert sum(found.values()) == pytest.approx(1, abs=1e-4)
    assert found.keys() == weights.keys()
    best, first = max(weights.values()), max(found.values())
    for placement, prior in found.items():
        # In steps of a sixteenth; sums in single precision may fall on the other side of a step's edge.
        step, exact = round(16 * math.log(first / prior)), 16 * (best - weights[placement])
        assert min(exact, BUCKETS) - 1.01 <= step <= exact + 0.01
    twin = priors(weights)
    alike = sum(found[p] == pytest.approx(prior, rel=1e-3) for p, prior in twin.items())
    assert alike >= 0.98 * len(twin)


def test_the_best_come_first_and_of_equal_ones_the_lowest_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.searching.brain", lambda variant_id: loud_brain(variant_id))
    found = list(listed(Search(at("duo", {}, 6), 1, 0)).items())
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))


def test_weights_of_buckets() -> None:
    weights = bucket_weights()
    assert len(weights) == BUCKETS
    assert weights[1:] / weights[:-1] == pytest.approx(math.exp(-1 / 16))
