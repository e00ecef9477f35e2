"""Damaged frames, escapes and encodings of `.blksgf` files."""

from __future__ import annotations

import pytest

from notation.blksgf import read
from notation.record import Note
from notation.stream import ReadOptions
from notation.trees import split_trees
from tests.notation.reading import codes, game, moves, read_all, refusal

GAME = "(;GM[Blokus Duo];B[e10,e11];W[j5,j4])"
PLIES = ["1:e10,e11", "2:j4,j5"]


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("\n\n" + GAME, []),
        (GAME[:-1], ["unclosed"]),
        (GAME + "))", ["text_after_tree"]),
        (GAME + ",b3];W[c1])", ["text_after_tree"]),
        ("Dear Ada,\n" + GAME, ["text_before_tree"]),
        (GAME + " \r\n", []),
    ],
)
def test_one_game_with_a_warning(text, warnings):
    record = game(text)
    assert moves(record) == PLIES
    assert codes(record) == warnings


@pytest.mark.parametrize("text", ["()", "( )", ";;", ")))", "(;)", "(;;)"])
def test_no_game_is_a_clean_refusal(text):
    assert refusal(text).code == "bad_record"


def test_empty_trees_are_refused_beside_the_others():
    items = read_all(f"(){GAME}()()\n{GAME} f() (;GM[Nexos])")
    assert [getattr(item, "code", "game") for item in items] == [
        "bad_record",
        "game",
        "bad_record",
        "bad_record",
        "game",
        "other_game",
    ]


def test_a_missing_bracket_loses_no_later_game():
    items = read_all(f"{GAME}\n(;GM[Blokus Duo];B[e10](;W[j5]\n(;CA[UTF-8]GM[Blokus Duo];B[e10])\n{GAME}")
    assert [moves(item) for item in items] == [PLIES, ["1:e10", "2:j5"], ["1:e10"], PLIES]
    assert codes(items[1]) == ["several_trees", "unclosed"]


def test_a_file_cut_inside_a_value_keeps_the_rest_as_text():
    record = game("(;GM[Blokus Duo];B[e10];W[j5,j")
    assert moves(record) == ["1:e10"]
    assert record.broken == "W[j5,j"
    assert codes(record) == ["unclosed", "unclosed_value"]


def test_junk_inside_a_tree_is_named():
    record = game("(;GM[Blokus Duo]junk PB[Ada];B[e10]!;W[j5])")
    assert (record.players, moves(record)) == (["Ada", None], ["1:e10", "2:j5"])
    assert codes(record) == ["junk", "junk"]


@pytest.mark.parametrize(
    ("count", "plies", "comment"),
    [
        (1, ["2:j5"], "n1];B[e10"),
        (2, ["1:e10", "2:j5"], "n2\\"),
        (3, ["2:j5"], "n3\\];B[e10"),
        (4, ["1:e10", "2:j5"], "n4\\\\"),
    ],
)
def test_a_backslash_protects_the_next_character(count, plies, comment):
    record = game(f"(;GM[Blokus Duo]C[n{count}{chr(92) * count}];B[e10];W[j5])")
    assert moves(record) == plies
    assert record.notes == [Note(-1, comment)]


def test_line_ends_and_tabs_in_texts():
    record = game("(;GM[Blokus Duo]EV[a\r\nb\tc]C[x\\\r\ny\rz\\:];B[e10])")
    assert record.headers["event"] == "a b c"
    assert record.notes == [Note(-1, "xy\nz:")]


TEXT = "(;GM[Blokus Duo]CA[{}]PB[{}]PW[Zoë];B[e10];W[j5])"


@pytest.mark.parametrize(
    ("data", "name", "warnings"),
    [
        (TEXT.format("UTF-8", "René Ōta").encode("utf-8-sig"), "René Ōta", ["byte_order_mark"]),
        (TEXT.format("UTF-16", "René Ōta").encode("utf-16"), "René Ōta", ["byte_order_mark"]),
        (b"\xfe\xff" + TEXT.format("x", "René").encode("utf-16-be"), "René", ["byte_order_mark"]),
        (TEXT.replace("CA[{}]", "").format("René").encode("latin-1"), "René", ["encoding"]),
        (TEXT.format("GB18030", "王小明").encode("gb18030"), "王小明", []),
        (TEXT.format("Shift_JIS", "表十能").replace("ë", "").encode("shift_jis"), "表十能", []),
        (TEXT.format("ISO-8859-15", "Œuvré").encode("iso8859-15"), "Œuvré", []),
        (
            TEXT.format("UTF-8", "Ren\u00e9").encode("utf-8").replace("é".encode(), b"\xe9"),
            "Ren\ufffd",
            ["encoding"],
        ),
        (TEXT.format("klingon", "René").encode("latin-1"), "René", ["encoding"]),
        (TEXT.format("unicode_escape", "René").encode("latin-1"), "René", ["encoding"]),
        (TEXT.format("ISO-8859-1", "René Ōta").encode(), "René Ōta", []),
    ],
)
def test_encodings(data, name, warnings):
    record = game(data)
    assert record.players[0] == name
    assert moves(record) == ["1:e10", "2:j5"]
    assert codes(record) == warnings


def test_a_mark_between_two_files_put_together():
    one = GAME.encode("utf-8-sig")
    items = read_all(one + b"\n" + one)
    assert [moves(item) for item in items] == [PLIES, PLIES]


def test_deep_nesting_and_many_variations_are_no_problem():
    deep = game("(;GM[Blokus Duo]" + "(;B[e10]" * 20_000 + ")" * 20_000 + ")")
    assert len(deep.events) == 20_000
    wide = game("(;GM[Blokus Duo](;B[e10])" + "(;B[d10])" * 5_000 + ")")
    assert len(wide.branches) == 5_000
    assert len(game("(;GM[Blokus Duo]" + "(;B[e10]" * 20_000).events) == 20_000


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[Blokus Duo]" + "[" * 300_000,
        "(;GM[Blokus Duo]" + "]" * 300_000,
        "(;GM[Blokus Duo]" + "B[" * 200_000,
        "(;GM[Blokus Duo]" + ";B" * 200_000,
        "(;GM[Blokus Duo]" + "\\" * 300_000,
        "(;GM[Blokus Duo]" + "(;" * 200_000,
        "(;GM[Blokus Duo]" + "C[x]!" * 100_000 + ")",
        "(;GM[Blokus Duo];B[" + "e10," * 100_000 + "])",
        "(;GM[Blokus Duo]" + ";C[x]" * 150_000 + ")",
        "(;GM[Blokus Duo]" + "C[x]" * 150_000 + ")",
        "(;GM[Blokus Duo]" + "DT[x]" * 150_000 + ")",
        "(;GM[Blokus Duo]" + ";AB[a1]AE[a1]" * 50_000 + ")",
        "(;GM[Blokus Duo]AB" + "[a1]" * 150_000 + ")",
        "(;GM[Blokus Duo];" + "B[a1]" * 150_000 + ")",
        "(;GM[" * 60_000,
        "(;CA[(" * 60_000,
        "( " * 200_000,
        "()" * 5_000,
    ],
    ids=lambda text: text[:24] + text[-8:],
)
def test_hostile_texts_are_answered(text):
    assert read_all(text)


def test_a_record_without_end_is_refused_and_ends_the_reading():
    left = [(GAME + "\n").encode(), b"(;GM[Blokus Duo]C["]

    def endless(size: int) -> bytes:
        return left.pop(0) if left else b"x" * size

    items = [item for chunk in split_trees(endless) for item in read(chunk, ReadOptions("test"))]
    assert moves(items[0]) == PLIES
    assert "4 MiB" in items[1].message
    assert (len(items), items[1].where.record, items[1].where.line) == (2, 2, 2)


def test_a_line_with_much_wrong_is_answered_once():
    line = '{"format":"cornerwise","version":1,"variant":"duo","events":[' + "{}," * 200_000 + "{}]}"
    assert len(refusal(line, "jsonl").message) < 500
