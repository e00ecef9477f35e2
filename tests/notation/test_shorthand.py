from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.errors import BadRecord
from notation.formats import FORMATS
from notation.fragments import PieceList
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, GameRecord, Move, Pass
from notation.shorthand import looks_like
from notation.shorthand_lines import read_line
from notation.shorthand_paths import resolve
from notation.shorthand_turns import VARIATIONS
from notation.sniff import sniff
from notation.stream import RECORD_LIMIT
from tests.notation.reading import codes, game, moves, read_all, refusal

OPENING = "1. W(E10drdr) - F(J5uul)\n2. Z5(I7drrd) - I5(D7u)\n"


def pieces(text: str) -> PieceList:
    (item,) = read_all(text, "shorthand")
    assert isinstance(item, PieceList), item
    return item


def first_move(text: str) -> Move:
    event = game(text, "shorthand").events[0]
    assert isinstance(event, Move)
    return event


def test_turns_with_both_colours():
    record = game("Violet: Ada\nOrange: Ben\n" + OPENING + "3. 1(A1) - pass\n", "shorthand")
    assert moves(record) == [
        "1:f8,g8,e9,f9,e10",
        "2:j5,j6,k6,i7,j7",
        "1:k5,i6,j6,k6,i7",
        "2:d7,d8,d9,d10,d11",
        "1:a1",
    ]
    assert (record.events[-1], record.players, record.problems) == (Pass(1), ["Ada", "Ben"], [])
    assert (record.variant, record.line, record.broken) == ("duo", 3, "")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Z5(K8ullu)", "k8,i9,j9,k9,i10"),
        ("F(K8uul)", "k8,k9,l9,j10,k10"),
        ("T5(E7ldd)", "d5,d6,c7,d7,e7"),
        ("N5(D9ddld)", "c6,c7,d7,d8,d9"),
        ("N(D9dldd)", "c6,c7,c8,d8,d9"),
        ("I5(D7u)", "d7,d8,d9,d10,d11"),
        ("I(D7uuuu)", "d7,d8,d9,d10,d11"),
        ("I3(D7l)", "b7,c7,d7"),
        ("2(D7r)", "d7,e7"),
        ("I2(d7D)", "d6,d7"),
        ("Z4(G12rdr)", "h11,i11,g12,h12"),
        ("X(K8uu)", "k8,j9,k9,l9,k10"),
        ("X(A2r)", "b1,a2,b2,c2,b3"),
        ("Y(K8uul)", "k8,k9,j10,k10,k11"),
        ("Y(A1uuu)", ""),
        ("O4(A1ur)", "a1,b1,a2,b2"),
        ("U(B2urrd)", "b2,d2,b3,c3,d3"),
        ("P(A1urdr)", "a1,b1,c1,a2,b2"),
        ("T4(C3rr)", ""),
        ("T4(C1rr)", "c1,d1,e1,d2"),
        ("1(N14)", "n14"),
    ],
)
def test_paths_are_made_whole_by_the_name_of_the_piece(text, cells):
    ((play,),) = (turn.plays for turn in read_line(text).turns)
    found = resolve(play)
    move = first_move(text)
    if cells:
        assert (move.text, move.placement >= 0) == (cells, True)
    else:
        assert (move.cells, move.text) == ((), text)
        assert found.candidates is None or len(found.candidates) != 1 or found.renamed


def test_a_path_that_several_placements_fit_ends_the_game_with_all_of_them():
    record = game(OPENING + "3. Y(C4uuu) - X(A2r)\n4. 1(A1) - 1(N1)\nthe end\n", "shorthand")
    assert len(record.events) == 5
    assert record.events[-1] == Move(0, (), NOT_A_PIECE, "Y(C4uuu)")
    (problem,) = record.problems
    assert (problem.code, problem.line, problem.ply) == ("ambiguous_path", 3, 5)
    for cells in ("c4,b5,c5,c6,c7", "c4,c5,d5,c6,c7", "c4,c5,b6,c6,c7", "c4,c5,c6,d6,c7"):
        assert cells in problem.message
    assert record.broken == "3. Y(C4uuu) - X(A2r)\n4. 1(A1) - 1(N1)\nthe end"


@pytest.mark.parametrize(
    "text",
    [
        '"N5(D9ddld)" or dldd',
        "N5(D9ddld or dldd)",
        "N5(D9ddld) or dldd",
        "F(K8uul) or W",
        "1. F(K8uul) or W - X",
    ],
)
def test_a_choice_is_not_made_for_the_writer(text):
    (item,) = read_all(text, "shorthand")
    if isinstance(item, PieceList):
        assert (item.pieces, item.problems[0].code) == ([], "broken_move")
    else:
        assert codes(item) == ["ambiguous_path"]
        assert item.events[0].placement == NOT_A_PIECE and item.broken == text


def test_a_choice_between_words_for_the_same_cells_is_none():
    assert first_move("O(A1ur or ru)").text == "a1,b1,a2,b2"


def test_a_path_of_another_shape_than_its_name_is_the_move_and_told():
    record = game("N(K8uuuu)\nT5(A1rr)\n", "shorthand")
    assert moves(record)[0] == "0:k8,k9,k10,k11,k12"
    assert codes(record) == ["piece_name"]
    record = game("1. F(K8uul) - 2(C3ru)\n", "shorthand")
    assert (moves(record)[1], codes(record)) == ("2:c3,d3,d4", ["piece_name"])


def test_squares_off_the_board_are_moves_off_the_board():
    record = game("1. Z5(P8ullu) - I5(M14u)\n2. F(K8uul) - 1(A15)\n3. 1(A0)", "shorthand")
    assert [event.placement for event in record.events if event.placement < 0] == [OFF_BOARD] * 4
    assert moves(record)[2] == "1:k8,k9,l9,j10,k10"


def test_moves_without_numbers_belong_to_the_colour_on_turn_or_to_the_one_named():
    record = game(
        "Z5(K8ullu)\n > F(K8uul) - X(K8uu)\nOrange: I5(D7u), a fine move\nViolet: Ada\n", "shorthand"
    )
    assert [event.colour for event in record.events] == [ANY_COLOUR] * 3 + [1]
    assert codes(record) == ["text_around"]


def test_lines_of_names_are_lists_of_pieces():
    text = "1. F – X / 2. W – N / 3. Z5 – F / 4. I5 – W / 5. X – Y / 6. U – L5.\n"
    item = pieces(text)
    assert item.pieces[:3] == [(0, "F"), (1, "X"), (0, "W")] and len(item.pieces) == 12
    assert (item.variant, item.problems) == ("duo", [])
    assert pieces("Violet: Ada\n1. F5 - P5\n2) N - I1\n3. L - O4\n4. 2").pieces == [
        (0, "F"),
        (1, "P"),
        (0, "N"),
        (1, "1"),
        (0, "L5"),
        (1, "O"),
        (0, "2"),
    ]
    assert sniff(text.encode(), "") is FORMATS["shorthand"]


def test_a_variation_repeats_the_turns_before_it():
    first, second = read_all(
        "Orange: Ben\n1. F - X / 2. W - N / 3. Z5 - F\nor:\n…. 3. N – L5 / 4. X – Y\n", "shorthand"
    )
    assert isinstance(first, PieceList) and isinstance(second, PieceList)
    assert second.pieces == [*first.pieces[:4], (0, "N"), (1, "L5"), (0, "X"), (1, "Y")]
    assert second.players == first.players == [None, "Ben"]
    assert [problem.code for problem in second.problems] == ["variation"]
    main, side = read_all(OPENING + "2. X(E7rr) - 1(A1)\n", "shorthand")
    assert isinstance(main, GameRecord) and isinstance(side, GameRecord)
    assert side.events[:2] == main.events[:2] and side.events[2] != main.events[2]


def test_a_mixture_is_a_list_of_pieces_and_told():
    item = pieces("1. W(E10drdr) - F\n2. X - Y\n")
    assert item.pieces == [(0, "W"), (1, "F"), (0, "X"), (1, "Y")]
    assert [problem.code for problem in item.problems] == ["moves_without_cells"]


def test_games_in_one_post_are_records_of_their_own():
    text = f"Hello all,\nViolet: Ada\n{OPENING}that was it. Then\nViolet: Eve\n{OPENING}"
    first, second = read_all(text, "shorthand")
    assert isinstance(first, GameRecord) and isinstance(second, GameRecord)
    assert (first.players, second.players) == (["Ada", None], ["Eve", None])
    assert (first.line, second.line) == (3, 7)
    assert first.events == second.events and codes(first) == ["text_around"]


@pytest.mark.parametrize(
    ("tail", "code", "ply"),
    [
        ("3. Z5(K8x) - X(A2r)\n", "broken_move", 5),
        ("3. X(A2r) - Z5(K8\n", "broken_move", 6),
        ("3. W - Q9\n", "broken_move", 5),
        ("3. T5(K8ulu) - X(A2r)\n", "broken_move", 5),
        ("4. X(A2r) - 1(A1)\n", "missing_turn", 5),
        ("3. X(A2r) - I3(A1)\n", "ambiguous_path", 6),
    ],
)
def test_what_cannot_be_read_ends_the_game_and_is_kept_as_text(tail, code, ply):
    record = game(f"{OPENING}{tail}5. X(A2r)\nbye\n", "shorthand")
    assert [(problem.code, problem.line, problem.ply) for problem in record.problems] == [(code, 3, ply)]
    assert record.broken == f"{tail}5. X(A2r)\nbye"
    readable = [event for event in record.events if event.placement >= 0]
    assert len(readable) == ply - 1


def test_the_first_turn_may_not_be_missing():
    error, item = read_all("4. N - L5\n5. X - Y\n1. F - X\n2. W - N\n", "shorthand")
    assert isinstance(error, BadRecord) and "turn 4 comes first" in error.message
    assert (error.where.line, error.text) == (1, "4. N - L5")
    assert isinstance(item, PieceList) and len(item.pieces) == 4
    assert "no move" in refusal("dear all,\n", "shorthand").message
    assert "not for classic" in refusal(OPENING, "shorthand", "classic").message


def test_variations_and_lines_without_end_stay_bounded():
    head = "".join(f"{turn}. F - X\n" for turn in range(1, 43))
    items = read_all(head + "42. F - X\n" * 20_000 + "43. F - X\n", "shorthand")
    assert len(items) == VARIATIONS + 2 and isinstance(items[-1], BadRecord)
    assert len(game("F(K8uuu)\n" * 50_000 + "N(K8uuuu)\n" * 50_000, "shorthand").events) == 1
    assert len(game("N(K8uuuu)\n" * 100_000, "shorthand").problems) == 20
    assert "has at most" in refusal("x" * (RECORD_LIMIT + 1), "shorthand").message
    for text in (
        "1. F - X / 2. ",
        "N5(D9d" + " or d" * 9,
        ">",
        " ",
        "1.",
        "F(",
        '"',
        "…",
        "Violet: ",
        "1. 1. ",
    ):
        read_all(text * (RECORD_LIMIT // len(text)), "shorthand")


@pytest.mark.parametrize(
    "text",
    [
        OPENING,
        "Hi,\nmy best game so far:\n\n" + OPENING + "\nComments?\n",
        "> Z5(K8ullu)\n> F(K8uul)\n",
        "1. F - X\n2. W - N\n",
        "1. Z5(K8ullu) - F(K8uul)",
    ],
)
def test_posts_are_recognised_by_two_moves_at_the_beginning_of_lines(text):
    assert sniff(text.encode(), "post.txt") is FORMATS["shorthand"]


@pytest.mark.parametrize(
    "text",
    [
        "Play Z5(K8ullu) and then F(K8uul).\nI like Z5(K8ullu)\n",
        "Z5(K8ullu)\nis the best reply\n",
        "1. I think - no\n2. You think - yes\n",
        "1. F - X\n3. W - N\n",
        "X(A1)\nX(B2)\nF(C3)\n",
        "P(A1r)\n",
        "1. e4 e5\n2. Nf3 Nc6\n",
        "1. F - Xerox\n2. W - Nothing\n",
        "def f(x):\n    return F(x) - X(y)\n",
        "Violet: Ada\nOrange: Ben\n",
        "Z5(Z8ullu)\nF(K18uul)\n",
        "T5 r r r p 6 9\nX p 3 4\n",
        "1) N\n2) P\n3) X\n",
    ],
)
def test_other_texts_are_not_taken_for_games(text):
    assert not looks_like(text.encode(), "post.txt")


PARTS = [
    "1. ",
    "2. ",
    "3. ",
    "42. ",
    "F(K8uul)",
    "Y(A1uuu)",
    "Z5(P9x)",
    "X",
    "W",
    "Q",
    " - ",
    " – ",
    " / ",
    "\n",
    "Violet: ",
]
PARTS += [
    "Orange: ",
    " or dldd",
    " or W",
    "(",
    ")",
    "pass",
    "…. ",
    '"',
    ">",
    "text",
    "٣. ",
    "\0",
    "\u2028",
    "1(A1)",
    ".",
]


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=40).map("".join))
def test_no_text_makes_the_reader_raise_or_lose_its_place(text):
    looks_like(text.encode("utf-8", "replace"), "")
    for item in read_all(text.encode("utf-8", "replace"), "shorthand"):
        assert isinstance(item, GameRecord | PieceList | BadRecord)
        if isinstance(item, GameRecord):
            assert item.events and 1 <= item.line <= text.count("\n") + 1
            assert all(
                event.placement != NOT_A_PIECE for event in item.events[:-1] if isinstance(event, Move)
            )
