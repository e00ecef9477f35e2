from __future__ import annotations

import pytest

from notation.errors import NotARecord, NotationError
from notation.formats import Format
from notation.jsonl import write
from notation.sniff import sniff
from tests.notation.reading import game

GAME = "(;GM[Blokus Duo];B[e10])"


def kind(data: bytes | str, name: str = "", forced: str | None = None) -> str:
    """Name of the format, or the message."""
    found = sniff(data.encode() if isinstance(data, str) else data, name, forced)
    return found.name if isinstance(found, Format) else found.message


@pytest.mark.parametrize("name", ["a.blksgf", "a.txt", "a.jsonl", "", "README.md"])
def test_the_content_decides_and_not_the_name(name):
    assert kind(GAME, name) == "blksgf"
    assert kind("\n\n (\n;GM[1])", name) == "blksgf"
    assert kind("66r0\n99r0\n", name) == "fourcode"
    assert kind(write(game(GAME)), name) == "jsonl"


@pytest.mark.parametrize(
    "data", ["()", ";;", " ( ) ", "()" + GAME, ";GM[Blokus Duo];B[e10]", "(;GM[Nexos])", "(;)"]
)
def test_bare_frames_and_other_games_are_in_the_syntax(data):
    assert kind(data) == "blksgf"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_of_byte_order(encoding):
    for data, form in ((GAME, "blksgf"), ("66r0\n", "fourcode"), (write(game(GAME)), "jsonl")):
        assert kind(data.encode(encoding)) == form


def test_text_before_a_tree_only_where_the_name_or_the_caller_says_sgf():
    text = f"An example:\n{GAME}\n"
    assert kind(text, "x.blksgf") == kind(text, "X.SGF") == kind(text, "x.sgf.gz") == "blksgf"
    assert kind(text, "x", forced="blksgf") == "blksgf"
    assert isinstance(sniff(text.encode(), "README.md"), NotARecord)


@pytest.mark.parametrize(
    ("data", "form"),
    [
        ("Player 1:55a0\nPlayer 2:aaa0\n", "fourcode"),
        ("66R0\r\n\r\n99R0\r\n", "fourcode"),
        ("0000\n66r0\n", "fourcode"),
        ("66r0\n55z0\n99r0\n", "fourcode"),
        ("66r0\n** Tiles: 20 / 21, Score: -20 / -21. Player 1 won the game!\n", "fourcode"),
        ("66r0\n" * 14_000, "fourcode"),
        ("/* x */\nNumber_Of_Players 2\nSize_Of_Board 14\n", "metablok"),
        ("set_game Blokus Duo\nclear_board\nplay b e10\n", "gtp"),
        ("# Game\tResult\tLength\tPlayerB\n0\t1\t36\t0\n", "twogtp"),
        ("Ada\nBen\nT5 r r p 6 9\n", "ui_script"),
        ('\n{}\n{"format":"cornerwise","version":1}\n', "jsonl"),
        ('{"version": 2, "format" : "cornerwise"', "jsonl"),
        ('<protocol>\n<room roomId="1">', "software_challenge"),
        ("BLUE|PENTO_I:1:1|0,2\nGREEN|skip\n", "piece_lines"),
        ('{"version":1,"moves":[{"ply":0,"side":0,"piece_id":20,"cells":[[4,4]]}]}', "json_cells"),
    ],
)
def test_variants_of_the_formats(data, form):
    assert kind(data) == form


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "empty"),
        (" \n\n", "blanks"),
        (b"\x00\x01\x02(;GM[Blokus])", "binary"),
        (b"PK\x03\x04\x00\x00", "zip"),
        (bytes(range(1, 32)) * 10, "binary"),
        ("** Tiles: 27 / 17, Score: -27 / -17. Player 2 won the game!\n", "result lines"),
        ("classic\t1\t83 80 71 69\t71\n", "final scores"),
        ("-20 -21\n-3 -9\n", "scores"),
        ("# Cornerwise\n\nA toolkit.\n", "no game records in a known format"),
        ("import numpy as np\n\ndef f(x):\n    return (x; 1)\n", "no game records"),
        ('[Event "x"]\n[White "y"]\n\n1. e4 e5 *\n', "PGN"),
        ("<protocol>\n<message/>", "XML"),
        ("<!DOCTYPE html><html>", "HTML"),
        ("#Version=0.12\n#num_players=4,rows=20,cols=20,library=original\n", "game.log"),
        (
            "#Version=0.1\n#num_players=2,size=14\n1,2,0,3,4\n",
            "game.log of moves as numbers, whose piece codes",
        ),
        ("boardsize 19\nclear_board\nplay b q16\n", "GTP transcript of another game"),
        ("// book\n0 1 20 3 2 0 0\n1 0.25 20 6 7 0 0\n", "opening book of MetaBlok"),
        ('{"game_id":"x","turn_index":0,"action":{"anchor_row":0}}', "JSON of none of the known forms"),
        ('{"a":1}\n', "JSON of none of the known forms"),
        ("ace5\nis a word\nand so on\n", "no game records"),
        ("0000\n0000\n", "no game records"),
    ],
)
def test_what_is_no_record_is_told_what_it_looks_like(data, says):
    found = sniff(data.encode() if isinstance(data, str) else data, "x.txt")
    assert isinstance(found, NotARecord)
    assert says in found.message
    assert found.where.source == "x.txt"


def test_a_forced_format_is_taken_but_for_nothing_and_bytes():
    assert kind("hello", forced="fourcode") == "fourcode"
    assert "empty" in kind("", forced="fourcode")
    assert "binary" in kind(b"\x00", forced="blksgf")
    assert "result lines" in kind(
        "** Tiles: 1 / 2, Score: -1 / -2. Player 1 won the game!\n", forced="fourcode"
    )
    error = sniff(b"x", "y", forced="pgn")
    assert isinstance(error, NotationError) and not isinstance(error, NotARecord)
    assert "choose one of blksgf, jsonl, fourcode" in error.message
