"""The tables "Scoring" and `termination`: points by every table, sums of seats and teams, places, players who left."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from engine.position import Position
from engine.rulesets import Ruleset, default_rules, parse_rules
from engine.scoring import (
    ColourFacts,
    Leaving,
    batch_results,
    cells_of_set,
    points,
    remaining_units,
    results,
)
from engine.scoring_tables import SCORINGS
from notation.record import Move
from tests.engine.games import Played, numbers, play
from tests.notation.reading import game
from tests.records import O_A2_A

LAST = ColourFacts(89, True, True)
NOT_LAST = ColourFacts(89, True, False)


def _facts(*cells: int) -> list[ColourFacts]:
    return [ColourFacts(n) for n in cells]


def _places(
    rules: Ruleset, variant_id: str, facts: list[ColourFacts], *leavings: Leaving
) -> list[int | None]:
    return [seat.place for seat in results(variant_id, rules, facts, leavings)]


@pytest.mark.parametrize(
    ("scoring", "last", "not_last", "fifty_four"),
    [
        # 89 - 54 = 35 cells left.
        ("board", 20, 15, -35),
        ("online", 89 + 20, 89 + 15, 54),
        ("net", 89 + 20, 89 + 15, 54 - 35),
        ("family", 15, 10, -35),
        ("plain", 89, 89, 54),
    ],
)
def test_worked_values_of_every_table(scoring: str, last: int, not_last: int, fifty_four: int) -> None:
    found = [points(scoring, "classic", f) for f in (LAST, NOT_LAST, ColourFacts(54))]
    assert found == [last, not_last, fifty_four]


@pytest.mark.parametrize(
    ("left", "total"),
    [([4, 4], -8), ([3, 4, 4, 4, 4, 5], -24), ([3, 4, 4, 4, 5], -20)],
)
def test_worked_values_of_the_sources(left: list[int], total: int) -> None:
    assert points("board", "classic", ColourFacts(89 - sum(left))) == total


@pytest.mark.parametrize(
    ("variant_id", "cells"), [("classic", 89), ("junior", 88), ("trigon", 110), ("trigon_3", 110)]
)
def test_online_is_board_and_all_cells_of_the_set(variant_id: str, cells: int) -> None:
    assert cells_of_set(variant_id) == cells
    for facts in (ColourFacts(0), ColourFacts(7), ColourFacts(cells, True), ColourFacts(cells, True, True)):
        assert points("online", variant_id, facts) == points("board", variant_id, facts) + cells


def test_every_table_on_a_game_of_one_ply() -> None:
    # One cell on the board, 88 left; no points for the corner it lies in.
    by_table = {s: play("classic", "1:a20", scoring=s).totals()[0] for s in SCORINGS}
    assert by_table == {"board": -88, "online": 1, "net": 1 - 88, "family": -88, "plain": 1}


def test_junior_is_plain_unless_told_otherwise() -> None:
    assert play("junior", "1:e10 2:j5+k5").totals() == [1, 2]
    assert play("junior", "1:e10 2:j5+k5", scoring="board").totals() == [1 - 88, 2 - 88]


def test_the_bonus_of_a_setup_is_never_that_of_the_single_cell() -> None:
    blue = [(0, e.placement) for e in game(O_A2_A).events if isinstance(e, Move) and e.colour == 0]
    assert Position("classic", setup=blue).facts[0] == NOT_LAST
    # A position read from text says so itself, but only for a colour that has placed everything.
    told = Position("classic", setup=blue, single_last=[0, 1])
    assert told.facts[:2] == [LAST, ColourFacts(0)]
    assert told.key != Position("classic", setup=blue).key


def test_places_and_ties() -> None:
    rules = default_rules("classic")
    # -10, -12, -12, -20: the two at -12 share place 2, nobody is third. Ranks 0, 1, 2, 3 of 3: shares 1, 1/2, 1/2, 0.
    seats = results("classic", rules, _facts(79, 77, 77, 69))
    assert [s.total for s in seats] == [-10, -12, -12, -20]
    assert [s.place for s in seats] == [1, 2, 2, 4]
    assert [s.share for s in seats] == [1, 0.5, 0.5, 0]
    assert [s.place for s in results("classic", rules, _facts(50, 50, 50, 50))] == [1, 1, 1, 1]
    three = results("classic", rules, _facts(60, 60, 60, 70))
    assert [s.place for s in three] == [2, 2, 2, 1]
    # Ranks 1, 2, 3 of 3, mean 2: a third each.
    assert [Fraction(s.share or 0).limit_denominator(9) for s in three] == [Fraction(1, 3)] * 3 + [1]


@pytest.mark.parametrize(
    ("cells", "places", "shares"), [((60, 50), [1, 2], [1, 0]), ((50, 50), [1, 1], [0.5, 0.5])]
)
def test_two_players(cells: tuple[int, int], places: list[int], shares: list[float]) -> None:
    seats = results("duo", default_rules("duo"), _facts(*cells))
    assert ([s.place for s in seats], [s.share for s in seats]) == (places, shares)


def test_bonus_decides_over_cells() -> None:
    # Both placed all 89; the single cell last gives 20 against 15.
    assert [s.place for s in results("duo", default_rules("duo"), [NOT_LAST, LAST])] == [2, 1]


@pytest.mark.parametrize("variant_id", ["classic_2", "trigon_2"])
def test_two_seats_add_up_two_colours_each(variant_id: str) -> None:
    # Blue 50 + red 40 = 90 against yellow 60 + green 31 = 91: the best colour loses, the sum wins.
    left = 2 * cells_of_set(variant_id)
    seats = results(variant_id, default_rules(variant_id), _facts(50, 60, 40, 31))
    assert [s.total for s in seats] == [90 - left, 91 - left]
    assert [s.place for s in seats] == [2, 1]


def test_two_seats_on_a_small_game() -> None:
    # Player 1: blue 2, red 1 cells; player 2: yellow 1, green 1.
    seen = play("classic_2", "1:a20+a19 2:t20 3:t1 4:a1")
    assert seen.totals() == [2 + 1 - 178, 1 + 1 - 178]
    assert seen.places() == [1, 2]


@pytest.mark.parametrize("variant_id", ["classic", "trigon"])
def test_teams_share_the_sum_of_their_seats(variant_id: str) -> None:
    rules = parse_rules(variant_id, {"teams": "yes"})
    # Blue 50 + red 40 against yellow 60 + green 31; every player has the points of the own colour only.
    seats = results(variant_id, rules, _facts(50, 60, 40, 31))
    assert [s.total for s in seats] == [n - cells_of_set(variant_id) for n in (50, 60, 40, 31)]
    assert [s.place for s in seats] == [2, 1, 2, 1]
    assert [s.share for s in seats] == [0, 1, 0, 1]
    tied = results(variant_id, rules, _facts(50, 60, 41, 31))
    assert [(s.place, s.share) for s in tied] == [(1, 0.5)] * 4
    small = play(
        variant_id,
        "1:a20+a19 2:t20 3:t1 4:a1" if variant_id == "classic" else "1:r15+s15 2:r4 3:j12 4:j7",
        teams="yes",
    )
    assert small.places() == [1, 2, 1, 2]


def test_shared_fourth_counts_for_nobody() -> None:
    seen = play("classic_3", "1:a20 2:t20+s20 3:t1 4:a1+a2+a3")
    # Green has placed most, but no seat owns it.
    assert seen.totals() == [-88, -87, -88]
    assert seen.places() == [2, 1, 2]
    # Yellow as the shared colour: seats are blue, red, green.
    other = play("classic_3", "1:a20 2:t20+s20 3:t1 4:a1+a2+a3", three="shared_fourth:yellow")
    assert other.rules.seats == ((0,), (2,), (3,))
    assert other.totals() == [-88, -88, -86]


def test_two_colours_of_one_seat_both_count() -> None:
    # Seat 2 owns yellow and green: 2 + 3 cells of 178; seat 1 blue, seat 3 red.
    seen = play("classic_3", "1:a20 2:t20+s20 3:t1 4:a1+a2+a3", three="two_colours:2:yellow+green")
    assert seen.rules.seats == ((0,), (1, 3), (2,))
    assert seen.totals() == [-88, 5 - 178, -88]
    assert seen.places() == [1, 3, 1]


def test_a_neutral_colour_has_points_but_no_place() -> None:
    seen = play("classic", "1:a20 2:t20+s20 3:t1 4:a1+a2+a3", neutral="green")
    assert seen.totals() == [-88, -87, -88, -86]
    assert seen.places() == [2, 1, 2, None]
    assert [s.share for s in seen.results()] == [0.25, 1, 0.25, None]
    # In the three-player game the shared colour is out of the count already.
    assert parse_rules("classic_3", {"neutral": "green"}) == default_rules("classic_3")
    owned = play("classic_3", "1:a20", three="two_colours:2:yellow+green", neutral="blue")
    assert owned.places() == [None, 2, 1]  # yellow and green: -178, red: -89


# Termination. The engine is told who left and in which order; the cause is a word that it hands on.


def _left(text: str) -> Played:
    return play("duo", text)


@pytest.mark.parametrize("cause", ["time", "resigned", "abandoned", "violation"])
def test_who_leaves_loses_whatever_the_points(cause: str) -> None:
    seen = _left("1:e10+e11 2:j5 1:out 2:k6+k7")
    # First has 2 cells, second 3 at the end; at the moment of leaving first was ahead.
    assert seen.totals() == [-87, -86]
    ahead = _left("1:e10+e11 2:j5 1:out")
    assert ahead.totals() == [-87, -88]
    assert ahead.places() == [1, 2]
    assert ahead.places([Leaving(0, cause, 1)]) == [2, 1]
    assert [s.share for s in ahead.results([Leaving(0, cause, 1)])] == [0, 1]
    # Points are shown beside the result as they are.
    assert [s.total for s in ahead.results([Leaving(0, cause, 1)])] == [-87, -88]


def test_normal_is_decided_by_points_and_unfinished_by_nobody() -> None:
    seen = _left("1:e10+e11 2:j5")
    assert seen.places() == [1, 2]
    interim = seen.results(decided=False)
    assert [s.total for s in interim] == [-87, -88]
    assert [(s.place, s.share) for s in interim] == [(None, None)] * 2


def test_the_other_colours_go_on() -> None:
    seen = play("classic", "1:a20 2:out 3:t1 4:a1 1:b19+b18 3:s2+s3")
    assert seen.reasons == ["legal"] * 6
    # Yellow's turns 2 and 6 are neither forced nor unforced passes.
    assert seen.passes == [(2, 2, "out", False), (6, 2, "out", False)]
    assert not seen.over
    assert _left("1:e10 2:j5 1:out 1:f9").reasons[-1] == "colour_out"
    assert _left("1:e10 2:j5 1:out 2:k6+k7 2:l8+l9+l10").reasons[-1] == "legal"
    assert _left("1:e10 2:j5 1:out 2:out").over


def test_later_leavers_are_placed_better_and_all_behind_those_who_stay() -> None:
    rules = default_rules("classic")
    facts = _facts(80, 40, 70, 30)
    # Seat 1 (80 cells) left first, seat 3 (70) later: 4 and 3; the others by points.
    assert _places(rules, "classic", facts, Leaving(0, "time", 5), Leaving(2, "resigned", 9)) == [4, 1, 3, 2]
    assert _places(rules, "classic", facts, Leaving(0, "time", 9), Leaving(2, "resigned", 5)) == [3, 1, 4, 2]
    # Those who leave at the same moment share the place.
    assert _places(rules, "classic", facts, Leaving(0, "time", 5), Leaving(2, "time", 5)) == [3, 1, 3, 2]


def test_a_team_is_out_when_both_have_left() -> None:
    rules = parse_rules("classic", {"teams": "yes"})
    facts = _facts(80, 40, 70, 30)
    one, other = Leaving(0, "time", 5), Leaving(2, "resigned", 9)
    assert _places(rules, "classic", facts, one) == [1, 2, 1, 2]
    assert _places(rules, "classic", facts, one, other) == [2, 1, 2, 1]
    assert remaining_units(rules, [one]) == 2
    assert remaining_units(rules, [one, other]) == 1


def test_a_seat_declared_first_is_ahead_of_all_points() -> None:
    rules = default_rules("classic")
    facts = np.array([[(n, 0, 0, 0) for n in (80, 40, 70, 30)]] * 2)
    left, decided = np.full((2, 4), -1), np.array([True, True])
    found = batch_results("classic", rules, facts, left, decided, np.array([3, -1]))
    assert found.places.tolist() == [[2, 4, 3, 1], [1, 3, 2, 4]]
    assert found.shares[0, 3] == 1


def test_seats_that_are_still_in() -> None:
    rules = default_rules("classic")
    assert remaining_units(rules, []) == 4
    assert remaining_units(rules, [Leaving(1, "time", 2), Leaving(1, "time", 3), Leaving(3, "time", 3)]) == 2
    neutral = parse_rules("classic", {"neutral": "green"})
    assert remaining_units(neutral, [Leaving(1, "time", 2)]) == 2


def test_a_seat_leaves_with_all_its_colours_but_the_shared_one_goes_on() -> None:
    pair = Position("classic_2")
    pair.play(0, numbers("classic_2", "a20"))
    pair.leave(0)
    assert pair.to_move == 1
    pair.play(1, numbers("classic_2", "t20"))
    assert pair.to_move == 3
    three = Position("classic_3")
    for seat in range(3):
        three.leave(seat)
    assert three.to_move == 3
    assert not three.is_over
    three.leave(2)
    assert three.why_illegal(2, numbers("classic_3", "t1")) == "colour_out"
