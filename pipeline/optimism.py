"""`python -m pipeline.optimism LIBRARY`: what to take off the mover's side so that re-evaluations are 0 in the mean.

Reads the judged games of a library. Half a game's optimism shows when its mover is valued, the other half, with the
sign turned, when the next one is: a position after the best move belongs to the opponent. Prints what is left beside
`engine.optimism.OPTIMISM`: constants to add, and how exactly they are known.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.brains import weights
from engine.optimism import uncertainty
from engine.rulesets import default_rules
from engine.variants import VARIANTS
from pipeline.store import Reader, open_reader

F64 = npt.NDArray[np.float64]

QUESTION = """
SELECT seat, lead(seat) OVER game AS next_seat, before_shares, best_shares, before_points, best_points,
       (count(*) OVER (PARTITION BY p.game_no, p.colour ORDER BY p.ply) - 1)::INTEGER AS pieces,
       NOT p.proven AND NOT p.forced AS searched
FROM analysed_plies_raw p JOIN games g USING (game_no)
WHERE g.variant = $variant WINDOW game AS (PARTITION BY p.game_no ORDER BY p.ply) ORDER BY p.game_no, p.ply
"""


@dataclass(frozen=True, slots=True)
class Remaining:
    """Mean re-evaluation of the searched decisions with its standard error, and the constant that would make it 0."""

    decisions: int
    share: float
    share_error: float
    share_constant: float
    points: float
    points_error: float
    points_constant: float


def remaining(reader: Reader, variant_id: str) -> Remaining | None:
    """What is left of the optimism in the judged games of a variant; None: nothing is judged."""
    table = reader.table(QUESTION, {"variant": variant_id})
    rows = [
        row
        for row in table.to_pylist()
        if row["searched"]
        and row["seat"]
        and row["next_seat"] not in (None, row["seat"])
        and row["before_shares"][row["seat"] - 1] is not None
    ]
    if len(rows) < 2:
        return None
    share, open_by = np.array([_share(row) for row in rows]).T
    points, width = np.array([_points(variant_id, row) for row in rows]).T
    return Remaining(
        len(rows),
        float(share.mean()),
        _error(share),
        float(-share.mean() / open_by.mean()),
        float(points.mean()),
        _error(points),
        float(-points.mean() / width.mean()),
    )


def _share(row: dict[str, object]) -> tuple[float, float]:
    """Re-evaluation of the mover's share, and how much of a constant it would take off."""
    before, best = row["before_shares"], row["best_shares"]
    assert isinstance(before, list) and isinstance(best, list)
    mover, follower = int(str(row["seat"])) - 1, int(str(row["next_seat"])) - 1
    others = sum(share is not None for share in best) - 1
    after = best[follower]
    given = 0.0 if after is None else uncertainty(after) / max(1, others)
    return best[mover] - before[mover], uncertainty(before[mover]) + given


def _points(variant_id: str, row: dict[str, object]) -> tuple[float, float]:
    """Re-evaluation of the mover's points, and the standard deviation of its final points."""
    before, best = row["before_points"], row["best_points"]
    assert isinstance(before, list) and isinstance(best, list)
    mover = int(str(row["seat"])) - 1
    spread = weights(variant_id).spread
    stage = min(int(str(row["pieces"])) // 2, len(spread) - 1)
    colours = len(default_rules(variant_id).seats[mover])
    return best[mover] - before[mover], float(spread[stage]) * colours**0.5


def _error(values: F64) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)


def main() -> None:
    """Print a row for every variant that has judged games."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.optimism", description=__doc__)
    parser.add_argument("library", type=Path)
    given = parser.parse_args()
    print("| variant | decisions | share left, % | to add | points left | to add |")
    print("|---|---|---|---|---|---|")
    with open_reader(given.library) as reader:
        for variant_id in VARIANTS:
            found = remaining(reader, variant_id)
            if found is not None:
                print(
                    f"| {variant_id} | {found.decisions} | {100 * found.share:.2f} +- {100 * found.share_error:.2f} "
                    f"| {found.share_constant:.4f} | {found.points:.3f} +- {found.points_error:.3f} "
                    f"| {found.points_constant:.4f} |"
                )


if __name__ == "__main__":
    main()
