"""`python -m engine.learning duo --rounds 6000x1 3000x60 8000x100 --seed 1`: play, learn, play better, learn again."""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from engine.brains import FOLDER, Weights, first_brain, read_weights, save_weights
from engine.kernels.search import Brain
from engine.learning.lessons import Lesson, borrowed, learn
from engine.learning.rounds import play_round
from engine.learning.self_play import Recipe, Searched, join, load_games, save_games
from engine.variants import VARIANTS

ROUNDS = ["6000x1", "4000x60", "8000x100", "16000x160", "24000x160", "24000x160", "24000x160"]

FIRST_NOISE = np.array([0.3, 0.35, 5.0, 0.35])
"""A guess, until `python -m engine.learning.noise` has measured it."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m engine.learning", description=__doc__)
    parser.add_argument("variant", choices=list(VARIANTS))
    parser.add_argument("--rounds", nargs="+", default=ROUNDS, metavar="GAMESxVISITS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--start", type=Path, help="weights to start from instead of none, of this variant or one alike"
    )
    parser.add_argument(
        "--games", type=Path, default=Path("learning"), help="folder for the games of each round"
    )
    parser.add_argument(
        "--also", type=Path, nargs="+", default=[], help="games of a variant alike, to learn values from"
    )
    parser.add_argument("--out", type=Path, help="default: the engine's own weights of the variant")
    parser.add_argument("--keep", type=int, default=2, help="rounds of games that are learned from")
    parser.add_argument("--passes", type=int, default=6)
    return parser.parse_args()


def _games(
    pool: ProcessPoolExecutor, given: argparse.Namespace, brain: Brain, number: int, games: int, visits: int
) -> Searched:
    """The games of a round, from their file if they were played before."""
    path = given.games / f"{given.variant}-{given.seed}-{number + 1}-{games}x{visits}.npz"
    if path.exists():
        return load_games(path)
    recipe = Recipe(visits=visits) if visits > 1 else Recipe(visits=1, opening=9.0)
    played = play_round(pool, given.variant, brain, recipe, given.seed + 100 * number, games)
    save_games(played, path)
    return played


def _lesson(passes: int, also: list[Searched], lists: list[Searched]) -> Lesson:
    """How is learned; what is held out, the last games, are some of the variant's own."""
    own = sum(len(games.facts) for games in lists)
    every = own + sum(len(games.facts) for games in also)
    return Lesson(passes=passes, held_out=Lesson().held_out * own / every)


def _rounds(given: argparse.Namespace, first: Brain, out: Path) -> list[dict[str, Any]]:
    """Play and learn; writes the weights after each round, and returns what is to be told of them."""
    brain, history = first, []
    lists: list[Searched] = []
    also = [borrowed(given.variant, load_games(path)) for path in given.also]
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        for number, round_ in enumerate(given.rounds):
            games, visits = (int(part) for part in round_.split("x"))
            began = time.time()
            lists.append(_games(pool, given, brain, number, games, visits))
            played = time.time()
            # Games of drawn moves say nothing about good priors, and little about values once there are better ones.
            lists = lists[-given.keep :] if number > 1 else lists[-1:]
            # The network begins anew: what it knows of games that are not learned from any more would be in the way.
            start, lesson = Brain(first.net, brain.policy), _lesson(given.passes, also, lists)
            brain, report, spread = learn(
                given.variant, start, join([*also, *lists]), lesson, given.seed, print
            )
            history.append({"games": games, "visits": visits, **report._asdict()})
            seconds = f"{played - began:.0f} s and {time.time() - played:.0f} s"
            print(f"round {number + 1}: {report}, {seconds}", flush=True)
            save_weights(Weights(given.variant, brain, spread, FIRST_NOISE), out)
    return history


def main() -> None:
    """Play and learn as the arguments say; writes the weights and, beside them, how they came to be."""
    given = _arguments()
    out = given.out or FOLDER / f"{given.variant}.npz"
    given.games.mkdir(parents=True, exist_ok=True)
    first = first_brain(given.variant, given.seed)
    if given.start:
        first = read_weights(given.variant, given.start, alike=True).brain
    history = _rounds(given, first, out)
    command = (
        f"python -m engine.learning {given.variant} --rounds {' '.join(given.rounds)} --seed {given.seed}"
    )
    if given.start:
        command += f" --start {given.start.name}"
    if given.also:
        command += f" --also {' '.join(path.name for path in given.also)}"
    out.with_suffix(".json").write_text(json.dumps({"command": command, "rounds": history}, indent=1) + "\n")


if __name__ == "__main__":
    main()
