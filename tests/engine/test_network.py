"""The network's numbers against plain NumPy, and what it says of positions that are over."""

from __future__ import annotations

import numpy as np
import pytest

from engine.facts import ALL_PLACED, BLOCKED, CELLS
from engine.kernels.network import WIDTHS, width_of
from engine.kernels.tree import POINTS, SHARE, UTILITY
from engine.kernels.turns import NOBODY
from engine.position import Position
from engine.scoring import Leaving, results, units
from engine.variants import VARIANTS
from tests.engine.searched import CASES, Case, at, finished, loud_brain, name, taste_of, valued
from tests.naive_network import outputs, seen, values


@pytest.mark.parametrize("case", CASES, ids=name)
def test_values_are_those_of_the_slow_twin(case: Case) -> None:
    position = at(*case)
    brain = loud_brain(position.variant.id)
    mover, desk = valued(position, brain)
    assert mover == position.to_move and not position.is_over
    expected = outputs(position.variant.id, brain.net, seen(position, mover))
    assert desk.sheet.outputs == pytest.approx(expected, rel=1e-3, abs=1e-3)
    twin = values(position, brain.net, mover, taste_of(position))
    count = len(units(position.rules))
    assert desk.values[UTILITY, :count].tolist() == pytest.approx(twin.utility, abs=1e-3)
    assert desk.values[SHARE, :count].tolist() == pytest.approx(twin.share, abs=1e-3)
    assert desk.values[POINTS].tolist() == pytest.approx(twin.points, abs=1e-2)
    assert sum(desk.values[SHARE, :count]) == pytest.approx(count / 2)


@pytest.mark.parametrize(
    ("variant_id", "settings"),
    [
        *((variant_id, {}) for variant_id in VARIANTS),
        ("classic", {"teams": "yes"}),
        ("classic", {"neutral": "green", "end": "rounds:9"}),
        ("duo", {"end": "first_blocked"}),
        ("classic_3", {"three": "two_colours:1:red+green", "scoring": "net"}),
    ],
)
def test_a_finished_game_is_worth_its_result(variant_id: str, settings: dict[str, str]) -> None:
    position = finished(variant_id, settings)
    mover, desk = valued(position, loud_brain(variant_id))
    assert mover == NOBODY
    expected = results(variant_id, position.rules, position.facts)
    twin = values(position, loud_brain(variant_id).net, None, taste_of(position))
    for unit, seats in enumerate(units(position.rules)):
        assert desk.values[SHARE, unit] == pytest.approx(expected[seats[0]].share)
        assert desk.points[unit] == sum(expected[seat].total for seat in seats)
        assert desk.values[UTILITY, unit] == pytest.approx(twin.utility[unit])


def test_who_has_left_is_last_whatever_the_points() -> None:
    position = finished("classic")
    best = max(range(4), key=lambda seat: position.facts[seat].cells_placed)
    position.leave(best)
    _, desk = valued(position, loud_brain("classic"))
    expected = results("classic", position.rules, position.facts, [Leaving(best, "left", 0)])
    assert desk.values[SHARE, :4].tolist() == pytest.approx([seat.share for seat in expected])
    assert desk.values[SHARE, best] == 0


def everything_placed() -> Position:
    """The second colour has nothing left, and nobody has asked yet whether it can move; the first one can."""
    position = at("duo", {}, 20)
    position._state.left[1] = 0
    position._state.facts[1, [CELLS, ALL_PLACED, BLOCKED]] = 89, 1, 0
    return position


def test_what_was_asked_of_a_position_does_not_change_its_value() -> None:
    position, asked = everything_placed(), everything_placed()
    assert position.to_move == 0
    asked.pass_turn(0)
    assert asked.to_move == 0  # so it is known now that the other colour cannot move
    asked._out.cursor[:] = position._out.cursor
    brain = loud_brain("duo")
    assert asked._state.facts[1, BLOCKED] != position._state.facts[1, BLOCKED]
    ours, theirs = valued(position, brain)[1], valued(asked, brain)[1]
    assert ours.values.tolist() == theirs.values.tolist()
    assert np.array_equal(ours.sheet.classes, theirs.sheet.classes)


def test_classes_of_the_number_of_placements() -> None:
    kinds = [width_of.py_func(number) for number in (0, 1, 2, 3, 4, 7, 8, 10**6)]
    assert kinds == [0, 1, 2, 2, 3, 3, 4, WIDTHS - 1]
