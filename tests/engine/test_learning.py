"""Learning: games of self-play, what is learned from, and gradients against finite differences."""

from __future__ import annotations

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.brains import Weights, brain_arrays, first_brain, make_brain, read_weights, save_weights
from engine.facts import ALL_PLACED, BLOCKED, CELLS, PIECES, SINGLE_LAST
from engine.geometry import geometry
from engine.kernels.levels import CLASSES
from engine.kernels.net_training import Slate, Steps, train_net
from engine.kernels.network import ALL, REST, SINGLE, STEEPNESS, STRENGTH, WIDTHS, Net
from engine.kernels.policy import PHASES
from engine.kernels.policy_training import PolicySteps, train_policy
from engine.kernels.search import Brain
from engine.kernels.self_play import Samples
from engine.kernels.vectors import WIDTH
from engine.learning import rounds
from engine.learning.lessons import Lesson, _empty, _slate, borrowed, learn, make_samples, traced
from engine.learning.self_play import Recipe, Searched, join, load_games, save_games, self_play
from engine.position import Position
from engine.rulesets import default_rules
from engine.scoring import results, units
from engine.scoring_tables import SCORINGS
from engine.search_tables import search_game
from engine.tree_search import new_desk
from engine.variants import VARIANTS, variant
from tests.engine.searched import loud_brain
from tests.naive_network import Seen, log_weights, outputs, phase, seen, sigmoid, used

RECIPE = Recipe(visits=6, cheap=0.5, full=0.5, opening=0.1)
CELLS_WEIGHT, BONUS_WEIGHT = 0.2, 0.1


@cache
def games(variant_id: str, number: int = 1) -> Searched:
    return self_play(variant_id, loud_brain(variant_id), RECIPE, 3, number)


def same(one: Searched, other: Searched) -> bool:
    pairs = zip((*one.play, one.share, one.facts), (*other.play, other.share, other.facts), strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def positions(found: Searched, variant_id: str, number: int) -> list[Position]:
    """Positions before each ply of a game, and the last one."""
    first, end = found.play.first[number : number + 2]
    out = [Position(variant_id)]
    for colour, placement in found.play.events[first:end].tolist():
        after = out[-1].copy()
        assert after.to_move == colour
        after._play(colour, placement)
        out.append(after)
    return out


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_games_of_self_play_are_legal_and_end(variant_id: str) -> None:
    found = games(variant_id)
    *_, end = positions(found, variant_id, 0)
    assert end.is_over
    assert [f.cells_placed for f in end.facts] == found.facts[0, :, CELLS].tolist()
    count = len(units(default_rules(variant_id)))
    assert found.share.sum(axis=1) == pytest.approx(np.full(len(found.share), count / 2), abs=1e-4)
    assert found.play.first_move[-1] == len(found.play.searched) > 0
    assert len(found.play.first_move) == len(found.play.events) + 1


def test_the_same_seed_plays_the_same_games_however_they_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PORTION", 2)
    brain, played = loud_brain("junior"), []
    for workers in (1, 2):
        with ThreadPoolExecutor(workers) as pool:
            played.append(rounds.play_round(pool, "junior", brain, RECIPE, 5, 3))
    assert same(*played) and len(played[0].facts) == 3
    with ThreadPoolExecutor(1) as pool:
        assert not same(played[0], rounds.play_round(pool, "junior", brain, RECIPE, 6, 3))


def test_games_of_drawn_moves_only() -> None:
    """Nothing was searched at all, as it may be in the last portion of a first round."""
    recipe = Recipe(visits=1, opening=1e6)
    found = self_play("junior", first_brain("junior", 1), recipe, 1, 1)
    assert len(found.play.events) > 10 and found.play.searched.shape == (0, 2)


def test_games_that_are_kept_and_joined(tmp_path: Path) -> None:
    found = games("junior", 2)
    save_games(found, tmp_path / "games.npz")
    assert same(load_games(tmp_path / "games.npz"), found)
    both = join([found, games("junior", 1)])
    assert len(both.facts) == 3
    assert same(join([both]), both)
    assert both.play.first_move[-1] == len(both.play.searched)
    assert [p.board.tolist() for p in positions(both, "junior", 2)] == [
        p.board.tolist() for p in positions(games("junior", 1), "junior", 0)
    ]


@pytest.mark.parametrize("variant_id", ["junior", "duo", "trigon_3"])
def test_samples_are_what_the_search_sees(variant_id: str) -> None:
    found = games(variant_id)
    samples, of_game = make_samples(variant_id, found, trace=0.75)
    assert not of_game.any()
    before = positions(found, variant_id, 0)
    for row in sorted({0, 1, len(of_game) // 2, len(of_game) - 1}):
        mover = before[row].to_move
        assert mover is not None
        shown = seen(before[row], mover)
        twin = shown_by(samples, row)
        assert (twin.kinds, twin.left, twin.placed, twin.mover) == (
            shown.kinds,
            shown.left,
            shown.placed,
            mover,
        )
        for (pieces, orientations), (fit, count), left in zip(
            twin.fitting, shown.fitting, shown.left, strict=True
        ):
            assert pieces == {piece for piece in fit if left[piece]}
            assert orientations.bit_length() == min(count.bit_length(), WIDTHS - 1)
    end = before[-1].facts
    assert samples.final[0].tolist() == [[f.cells_placed, f.all_placed, f.single_last] for f in end]
    half = samples.share.shape[1] / 2
    assert samples.share.sum(axis=1) == pytest.approx(np.full(len(of_game), half), abs=1e-4)


def shown_by(samples: Samples, row: int) -> Seen:
    left = samples.left[row].tolist()
    fitting = [
        ({piece for piece, n in enumerate(of) if n > 0}, (1 << int(width)) - 1)
        for of, width in zip(left, samples.width[row], strict=True)
    ]
    return Seen(
        samples.kinds[row].tolist(),
        fitting,
        [[abs(n) for n in of] for of in left],
        samples.facts[row, :, PIECES].tolist(),
        int(samples.mover[row]),
    )


class Loss:
    """Loss of one sample as a function of the network; points do not learn from the shares."""

    def __init__(self, variant_id: str, net: Net, samples: Samples, row: int) -> None:
        self.variant_id, self.samples, self.row = variant_id, samples, row
        self.shown = shown_by(samples, row)
        self.rules = default_rules(variant_id)
        self.owned = [[c for seat in unit for c in self.rules.seats[seat]] for unit in units(self.rules)]
        found = outputs(variant_id, net, self.shown)
        self.points = [self._points(c, found[c]) for c in range(len(found))]
        self.target = samples.share[row].astype(float)
        share = self.shares(found)
        # The derivative by the shares is rounded off where they come near to 0 and 1.
        self.slope = (share - self.target) / (share * (1 - share) + 1e-3)
        self.sums = [
            -(self.target * np.log(share) + (1 - self.target) * np.log(1 - share)).sum(),
            *self.bonus_losses(found),
        ]

    def _final(self, colour: int, output: Any) -> tuple[float, float, float]:
        facts = self.samples.facts[self.row, colour]
        placed, cells = float(facts[CELLS]), search_game(self.variant_id, self.rules).cells
        if facts[ALL_PLACED] or facts[BLOCKED]:
            return placed, float(facts[ALL_PLACED]), float(facts[SINGLE_LAST])
        every = sigmoid(output[ALL])
        return placed + (cells - placed) * sigmoid(output[REST]), every, every * sigmoid(output[SINGLE])

    def _points(self, colour: int, output: Any) -> float:
        table, cells = SCORINGS[self.rules.scoring], search_game(self.variant_id, self.rules).cells
        final, every, single = self._final(colour, output)
        bonus = table.all_placed * (every - single) + table.single_last * single
        return table.placed * final + table.left * (cells - final) + bonus

    def shares(self, found: Any) -> Any:
        steepness = math.log1p(math.exp(found[:, STEEPNESS].mean()))
        strong = [sum(found[c, STRENGTH] + steepness * self.points[c] / 10 for c in of) for of in self.owned]
        n = len(strong)
        return np.array(
            [sum(sigmoid(strong[u] - strong[v]) for v in range(n) if v != u) / (n - 1) for u in range(n)]
        )

    def bonus_losses(self, found: Any) -> list[float]:
        """Losses of cells, of everything placed, of the single cell last, unweighted."""
        cells = every = single = 0.0
        for colour, output in enumerate(found):
            facts, final = self.samples.facts[self.row, colour], self.samples.final[self.row, colour]
            if facts[ALL_PLACED] or facts[BLOCKED]:
                continue
            cells += ((self._final(colour, output)[0] - final[0]) / 10) ** 2
            every -= math.log(sigmoid(output[ALL] if final[1] else -output[ALL]))
            if final[1]:
                single -= math.log(sigmoid(output[SINGLE] if final[2] else -output[SINGLE]))
        return [cells, every, single]

    def __call__(self, net: Net) -> float:
        found = outputs(self.variant_id, net, self.shown)
        cells, every, single = self.bonus_losses(found)
        total = float(self.slope @ self.shares(found))
        return total + CELLS_WEIGHT * cells + BONUS_WEIGHT * (every + single)


def test_shares_to_learn_lean_on_later_opinions_and_the_result() -> None:
    opinions = np.array([[0.6, 0.4], [0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])
    results, first = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([0, 3, 3, 4])
    assert traced(opinions, results, first, 0.0) == pytest.approx(opinions)
    assert traced(opinions, results, first, 1.0)[:, 0].tolist() == [1, 1, 1, 0]
    last = 0.5 * 0.5 + 0.5 * 1.0
    middle = 0.5 * 0.2 + 0.5 * last
    expected = [0.5 * 0.6 + 0.5 * middle, middle, last, 0.45]
    assert traced(opinions, results, first, 0.5)[:, 0] == pytest.approx(expected)


def test_games_of_two_sides_are_results_of_four() -> None:
    found = borrowed("classic", games("classic_2"))
    rules = default_rules("classic")
    end = positions(found, "classic", 0)[-1]
    expected = [seat.share for seat in results("classic", rules, end.facts)]
    assert found.share.shape == (len(found.play.events), 4)
    assert found.share == pytest.approx(np.broadcast_to(np.array(expected), found.share.shape))
    assert len(found.play.first_move) == len(found.play.events) + 1 and not found.play.first_move.any()
    samples, _ = make_samples("classic", found, trace=0.5)
    assert samples.share == pytest.approx(found.share)


@pytest.mark.parametrize("variant_id", ["duo", "classic_2", "trigon_3"])
def test_gradients_of_the_network_are_finite_differences(variant_id: str) -> None:
    net = loud_brain(variant_id).net
    samples, of_game = make_samples(variant_id, games(variant_id), 0.5)
    order = np.array([len(of_game) // 4, len(of_game) - 3])
    samples.final[order[0], 0] = search_game(variant_id, default_rules(variant_id)).cells, 1, 1
    game, steps = search_game(variant_id, default_rules(variant_id)), new_steps(net)
    slate = new_slate(variant_id)
    rates = np.array([CELLS_WEIGHT, BONUS_WEIGHT, 0, 0, 0])
    assert (
        train_net(game, net, steps, samples, order, slate, rates, 10, 0) == 0
    )  # no step yet: gradients stay
    exact = Net(*(array.astype(float) for array in net))
    losses = [Loss(variant_id, exact, samples, row) for row in order]
    assert slate.losses[:3] == pytest.approx(
        [sum(loss.sums[k] for loss in losses) for k in range(3)], rel=1e-3
    )
    rng = np.random.default_rng(1)
    for found, array in zip(steps.gradient, exact, strict=True):
        flat, gradient = array.reshape(-1), found.reshape(-1)
        largest = np.argsort(-abs(gradient))[:12].tolist()
        for at in largest + rng.integers(0, len(flat), 6).tolist():
            was, ends = flat[at], []
            for step in (1e-5, -1e-5):
                flat[at] = was + step
                ends.append(sum(loss(exact) for loss in losses))
            flat[at] = was
            assert gradient[at] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=5e-3, abs=5e-4)


def new_steps(net: Net) -> Steps:
    return Steps(_empty(net), _empty(net), _empty(net), np.zeros((2, CLASSES, WIDTH), np.float32))


def new_slate(variant_id: str) -> Slate:
    game = search_game(variant_id, default_rules(variant_id))
    return _slate(len(variant(variant_id).colours), len(game.units_of))


@pytest.mark.parametrize("variant_id", ["junior", "trigon_2"])
def test_gradients_of_the_priors_are_those_of_the_softmax(variant_id: str) -> None:
    found, brain = games(variant_id), loud_brain(variant_id)
    play, colours = found.play, len(variant(variant_id).colours)
    # A game of few plies, searched at the last of them, is enough.
    plies = next(
        e for e in range(3 * colours, len(play.events)) if play.first_move[e] < play.first_move[e + 1]
    )
    first = np.array([0, plies + 1], np.int64)
    first_move = np.zeros(plies + 2, np.int64)
    searched = play.searched[play.first_move[plies] : play.first_move[plies + 1]]
    first_move[-1] = len(searched)
    short = play._replace(
        first=first, events=play.events[: plies + 1], first_move=first_move, searched=searched
    )
    steps, losses = policy_steps(brain), np.zeros(2)
    rules, scratch = (
        default_rules(variant_id),
        np.zeros(len(geometry(variant_id).placement_piece), np.float32),
    )
    arguments = (search_game(variant_id, rules), brain.policy, steps, new_desk(variant_id, rules), short)
    train_policy(*arguments, np.array([0]), scratch, np.array([0.01, 0.01, 0]), 10, 0, losses)
    position = positions(found, variant_id, 0)[plies]
    colour = position.to_move
    assert colour is not None
    weights = log_weights(position, colour, brain.policy)
    mass = sum(math.exp(w) for w in weights.values())
    target = {int(p): visits / searched[:, 1].sum() for p, visits in searched.tolist()}
    expected: Counter[tuple[str, int, int]] = Counter()
    for placement, uses in used(position, colour).items():
        error = math.exp(weights[placement]) / mass - target.get(placement, 0)
        if placement in target or error > 1e-4:
            for weight, times in uses.items():
                expected[weight] += error * times
    loss = -sum(share * (weights[p] - math.log(mass)) for p, share in target.items())
    assert losses.tolist() == pytest.approx([loss, 1], rel=1e-4)
    now = phase(position, colour)
    for (key, i, j), gradient in expected.items():
        row = (steps.pieces[1, now], steps.places[1, now], steps.cells[1, 3 * now : 3 * now + 3])
        array = row[("pieces", "places", "cells").index(key)]
        assert array[(i, j) if key == "cells" else i] == pytest.approx(gradient, rel=1e-2, abs=1e-3)
    assert not scratch.any()


def policy_steps(brain: Brain) -> PolicySteps:
    policy = brain.policy
    return PolicySteps(
        np.zeros((4, PHASES * 3, CLASSES), np.float32),
        np.zeros((4, *policy.places.shape), np.float32),
        np.zeros((4, *policy.pieces.shape), np.float32),
    )


def test_steps_make_the_losses_smaller() -> None:
    brain = make_brain({k: a.copy() for k, a in brain_arrays(loud_brain("junior")).items()})
    samples, of_game = make_samples("junior", games("junior", 2), 0.5)
    game, steps, slate = (
        search_game("junior", default_rules("junior")),
        new_steps(brain.net),
        new_slate("junior"),
    )
    rates, order, t, seen_losses = (
        np.array([CELLS_WEIGHT, BONUS_WEIGHT, 3e-3, 3e-3, 0]),
        np.arange(len(of_game)),
        0,
        [],
    )
    for _ in range(12):
        t = train_net(game, brain.net, steps, samples, order, slate, rates, 8, t)
        seen_losses.append(float(slate.losses[:2] @ [1, CELLS_WEIGHT]))
    assert t == 12 * (len(order) // 8)
    assert seen_losses[-1] < 0.8 * seen_losses[0]


def test_a_lesson(tmp_path: Path) -> None:
    found, start, said = games("junior", 6), first_brain("junior", 1), list[str]()
    before = {key: array.copy() for key, array in brain_arrays(start).items()}
    lesson = Lesson(passes=2, batch=16, held_out=0.2)
    brain, report, spread = learn("junior", start, found, lesson, 1, said.append)
    assert all(np.array_equal(array, before[key]) for key, array in brain_arrays(start).items())
    assert report.positions > 10 and all(math.isfinite(x) for x in report)
    assert report.log_loss < 1.5 and 0 < report.policy_loss < 10
    assert (spread >= 0).all() and len(said) == 3
    again, _, _ = learn("junior", start, found, lesson, 1, said.append)
    assert all(np.array_equal(a, b) for a, b in zip(again.net, brain.net, strict=True))
    save_weights(Weights("junior", brain, spread, np.ones(4)), tmp_path / "junior.npz")
    assert read_weights("junior", tmp_path / "junior.npz").spread == pytest.approx(spread, rel=1e-3, abs=1e-3)
