"""Chances of places from shares, against drawing the places one by one."""

from __future__ import annotations

import math

import pytest

from engine.places import place_chances

SHARES = [
    [0.5, 0.5],
    [0.9, 0.1],
    [1.0, 0.0],
    [0.5, 0.5, 0.5],
    [0.8, 0.5, 0.2],
    [1.0, 0.25, 0.25],
    [0.97, 0.51, 0.02],
    [0.5, 0.5, 0.5, 0.5],
    [0.7, 0.6, 0.4, 0.3],
    [0.95, 0.6, 0.44, 0.01],
    [1.0, 2 / 3, 1 / 3, 0.0],
    [5 / 6, 5 / 6, 1 / 6, 1 / 6],
]


def drawn(strengths: list[float]) -> list[list[float]]:
    """Chances of places when each place is drawn among those left, in proportion to the strengths."""
    chances = [[0.0] * len(strengths) for _ in strengths]

    def draw(left: list[int], chance: float) -> None:
        total = sum(strengths[unit] for unit in left)
        for unit in left:
            here = chance * strengths[unit] / total
            chances[unit][len(strengths) - len(left)] += here
            if len(left) > 1:
                draw([other for other in left if other != unit], here)

    draw(list(range(len(strengths))), 1.0)
    return chances


def fitted(shares: list[float]) -> list[float]:
    """Strengths whose mean chances to be ahead are the shares, by many small steps."""
    wanted = [min(max(share, 1e-4), 1 - 1e-4) for share in shares]
    logs, n = [0.0] * len(shares), len(shares)
    for _ in range(60_000):
        now = [
            sum(1 / (1 + math.exp(logs[v] - logs[u])) for v in range(n) if v != u) / (n - 1) for u in range(n)
        ]
        logs = [log + 2 * (w - a) for log, w, a in zip(logs, wanted, now, strict=True)]
        if max(abs(w - a) for w, a in zip(wanted, now, strict=True)) < 1e-7:
            break
    return [math.exp(log) for log in logs]


@pytest.mark.parametrize("shares", SHARES, ids=str)
def test_chances_are_probabilities_that_give_the_shares_back(shares: list[float]) -> None:
    found, n = place_chances(shares), len(shares)
    for row in (*found, *zip(*found, strict=True)):
        assert sum(row) == pytest.approx(1, abs=1e-6)
        assert all(chance >= 0 for chance in row)
    for share, row in zip(shares, found, strict=True):
        assert sum(c * (1 - place / (n - 1)) for place, c in enumerate(row)) == pytest.approx(share, abs=2e-3)


@pytest.mark.parametrize("shares", [s for s in SHARES[:-1] if min(s) > 0.005 and max(s) < 0.995], ids=str)
def test_chances_are_those_of_drawing_place_by_place(shares: list[float]) -> None:
    expected = drawn(fitted(shares))
    for row, twin in zip(place_chances(shares), expected, strict=True):
        assert row == pytest.approx(twin, abs=1e-5)


def test_better_shares_have_better_places() -> None:
    first = [row[0] for row in place_chances([0.4, 0.7, 0.3, 0.6])]
    assert sorted(first) == [first[2], first[0], first[3], first[1]]
    assert place_chances([0.4, 0.6])[0] == pytest.approx((0.4, 0.6), abs=1e-6)
