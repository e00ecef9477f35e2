"""Where the game trees of an SGF collection begin and end, on bytes, without recursion and in linear time.

The trees of a file are its records. A tree begins with ``(`` and ``;`` and ends with the bracket that closes
it; brackets inside values do not count. Where a bracket is missing, a nested tree whose first node says `GM`
ends the tree before it, since that property stands in roots only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from notation.encodings import file_encoding
from notation.stream import BLOCK, BROKEN_OFF, RECORD_LIMIT, Chunk, Feed, Read, oversized

SEVERAL_TREES = "several games in one file: the reference program reads files of one"
"""Warning at the second game of a file."""

# Possessive quantifiers throughout: a failed match never tries another way, so hostile input costs linear
# time.
_VALUE = rb"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]"
_OPEN_VALUE = rb"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\\?\Z"
_FIRST_PROPERTIES = rb"(?:(?:FF|CA|AP)\s*+\[[^\]\\]{0,64}+\]\s*+){0,3}+"
_START = re.compile(rb"\((?=\s*+;)")
_EMPTY = re.compile(rb"\s*+(\(\s*+\))")
_FLAT = re.compile(rb"\([^()\[\]]*+(?:" + _VALUE + rb"[^()\[\]]*+)*+\)", re.S)
_BRACKET = re.compile(
    _VALUE + rb"|" + _OPEN_VALUE + rb"|\((?=\s*+;\s*+" + _FIRST_PROPERTIES + rb"GM\s*+\[)()|[()]", re.S
)

Span = tuple[int, int, bool]
"""Start and end of a tree in the bytes, and whether its closing bracket is there."""


def tree_spans(data: bytes) -> Iterator[Span]:
    """Yield every tree, in order; an empty ``()`` counts where only blanks or trees stand before it."""
    at = 0
    while True:
        empty = _EMPTY.match(data, at)
        if empty:
            yield empty.start(1), empty.end(), True
            at = empty.end()
            continue
        start = _START.search(data, at)
        if start is None:
            return
        end = _flat_end(data, start.start())
        if end:
            yield start.start(), end, True
            at = end
            continue
        for span in _nested(data, start.start()):
            yield span
            at = span[1]


def _flat_end(data: bytes, start: int) -> int:
    """End of a tree without variations, 0 when it has some or does not end."""
    close = data.find(b")", start)
    if (
        close > 0
        and data.find(b"(", start + 1, close) < 0
        and data.find(b"\\", start, close) < 0
        and data.rfind(b"]", start, close) > data.rfind(b"[", start, close)
    ):
        # Without escapes every ] ends a value, so the bracket stands outside of all: the usual game, found
        # by searches for single bytes.
        return close + 1
    flat = _FLAT.match(data, start)
    return flat.end() if flat else 0


def _nested(data: bytes, start: int) -> Iterator[Span]:
    """Yield the tree at `start` and those that follow it without its having been closed."""
    depth = 0
    for match in _BRACKET.finditer(data, start):
        first = data[match.start()]
        if first == 0x28:  # (
            if depth and match.group(1) is not None:
                yield start, match.start(), False
                start, depth = match.start(), 0
            depth += 1
        elif first == 0x29:  # )
            depth -= 1
            if depth == 0:
                yield start, match.end(), True
                return
    yield start, len(data), False


def split_trees(read: Read) -> Iterator[Chunk]:
    """Split a collection into chunks of whole trees.

    The text between two trees goes with the second, the text after the last one with it: what a record is
    told does not depend on where the source was cut.
    """
    feed = Feed(read, file_encoding)
    data, record, line, size = b"", 1, 1, BLOCK
    while block := feed.read(size):
        data += block
        ends = [end for _, end, _ in tree_spans(data)]
        if len(ends) > 1:
            cut = ends[-2]
            yield Chunk(data[:cut], record, line, feed.problems)
            record += len(ends) - 1
            line += data.count(b"\n", 0, cut)
            data = data[cut:]
        if len(data) > RECORD_LIMIT:
            end = next((end for _, end, closed in tree_spans(data) if closed), 0)
            if end:
                yield Chunk(data[:end], record, line, feed.problems)
            yield oversized(data[end:], record + bool(end), line + data.count(b"\n", 0, end), feed.problems)
            return
        size = max(BLOCK, len(data))
    if data.strip():
        yield Chunk(data, record, line, feed.problems)


def broken_off_trees(chunk: Chunk) -> Iterator[Chunk]:
    """The last chunk of a damaged source: a last tree that does not end is refused, the others stay."""
    spans = [] if chunk.refused else list(tree_spans(chunk.data))
    if not spans or spans[-1][2]:
        yield chunk
        return
    start, before = spans[-1][0], len(spans) - 1
    if before:
        yield Chunk(chunk.data[:start], chunk.record, chunk.line, chunk.problems)
    line = chunk.line + chunk.data.count(b"\n", 0, start)
    rest = chunk.data[start : start + 2048]
    yield Chunk(rest, chunk.record + before, line, chunk.problems, BROKEN_OFF)
