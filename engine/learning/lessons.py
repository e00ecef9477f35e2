"""Learn a network and priors from games of self-play."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.brains import brain_arrays, make_brain
from engine.facts import ALL_PLACED, BLOCKED, FACTS, PIECES
from engine.geometry import F64, geometry
from engine.kernels.levels import CLASSES
from engine.kernels.net_training import Slate, Steps, predict, train_net
from engine.kernels.network import OUTPUTS, STAGES, Net
from engine.kernels.policy import Policy
from engine.kernels.policy_training import PolicySteps, train_policy
from engine.kernels.search import Brain
from engine.kernels.self_play import Samples, write_samples
from engine.kernels.vectors import WIDTH
from engine.learning.self_play import Searched
from engine.rulesets import default_rules
from engine.scoring import batch_results, units
from engine.search_tables import search_game
from engine.tree_search import new_desk
from engine.variants import variant

SHARPER = 2.5
"""Factor of the log weights of learned priors: what was learned of noisy values is too cautious (found by matches)."""


class Lesson(NamedTuple):
    """How is learned."""

    passes: int = 6
    rate: float = 2e-3
    last_rate: float = 5e-5
    decay: float = 1e-3
    batch: int = 256
    trace: float = (
        0.9  # how much later plies count in what shares are to be: 0 is the search's opinion, 1 the result
    )
    cells: float = 0.3  # weight of the cells' loss beside that of the shares
    held_out: float = 0.05


class Report(NamedTuple):
    """How well held-out games are predicted: log-loss of the shares, that of the constant by unit, R2 of the points."""

    positions: int
    log_loss: float
    baseline: float
    r2: float
    policy_loss: float


def _shares(variant_id: str, games: Searched) -> npt.NDArray[np.float64]:
    """Result shares of the units: ``(G, U)``."""
    rules = default_rules(variant_id)
    left = np.full((len(games.facts), len(rules.seats)), -1)
    found = batch_results(variant_id, rules, games.facts, left, np.ones(len(games.facts), bool))
    return found.shares[:, [unit[0] for unit in units(rules)]]


def traced(opinions: F64, results: F64, first: npt.NDArray[np.int64], trace: float) -> F64:
    """What shares are to be, ``(E, U)``: the opinion at a ply, and with weight `trace` the same of the ply after it.

    After the last ply comes the result. `opinions` is ``(E, U)``, `results` ``(G, U)``, ``first[g]`` the first
    ply of game g. This is the lambda return of temporal-difference learning (Sutton and Barto, 2018, chapter 12):
    later searches know more, and are less of an accident than one result.
    """
    targets = np.array(opinions, np.float64)
    later, lengths = np.array(results, np.float64), np.diff(first)
    for back in range(1, int(lengths.max(initial=0)) + 1):
        long = np.flatnonzero(lengths >= back)
        rows = first[1:][long] - back
        later[long] = (1 - trace) * targets[rows] + trace * later[long]
        targets[rows] = later[long]
    return targets


def make_samples(variant_id: str, games: Searched, trace: float) -> tuple[Samples, npt.NDArray[np.int64]]:
    """Positions before each ply; and the game of each."""
    rules = default_rules(variant_id)
    game, desk, tables = search_game(variant_id, rules), new_desk(variant_id, rules), geometry(variant_id)
    colours, total = len(variant(variant_id).colours), len(games.play.events)
    lengths = np.diff(games.play.first)
    of_game = np.repeat(np.arange(len(lengths)), lengths)
    targets = traced(games.share.astype(np.float64), _shares(variant_id, games), games.play.first, trace)
    samples = Samples(
        kinds=np.zeros((total, colours, len(tables.cell_bit)), np.uint8),
        left=np.zeros((total, colours, len(tables.pieces)), np.int8),
        width=np.zeros((total, colours), np.int8),
        facts=np.zeros((total, colours, FACTS), np.int16),
        mover=np.zeros(total, np.int8),
        final=games.facts[:, :, [0, 2, 3]].astype(np.int16)[of_game],
        share=targets.astype(np.float32),
    )
    row = 0
    for number in range(len(lengths)):
        row = write_samples(game, desk, games.play, number, row, samples)
    return samples, of_game


def borrowed(variant_id: str, games: Searched) -> Searched:
    """Games of a variant alike (same board, pieces and colours) to learn values from: only their results count.

    What the searches thought was about other sides, of shares as of moves.
    """
    shares = _shares(variant_id, games)[np.repeat(np.arange(len(games.facts)), np.diff(games.play.first))]
    play = games.play._replace(
        first_move=np.zeros_like(games.play.first_move), searched=games.play.searched[:0]
    )
    return Searched(play, shares.astype(np.float32), games.facts)


def _empty(net: Net) -> Net:
    return Net(*(np.zeros_like(array) for array in net))


def learn(
    variant_id: str, start: Brain, games: Searched, lesson: Lesson, seed: int, say: Callable[[str], None]
) -> tuple[Brain, Report, F64]:
    """Learn from `start` on, with the last games held out.

    Returns the weights, how well they predict what was held out, and the spread of the points there by stage.
    """
    rules = default_rules(variant_id)
    game = search_game(variant_id, rules)
    brain = make_brain({name: array.copy() for name, array in brain_arrays(start).items()})
    _scale(brain.policy, 1 / SHARPER)
    samples, of_game = make_samples(variant_id, games, lesson.trace)
    known = int((1 - lesson.held_out) * len(games.facts))
    random = np.random.default_rng(seed)
    seen, unseen = np.flatnonzero(of_game < known), np.flatnonzero(of_game >= known)
    colours, count = len(variant(variant_id).colours), len(game.units_of)
    slate = _slate(colours, count)
    common = np.zeros((2, CLASSES, WIDTH), np.float32)
    steps = Steps(_empty(brain.net), _empty(brain.net), _empty(brain.net), common)
    t = 0
    for number in range(lesson.passes):
        rates = [_rate(lesson, number + k, lesson.passes) for k in (0, 1)]
        weights = np.array([lesson.cells, 0.1, *rates, lesson.decay])
        order = random.permutation(seen)
        t = train_net(game, brain.net, steps, samples, order, slate, weights, lesson.batch, t)
        losses = slate.losses[:3] / slate.losses[3]
        say(f"pass {number + 1}: share {losses[0] / count:.4f}, cells {losses[1] / colours:.4f}")
    policy_loss = _learn_policy(variant_id, brain.policy, games, known, lesson, random, say)
    _scale(brain.policy, SHARPER)
    report, spread = _report(variant_id, brain, samples, of_game, games, seen, unseen, slate)
    return brain, report._replace(policy_loss=policy_loss), spread


def _scale(policy: Policy, factor: float) -> None:
    for array in policy:
        array *= np.float32(factor)


def _rate(lesson: Lesson, done: int, of: int) -> float:
    """Learning rate after so many passes: down by half a cosine."""
    return float(lesson.last_rate + (lesson.rate - lesson.last_rate) * (1 + np.cos(np.pi * done / of)) / 2)


def _slate(colours: int, count: int) -> Slate:
    return Slate(
        first=np.zeros((colours, WIDTH), np.float32),
        second=np.zeros((colours, WIDTH), np.float32),
        outputs=np.zeros((colours, OUTPUTS)),
        d_first=np.zeros((colours, WIDTH), np.float32),
        d_second=np.zeros((colours, WIDTH), np.float32),
        d_outputs=np.zeros((colours, OUTPUTS)),
        points=np.zeros(colours),
        strong=np.zeros(count),
        share=np.zeros(count),
        losses=np.zeros(4),
    )


def _report(
    variant_id: str,
    brain: Brain,
    samples: Samples,
    of_game: npt.NDArray[np.int64],
    games: Searched,
    seen: npt.NDArray[np.int64],
    unseen: npt.NDArray[np.int64],
    slate: Slate,
) -> tuple[Report, F64]:
    game = search_game(variant_id, default_rules(variant_id))
    count = len(game.units_of)
    found = np.zeros((len(unseen), count + len(slate.points)))
    predict(game, brain.net, samples, unseen, slate, np.array([0.2, 0.1, 0, 0, 0]), found)
    results = _shares(variant_id, games)
    truth, mean = results[of_game[unseen]], results[of_game[seen]].mean(axis=0)

    def loss(guess: npt.NDArray[np.float64]) -> float:
        guess = np.clip(guess, 1e-6, 1 - 1e-6)
        return float(-(truth * np.log(guess) + (1 - truth) * np.log(1 - guess)).mean())

    final = samples.final[unseen, :, 0].astype(float)
    points = game.scoring[0] * final + game.scoring[1] * (game.cells - final)
    bonus = np.where(samples.final[unseen, :, 2] > 0, game.scoring[3], game.scoring[2])
    points += np.where(samples.final[unseen, :, 1] > 0, bonus, 0)
    error = found[:, count:] - points
    r2 = 1 - float((error**2).sum() / ((points - points.mean(axis=0)) ** 2).sum())
    report = Report(len(unseen), loss(found[:, :count]), loss(np.broadcast_to(mean, truth.shape)), r2, 0.0)
    return report, _spread(samples, unseen, error)


def _spread(samples: Samples, unseen: npt.NDArray[np.int64], error: F64) -> F64:
    """Root mean square error of the points of the colours that can still move, by stage: ``(STAGES,)``."""
    facts = samples.facts[unseen]
    open_ = (facts[:, :, ALL_PLACED] == 0) & (facts[:, :, BLOCKED] == 0)
    stage = np.minimum(facts[:, :, PIECES] // 2, STAGES - 1)
    out, last = np.zeros(STAGES), 0.0
    for number in range(STAGES):
        found = error[open_ & (stage == number)]
        last = float(np.sqrt((found**2).mean())) if len(found) > 20 else last
        out[number] = last
    return out


def _learn_policy(
    variant_id: str,
    policy: Policy,
    games: Searched,
    known: int,
    lesson: Lesson,
    random: np.random.Generator,
    say: Callable[[str], None],
) -> float:
    """Learn the priors; returns the mean cross entropy on the games held out, in nats."""
    rules = default_rules(variant_id)
    game, desk, tables = search_game(variant_id, rules), new_desk(variant_id, rules), geometry(variant_id)
    steps = PolicySteps(
        np.zeros((4, policy.cells.shape[0] * 3, policy.cells.shape[2]), np.float32),
        np.zeros((4, *policy.places.shape), np.float32),
        np.zeros((4, *policy.pieces.shape), np.float32),
    )
    share_of, losses, t = np.zeros(len(tables.placement_piece), np.float32), np.zeros(2), 0
    passes = max(1, lesson.passes // 2)
    for number in range(passes):
        rates = np.array([2e-2 * 0.1 ** ((number + k) / passes) for k in (0, 1)] + [1e-4])
        order = random.permutation(known)
        t = train_policy(game, policy, steps, desk, games.play, order, share_of, rates, 128, t, losses)
        say(f"priors, pass {number + 1}: {losses[0] / losses[1]:.4f} nats")
    rest = np.arange(known, len(games.facts))
    train_policy(game, policy, steps, desk, games.play, rest, share_of, np.zeros(3), 128, t, losses)
    return float(losses[0] / max(1.0, losses[1]))
