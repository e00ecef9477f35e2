"""`python -m engine.learning.noise duo`: how far apart searches with other seeds are; completes a weights file."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from engine.brains import FOLDER, read_weights, save_weights
from engine.evaluate import NOISE
from engine.geometry import F64
from engine.kernels.search import Brain
from engine.kernels.self_play import play_on, start_game
from engine.kernels.tree import POINTS, SHARE, Tree
from engine.learning.self_play import Recipe, Searched, self_play
from engine.rulesets import default_rules
from engine.search_tables import search_game
from engine.tree_search import TASTE, new_desk, new_tree, plant, search, taste_for
from engine.variants import VARIANTS

VISITS = (0, 30, 120, 480, 1920)
SEEDS = 6
POSITIONS = 60


def _samples(variant_id: str, brain: Brain, games: Searched) -> tuple[F64, F64, F64]:
    """(mean share of the first unit, standard deviations of it and of the colours' points) by VISITS and position."""
    rules = default_rules(variant_id)
    game, desk, work = (
        search_game(variant_id, rules),
        new_desk(variant_id, rules),
        new_desk(variant_id, rules),
    )
    tree = new_tree(variant_id, VISITS[-1] + 2, (VISITS[-1] + 2) * TASTE.width + 40_000)
    taste = taste_for(game, NOISE)
    chosen = np.random.default_rng(1).choice(len(games.play.events), POSITIONS, replace=False)
    shares: list[F64] = []
    points: list[F64] = []
    for number in range(len(games.facts)):
        start_game(game, desk)
        for ply in range(games.play.first[number], games.play.first[number + 1]):
            if ply in chosen:
                found = np.zeros((SEEDS, len(VISITS), 2))
                task = (game, brain, taste, tree, work, desk.state, desk.clock)
                for seed in range(SEEDS):
                    plant(task, seed)
                    for k, visits in enumerate(VISITS):
                        search(task, visits + 1)
                        found[seed, k] = _read(tree)
                shares.append(found[:, :, 0])
                points.append(found[:, :, 1])
            play_on(game, desk, int(games.play.events[ply, 0]), int(games.play.events[ply, 1]))
    # Without simulations all seeds agree: the error is the distance to what a search finds.
    share, point = np.array(shares), np.array(points)
    static = (
        np.abs(share[:, 0, 0] - share[:, :, -1].mean(axis=1)),
        np.abs(point[:, 0, 0] - point[:, :, -1].mean(axis=1)),
    )
    spread_share, spread_points = share.std(axis=1, ddof=1), point.std(axis=1, ddof=1)
    spread_share[:, 0], spread_points[:, 0] = static
    return share.mean(axis=1), spread_share, spread_points


def _read(tree: Tree) -> tuple[float, float]:
    return tree.sums[0, SHARE, 0] / tree.visits[0], tree.sums[0, POINTS, 0] / tree.visits[0]


def _line(values: F64) -> tuple[float, float]:
    """(a, b) of ``a / (visits + 1)^b`` through root mean squares by VISITS."""
    x = np.log(np.array(VISITS) + 1.0)
    slope, start = np.polyfit(x, np.log(np.maximum(values, 1e-6)), 1)
    return float(np.exp(start)), float(-slope)


def main() -> None:
    """Measure the noise of a variant's searches and write it into the weights file."""
    parser = argparse.ArgumentParser(prog="python -m engine.learning.noise", description=__doc__)
    parser.add_argument("variant", choices=list(VARIANTS))
    parser.add_argument("--weights", type=Path, help="default: the engine's own of the variant")
    given = parser.parse_args()
    path = given.weights or FOLDER / f"{given.variant}.npz"
    weights = read_weights(given.variant, path)
    games = self_play(given.variant, weights.brain, Recipe(visits=40), 77, 8)
    mean, share, points = _samples(given.variant, weights.brain, games)
    scale = np.sqrt(np.maximum(mean * (1 - mean), 1e-3))
    rows = np.sqrt(((share / scale) ** 2).mean(axis=0)), np.sqrt((points**2).mean(axis=0))
    noise = np.array([*_line(rows[0]), *_line(rows[1])])
    for name, row in zip(("share / sqrt(s (1 - s))", "points"), rows, strict=True):
        print(name, *(f"{visits}: {value:.4f}" for visits, value in zip(VISITS, row, strict=True)))
    print("a, b of shares, a, b of points:", noise.round(3))
    save_weights(weights._replace(noise=noise), path)


if __name__ == "__main__":
    main()
