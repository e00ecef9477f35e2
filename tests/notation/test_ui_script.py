from __future__ import annotations

import pytest

from engine.geometry import geometry, placements_by_cells
from engine.pieces import PIECE_SETS
from notation.record import NOT_A_PIECE, OFF_BOARD, Move
from notation.ui_script import looks_like
from pipeline.judged import RuleChoice, group_records, is_over, stop_of
from tests.notation.reading import codes, game, moves, read_all, refusal
from tests.places import archives


def cells(text: str) -> str:
    (event,) = game(f"{text}\n", "ui_script").events
    assert isinstance(event, Move)
    return event.text


def test_a_game_with_and_without_the_names_of_the_players():
    inputs = "I1 p 4 9\nI2 p 9 4\r\n\nV3 r p 5 8\n"
    record = game(inputs, "ui_script")
    assert moves(record) == ["0:e10", "0:j5,j6", "0:f8,f9,g9"]
    named = game(f"Ada\nBen the second\n{inputs}", "ui_script")
    assert (named.events, named.players, record.players) == (record.events, ["Ada", "Ben the second"], [])
    assert (record.variant, record.rules, codes(named)) == ("duo", {}, [])


def test_keys_turn_the_piece_in_the_order_typed():
    assert cells("L4 p 5 5") == "f6,g6,f7,f8"
    assert cells("L4 r p 5 5") == "f5,f6,g6,h6"
    assert cells("L4 f p 5 5") == "e6,f6,f7,f8"
    assert cells("L4 r f p 5 5") == "f5,d6,e6,f6"
    assert cells("L4 f r p 5 5") == "f6,g6,h6,f7"
    assert cells("l4 R r R r f F P 5 5") == cells("L4 p 5 5")


def test_all_placements_of_all_pieces_can_be_typed():
    names, pieces = PIECE_SETS["polyominoes"].names, geometry("duo").placement_piece
    found = {}
    for name in names:
        for turns in ("", "r", "r r", "r r r", "f", "f r", "f r r", "f r r r"):
            lines = [f"{name} {turns} p {x} {y}" for x in range(14) for y in range(14)]
            for event in game("\n".join(lines), "ui_script").events:
                if isinstance(event, Move) and event.placement >= 0:
                    found[event.placement] = name
    assert len(found) == len(placements_by_cells("duo"))
    assert all(names[pieces[placement]] == name for placement, name in found.items())


@pytest.mark.parametrize(
    ("usual", "program"), [("1", "I1"), ("2", "I2"), ("O", "O4"), ("N5", "N"), ("y5", "Y")]
)
def test_other_usual_names_of_pieces(usual, program):
    assert cells(f"{usual} p 6 6") == cells(f"{program} p 6 6")


def test_the_first_player_may_take_the_other_start_cell():
    record = game("I1 p 9 4\nI1 p 4 9\n", "ui_script")
    assert record.rules == {"start": "marked"}
    ((group,), _) = group_records([record], RuleChoice())
    assert stop_of(group, 0) is None


@pytest.mark.parametrize(
    "line", ["T6 p 3 3", "T5 p 3", "T5 x p 3 3", "T5 p 3 3 p", "hint", "T5 p 99999 1", "I6 p 1 1"]
)
def test_a_line_that_places_nothing_ends_the_record_there(line):
    record = game(f"I1 p 4 9\n{line}\nI1 p 9 4\n", "ui_script")
    last = record.events[-1]
    assert isinstance(last, Move)
    assert (len(record.events), last.placement, last.text) == (2, NOT_A_PIECE, line)
    assert record.broken == f"{line}\nI1 p 9 4\n"
    assert [(p.code, p.line, p.ply) for p in record.problems] == [("broken_input", 2, 2)]


def test_a_piece_over_the_border_is_off_board_and_the_rest_is_read():
    record = game("I5  p 4 12\nI1 p 9 4\n", "ui_script")
    assert record.events[0] == Move(-1, (), OFF_BOARD, "I5 p 4 12")
    assert (len(record.events), record.broken) == (2, "")


def test_an_illegal_move_stops_the_replay_at_its_ply_and_later_moves_are_not_played():
    # The third input touches the first player's own piece side to side; the program refused it.
    record = game("I1 p 4 9\nI1 p 9 4\nI2 p 5 9\nV3 p 8 5\n", "ui_script")
    ((group,), _) = group_records([record], RuleChoice())
    stop = stop_of(group, 0)
    assert stop is not None and (stop.ply, stop.reason) == (3, "side_contact")


def test_refusals():
    assert "classic" in refusal("I1 p 4 9\n", "ui_script", variant="classic").message
    assert "1024 KiB" in refusal("I1 p 4 9\n" * 200_000, "ui_script").message
    assert "'hello' is no input" in refusal("hello\nI1 p 4 9\n", "ui_script").message
    assert "no input in the file" in refusal("Ada\nBen\n", "ui_script").message
    assert read_all("\n", "ui_script") == []


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("T5 r p 6 9\n", True),
        ("Ada\nBen\nT5 r p 6 9\nx p 9 4\n", True),
        ("T5 p 6 9\n" * 20_000, True),
        ("Ada\nT5 r p 6 9\n", False),
        ("The inputs are\nas follows\nT5 r p 6 9\nwhere r\nturns the\npiece\n", False),
        ("Ada\nBen\n" + "x" * 100, False),
        ("66r0\n99r0\n", False),
        ("i = 5\np = 6\nT5 p\n", False),
        ("x p 1\n", False),
        ("r " * 30_000, False),
        ("T5 " + "r " * 30_000, False),
    ],
)
def test_only_scripts_are_recognised(text, known):
    assert looks_like(text.encode(), "sample.txt") is known


@pytest.mark.archives
def test_the_real_game_is_the_same_in_both_files_and_legal_to_its_end():
    first, second = (
        game(archives("ui_script_duo", f"sample{number}.txt").read_bytes(), "ui_script") for number in (1, 2)
    )
    assert first.events == second.events and len(first.events) == 39
    assert (len(first.players), second.players, first.problems) == (2, [], [])
    ((group,), _) = group_records([first], RuleChoice())
    assert (stop_of(group, 0), is_over(group, 0)) == (None, True)
