"""One move a row: colours, passes, the order of rows, and rows that do not fit."""

from __future__ import annotations

import pytest

from notation.errors import BadRecord, NotationError
from notation.record import GameRecord, Out, Pass
from tests.notation.reading import codes, game, moves, read_all, refusal


@pytest.mark.parametrize("colour", ["blue", "Blue ", "1", "1.0"])
def test_colours_by_name_and_number(colour):
    assert moves(game(f"colour,move\n{colour},a20\n", "csv", "classic")) == ["1:a20"]


@pytest.mark.parametrize(
    ("first", "second"), [("B", "W"), ("first", "SECOND"), ("black", "white"), ("1", "2")]
)
def test_two_colours_have_more_names(first, second):
    record = game(f"Color;Move\n{first};e10\n{second};j5\n", "csv", "duo")
    assert moves(record) == ["1:e10", "2:j5"]


@pytest.mark.parametrize(("colour", "variant"), [("violet", "duo"), ("B", "classic"), ("green", "trigon_3")])
def test_a_first_colour_that_the_variant_does_not_have_refuses_the_game(colour, variant):
    error = refusal(f"ply,colour,move\n1,{colour},e10\n", "csv", variant)
    assert f"no colour {colour!r}" in error.message and error.where.line == 2


def test_a_later_unknown_colour_ends_the_game_before_it():
    record = game("colour,move\n1,a20\n2,t20\nbleu,t1\n4,a1\n", "csv", "classic")
    assert moves(record) == ["1:a20", "2:t20"]
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.ply) == ("broken_row", 4, 3)
    assert record.broken == "bleu,t1\n4,a1"


@pytest.mark.parametrize("text", ["pass", "PASS", "-", "", " ", "\u2014"])
def test_passes_with_a_colour_and_without(text):
    record = game(f"colour,move,x\n1,e10,\n,{text},y\n2,{text},y\n", "csv", "duo")
    assert record.events[1:] == [Pass(), Pass(1)]


def test_a_move_off_the_board_and_one_that_is_no_piece_are_recorded():
    record = game('colour,move\nB,e10\nW,z99\nB,"d9,d5"\nW,hello\n', "csv", "duo")
    assert [event.placement for event in record.events] == [130, -1, -2, -1]


def test_without_a_column_of_colours_the_moves_belong_to_the_colour_on_turn():
    record = game("ply,move\n1,e10\n2,j5\n", "csv", "duo")
    assert [event.colour for event in record.events] == [-1, -1]


def test_line_ends_inside_quotes_do_not_shift_the_lines_of_messages():
    record = game(
        'ply,colour,move,event\n1,B,e10,"Cup\r\n2020, ""open"""\n2,W,j5,\n3,B,d9,,x\n', "csv", "duo"
    )
    assert record.headers == {"event": 'Cup\r\n2020, "open"'}
    assert [(p.code, p.line) for p in record.problems] == [("ragged_row", 5)]


def test_a_ragged_row_ends_its_game_and_no_other():
    text = "game,ply,colour,move\na,1,1,a20\nb,1,1,a20\na,2,2,t20,t19\nb,2,2,t20\na,3,3,t1\n"
    first, second = read_all(text, "csv", "classic")
    assert (moves(first), moves(second)) == (["1:a20"], ["1:a20", "2:t20"])
    (problem,) = first.problems
    assert (problem.code, problem.line, problem.ply) == ("ragged_row", 4, 2)
    assert "5 cells" in problem.message and "needs quotes" in problem.message
    assert first.broken == "a,2,2,t20,t19\na,3,3,t1" and not second.problems


@pytest.mark.parametrize("row", ["1,B,e10,e11", "1,B", '1,B,"e10"x', '1,B,"e10'])
def test_a_game_whose_first_row_is_ragged_is_refused_with_the_line(row):
    error = refusal(f"ply,colour,move\n{row}\n", "csv", "duo")
    assert isinstance(error, BadRecord) and error.where.line == 2


def test_an_open_quote_does_not_swallow_the_games_behind_it():
    rows = "".join(f"{n},B,e10\n" for n in range(2000))
    found = read_all(f'game,colour,move\nx,B,"e10\n{rows * 10}', "csv", "duo")
    assert isinstance(found[0], NotationError)
    assert sum(isinstance(item, GameRecord) for item in found) == 2000


def test_rows_are_sorted_and_what_is_missing_or_twice_is_told():
    shuffled = game("ply,colour,move\n2,W,j5\n1,B,e10\n3,B,d9\n", "csv", "duo")
    assert (moves(shuffled), codes(shuffled)) == (["1:e10", "2:j5", "1:d9"], ["row_order"])
    gap = game("ply,colour,move\n1,B,e10\n4,B,d9\n", "csv", "duo")
    assert [(p.code, p.line, p.ply) for p in gap.problems] == [("ply_gap", 3, 2)]
    assert "2 to 3" in gap.problems[0].message
    late = game("ply,colour,move\n30,B,e10\n", "csv", "duo")
    assert codes(late) == ["ply_gap"]
    double = game("ply,colour,move\n1,B,e10\n1,B,d9\n", "csv", "duo")
    assert (len(moves(double)), codes(double)) == (2, ["ply_twice"])
    again = game("ply,colour,move\n" + "1,B,e10\n2,W,j5\n" * 2, "csv", "duo")
    assert (moves(again), codes(again)) == (["1:e10", "2:j5"], ["row_order", "row_twice", "row_twice"])
    strange = game("ply,colour,move\n2,B,e10\nx,W,j5\n", "csv", "duo")
    assert (moves(strange), codes(strange)) == (["1:e10", "2:j5"], ["row_number"])


@pytest.mark.parametrize(
    "rows",
    [
        "0,B,e10\n1,W,j5\n2,B,pass\n3,W,k6\n",
        "1,B,e10\n2,W,j5\n2,B,pass\n3,W,k6\n",
        "1,B,e10\n2,W,j5\n3,B,pass\n4,W,k6\n",
        "1,B,e10\n2,W,j5\n,B,pass\n3,W,k6\n",
        "1.0,B,e10\n2.0,W,j5\n3.0,B,-\n3.0,W,k6\n",
    ],
)
def test_plies_may_count_from_nought_and_with_or_without_passes(rows):
    record = game("ply,colour,move\n" + rows, "csv", "duo")
    assert (moves(record), record.events[2], record.problems) == (["1:e10", "2:j5", "2:k6"], Pass(0), [])


def test_turns_may_leave_out_those_of_blocked_colours_and_come_before_plies():
    record = game("ply,turn,colour,move\n2,5,W,j5\n1,1,B,e10\n", "csv", "duo")
    assert (moves(record), codes(record)) == (["1:e10", "2:j5"], ["row_order"])
    assert codes(game("turn,colour,move\n1,B,e10\n4,W,j5\n", "csv", "duo")) == []


def test_names_of_pieces_are_compared_with_the_cells():
    text = 'piece,colour,move\nI1,B,e10\nN,W,"h7,i6,i7,j5,j6"\nf5,B,"d9"\n\n'
    record = game(text, "csv", "duo")
    assert [(p.code, p.line, p.ply) for p in record.problems] == [
        ("piece_name", 3, 2),
        ("piece_name", 4, 3),
    ]
    broken = game("piece,colour,move\n1,B,e10\nF,W,\n", "csv", "duo")
    assert codes(broken) == ["broken_row"] and "piece without cells" in broken.problems[0].message


def test_players_by_the_colours_they_move():
    record = game("colour,move,player\n1,a20,Ada\n2,t20,Ben\n3,t1,Ada\n4,a1,\n", "csv", "classic_2")
    assert (record.players, record.problems) == (["Ada", "Ben"], [])
    shared = game("colour,move,player\n1,a20,Ada\n4,a1,Ben\n", "csv", "classic_3")
    assert (shared.players, shared.problems) == (["Ada", None, None], [])
    two = game("colour,move,player\n1,a20,Ada\n3,t1,Cleo\n", "csv", "classic_2")
    assert (two.players, codes(two)) == (["Ada", None], ["two_names"])
    unknown = game("ply,move,player\n1,e10,Ada\n2,j5,Ben\n", "csv", "duo")
    assert (unknown.players, codes(unknown)) == ([], ["player_left_out"])


def test_columns_that_vary_within_a_game_keep_the_first_with_a_warning():
    record = game("colour,move,site\nB,e10,Bern\nW,j5,\nB,d9,Rome\n", "csv", "duo")
    assert (record.headers, codes(record)) == ({"site": "Bern"}, ["column_varies"])
    assert "of several variants" in refusal("variant,move\nduo,e10\njunior,j5\n", "csv").message


def test_a_player_who_leaves_has_a_row():
    record = game("colour,move\n1,a20\n2,t20\n3,resigned\n4,a1\n", "csv", "classic")
    assert record.events[2] == Out(2, "resigned")
    assert "without the colour" in game("ply,move\n1,a20\n2,time\n", "csv", "classic").problems[0].message
