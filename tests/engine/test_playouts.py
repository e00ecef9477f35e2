"""Playouts: the same games as the slow twin's, the same sums however they are split, and what the sums say."""

from __future__ import annotations

import random
from functools import reduce
from operator import add

import numpy as np
import pytest

from engine.boards import cells
from engine.errors import EngineError
from engine.geometry import geometry, placement_cells
from engine.playouts import Playouts, playouts
from engine.position import Position
from engine.rulesets import parse_rules
from engine.scoring import ColourFacts, Leaving, results
from engine.variants import VARIANTS, variant
from tests.engine.hostile import cell_numbers, code, random_game
from tests.naive import Game
from tests.naive_playouts import play_out
from tests.naive_replay import LEAVE, Event, Twin

CASES: list[tuple[str, dict[str, str], int, int | None]] = [
    ("duo", {}, 0, None),
    ("duo", {"end": "first_blocked"}, 14, None),
    ("duo", {"end": "max_rounds:8", "pass": "voluntary", "start": "any_border"}, 3, None),
    ("junior", {"scoring": "net"}, 6, None),
    ("classic", {}, 36, None),
    ("classic", {"end": "rounds:13", "teams": "yes"}, 30, None),
    ("classic", {"neutral": "red"}, 44, 1),
    ("classic_2", {"end": "first_blocked"}, 40, None),
    ("classic_2", {"start": "any_corner"}, 30, 0),
    ("classic_3", {}, 34, None),
    ("classic_3", {"three": "two_colours:2:blue+red"}, 40, 2),
    ("trigon", {"start": "any_corner"}, 44, None),
    ("trigon_2", {}, 36, None),
    ("trigon_3", {"scoring": "family"}, 26, None),
]
"""Variant, rules, plies played before, a seat that then leaves."""


def both(variant_id: str, settings: dict[str, str], plies: int, leaver: int | None) -> tuple[Position, Game]:
    """The same position for the engine and for the twin."""
    rules = parse_rules(variant_id, settings)
    rng = random.Random(f"{variant_id} {settings} {plies}")
    events: list[Event] = random_game(variant_id, rules, rng, plies, skips=0.05)
    position, twin = Position(variant_id, rules), Twin(Game(variant_id, rules))
    for colour, what in events:
        assert isinstance(what, frozenset)
        position.play(colour, cell_numbers(variant_id, what))
    if leaver is not None:
        position.leave(leaver)
        events = events + [(colour, LEAVE) for colour in rules.seats[leaver]]
    twin.replay(events)
    return position, twin.game


def sums_of(ends: list[Game], leaver: int | None) -> Playouts:
    """The sums, game by game."""
    rules, variant_id = ends[0].rules, ends[0].variant_id
    seats, where = len(rules.seats), cells(variant(variant_id).board)
    members = len(rules.teams) or seats - len(rules.neutral)
    colours = len(ends[0].colours)
    out = Playouts(
        len(ends),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        np.zeros((seats, members, members), np.int64),
        np.zeros((len(where), colours + 1), np.int64),
    )
    for end in ends:
        facts = [ColourFacts(len(end.own(c)), not +end.hands[c], c in end.single_last) for c in end.colours]
        leavings = [] if leaver is None else [Leaving(leaver, "left", 0)]
        found = results(variant_id, rules, facts, leavings)
        for seat, result in enumerate(found):
            out.scores[seat] += result.total
            out.squares[seat] += result.total**2
            if result.place is not None:
                level = [other.place for other in found].count(result.place)
                level //= 2 if rules.teams else 1
                out.ranks[seat, result.place - 1, level - 1] += 1
        for i, cell in enumerate(where):
            out.territory[i, end.owner.get(cell, colours)] += 1
    return out


def as_lists(found: Playouts) -> list[object]:
    return [found.games, *(getattr(found, n).tolist() for n in ("scores", "squares", "ranks", "territory"))]


@pytest.mark.parametrize(("variant_id", "settings", "plies", "leaver"), CASES)
def test_playouts_are_those_of_the_slow_twin(
    variant_id: str, settings: dict[str, str], plies: int, leaver: int | None
) -> None:
    position, game = both(variant_id, settings, plies, leaver)
    before = position.key
    found = playouts(position, 2, 2**64 - 3, first=5)
    assert position.key == before
    ends = [play_out(game, 2**64 - 3, number) for number in (5, 6)]
    assert as_lists(found) == as_lists(sums_of(ends, leaver))


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_any_split_gives_the_same_sums(variant_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(variant_id)
    whole = playouts(position, 300, seed=3)
    monkeypatch.setattr("engine.playouts._CHUNK", 64)
    split = [playouts(position, b - a, 3, a) for a, b in ((0, 1), (1, 2), (2, 104), (104, 300))]
    assert as_lists(reduce(add, split)) == as_lists(whole)
    assert as_lists(playouts(position, 300, seed=4)) != as_lists(whole)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_what_the_sums_say(variant_id: str) -> None:
    position = Position(variant_id)
    found = playouts(position, 600)
    seats = len(VARIANTS[variant_id].seats)
    assert found.shares.sum() == pytest.approx(seats / 2)
    assert found.shares[0] > 0.5  # who begins has the better of it
    assert found.places.sum(axis=1) == pytest.approx(np.ones(seats))
    assert (found.territory.sum(axis=1) == 600).all()
    assert (found.spreads > 1).all()
    assert (found.share_spreads > 0.1).all()
    cell = position.legal_moves(0)[0][1][0]
    assert 0 < found.territory[cell].max() <= 600


def test_better_positions_have_better_scores() -> None:
    """A colour that has not moved in five rounds is far behind, and its seat knows it."""
    position = Position("classic")
    rng = random.Random(4)
    for _ in range(5):
        for colour in (0, 1, 3):
            listed = position.legal_placements(colour).tolist()
            position.play(colour, placement_cells(geometry("classic"), rng.choice(listed[-50:])))
    found = playouts(position, 200)
    assert found.mean_scores[2] < min(found.mean_scores[[0, 1, 3]]) - 5
    assert found.shares[2] < 0.2 < 0.4 < min(found.shares[[0, 1, 3]])
    assert found.places[2, 3] > 0.7


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_finished_position_is_its_own_territory(variant_id: str) -> None:
    rules = parse_rules(variant_id, {})
    position = Position(variant_id)
    for colour, what in random_game(variant_id, rules, random.Random(1), 200):
        assert isinstance(what, frozenset)
        position.play(colour, cell_numbers(variant_id, what))
    assert position.is_over
    found = playouts(position, 7)
    colours = len(variant(variant_id).colours)
    owner = np.where(position.board < 0, colours, position.board)
    assert (found.territory == 7 * np.eye(colours + 1, dtype=np.int64)[owner]).all()
    expected = results(variant_id, rules, position.facts)
    assert found.mean_scores.tolist() == [seat.total for seat in expected]
    assert found.shares.tolist() == pytest.approx([seat.share for seat in expected])
    assert not found.spreads.any() and not found.share_spreads.any()


def test_a_game_that_first_blocked_has_ended_is_not_played_on() -> None:
    rules = parse_rules("duo", {"end": "first_blocked"})
    position = Position("duo", rules)
    for colour, what in random_game("duo", rules, random.Random(2), 100):
        assert isinstance(what, frozenset)
        assert code("duo", what) >= 0
        position.play(colour, cell_numbers("duo", what))
    assert position.is_over and position.to_move is not None
    found = playouts(position, 3)
    assert found.territory[:, 2].sum() == 3 * (position.board < 0).sum()


def test_a_neutral_seat_has_points_but_no_place() -> None:
    found = playouts(Position("classic", parse_rules("classic", {"neutral": "green"})), 50)
    assert np.isnan(found.shares).tolist() == [False, False, False, True]
    assert np.isnan(found.places[3]).all() and np.isnan(found.share_spreads[3])
    assert found.shares[:3].sum() == pytest.approx(1.5)
    assert found.mean_scores[3] < 0


@pytest.mark.parametrize(
    "wrong",
    [{"games": 0}, {"games": -1}, {"games": 10**9}, {"seed": -1}, {"seed": 2**64}, {"first": -1}],
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(EngineError):
        playouts(Position("duo"), **{"games": 1, **wrong})
