"""The approximation of the competition room's points: examples, and how it moves with each parameter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.competition import FLOOR, START, TOP, change, expected

levels = st.floats(FLOOR, 5500)
scores = st.floats(-0.5, 1.6)
differences = st.floats(0.0, 218)
results = st.sampled_from([0.0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("level", "opponent", "result", "difference", "score", "points"),
    [
        (500, 500, 1, 20, 80 / 89, 99.6),
        (500, 500, 0, -20, 60 / 89, 0),
        (600, 600, 0, -20, 60 / 89, -93.1),
        (1500, 1500, 1, 1, 70 / 89, 53.0),
        (1500, 1500, 0.5, 0, 75 / 89, 0),
        (1500, 1500, 0, -1, 69 / 89, -61.9),
        (3000, 1500, 1, 30, 90 / 89, 3.0),
        (1500, 3000, 0, -30, 60 / 89, -6.2),
        (1500, 3000, 1, 3, 75 / 89, 111.3),
        (4900, 4900, 1, 60, 109 / 89, 2.7),
        (1500, 1500, 1, None, None, 48.6),
    ],
)
def test_examples(
    level: float, opponent: float, result: float, difference: float | None, score: float | None, points: float
) -> None:
    assert change(level, opponent, result, difference, score) == pytest.approx(points, abs=0.05)


def test_everybody_starts_at_500() -> None:
    assert START == FLOOR == 500


def signed(result: float, size: float) -> float:
    return size if result == 1 else -size if result == 0 else 0.0


@given(levels, levels, levels, results, differences, scores)
def test_a_stronger_opponent_makes_it_worth_more(
    level: float, weak: float, strong: float, result: float, size: float, score: float
) -> None:
    weak, strong = sorted((weak, strong))
    d = signed(result, size)
    assert change(level, weak, result, d, score) <= change(level, strong, result, d, score) + 1e-9


@given(levels, levels, levels, results, differences, scores)
def test_the_higher_the_own_level_the_less_a_game_brings(
    low: float, high: float, opponent: float, result: float, size: float, score: float
) -> None:
    low, high = sorted((low, high))
    d = signed(result, size)
    gained, less = change(low, opponent, result, d, score), change(high, opponent, result, d, score)
    if low + gained > FLOOR:
        assert less <= gained + 1e-9
    assert high + less >= low + gained - 1e-9  # and yet nobody overtakes by losing points first


@given(levels, levels, results, differences, differences, scores)
def test_the_difference_of_the_scores_counts(
    level: float, opponent: float, result: float, one: float, other: float, score: float
) -> None:
    low, high = sorted((signed(result, one), signed(result, other)))
    assert change(level, opponent, result, low, score) <= change(level, opponent, result, high, score) + 1e-9


@given(levels, levels, results, differences, scores, scores)
def test_the_own_score_counts(
    level: float, opponent: float, result: float, size: float, low: float, high: float
) -> None:
    low, high = sorted((low, high))
    d = signed(result, size)
    assert change(level, opponent, result, d, low) <= change(level, opponent, result, d, high) + 1e-9


@given(levels, levels, differences, differences, scores)
def test_winning_is_better_than_drawing_than_losing(
    level: float, opponent: float, won: float, lost: float, score: float
) -> None:
    loss = change(level, opponent, 0, -lost, score)
    draw = change(level, opponent, 0.5, 0, score)
    win = change(level, opponent, 1, won, score)
    assert loss <= draw <= win
    assert loss <= 0 <= win


@given(st.floats(FLOOR, TOP), levels, results, differences, scores)
def test_points_stay_between_500_and_5000(
    level: float, opponent: float, result: float, size: float, score: float
) -> None:
    assert FLOOR <= level + change(level, opponent, result, signed(result, size), score) <= TOP + 1e-9


def test_a_thousand_wins_in_a_row_do_not_reach_the_top() -> None:
    level = START
    for _ in range(1000):
        level += change(level, level, 1, 40, 1.1)
    assert 4500 < level < TOP


def test_who_left_the_game_ahead_has_lost_all_the_same() -> None:
    assert change(1500, 1500, 0, 30, 0.8) == change(1500, 1500, 0, 0, 0.8) < 0


@given(levels, levels)
def test_expectations_add_up(one: float, other: float) -> None:
    assert expected(one, other) + expected(other, one) == pytest.approx(1)
