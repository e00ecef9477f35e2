"""How far the engine's shares can be believed: `python -m pipeline.calibration GAMES... --variant duo --budget 300`.

Takes finished games from files of any format, or fresh ones of the engine against itself (`--self-play 2000`), draws
one ply of each game in each phase, and compares the shares that the engine gives the position with the result of the
game. Prints Markdown; `engine/README.md` holds the tables.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.brains import brain
from engine.calibration import Calibration, calibrate, one_ply_of_each
from engine.errors import RuleError
from engine.evaluate import NOISE
from engine.geometry import F64, geometry, placement_cells
from engine.learning.rounds import play_round
from engine.learning.self_play import Recipe
from engine.position import Position
from engine.rulesets import default_rules, parse_rules
from engine.scoring import results, units
from engine.search_tables import search_game
from engine.searching import Search
from engine.temperature import temperature_of, tempered_shares
from engine.tree_search import taste_for
from engine.variants import VARIANTS
from notation.record import GameRecord, Move
from pipeline.portions import Digest, Inventory, portions_of
from pipeline.unit import Reading, read_portion

PHASES = ("opening", "early", "late", "ending")
"""Quarters of the placements of a game."""


SEEDS_APART = 1_000_000
"""Added to the seed of self-play, so that it never plays the games that the weights have learned from."""


class Placed(NamedTuple):
    """A colour and the cells that it covered."""

    colour: int
    cells: tuple[int, ...]


def own_games(variant_id: str, games: int, visits: int, seed: int, jobs: int) -> list[list[Placed]]:
    """Games of the engine against itself, played as those that it learns from, by the weights in use."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        recipe = Recipe(visits=visits)
        play = play_round(pool, variant_id, brain(variant_id), recipe, seed + SEEDS_APART, games).play
    tables = geometry(variant_id)
    moves = [Placed(int(c), placement_cells(tables, int(placement))) for c, placement in play.events]
    return [moves[a:b] for a, b in zip(play.first[:-1], play.first[1:], strict=True)]


def finished_games(paths: Sequence[str], variant_id: str) -> Iterator[list[Placed]]:
    """The placements of the games of a variant that were played to their end under its default rules."""
    reading, inventory = Reading(), Inventory()
    for portion in portions_of(list(paths), reading, inventory):
        if isinstance(portion, Digest):
            continue
        for item in read_portion(portion, reading):
            record = item.item
            if isinstance(record, GameRecord) and record.variant == variant_id and not record.setup:
                moves = [event for event in record.events if isinstance(event, Move)]
                if _is_default(variant_id, record) and _ends(variant_id, moves):
                    yield [Placed(move.colour, move.cells) for move in moves]


def _is_default(variant_id: str, record: GameRecord) -> bool:
    """Whether a record is under its variant's default rules; rules that do not fit the variant are not."""
    try:
        return parse_rules(variant_id, record.rules) == default_rules(variant_id)
    except RuleError:
        return False


def _ends(variant_id: str, moves: Sequence[Move]) -> bool:
    position = Position(variant_id)
    for move in moves:
        if move.colour < 0 or position.why_illegal(move.colour, move.cells) is not None:
            return False
        position.play(move.colour, move.cells)
    return position.is_over


def predictions(
    games: Sequence[Sequence[Placed]], variant_id: str, simulations: int, seed: int
) -> tuple[F64, F64, npt.NDArray[np.int64]]:
    """(predicted shares, results, phase) of one ply of each game in each phase: ``(Q, U)``, ``(Q, U)``, ``(Q,)``."""
    chosen = _chosen([len(game) for game in games], seed)
    rules = default_rules(variant_id)
    taste = taste_for(search_game(variant_id, rules), NOISE)
    first = [unit[0] for unit in units(rules)]
    predicted: list[F64] = []
    happened: list[list[float]] = []
    phases: list[int] = []
    for number, game in enumerate(games):
        position, found = Position(variant_id), 0
        for ply, move in enumerate(game):
            if (number, ply) in chosen:
                search = Search(position, seed, max(simulations, 1), taste)
                search.run(simulations)
                predicted.append(np.array(tempered_shares(search.shares(), temperature_of(search))))
                phases.append(chosen[number, ply])
                found += 1
            position.play(move.colour, move.cells)
        shares = [seat.share or 0.0 for seat in results(variant_id, rules, position.facts)]
        happened += [[shares[seat] for seat in first]] * found
    return np.array(predicted), np.array(happened), np.array(phases)


def _chosen(lengths: Sequence[int], seed: int) -> dict[tuple[int, int], int]:
    """Phase of each (game, ply) that is looked at."""
    game = np.repeat(np.arange(len(lengths)), lengths)
    ply = np.concatenate([np.arange(length) for length in lengths])
    phase = ply * len(PHASES) // np.array(lengths)[game]
    return {
        (int(game[row]), int(ply[row])): number
        for number in range(len(PHASES))
        for row in one_ply_of_each(game, phase == number, seed + number)
    }


def table(variant_id: str, predicted: F64, happened: F64, phase: npt.NDArray[np.int64]) -> list[str]:
    """Markdown rows: the phases, then each seat over all phases, then the reliability of all."""
    rows = [
        "| | games | log-loss | seats alone | Brier | calibration error | floor |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, name in enumerate(PHASES):
        here = phase == number
        rows.append(_row(f"{variant_id}, {name}", calibrate(predicted[here], happened[here])))
    for unit in range(predicted.shape[1]):
        one = calibrate(predicted[:, [unit]], happened[:, [unit]])
        rows.append(_row(f"{variant_id}, side {unit + 1}, positions", one))
    bins = calibrate(predicted, happened).bins
    rows += ["", "| predicted | happened | shares |", "|---|---|---|"]
    rows += [f"| {b.predicted:.2f} | {b.happened:.2f} | {b.number} |" for b in bins]
    return rows


def _row(name: str, found: Calibration) -> str:
    numbers = (found.log_loss, found.base_log_loss, found.brier, found.error, found.floor)
    return f"| {name} | {found.games} | " + " | ".join(f"{number:.3f}" for number in numbers) + " |"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m pipeline.calibration", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="GAMES")
    parser.add_argument("--self-play", type=int, default=0, metavar="N", help="play so many games instead")
    parser.add_argument("--visits", type=int, default=160, help="of a move in self-play")
    parser.add_argument("--jobs", type=int, default=2, help="processes that play")
    parser.add_argument("--variant", choices=list(VARIANTS), required=True)
    parser.add_argument(
        "--budget",
        type=int,
        nargs="+",
        default=[0],
        metavar="SIMULATIONS",
        help="0: the static evaluation; a table for each",
    )
    parser.add_argument("--games", type=int, default=10_000, help="games at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if bool(given.paths) == bool(given.self_play):
        parser.error("give either files of games or --self-play")
    return given


def main() -> None:
    """Print the tables."""
    given = _arguments()
    if given.self_play:
        games = own_games(given.variant, given.self_play, given.visits, given.seed, given.jobs)
    else:
        games = list(itertools.islice(finished_games(given.paths, given.variant), given.games))
    if len(games) < 10:
        raise SystemExit(f"{len(games)} finished games of {given.variant} under its default rules: too few")
    for budget in given.budget:
        print(f"\n{budget} simulations\n" if budget else "\nstatic\n")
        print(
            "\n".join(table(given.variant, *predictions(games, given.variant, budget, given.seed))),
            flush=True,
        )


if __name__ == "__main__":
    main()
