"""How well the models of strength predict: log-loss on games that they have not seen.

Contests come in the order of play, and every one is predicted before any model learns from it. The first half of each
family also fits, for each model, one number: the scale of its log-odds (for the competition room's points, which are no
probabilities, that is the logistic curve that they need). What is reported is of the second half. A contest of several
players is its pairs of different players, and counts as one: the mean over the pairs; a tie is half a win.

`python -m pipeline.rating_comparison LIBRARY` prints the table.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pipeline.contests import CONTESTS
from pipeline.rating_models import MODELS, Contest, Model, is_duel, logistic
from pipeline.ratings import CONTEST_ROWS, contests_of
from pipeline.store import Reader, open_reader

Row = dict[str, Any]

LEAST = 10
"""Held-out contests of a family below which there is no table: it would say nothing."""

_NEVER = 1e-9
"""Probabilities closer to 0 or 1 are taken as this: certainty that fails would cost everything."""


class Prediction(NamedTuple):
    """Of one pair: log-odds that the first unit comes before the other, and its share; the seats, and how many."""

    odds: float
    result: float


def compare(reader: Reader, odd: bool = False) -> list[Row]:
    """A row for every family, kind (games, or results without moves) and model with enough contests.

    `log_loss` is the model's own, `calibrated` after scaling its log-odds by `scale`, `error` the standard error of the
    latter; null where the model makes no probabilities. `coin` is the loss of not knowing anything, and `seats` the
    model that knows only who sits where.
    """
    where = "true" if odd else "NOT k.irregular AND NOT k.foreign_pieces"
    games = reader.table("SELECT contest FROM contests WHERE game_no IS NOT NULL", needs=[CONTESTS])
    of_games = set(games["contest"].to_pylist())
    table = reader.table(CONTEST_ROWS.format(where=where), needs=[CONTESTS])
    by_kind: dict[tuple[str, str], list[Contest]] = {}
    for contest in contests_of(zip(*(column.to_pylist() for column in table.columns), strict=True)):
        kind = "games" if contest.number in of_games else "results"
        by_kind.setdefault((contest.family, kind), []).append(contest)
    return [
        {"family": family, "kind": kind, **row}
        for (family, kind), contests in sorted(by_kind.items())
        if len(contests) >= 2 * LEAST
        for row in compare_models(contests)
    ]


def compare_models(contests: Sequence[Contest]) -> list[Row]:
    """Rows of one family, a model each; see `compare`."""
    half = len(contests) // 2
    rows = [_baseline("coin", [[math.log(2)]] * (len(contests) - half))]
    rows.append(_baseline("seats", _seats_only(contests, half)))
    for name, make in MODELS.items():
        if name == "points" and not all(map(is_duel, contests)):
            continue
        predicted = _predicted(make(), contests)
        scale = _fitted_scale(predicted[:half])
        held_out = predicted[half:]
        own = [[_loss(p.odds, p.result) for p in pairs] for pairs in held_out]
        scaled = [[_loss(scale * p.odds, p.result) for p in pairs] for pairs in held_out]
        row = _row(name, len(contests), scaled)
        rows.append({**row, "log_loss": None if name == "points" else _mean(own), "scale": scale})
    return rows


def _predicted(model: Model, contests: Iterable[Contest]) -> list[list[Prediction]]:
    """Pairs of every contest, predicted before the model learns from it."""
    out = []
    for contest in contests:
        pairs = []
        for one, other, result in contest.pairs():
            probability = model.probability(one, other)
            if probability is not None:
                pairs.append(Prediction(_odds(probability), result))
        out.append(pairs)
        model.rate(contest)
    return out


def _odds(probability: float) -> float:
    inside = min(1 - _NEVER, max(_NEVER, probability))
    return math.log(inside / (1 - inside))


def _loss(odds: float, result: float) -> float:
    probability = min(1 - _NEVER, max(_NEVER, logistic(odds)))
    return -result * math.log(probability) - (1 - result) * math.log(1 - probability)


def _fitted_scale(predicted: Sequence[Sequence[Prediction]], most: float = 20.0) -> float:
    """The factor of the log-odds with the least loss, from 0 to `most`: the loss is convex in it. 1 of nothing."""
    if not predicted:
        return 1.0

    def loss(scale: float) -> float:
        return _mean([[_loss(scale * p.odds, p.result) for p in pairs] for pairs in predicted])

    low, high = 0.0, most
    for _ in range(60):
        third = (high - low) / 3
        if loss(low + third) <= loss(high - third):
            high -= third
        else:
            low += third
    return (low + high) / 2


def _seats_only(contests: Sequence[Contest], half: int) -> list[list[float]]:
    """Losses of a model that knows how often a unit came before another by their numbers in the first half."""
    seen: dict[tuple[int, int, int], list[float]] = {}
    losses = []
    for number, contest in enumerate(contests):
        of_contest = []
        units = contest.units
        for one, other, result in contest.pairs():
            key = (len(units), units.index(one), units.index(other))
            wins, games = seen.setdefault(key, [1.0, 2.0])
            of_contest.append(_loss(_odds(wins / games), result))
            if number < half:
                seen[key] = [wins + result, games + 1]
        losses.append(of_contest)
    return losses[half:]


def _baseline(name: str, losses: list[list[float]]) -> Row:
    row = _row(name, 0, losses)
    return {**row, "contests": None, "log_loss": row["calibrated"], "scale": None}


def _row(name: str, contests: int, losses: list[list[float]]) -> Row:
    means = [sum(pairs) / len(pairs) for pairs in losses]
    mean = sum(means) / len(means)
    spread = math.sqrt(sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1))
    return {
        "model": name,
        "contests": contests,
        "held_out": len(means),
        "calibrated": mean,
        "error": spread / math.sqrt(len(means)),
    }


def _mean(losses: Sequence[Sequence[float]]) -> float:
    """Mean over contests of the mean over their pairs."""
    return sum(sum(pairs) / len(pairs) for pairs in losses) / len(losses)


def table_text(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| family | of | model | held out | log-loss | calibrated | +- | scale |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        figures = ("log_loss", "calibrated", "error", "scale")
        shown = ["" if row[name] is None else f"{row[name]:.3f}" for name in figures]
        first = (row["family"], row["kind"], row["model"], str(row["held_out"]))
        lines.append(f"| {' | '.join([*first, *shown])} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table of the library named on the command line."""
    with open_reader(sys.argv[1]) as reader:
        sys.stdout.write(table_text(compare(reader)) + "\n")


if __name__ == "__main__":
    main()
