"""What holds for every format: bad input yields errors, chunks do not matter, what is written is read."""

from __future__ import annotations

import io
import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import stream, trees
from notation.errors import NotationError
from notation.format_list import page, refreshed
from notation.formats import FORMATS, Format
from notation.fragments import Item
from notation.record import GameRecord
from notation.sniff import sniff
from tests.notation.reading import game, read_all
from tests.places import REPOSITORY

PIECES = [
    b"(;",
    b"GM[Blokus Duo]",
    b"GM[Blokus]",
    b";B[e10]",
    b";W[j5",
    b"]",
    b"\\",
    b")",
    b"(",
    b"A1[a1]",
    b"AE[",
    b"CA[GB18030]",
]
PIECES += [
    b"CA[UTF-16]",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xe9",
    b"\n",
    b"{",
    b'{"format":"cornerwise",',
    b'"version":1',
    b"}",
]
PIECES += [
    b"66r0\n",
    b"Player 1:",
    b"0000\n",
    b"** Tiles",
    b"\x00",
    b"C[x]",
    b"CWEVAL[{]",
    b"CWOUT[9:x]",
    b"PL[Q]",
    b";;",
    b"[]",
]
PIECES += [
    b"set_game Blokus Duo\n",
    b"play b e10\n",
    b"W>> genmove w\n",
    b"W<< = j5\n",
    b"Number_Of_Players 2\nSize_Of_Board 14\n",
    b"Move 0 3 3 0 0\n",
    b"Pieces 0 011111111111111111111\n",
    b"/*",
    b"T5 r p 6 9\n",
    b"# Game\tResult\tLength\n",
    b"0\t1\t9\n",
]
SOUP = st.lists(st.sampled_from(PIECES) | st.binary(max_size=6), max_size=30).map(b"".join)


@pytest.mark.parametrize("form", FORMATS)
@given(data=SOUP)
@settings(deadline=None)  # the first call may load a library
def test_no_bytes_make_a_reader_raise(form, data):
    for item in read_all(data, form):
        assert isinstance(item, Item)
        if isinstance(item, GameRecord):
            FORMATS["jsonl"].write(item)


@given(data=SOUP, name=st.sampled_from(["", "x.blksgf"]))
def test_no_bytes_make_the_recognition_raise(data, name):
    assert isinstance(sniff(data, name), Format | NotationError)


@pytest.mark.parametrize("form", ["blksgf", "jsonl"])
@given(
    data=SOUP,
    games=st.lists(st.sampled_from(PIECES[:10]), max_size=20).map(b"".join),
    step=st.integers(1, 40),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_where_a_source_is_cut_changes_nothing(form, data, games, step, monkeypatch):
    whole = b"\n".join([data, b"(;GM[Blokus Duo];B[e10])", games, data])
    expected = [repr(item) for item in read_all(whole, form)]
    with monkeypatch.context() as patch:
        patch.setattr(stream, "BLOCK", step)
        patch.setattr(trees, "BLOCK", step)
        patch.setattr(stream, "HEAD", 8)
        if b"CA[" not in whole:
            assert [repr(item) for item in read_all(whole, form, step=step)] == expected


@pytest.mark.parametrize("row", FORMATS.values(), ids=lambda row: row.name)
def test_every_format_has_a_page_that_begins_with_its_name(row):
    assert page(row.name).startswith(f"# {row.name}\n")
    assert row.title and row.carries and row.suffixes


@pytest.mark.parametrize(
    ("file", "folder"), [("README.md", "notation/pages"), ("notation/README.md", "pages")]
)
def test_the_lists_of_formats_are_of_today(file, folder):
    text = (REPOSITORY / file).read_text(encoding="utf-8")
    assert refreshed(text, folder) == text, "run python -m notation.format_list README.md notation/README.md"


@pytest.mark.parametrize(
    "row", [row for row in FORMATS.values() if row.write is not None], ids=lambda row: row.name
)
def test_what_a_format_writes_it_recognises_and_reads(row):
    assert row.write is not None
    record = game("(;GM[Blokus Duo];B[e10];W[j5])")
    data = b"".join(row.pack([row.write(record)]))
    assert sniff(data, "") is row
    assert game(data, row.name).events == record.events


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("blksgf", b"(;GM[Blokus Duo];B[e10])(;GM[1])"),
        ("jsonl", b"{}"),
        ("fourcode", b"x"),
        ("gtp", b"play b e10"),
        ("twogtp", b"0\t1"),
    ],
)
def test_chunks_records_and_errors_travel_between_processes(form, data):
    for chunk in FORMATS[form].split(io.BytesIO(data).read):
        assert pickle.loads(pickle.dumps(chunk)) == chunk
    for item in read_all(data, form):
        again = pickle.loads(pickle.dumps(item))
        if isinstance(item, GameRecord):
            assert again == item
        else:
            assert (type(again), str(again), again.where, again.text) == (
                type(item),
                str(item),
                item.where,
                item.text,
            )
