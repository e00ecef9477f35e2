"""A round of self-play on several processes."""

from __future__ import annotations

from concurrent.futures import Executor

from engine.kernels.search import Brain
from engine.learning.self_play import Recipe, Searched, join, self_play

PORTION = 100
"""Games a worker plays at a time, with a seed of their own: any number of workers gives the same games."""


def _portion(task: tuple[str, Brain, Recipe, int, int]) -> Searched:
    return self_play(*task)


def play_round(
    pool: Executor, variant_id: str, brain: Brain, recipe: Recipe, seed: int, games: int
) -> Searched:
    """Play `games` games in portions, each with a seed of its own: the same games on any number of workers."""
    tasks = [
        (variant_id, brain, recipe, seed * 1_000_003 + number, min(PORTION, games - number * PORTION))
        for number in range(-(-games // PORTION))
    ]
    return join(list(pool.map(_portion, tasks)))
