"""The table "Start rule": who may begin where."""

from __future__ import annotations

import pytest

from engine.errors import RuleError
from engine.position import Position
from engine.rulesets import parse_rules
from tests.engine.games import numbers, play, reasons


@pytest.mark.parametrize("variant_id", ["classic", "classic_2", "classic_3"])
def test_assigned_classic(variant_id: str) -> None:
    assert reasons(variant_id, "1:a20 2:t20 3:t1 4:a1") == ["legal"] * 4
    # A piece that covers the corner is enough, it need not lie inside it alone.
    assert reasons(variant_id, "1:a19+a20 2:s20+t20 3:t1+t2 4:a1+b1") == ["legal"] * 4
    for colour, corner in enumerate(("a20", "t20", "t1", "a1"), 1):
        for other in {"a20", "t20", "t1", "a1", "b19", "k10"} - {corner}:
            # Turns before are skipped: unforced passes, which do not matter for the verdict.
            assert reasons(variant_id, f"{colour}:{other}") == ["start_rule"]


@pytest.mark.parametrize("variant_id", ["duo", "junior"])
def test_assigned_duo(variant_id: str) -> None:
    assert reasons(variant_id, "1:e10 2:j5") == ["legal", "legal"]
    assert reasons(variant_id, "1:j5") == ["start_rule"]
    assert reasons(variant_id, "1:e10 2:i6") == ["legal", "start_rule"]
    assert reasons(variant_id, "1:e10 2:e10") == ["legal", "occupied"]


@pytest.mark.parametrize("variant_id", ["duo", "junior"])
def test_marked_duo(variant_id: str) -> None:
    assert reasons(variant_id, "1:j5 2:e10", start="marked") == ["legal", "legal"]
    # The cell that the first has taken is gone, the other is left: of the 828 (378) first moves half are.
    assert reasons(variant_id, "1:j5 2:j5", start="marked") == ["legal", "occupied"]
    assert reasons(variant_id, "1:j5 2:i4", start="marked") == ["legal", "start_rule"]
    position = Position(variant_id, parse_rules(variant_id, {"start": "marked"}))
    both = position.mobility(1)
    position.play(0, numbers(variant_id, "j5"))
    assert position.mobility(1) == both // 2


@pytest.mark.parametrize(
    ("variant_id", "marked", "not_marked"),
    [
        ("trigon", "r15 r4 j12 j7 z12 z7", "p14"),
        ("trigon_2", "r15 r4 j12 j7 z12 z7", "p14"),
        ("trigon_3", "p14 p3 h11 h6 x11 x6", "r15"),
    ],
)
def test_marked_trigon(variant_id: str, marked: str, not_marked: str) -> None:
    cells = marked.split()
    colours = 3 if variant_id == "trigon_3" else 4
    for shift in range(6):  # every colour on every marked cell
        chosen = [cells[(shift + c) % 6] for c in range(colours)]
        text = " ".join(f"{c}:{cell}" for c, cell in enumerate(chosen, 1))
        assert reasons(variant_id, text) == ["legal"] * colours
    assert reasons(variant_id, f"1:{not_marked}") == ["start_rule"]
    assert reasons(variant_id, f"1:{cells[0]} 2:{cells[0]}") == ["legal", "occupied"]


def test_any_corner_on_squares() -> None:
    assert reasons("classic", "1:t1 2:a1 3:a20 4:t20", start="any_corner") == ["legal"] * 4
    assert reasons("classic", "1:t1 2:t1", start="any_corner") == ["legal", "occupied"]
    assert reasons("classic", "1:b1", start="any_corner") == ["start_rule"]
    assert reasons("duo", "1:n14 2:a1", start="any_corner") == ["legal", "legal"]
    # On the 14x14 board the marked cells are no corners.
    assert reasons("duo", "1:e10", start="any_corner") == ["start_rule"]
    # Four corners too far apart for one piece: 4 x 58; three of them are left to the second colour.
    position = Position("classic", parse_rules("classic", {"start": "any_corner"}))
    assert position.mobility(0) == 4 * 58
    position.play(0, [0])
    assert position.mobility(1) == 3 * 58


def test_any_corner_on_the_hexagon_takes_both_cells_of_a_corner() -> None:
    # i1 and j1 touch the lower left corner: after i1 nobody begins on j1, though it is free.
    assert reasons("trigon", "1:i1 2:j1", start="any_corner") == ["legal", "start_rule"]
    assert reasons("trigon", "1:j1 2:i1", start="any_corner") == ["legal", "start_rule"]
    assert reasons("trigon", "1:i1 2:z1 3:a9 4:ai10", start="any_corner") == ["legal"] * 4
    assert reasons("trigon", "1:k1", start="any_corner") == ["start_rule"]
    assert reasons("trigon_3", "1:h1 2:i16 3:ae9", start="any_corner") == ["legal"] * 3
    assert reasons("trigon_3", "1:h1 2:i1", start="any_corner") == ["legal", "start_rule"]


def test_any_border() -> None:
    assert reasons("classic", "1:k20 2:t7 3:g1 4:a9", start="any_border") == ["legal"] * 4
    # One cell of the piece on the border will do; one row further in is not the border.
    assert reasons("classic", "1:k19+k20 2:k18", start="any_border") == ["legal", "start_rule"]
    assert reasons("duo", "1:a14 2:h1", start="any_border") == ["legal", "legal"]
    assert reasons("duo", "1:e10", start="any_border") == ["start_rule"]


def test_the_start_rule_binds_the_first_piece_only_and_a_setup_piece_is_one() -> None:
    assert reasons("duo", "1:e10 2:j5 1:f9+f8") == ["legal"] * 3
    assert reasons("duo", "1:e10 2:j5 1:h2") == ["legal", "legal", "piece_used"]
    assert reasons("duo", "1:e10 2:j5 1:h2+h3") == ["legal", "legal", "no_corner_contact"]
    # Red pieces set up anywhere: the first move joins them, the starting cell is no place to begin any more.
    assert play("classic", "1:k11+l11", setup="1:j10").reasons == ["legal"]
    assert play("classic", "1:a19+a20", setup="1:j10").reasons == ["no_corner_contact"]


def test_rules_that_a_board_cannot_have() -> None:
    with pytest.raises(RuleError, match="'marked' does not fit classic: choose one of assigned, any_corner"):
        parse_rules("classic", {"start": "marked"})
    with pytest.raises(RuleError, match="'assigned' does not fit trigon_2: choose one of marked, any_corner"):
        parse_rules("trigon_2", {"start": "assigned"})
