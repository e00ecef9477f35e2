"""Random games: legal, finished, the same whoever plays them, and equal to a slow twin."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from engine.errors import EngineError
from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.position import Position
from engine.random_games import RandomGames, random_games
from engine.replay import replay_batch
from engine.rulesets import Ruleset, default_rules, parse_rules
from engine.variants import VARIANTS, variant
from tests.naive_playouts import WORD, Stream, mix

CASES = [(v, {}) for v in VARIANTS] + [
    ("duo", {"end": "first_blocked"}),
    ("classic_2", {"end": "first_blocked"}),
    ("duo", {"start": "marked"}),
    ("classic", {"start": "any_corner", "end": "rounds:6"}),
    ("junior", {"start": "any_border", "end": "rounds:25", "pass": "voluntary"}),
    ("duo", {"end": "max_rounds:5", "pass": "voluntary"}),
    ("trigon", {"start": "any_corner"}),
    ("classic_3", {"three": "two_colours:2:blue+red"}),
]


def slow_game(
    variant_id: str, rules: Ruleset, seed: int, number: int, opening: int, skew: float
) -> list[list[int]]:
    """A game by `Position`, which knows turns and ends by itself."""
    stream = Stream(mix((mix(seed) + number) % WORD))
    position, events = Position(variant_id, rules), []
    tables = geometry(variant_id)
    sizes = [len(s) for s in PIECE_SETS[variant(variant_id).pieces].shapes.values()]
    while not position.is_over:
        colour = position.to_move
        assert colour is not None
        moves = position.legal_placements(colour).tolist()
        if len(events) >= opening:
            chosen = moves[stream.below(len(moves))]
        else:
            of_size = [sizes[tables.placement_piece[m]] for m in moves]
            moves = [m for m, size in zip(moves, of_size, strict=True) if size == max(of_size)]
            ranks = list(range(len(moves)))
            group = 1
            while len(ranks) > group and stream.draw() >= int(skew * WORD):
                ranks, group = ranks[group:], 2 * group
            chosen = moves[ranks[stream.below(min(group, len(ranks)))] * 2_654_435_761 % len(moves)]
        position.play(colour, tables.touched[slice(*tables.span[chosen, :2])].tolist())
        events.append([colour, chosen])
    return events


def games_of(played: RandomGames) -> list[list[list[int]]]:
    return [played.batch.events[a:b].tolist() for a, b in played.batch.games[:, :2].tolist()]


def test_the_generator_is_splitmix64() -> None:
    stream = Stream(1234567)
    assert [stream.draw() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize(("variant_id", "settings"), CASES)
def test_games_are_those_of_a_slow_twin(variant_id: str, settings: dict[str, str]) -> None:
    rules = parse_rules(variant_id, settings)
    for opening in (0, 5):
        played = games_of(random_games(variant_id, rules, 2**64 - 9, 3, 7, opening, 0.3))
        assert played == [slow_game(variant_id, rules, 2**64 - 9, 7 + i, opening, 0.3) for i in range(3)]


@pytest.mark.parametrize(("variant_id", "settings"), CASES)
def test_games_replay_without_fault_to_their_end(variant_id: str, settings: dict[str, str]) -> None:
    rules = parse_rules(variant_id, settings)
    played = random_games(variant_id, rules, seed=5, games=60)
    verdicts = replay_batch(variant_id, rules, played.batch, strict=True).verdicts
    assert not verdicts.events[:, 0].any()
    assert (verdicts.games[:, 1] == 1).all()
    assert (verdicts.facts == played.facts).all()


def test_any_split_gives_the_same_games() -> None:
    rules = default_rules("classic")
    whole = games_of(random_games("classic", rules, seed=3, games=40))
    for cuts in ([0, 40], [0, 1, 2, 39, 40], [0, 17, 17, 40]):
        parts = [random_games("classic", rules, 3, b - a, a) for a, b in pairwise(cuts)]
        assert [game for part in parts for game in games_of(part)] == whole


def test_seeds_and_numbers_give_different_games() -> None:
    rules = default_rules("duo")
    games = [g for seed in range(5) for g in games_of(random_games("duo", rules, seed, 50, opening_plies=0))]
    assert len({str(game) for game in games}) == 250


def test_openings_repeat_and_whole_games_do_not() -> None:
    played = games_of(random_games("trigon", default_rules("trigon"), seed=1, games=1000))
    first = Counter(str(game[:1]) for game in played).most_common()
    opening = Counter(str(game[:4]) for game in played).most_common()
    assert 300 < first[0][1] < 400
    assert len(first) > 50
    assert opening[0][1] > 8
    assert len({str(game) for game in played}) == 1000


def test_without_an_opening_all_legal_placements_are_equally_likely() -> None:
    played = random_games("duo", default_rules("duo"), seed=8, games=20_700, opening_plies=0)
    firsts = played.batch.events[played.batch.games[:, 0], 1]
    seen = np.bincount(firsts, minlength=len(geometry("duo").placement_piece))
    legal = Position("duo").legal_placements(0)
    assert seen[legal].sum() == 20_700
    # 413 degrees of freedom: the sum is 413 on average with a deviation of 28.7; five of them are no chance
    assert ((seen[legal] - 50) ** 2 / 50).sum() < 413 + 5 * 28.7


def test_no_games_are_an_empty_batch() -> None:
    played = random_games("duo", default_rules("duo"), seed=1, games=0)
    assert played.batch.events.shape == (0, 2)
    assert played.facts.shape[:2] == (0, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"seed": 2**64},
        {"games": -1},
        {"first": -1},
        {"opening_plies": -1},
        {"skew": 1.0},
        {"skew": 0.0},
    ],
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(EngineError):
        random_games("duo", default_rules("duo"), **{"seed": 1, "games": 1, **wrong})  # type: ignore[arg-type]
