from __future__ import annotations

import io

from notation.jsonl import read
from notation.record import Problem
from notation.stream import RECORD_LIMIT, Feed, ReadOptions, split_lines


def drip(data: bytes):
    """A source that gives a byte at a time, as a slow pipe."""
    stream = io.BytesIO(data)
    return lambda size: stream.read(1)


def test_a_source_is_the_same_however_it_comes():
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        feed = Feed(drip("ein Zug: é\n".encode(encoding)))
        text = b""
        while block := feed.read(4):
            text += block
        assert text == "ein Zug: é\n".encode()
        assert feed.problems == () if encoding == "utf-8" else feed.problems[0].code == "byte_order_mark"


def test_lines_go_into_chunks_with_their_numbers(monkeypatch):
    monkeypatch.setattr("notation.stream.HEAD", 6)
    monkeypatch.setattr("notation.stream.BLOCK", 4)
    chunks = list(split_lines(io.BytesIO(b"a\n\nb\nc\n\n\nd").read))
    assert b"".join(chunk.data for chunk in chunks) == b"a\n\nb\nc\n\n\nd"
    assert [(chunk.record, chunk.line) for chunk in chunks if chunk.data[:1] in (b"a", b"c", b"d")] == [
        (1, 1),
        (3, 4),
        (4, 7),
    ]


def test_a_line_without_end_is_refused_and_ends_the_reading():
    left = [b'\xef\xbb\xbf{"a":1}\n']
    chunks = list(split_lines(lambda size: left.pop() if left else b"x" * size))
    errors = [item for chunk in chunks for item in read(chunk, ReadOptions("test"))]
    assert [(error.where.record, error.where.line) for error in errors] == [(1, 1), (2, 2)]
    assert "4 MiB" in errors[1].message
    assert errors[1].text == "x" * 200
    assert RECORD_LIMIT == 4 * 2**20
    assert isinstance(chunks[0].problems[0], Problem)
