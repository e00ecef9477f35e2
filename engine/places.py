"""From shares to chances of places."""

from __future__ import annotations

from itertools import permutations
from math import exp, log

_ROUNDS = 200


def place_chances(shares: list[float]) -> list[tuple[float, ...]]:
    """Chances of each place for each of the units whose expected shares are given.

    The chances are those of a Plackett-Luce model: the order is drawn place by place, each unit with a chance in
    proportion to its strength. Its chance to be ahead of another is then logistic in the difference of log strengths,
    as in the network of the evaluation. The strengths are those that give the shares back. A tie counts half.

    >>> [tuple(round(x, 3) for x in row) for row in place_chances([0.75, 0.25])]
    [(0.75, 0.25), (0.25, 0.75)]
    """
    found = [exp(s) for s in log_strengths(shares)]
    n = len(shares)
    out = [[0.0] * n for _ in range(n)]
    for order in permutations(range(n)):
        chance, left = 1.0, sum(found)
        for unit in order:
            chance *= found[unit] / left
            left = max(left - found[unit], 1e-300)
        for place, unit in enumerate(order):
            out[unit][place] += chance
    return [tuple(row) for row in out]


def log_strengths(shares: list[float]) -> list[float]:
    """Log strengths under which every unit's mean chance to be ahead of another is its share."""
    n = len(shares)
    wanted = [min(max(share, 1e-4), 1 - 1e-4) for share in shares]
    found = [log(share / (1 - share)) for share in wanted]
    for _ in range(_ROUNDS):
        now = [
            sum(1 / (1 + exp(found[v] - found[u])) for v in range(n) if v != u) / (n - 1) for u in range(n)
        ]
        if max(abs(a - b) for a, b in zip(now, wanted, strict=True)) < 1e-9:
            break
        # Half a step, because moving the others as well would carry two units too far.
        found = [
            f + (log(w / (1 - w)) - log(a / (1 - a))) / 2 for f, w, a in zip(found, wanted, now, strict=True)
        ]
        middle = sum(found) / n
        found = [max(-20.0, min(20.0, f - middle)) for f in found]
    return found
