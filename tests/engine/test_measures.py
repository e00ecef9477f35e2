"""The page of definitions names every column, and parts of boards are what it says."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.areas import centre_cells, phase_ends, sector_names, sectors
from engine.boards import BOARDS, cell_names, cells, cells_by_name
from engine.features import COLOUR_COLUMNS, POSITION_COLUMNS, Features
from engine.measures import definitions, measures_page
from engine.variants import VARIANTS, variant
from tests.naive import Board
from tests.naive_features import centre, sector


def test_every_measure_is_defined_and_no_other() -> None:
    named = [*COLOUR_COLUMNS, *POSITION_COLUMNS, "corner_access", "centre_contact"]
    assert sorted(definitions()) == sorted(named)
    # What says which position a row is of, and the bits behind a number, are no measures.
    assert set(Features._fields) - set(named) == {"game", "ply", "mover", "reach_bits"}


def test_definitions_are_whole_sentences_with_unit_and_source() -> None:
    for measure in definitions().values():
        assert measure.definition.endswith("."), measure.name
        assert len(measure.definition) > 30, measure.name
        assert measure.unit, measure.name
        assert measure.source, measure.name
        assert "Unit:" not in measure.definition
        assert "Source:" not in measure.definition
    assert measures_page().startswith("# Measures\n")


def test_the_page_states_the_phases() -> None:
    for variant_id in VARIANTS:
        opening, middle = phase_ends(variant_id)
        assert f"| {opening} | {middle} |" in measures_page(), variant_id


@pytest.mark.parametrize("board_id", BOARDS)
def test_sectors_are_those_of_the_angles(board_id: str) -> None:
    board = Board(board_id)
    assert list(sectors(board_id)) == [sector(board, at) for at in cells(board_id)]
    assert len(set(Counter(sectors(board_id)).values())) == 1, "all of one size"


def test_sectors_have_the_names_of_where_they_lie() -> None:
    for variant_id, name, where in (
        ("classic", "t20", "upper right"),
        ("duo", "a14", "upper left"),
        ("junior", "a1", "lower left"),
        ("classic", "t1", "lower right"),
        ("trigon", "r18", "top"),
        ("trigon", "r1", "bottom"),
        ("trigon_3", "ad9", "upper right"),
        ("trigon_3", "b8", "lower left"),
    ):
        board = variant(variant_id).board
        at = sectors(board)[cells_by_name(board)[name]]
        assert sector_names(variant_id)[at] == where, name
        assert f"{at + 1} {where}" in definitions()["corner_access"].definition


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_the_centre_are_the_cells_around_the_middle(variant_id: str) -> None:
    board = variant(variant_id).board
    ours = {cells(board)[c] for c in centre_cells(variant_id)}
    assert ours == centre(Board(board)), [cell_names(board)[c] for c in centre_cells(variant_id)]
