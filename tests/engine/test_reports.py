"""Public problem reports at the level of the engine; their records are in `tests.records`."""

from __future__ import annotations

import pytest

from engine.boards import cell_names, cells_by_name
from engine.position import Position
from engine.rulesets import default_rules
from engine.scoring import points
from notation.record import Move
from tests import records
from tests.engine.games import Played, numbers, played, position_of, script_of
from tests.notation.reading import game


def _replayed(text: str, strict: bool = False) -> Played:
    record = game(text)
    return played(script_of(record), record.variant, default_rules(record.variant), strict)


def _moves(position: Position, colour: int) -> set[str]:
    names = cell_names(position.variant.board)
    return {",".join(names[c] for c in cells) for _, cells in position.legal_moves(colour)}


@pytest.mark.parametrize(
    ("probe", "reason"),
    [
        ("j7+j8", None),  # side contact with the other colour does not matter
        ("f9", None),
        ("h13+h14", None),
        ("i8+j8", "side_contact"),  # i8 beside the own i9, though j8 has a good corner
        ("f9+g9", "side_contact"),
        ("k10", "no_corner_contact"),
        ("f7", "no_corner_contact"),  # touches only the other colour's g8
        ("e10", "occupied"),
    ],
)
def test_contact(probe: str, reason: str | None) -> None:  # O-A1
    position = position_of(game(records.O_A1))
    assert position.why_illegal(0, numbers("duo", probe)) == reason
    assert position.mobility(0) == 528
    assert position.to_move == 0


@pytest.mark.parametrize(("text", "blue"), [(records.O_A2_A, 20), (records.O_A2_B, 15)], ids="AB")
def test_finishing_bonus(text: str, blue: int) -> None:  # O-A2
    seen = _replayed(text)
    assert set(seen.reasons) == {"legal"}
    assert seen.totals() == [blue, -35, -30, -25]
    assert [points("online", "classic", f) for f in seen.facts] == [89 + blue, 54, 59, 64]
    assert seen.over
    assert seen.blocked == [True] * 4


def test_both_orders_of_the_last_two_pieces_end_on_the_same_board() -> None:  # O-A2
    first, second = position_of(game(records.O_A2_A)), position_of(game(records.O_A2_B))
    assert (first.board == second.board).all()
    assert first.key != second.key


def test_passes_missing_from_the_record() -> None:  # O-A3
    seen = _replayed(records.O_A2_A)
    assert len(seen.reasons) == 66
    assert [sum(colour == c for _, colour, _, _ in seen.passes) for c in (1, 2, 3, 4)] == [0, 6, 5, 4]
    assert {(kind, recorded) for _, _, kind, recorded in seen.passes} == {("forced", False)}
    assert seen.turns[-1] == 66 + 15 == 81  # 20 full rounds of four, then blue: round 21
    assert (seen.turns[-1] + 3) // 4 == 21


@pytest.mark.parametrize("named", [True, False], ids=["with colour", "without"])
def test_the_same_with_passes_in_the_record(named: bool) -> None:  # O-A3
    bare, record = _replayed(records.O_A2_A), game(records.O_A2_A)
    script = script_of(record)
    events = list(script.events)
    for turn, colour, _, _ in bare.passes:  # ascending turns: the pass of turn t is event t - 1
        events.insert(turn - 1, (colour - 1 if named else -1, -3))
    script.events = events
    seen = played(script, "classic", default_rules("classic"))
    assert set(seen.reasons) == {"legal"}
    assert [row[:3] for row in seen.passes] == [row[:3] for row in bare.passes]
    assert all(recorded for *_, recorded in seen.passes)
    assert (seen.facts, seen.turns[-1]) == (bare.facts, 81)


@pytest.mark.parametrize(
    ("text", "colour", "only"),
    [(records.O_A4_P, 0, "j6,k6,j7,k5"), (records.O_A4_Q, 1, "e12,f12,d13,e13")],
    ids="PQ",
)
def test_one_orientation_is_left(text: str, colour: int, only: str) -> None:  # O-A4
    position = position_of(game(text))
    assert position.to_move == colour
    assert not position.is_over
    ((piece, cells),) = position.legal_moves(colour)
    assert piece == "Z4"
    assert sorted(cells) == sorted(numbers("duo", only.replace(",", "+")))
    assert not _replayed(text).over


def test_recorded_passes_of_position_p_are_forced() -> None:  # O-A4
    assert {row[2:] for row in _replayed(records.O_A4_P).passes} == {("forced", True)}


def test_catalogue_seen_from_outside() -> None:  # O-A5; the catalogue itself: test_geometry
    assert [Position(v).mobility(0) for v in ("classic", "duo", "trigon")] == [58, 414, 2478]
    position = Position("classic")
    position.play(0, numbers("classic", "a20"))
    assert points("board", "classic", position.facts[0]) == -88


def test_the_sums_decide_and_not_the_best_colour() -> None:  # O-A7
    seen = _replayed(records.O_A7)
    assert [points("board", "classic_2", f) for f in seen.facts] == [-15, -11, -27, -32]
    assert seen.totals() == [-42, -43]
    assert seen.places() == [1, 2]
    assert seen.over
    four = _replayed(records.O_A7.replace("Blokus Two-Player", "Blokus"))
    assert four.totals() == [-15, -11, -27, -32]
    assert four.places()[1] == 1


def test_triangular_cells() -> None:  # O-A8
    names = cells_by_name("hexagon9")
    assert len(names) == 486
    assert "a1" not in names
    assert {"i1", "aa1", "a9", "ai9", "a10", "ai10"} <= names.keys()
    small = cells_by_name("hexagon8")
    assert len(small) == 384
    assert "ai9" not in small
    assert Position("trigon_3").why_illegal(0, numbers("trigon_3", "r15")) == "start_rule"
    assert Position("trigon").mobility(0) == 2478


def test_triangular_contact() -> None:  # O-A8, after ply 1
    position = Position("trigon")
    position.play(0, numbers("trigon", "r15+s15"))
    assert position.mobility(0) == 1024
    for side in ("r14", "q15", "t15", "s16"):
        assert position.why_illegal(0, numbers("trigon", side)) == "side_contact"
    singles = {text for text in _moves(position, 0) if "," not in text}
    assert singles == {"p14", "q14", "s14", "t14", "p15", "u15", "q16", "r16", "t16", "u16"}
    assert position.why_illegal(1, numbers("trigon", "r15")) == "occupied"
    assert position.why_illegal(1, numbers("trigon", "i12")) == "start_rule"
    assert position.why_illegal(1, numbers("trigon", "j12")) is None
    assert position.why_illegal(1, [-1]) == "off_board"
    assert _replayed(records.O_A8).reasons == ["legal", "legal"]


def test_playing_for_another_colour() -> None:  # O-A9
    seen = _replayed(records.O_A9_SKIP)
    assert seen.reasons == ["legal"] * 4
    # Ply 3 is green's: red, whose turn 3 it was and who has 58 moves, was passed over.
    assert seen.passes[0] == (3, 3, "unforced", False)
    assert seen.turns == [1, 2, 4, 7]
    assert _replayed(records.O_A9_SKIP, strict=True).reasons == [
        "legal",
        "legal",
        "unforced_pass",
        "not_reached",
    ]
    assert position_of(game("(;GM[Blokus];1[a20];2[t20])")).mobility(2) == 58
    assert _replayed(records.O_A9_CORNER).reasons == ["start_rule", "not_reached"]


def test_an_illegal_move_in_the_middle_stops_the_replay() -> None:  # O-B4
    seen = _replayed(records.O_B4)
    assert seen.reasons == ["legal"] * 4 + ["side_contact"] + ["not_reached"] * 3
    assert [s.total for s in seen.results(decided=False)] == [-80, -83]
    position = Position("duo")
    for event in game(records.O_B4).events[:4]:
        assert isinstance(event, Move)
        position.play(event.colour, event.cells)
    assert position.to_move == 0
    assert position.mobility(0) == 528
