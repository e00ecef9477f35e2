from __future__ import annotations

import random
import re

import pytest

from engine.geometry import geometry, placement_cells
from engine.variants import VARIANTS
from notation.errors import BadPosition
from notation.moves import move_from_cells, move_from_names
from notation.position_text import PositionText, format_position, parse_position


def piece(variant: str, colour: int, names: str):
    return move_from_names(variant, colour, names.split(","))


def test_an_empty_board_and_a_few_pieces():
    assert format_position(PositionText("duo")) == "cw1.duo..1"
    assert parse_position("cw1.duo") == parse_position("cw1.duo..") == PositionText("duo", to_move=0)
    assert format_position(PositionText("duo", to_move=None)) == "cw1.duo..0"
    assert parse_position("cw1.duo..0") == PositionText("duo", to_move=None)
    position = PositionText("duo", (piece("duo", 0, "e10,f10"), piece("duo", 1, "j5")), 0)
    assert format_position(position) == "cw1.duo.____4AA_____9B.1"
    assert parse_position("cw1.duo.____4AA_____9B.1") == position


def test_colours_out_and_single_cells_last():
    text = "cw1.classic.A18B_____.3.24.1"
    position = parse_position(text)
    assert (position.to_move, position.out, position.single_last) == (2, (1, 3), (0,))
    assert [move.text for move in position.pieces] == ["a20", "t20"]
    assert format_position(position) == "cw1.classic.A18B.3.24.1"


def test_pieces_that_touch_their_own_colour_are_listed():
    apart = PositionText("duo", (piece("duo", 0, "a1,b1,c1"),))
    touching = PositionText("duo", (piece("duo", 0, "a1,b1"), piece("duo", 0, "c1")))
    assert format_position(touching) == format_position(apart) + "...1a1-b1~1c1"
    assert parse_position(format_position(touching)) == touching
    assert parse_position(format_position(apart)) == apart


def test_the_hexagon_counts_cells_of_its_rows():
    position = PositionText("trigon", (piece("trigon", 0, "i1,j1"), piece("trigon", 2, "r15")), 3)
    text = format_position(position)
    assert text == "cw1.trigon.___12C______________AA.4"
    assert parse_position(text) == position


@pytest.mark.parametrize("row", VARIANTS.values(), ids=lambda row: row.id)
def test_any_pieces_come_back_in_url_safe_text(row):
    rng = random.Random(7)
    tables = geometry(row.id)
    for _ in range(20):
        taken: set[int] = set()
        pieces = []
        for _ in range(40):
            cells = placement_cells(tables, rng.randrange(len(tables.placement_piece)))
            if taken.isdisjoint(cells):
                taken.update(cells)
                pieces.append(move_from_cells(row.id, rng.randrange(len(row.colours)), cells))
        pieces.sort(key=lambda move: (move.colour, move.cells))
        position = PositionText(row.id, tuple(pieces), rng.randrange(len(row.colours)), (0,), (1,))
        text = format_position(position)
        assert re.fullmatch(r"[A-Za-z0-9._~-]+", text)
        assert parse_position(text) == position


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cw1"),
        ("cw2.duo..1", "cw1"),
        ("cw1", "parts"),
        ("cw1.duo.1.2.3.4.5.6", "parts"),
        ("cw1.go..1", "unknown variant"),
        ("cw1.duo.15A", "row 14 has 14 cells"),
        ("cw1.duo.99A99", "row 14 has 14 cells"),
        ("cw1.duo.C", "no colour C"),
        ("cw1.duo.4a", "'a'"),
        ("cw1.duo.0A", "'0A'"),
        ("cw1.duo." + "_" * 14 + "A", "14 rows"),
        ("cw1.duo.AAAAAA", "no piece"),
        ("cw1.duo..3", "colour to move"),
        ("cw1.duo..12", "one colour"),
        ("cw1.duo..01", "colour to move"),
        ("cw1.duo..1.11", "colours out"),
        ("cw1.duo.AAA.1...1a14-b14", "listed in part"),
        ("cw1.duo.AAA.1...1a14-b14~1b14-c14", "does not fit"),
        ("cw1.duo.AAA.1...2a14-b14", "does not fit"),
        ("cw1.duo.AAA.1...1a14-z14", "cells"),
        ("cw1.duo.AAA.1...x", "pieces"),
        ("cw1.duo." + "A" * 9000, "characters"),
    ],
)
def test_what_is_wrong_is_said(text, says):
    with pytest.raises(BadPosition, match=re.escape(says)):
        parse_position(text)


def test_positions_that_the_text_cannot_hold():
    with pytest.raises(BadPosition, match="two pieces on a1"):
        format_position(PositionText("duo", (piece("duo", 0, "a1,b1"), piece("duo", 1, "a1"))))
    with pytest.raises(BadPosition, match="no piece"):
        format_position(PositionText("duo", (piece("duo", 0, "a1,c1"),)))
