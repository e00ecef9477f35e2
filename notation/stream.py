"""From a source of bytes to chunks of whole records: what every format's `split` is built from.

A chunk is small enough to send to another process and holds whole records only. Marks of byte order are
handled here: what leaves is UTF-8 or, where no mark says so, the bytes as they are.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from notation.errors import BadRecord, Where
from notation.record import Problem

BLOCK = 512 * 1024
"""Bytes of an ordinary chunk."""

RECORD_LIMIT = 4 * 1024 * 1024
"""Bytes of the largest record that is read; a bigger one, or more text than this between two, is refused.

A game takes 2 KiB, a tree of openings some hundred; beyond this only memory would be lost.
"""

HEAD = 64 * 1024
"""Bytes from the beginning of a source that decide its format and its encoding."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

Read = Callable[[int], bytes]
"""Like `file.read`: up to so many bytes, none at the end."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole records of a source: number of the first (from 1) and line of the first byte.

    `problems` go to every record of the chunk. A chunk with `refused` holds one record that is not to be
    read; the text says why, `data` is its beginning. `head` is what stands once in the source and is needed for
    every record, the header row of a table for example.
    """

    data: bytes
    record: int = 1
    line: int = 1
    problems: tuple[Problem, ...] = ()
    refused: str = ""
    head: bytes = b""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller knows of a source: its name for messages, the variant where records do not say it.

    `columns` are pairs (name in the source, name of ours) for the columns of tables.
    """

    source: str = ""
    variant: str | None = None
    columns: tuple[tuple[str, str], ...] = ()


def byte_order_mark(head: bytes) -> tuple[bytes, str] | None:
    """The mark at the beginning of some bytes and the encoding it stands for."""
    return next(((mark, name) for mark, name in _MARKS if head.startswith(mark)), None)


class Feed:
    """Bytes of a source without mark of byte order, in UTF-8 where a mark or `guess` tells the encoding.

    `guess` sees the first bytes of a source without a mark and may name an encoding to translate from.
    """

    def __init__(self, read: Read, guess: Callable[[bytes], str | None] = lambda head: None) -> None:
        self._read = read
        self._decoder: codecs.IncrementalDecoder | None = None
        self.problems: tuple[Problem, ...] = ()
        head = self._gather(HEAD)
        marked = byte_order_mark(head)
        encoding = marked[1] if marked else guess(head)
        if marked:
            head = head[len(marked[0]) :]
            message = f"the file begins with the byte-order mark of {marked[1].upper()}"
            self.problems = (Problem("byte_order_mark", message),)
        if encoding and encoding != "utf-8":
            self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = self._translate(head, not head)

    def read(self, size: int) -> bytes:
        """About `size` bytes, none only at the end."""
        if self._ready:
            ready, self._ready = self._ready, b""
            return ready
        while block := self._gather(size):
            if text := self._translate(block, False):
                return text
        text = self._translate(b"", True)
        self._decoder = None
        return text

    def _gather(self, size: int) -> bytes:
        """Read until there are `size` bytes: pipes give less than they are asked for."""
        parts = []
        while size > 0 and (part := self._read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _translate(self, block: bytes, final: bool) -> bytes:
        if self._decoder is None:
            return block
        return self._decoder.decode(block, final).encode("utf-8", "replace")


def split_lines(read: Read) -> Iterator[Chunk]:
    """Split a source whose records are its lines; blank lines are no records."""
    feed = Feed(read)
    data, record, line, size = b"", 1, 1, BLOCK
    while block := feed.read(size):
        data += block
        cut = data.rfind(b"\n") + 1
        if cut:
            yield Chunk(data[:cut], record, line, feed.problems)
            record += count_lines_with_text(data[:cut])
            line += data.count(b"\n", 0, cut)
            data = data[cut:]
        if len(data) > RECORD_LIMIT:
            yield oversized(data, record, line, feed.problems)
            return
        size = max(BLOCK, len(data))
    if data.strip():
        yield Chunk(data, record, line, feed.problems)


def split_whole(limit: int, what: str) -> Callable[[Read], Iterator[Chunk]]:
    """Return a `split` that takes a source as one record, and refuses `what` of more than `limit` bytes."""

    def split(read: Read) -> Iterator[Chunk]:
        feed = Feed(read)
        data = b""
        while block := feed.read(limit):
            data += block
            if len(data) > limit:
                message = f"{what} has at most {limit // 1024} KiB"
                yield Chunk(data[:2048], problems=feed.problems, refused=message)
                return
        if data.strip():
            yield Chunk(data, problems=feed.problems)

    return split


def count_lines_with_text(data: bytes) -> int:
    """Lines that are not blank."""
    return sum(1 for text in data.split(b"\n") if text.strip())


def oversized(data: bytes, record: int, line: int, problems: tuple[Problem, ...]) -> Chunk:
    """The chunk that ends a source in which no end of a record comes."""
    message = (
        f"no end of a record within {RECORD_LIMIT // (1024 * 1024)} MiB: the rest of the input is not read"
    )
    return Chunk(data[:2048], record, line, problems, message)


BROKEN_OFF = "the source is damaged or cut off within this record"


def broken_off(chunk: Chunk) -> Iterator[Chunk]:
    """The last chunk of a damaged source in a format whose source is one record: a part of that is none."""
    yield chunk if chunk.refused else replace(chunk, data=chunk.data[:2048], refused=BROKEN_OFF)


def unbroken(chunk: Chunk) -> Iterator[Chunk]:
    """The last chunk of a damaged source in a format whose reader refuses a part of a record by itself."""
    yield chunk


def excerpt(data: bytes) -> str:
    """Beginning of a record, for a table of what was refused."""
    return data[:200].decode("utf-8", "replace")


def refused(chunk: Chunk, options: ReadOptions) -> BadRecord:
    """The error that a chunk with `refused` stands for."""
    text = chunk.data.lstrip()
    line = chunk.line + chunk.data.count(b"\n", 0, len(chunk.data) - len(text))
    error = BadRecord(chunk.refused, Where(options.source, chunk.record, line))
    error.text = excerpt(text)
    return error
