"""What a search thinks too well of the side to move, taken off again.

A search chooses the mover's best move with all its simulations, but answers every single one of them with a part: the
first choice is also the one that was overestimated most. Measured on games (`python -m pipeline.optimism LIBRARY`):
how much lower the mover's side stands in a search of the same size after its best move. What is taken off makes that
difference 0 in the mean, so that the values of a game's positions fit together. It hangs on the weights, and grows with
the search: in Duo, with earlier weights, 0.0011 at 100 simulations, 0.0026 at 800 and 0.0050 at 8,000 (60 and 40
games).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import log1p
from typing import NamedTuple

from engine.budgets import QUICK
from engine.geometry import F64


class Optimism(NamedTuple):
    """`share` times ``4 s (1 - s)`` is taken off a mover's share s, `spread` standard deviations off its points."""

    share: float
    spread: float


NO_OPTIMISM = Optimism(0.0, 0.0)

OPTIMISM: dict[str, Optimism] = {
    "classic": Optimism(-0.0056, -0.0206),
    "classic_2": NO_OPTIMISM,
    "classic_3": Optimism(0.0043, 0.0144),
    "duo": Optimism(0.0008, -0.0075),
    "junior": Optimism(0.0005, -0.0074),
    "trigon": Optimism(0.0048, 0.0233),
    "trigon_2": Optimism(0.0028, 0.0048),
    "trigon_3": Optimism(0.0066, 0.0427),
}
"""By variant, at the simulations of `quick`, 0 where it is within its error; `pipeline/move_quality.md` tells what is
left, and on which games it was fitted."""

BEGINNING = 50
"""Simulations from which on it grows by the same for every factor."""


def optimism(variant_id: str, visits: int) -> Optimism:
    """What a search of so many simulations thinks too well of its mover; nothing without a search.

    >>> optimism("duo", 0) == NO_OPTIMISM, optimism("duo", 8000) == OPTIMISM["duo"]
    (True, True)
    """
    found = OPTIMISM[variant_id]
    part = log1p(visits / BEGINNING) / log1p(QUICK[variant_id] / BEGINNING)
    return Optimism(found.share * part, found.spread * part)


def uncertainty(share: float) -> float:
    """How open a result is: ``4 s (1 - s)``, 1 at a share of a half, 0 where it is settled."""
    return 4 * share * (1 - share)


def sobered(share: float, optimism: float) -> float:
    """A mover's share without the optimism."""
    return share - optimism * uncertainty(share)


def sobered_shares(
    shares: F64 | Sequence[float], mover: int, optimism: float, gone: Container[int] = ()
) -> list[float]:
    """Shares of all units; what the mover has less goes to the others, where their results are open.

    `gone` are units that have left: their results are settled, whatever their shares.

    >>> [round(share, 3) for share in sobered_shares([0.5, 0.3, 0.7], 0, 0.01)]
    [0.49, 0.305, 0.705]
    """
    out = [float(share) for share in shares]
    less = sobered(out[mover], optimism)
    open_results = [
        0.0 if unit == mover or unit in gone else max(0.0, uncertainty(share))
        for unit, share in enumerate(out)
    ]
    if (room := sum(open_results)) <= 0:
        return out
    gain = out[mover] - less
    out[mover] = less
    return [share + gain * (part / room) for share, part in zip(out, open_results, strict=True)]
