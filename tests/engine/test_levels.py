"""Levels and classes of cells against breadth-first search, and places that turn with the board."""

from __future__ import annotations

import numpy as np
import pytest

from engine.boards import cells_by_name
from engine.brains import first_brain
from engine.geometry import geometry
from engine.kernels.levels import ALLY, BARRED, LEVELS, LIBERTY, OWN, REACHED, RIVAL
from engine.kernels.state import new_state
from engine.rulesets import default_rules, start_groups
from engine.search_tables import places
from engine.symmetries import board_symmetries
from engine.tree_search import new_desk
from engine.variants import VARIANTS, variant
from tests.engine.games import numbers
from tests.engine.searched import CASES, Case, at, name, valued
from tests.naive_network import classes, fitting


@pytest.mark.parametrize("case", CASES, ids=name)
def test_classes_are_those_of_breadth_first_search(case: Case) -> None:
    position = at(*case)
    _, desk = valued(position, first_brain(position.variant.id, 1))
    found = desk.sheet.classes[:, position._geometry.cell_bit]
    assert found.tolist() == classes(position)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_pieces_that_fit(case: Case) -> None:
    position = at(*case)
    _, desk = valued(position, first_brain(position.variant.id, 1))
    for colour, (bits, number) in enumerate(desk.sheet.fitting.tolist()):
        pieces, listed = fitting(position, colour)
        assert {piece for piece in range(32) if bits >> piece & 1} == pieces
        assert number == listed


def test_classes_of_a_first_move() -> None:
    position = at("duo", {}, 0)
    position.play(0, numbers("duo", "e10+f10"))
    _, desk = valued(position, first_brain("duo", 1))
    cell = cells_by_name("square14")
    first, second = (desk.sheet.classes[colour, position._geometry.cell_bit] for colour in (0, 1))
    assert (first[cell["e10"]], second[cell["e10"]]) == (OWN, RIVAL)
    assert ALLY not in first
    # d11 touches e10 by a corner; e11 lies side by side with it.
    assert (first[cell["d11"]] - 1) // LEVELS == LIBERTY
    assert (first[cell["e11"]] - 1) // LEVELS == BARRED
    assert (first[cell["j5"]] - 1) % LEVELS == REACHED


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_there_is_room_to_list_moves(variant_id: str) -> None:
    """The search lists moves in the scratch of the reach kernel: kernels do not notice when they write behind it."""
    colours = len(variant(variant_id).colours)
    needed = len(new_state(geometry(variant_id), colours).work)
    assert len(new_desk(variant_id, default_rules(variant_id)).state.work) >= needed


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_places_turn_with_the_board(variant_id: str) -> None:
    """Cells that look alike to their colours, and only those, are one place."""
    of, row = places(variant_id), variant(variant_id)
    starts = [{c for group in groups for c in group} for groups in start_groups(variant_id, row.start)]
    for one in range(len(starts)):
        for other in range(len(starts)):
            images = [
                g for g in board_symmetries(row.board) if {int(g[c]) for c in starts[one]} == starts[other]
            ]
            assert images
            for image in images:
                assert (of[one] == of[other][image]).all()
    own = [g for g in board_symmetries(row.board) if {int(g[c]) for c in starts[0]} == starts[0]]
    orbits = {frozenset(int(g[cell]) for g in own) for cell in range(of.shape[1])}
    assert of.max() + 1 == len(orbits) == len(np.unique(of[0]))
