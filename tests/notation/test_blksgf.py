from __future__ import annotations

import pytest

from engine.variants import VARIANTS
from notation.errors import BadRecord, ForeignGame
from notation.record import NOT_A_PIECE, OFF_BOARD, Branch, Move, Note, Out, Pass
from tests.notation.reading import codes, game, moves, read_all, refusal


@pytest.mark.parametrize("row", VARIANTS.values(), ids=lambda row: row.id)
def test_every_variant_is_read_by_its_name(row):
    assert game(f"(;GM[{row.name}])").variant == row.id
    assert game(f"(;GM[ {row.name.upper()} ])").variant == row.id


def test_a_run_of_blanks_in_the_name_is_read_with_a_warning():
    record = game("(;GM[Blokus   Trigon\n Two-Player])")
    assert record.variant == "trigon_2"
    assert codes(record) == ["game_name"]


@pytest.mark.parametrize(
    "name",
    [
        "Nexos",
        "Nexos Two-Player",
        "Callisto",
        "Callisto Two-Player",
        "Callisto Two-Player Four-Color",
        "Callisto Three-Player",
        "GembloQ",
        "GembloQ Two-Player",
        "GembloQ Two-Player Four-Color",
        "GembloQ Three-Player",
        "Universe",
    ],
)
def test_other_games_are_refused_by_name(name):
    error = refusal(f"(;GM[{name}];B[a1])")
    assert isinstance(error, ForeignGame)
    assert name in error.message


def test_numbers_and_unknown_names_are_no_game():
    assert "Go" in refusal("(;GM[1]FF[4]SZ[19];B[pd])").message
    assert isinstance(refusal("(;GM[99])"), ForeignGame)
    assert "Checkers" in refusal("(;GM[Checkers])").message
    assert "no GM" in refusal("(;FF[4];B[e10])").message


def test_the_caller_may_name_the_game_where_the_record_does_not():
    record = game("(;B[e10])", variant="duo")
    assert (record.variant, moves(record)) == ("duo", ["1:e10"])
    assert codes(record) == ["game_name"]
    error = refusal("(;GM[Blokus Duo];B[e10])", variant="classic")
    assert error.message == "the record is of duo, not of classic"


def test_moves_as_numbers_are_named():
    error = refusal("(;GM[blokus]RE[0.02,-0.1,0.3,0.1];B[1234];W[567];R[12];G[PASS])")
    assert isinstance(error, ForeignGame)
    assert "minizero" in error.message


def test_colours_that_the_game_does_not_have_refuse_it():
    error = refusal("(;GM[Blokus]\n;B[a20];W[t20])")
    assert isinstance(error, BadRecord)
    assert "B is of a colour that the game does not have" in error.message
    assert (error.where.record, error.where.line) == (1, 2)
    assert "4" in refusal("(;GM[Blokus Trigon Three-Player];4[a8])").message
    assert "3" in refusal("(;GM[Blokus Duo];3[a8])").message
    assert "A3" in refusal("(;GM[Blokus Duo]A3[a8])").message


def test_both_families_of_colours_and_the_words():
    assert moves(game("(;GM[Blokus Duo];1[e10];2[j5])")) == ["1:e10", "2:j5"]
    assert moves(game("(;GM[Blokus Duo];BLUE[e10];GREEN[j5])")) == ["1:e10", "2:j5"]
    assert moves(game("(;GM[Blokus];BLUE[a20];YELLOW[t20];RED[t1];GREEN[a1])")) == [
        "1:a20",
        "2:t20",
        "3:t1",
        "4:a1",
    ]


def test_old_point_lists_are_the_same_game():
    old = game("(;GM[Blokus];BLUE[a20][b20][b19];YELLOW[t20];RED[t1];GREEN[a1];BLUE[c18][c17])")
    new = game("(;GM[Blokus];1[a20,b20,b19];2[t20];3[t1];4[a1];1[c18,c17])")
    assert old.events == new.events
    assert moves(new)[0] == "1:b19,a20,b20"
    assert codes(old) == ["point_list"]
    assert codes(new) == []


def test_blanks_case_order_and_zeros_do_not_matter():
    record = game("(;GM[Blokus Duo] ;  B [ F10 , E010 ] ; W[j5] ; B[] )")
    assert record.events == [*game("(;GM[Blokus Duo];B[e10,f10];W[j5])").events, Pass(0)]
    assert codes(record) == ["pass_value"]


def test_what_is_no_placement_is_kept_as_written():
    record = game("(;GM[Blokus Duo];B[e10,e10];W[j5,j7];B[a1,z9];W[j5,];B[a0];W[e٣])")
    kinds = [(event.placement, len(event.cells)) for event in record.events if isinstance(event, Move)]
    assert kinds == [(NOT_A_PIECE, 2), (NOT_A_PIECE, 2)] + [(OFF_BOARD, 0)] * 4


def test_one_placement_is_one_object_however_written():
    first, second = read_all("(;GM[Blokus Duo];B[e10,f10])(;GM[Blokus Duo];B[F10,E10]C[x])")
    assert first.events[0] is second.events[0]


def test_of_two_moves_in_a_node_one_is_played_and_the_other_kept():
    record = game("(;GM[Blokus Duo];W[j5]B[e10];W[j5,j4])")
    assert moves(record) == ["1:e10", "2:j4,j5"]
    assert record.notes == [Note(0, "", [("W", ("j5",))])]
    assert codes(record) == ["two_moves"]


def test_a_move_in_the_root_is_played():
    record = game("(;GM[Blokus Duo]B[e10];W[j5])")
    assert moves(record) == ["1:e10", "2:j5"]


def test_setup_pieces_removal_and_colour_to_move():
    record = game("(;GM[Blokus]A1[a20,b20][c19]A4[a1];AE[c19]PL[2];2[t20])")
    assert [f"{piece.colour + 1}:{piece.text}" for piece in record.setup.pieces] == ["1:a20,b20", "4:a1"]
    assert record.setup.to_move == 1
    assert moves(record) == ["2:t20"]
    duo = game("(;GM[Blokus Duo]AB[e10]AW[j5][k6]PL[W])")
    assert [piece.colour for piece in duo.setup.pieces] == [0, 1, 1]
    assert duo.setup.to_move == 1
    assert codes(game("(;GM[Blokus Duo]AB[e10]AE[a1])")) == ["nothing_removed"]


@pytest.mark.parametrize("name", ["AB", "AE"])
def test_setup_after_the_first_move_ends_the_main_line(name):
    record = game(f"(;GM[Blokus Duo];B[e10]\n;{name}[e10]C[oops];W[j5])")
    assert moves(record) == ["1:e10"]
    assert record.broken == f";{name}[e10]C[oops];W[j5]"
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.ply) == ("setup_after_move", 2, 2)


def test_comments_annotations_and_unknown_properties_stay():
    record = game("(;GM[Blokus Duo]C[root]XY[a\\]][b];B[e10]C[one]BM[2]N[n];W[j5]zz[1]V[0.5];C[late])")
    assert record.headers == {"sgf:XY": "a\\]][b"}
    assert record.notes == [
        Note(-1, "root"),
        Note(0, "one", [("BM", ("2",)), ("N", ("n",))]),
        Note(1, "late", [("zz", ("1",)), ("V", ("0.5",))]),
    ]


def test_variations_are_kept_and_the_first_is_the_game():
    record = game("(;GM[Blokus Duo];B[e10](;W[j5](;B[f11])(;B[d9];W[k6]))(;W[j5,j4];B[f9])\n(;W[i5]))")
    assert moves(record) == ["1:e10", "2:j5", "1:f11"]
    assert record.branches == [
        Branch(2, "(;B[d9];W[k6])"),
        Branch(1, "(;W[j5,j4];B[f9])"),
        Branch(1, "(;W[i5])"),
    ]


def test_headers_have_one_vocabulary_and_players_their_seats():
    record = game(
        "(;GM[Blokus Two-Player]CA[utf-8]AP[Pentobi:7.2]DT[2016-04-19]EV[Cup]RO[2]TM[300]GN[7]PB[Ada]PW[Ben]BR[12])"
    )
    assert record.players == ["Ada", "Ben"]
    assert record.headers == {
        "program": "Pentobi:7.2",
        "date": "2016-04-19",
        "event": "Cup",
        "event_round": "2",
        "time_limit": "300",
        "game_number": "7",
        "rating1": "12",
    }
    assert game("(;GM[Blokus]P1[Ada]P3[Cleo])").players == ["Ada", None, "Cleo", None]
    assert game("(;GM[Blokus Three-Player]P3[Cleo]P4[Dan])").players == [None, None, "Cleo"]
    assert game("(;GM[Blokus Duo]P1[Ada]P2[Ben])").players == ["Ada", "Ben"]
    assert game("(;GM[Blokus Duo])").players == []
    twice = game("(;GM[Blokus Duo]PB[Ada]P1[Ben]DT[2020]DT[2021])")
    assert (twice.players, twice.date) == (["Ada", None], "2020")
    assert codes(twice) == ["two_names", "double_property"]


def test_leading_blanks_as_one_program_writes_them():
    record = game("(\n;GM[Blokus]\n CA[UTF-8]\n AP[Pentobi:7.2]\n DT[2016-04-19]\n;1[a20,a19]\n;2[t20]\n)\n")
    assert (record.date, moves(record), codes(record)) == ("2016-04-19", ["1:a19,a20", "2:t20"], [])


def test_a_result_by_time_ends_the_game_for_the_loser():
    record = game("(;GM[Blokus Duo]RE[W+T];B[e10];W[j5])")
    assert record.termination == "time"
    assert record.events[-1] == Out(0, "time")
    assert record.declared is not None and record.declared.winner == 1
    assert game("(;GM[Blokus Duo]RE[B+7];B[e10])").termination is None


def test_our_own_properties_bring_rules_and_endings():
    record = game(
        "(;GM[Blokus]CWRULES[teams=yes][start=any_corner]CWEND[abandoned]CWPENALTY[no]CWHEAD[x y][1]"
        ';1[t1]1L[29.5]CWEVAL[{"v":[1\\]}];CWOUT[2:abandoned]C[bye];CWPASS[3];CWPASS[])'
    )
    assert record.rules == {"teams": "yes", "start": "any_corner"}
    assert (record.termination, record.penalty_applied) == ("abandoned", False)
    assert record.headers == {"x y": "1"}
    assert record.clocks == {0: 29.5}
    assert record.evaluations == {0: {"v": [1]}}
    assert record.events[1:] == [Out(1, "abandoned"), Pass(2), Pass()]
    assert record.notes == [Note(1, "bye")]


def test_rules_that_do_not_fit_refuse_the_record():
    assert "marked" in refusal("(;GM[Blokus]CWRULES[start=marked];1[t1])").message


def test_clocks_that_do_not_fit_stay_marks():
    record = game("(;GM[Blokus Duo];B[e10]WL[3];W[j5]WL[nan];B[f11]BL[12])")
    assert record.clocks == {2: 12.0}
    assert record.notes == [Note(0, "", [("WL", ("3",))]), Note(1, "", [("WL", ("nan",))])]


def test_several_games_with_their_numbers_and_lines():
    items = read_all("(;GM[Blokus Duo];B[e10])\n\n(;GM[Nexos])\n(;GM[Blokus Duo];B[d10,e10])\n")
    first, error, last = items
    assert moves(first) == ["1:e10"]
    assert (error.where.record, error.where.line, error.text) == (2, 3, "(;GM[Nexos])")
    assert (last.line, moves(last)) == (4, ["1:d10,e10"])


def test_a_game_without_moves_is_a_game():
    assert game("(;GM[Blokus Duo])").events == []


@pytest.mark.parametrize("text", ["1e999", "NaN", "{", "[" * 5000])
def test_an_evaluation_that_is_no_json_stays_a_mark(text):
    record = game(f"(;GM[Blokus Duo];B[e10]CWEVAL[{text}])")
    assert (record.evaluations, record.notes) == ({}, [Note(0, "", [("CWEVAL", (text,))])])
