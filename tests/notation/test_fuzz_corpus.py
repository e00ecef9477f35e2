"""Inputs of the fuzzing outside the gate: what once broke something, and a few of each kind that leads somewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from notation.errors import CannotWrite
from notation.formats import FORMATS
from notation.sniff import sniff
from tests.fuzz.reading import Trial
from tests.fuzz.target import fault_of
from tests.notation.reading import game, moves
from tests.samples import sample

CORPUS: dict[str, list[str]] = json.loads(Path(__file__).with_name("corpus.json").read_text())

FOUND = [
    (
        "blksgf",
        b"(;GM[Blokus]CWOUT[2:time]",
    ),  # a table whose only row was a player who leaves was not recognised
    (
        "jsonl",
        b'{"format":"cornerwise","version":1,"variant":"duo","players":[""]}',
    ),  # its fourcode file was empty
    ("metablok", b"Number_Of_Players 2\nSize_Of_Board 14\n"),
    ("fourcode", b"0000"),  # passes alone: written as a file that nobody recognises
    ("json_cells", b'{"moves":[{"":0,"cells":[]}]}'),
    (
        "gtp",
        b"set_game Blokus Duo\ng\n= j5",
    ),  # first on j5, colour open: in fourcode it became the second colour's
    ("fourcode", b"#"),  # a move that GTP takes for a comment
    (
        "fourcode",
        "\ufeff** Player 1 lost 0 (code -10)\0".encode("utf-16-le"),
    ),  # written with its zero character
    ("blksgf", b"(;" + b"[" * 20_000 + b"GM[x]"),  # every bracket was searched for its end again
    (
        "blksgf",
        b"(;GM[Blokus Duo];B[e10]" + b" " * 100_000,
    ),  # from every blank the next token was searched for
    ("blksgf", b"(;GM[Blokus Duo];B[e10]?[x][y];W[j5][)"),
]


def check(form: str, data: bytes) -> None:
    for step, block in ((1 << 16, 1 << 16), (1, 1), (7, 100)):
        fault, _ = fault_of(Trial(form, data, step=step, block=block), deep=step == 1, clocks=False)
        assert fault is None, fault.text


@pytest.mark.parametrize(("form", "data"), FOUND)
def test_what_once_broke(form, data):
    check(form, data)


@pytest.mark.parametrize("form", CORPUS)
def test_the_corpus(form):
    for text in CORPUS[form]:
        check(form, text.encode("latin-1"))


def test_no_format_is_without_a_corpus():
    assert {*CORPUS, "parquet"} == set(FORMATS)


def test_a_value_without_a_name_is_left_out_as_a_whole():
    record = game("(;GM[Blokus Duo];B[e10]?[x];W[j5]([;B[a1]))")
    assert moves(record) == ["1:e10", "2:j5"]
    assert [problem.code for problem in record.problems].count("junk") == 3


def test_a_zero_character_is_not_written_where_no_file_may_hold_one():
    record = game("(;GM[Blokus Duo];B[e10];W[j5])")
    record.players = ["a\0b", None]
    for form in ("blksgf", "csv", "tsv"):
        with pytest.raises(CannotWrite, match="zero"):
            sample(form, record)
    assert game(sample("jsonl", record), "jsonl").players == ["a\0b", None]


def test_a_table_whose_only_row_is_a_player_who_leaves_is_recognised():
    record = game("(;GM[Blokus]CWOUT[2:time])")
    for form in ("csv", "tsv", "parquet"):
        assert sniff(sample(form, record), "") is FORMATS[form]
