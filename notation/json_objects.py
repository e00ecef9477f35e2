"""JSON objects one after the other: cut out of a source, and read one by one.

What lies between two objects may be a line end, nothing, blanks, or the two characters backslash and n; an array of
objects is read like its elements. Where an object begins is found without reading the one before it, so that a
broken one costs only itself.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from notation.encodings import decode
from notation.errors import BadRecord, NotationError, Where
from notation.fragments import Item
from notation.json_arrays import Elements
from notation.recognise import text_of_head
from notation.record import Problem
from notation.stream import (
    BLOCK,
    RECORD_LIMIT,
    Chunk,
    Feed,
    Read,
    ReadOptions,
    excerpt,
    oversized,
    refused,
)

HEADER_LIMIT = 4000
"""Characters of the longest value that becomes a header."""

_FIRST = re.compile(rb'[\s\[]*+\{\s*+"([A-Za-z_][\w.-]{0,63}+)"')
_SEPARATORS = re.compile(rb"(?:[\s,\]\[]|\\[nr])*+")
_LONE = re.compile(
    rb"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


@cache
def _starts(key: bytes) -> re.Pattern[bytes]:
    """Finds what stands before an object, none of which can stand inside of one.

    Outside of strings an object follows a comma, a colon or a bracket; inside of one a quote ends the string, and no
    letter follows; a line end is never inside. Where the object before it stops after a comma, a line has to begin with
    `key`, the first one of the source, to be another object.
    """
    # Every alternative begins with a byte of its own, and looks back behind it: the search is six times as fast.
    begins = rb'(?=\{\s*+"[A-Za-z_])'
    ways = [rb"\}(?:\s|\\[nr])*+" + begins]
    ways += [end + rb"(?<=[^,:\[\s]" + end + rb")" + begins for end in (rb"\n", rb"\r\n", rb"\\n")]
    if key:
        ways += [end + rb'(?=\{\s*+"' + re.escape(key) + rb'"\s*+:)' for end in (rb"\n", rb"\\n")]
    return re.compile(b"|".join(ways))


def first_key(data: bytes) -> bytes:
    """The first key of the first object, empty where there is none."""
    match = _FIRST.match(data)
    return match[1] if match else b""


def spans(data: bytes, key: bytes) -> list[tuple[int, int]]:
    """Start and end of everything between two beginnings of objects: one record each."""
    return _with_text(data, [0, *(match.end() for match in _starts(key).finditer(data)), len(data)])


def _with_text(data: bytes, cuts: list[int]) -> list[tuple[int, int]]:
    """Places from one cut to the next, without those where only separators are."""
    return [(a, b) for a, b in pairwise(cuts) if _SEPARATORS.fullmatch(data, a, b) is None]


def split_objects(read: Read) -> Iterator[Chunk]:
    """Split a source whose records are JSON objects; `Chunk.head` is the first key of the first one."""
    feed = Feed(read)
    block = feed.read(BLOCK)
    key = first_key(block)
    source: Read = feed.read
    if block.lstrip()[:1] == b"[":
        elements = Elements(feed.read, block, key)
        source, block = elements.read, elements.read(BLOCK)
    data, record, line = b"", 1, 1
    while block:
        data += block
        ends = [match.end() for match in _starts(key).finditer(data)]
        if ends:
            cut = ends[-1]
            if count := len(_with_text(data, [0, *ends])):
                yield Chunk(data[:cut], record, line, feed.problems, head=key)
            record += count
            line += data.count(b"\n", 0, cut)
            data = data[cut:]
        if len(data) > RECORD_LIMIT:
            yield oversized(data, record, line, feed.problems)
            return
        block = source(max(BLOCK, len(data)))
    if spans(data, key):
        yield Chunk(data, record, line, feed.problems, head=key)


def pieces(chunk: Chunk) -> Iterator[tuple[int, bytes]]:
    """Line and bytes of every record of a chunk."""
    line, at = chunk.line, 0
    for start, end in spans(chunk.data, chunk.head):
        line += chunk.data.count(b"\n", at, start)
        at = start
        yield line, chunk.data[start:end]


def head_pieces(head: bytes, count: int) -> list[bytes]:
    """The first records in the head of a source; none where it does not begin like JSON objects."""
    data = text_of_head(head).encode("utf-8", "replace")
    if not (key := first_key(data)):
        return []
    return [data[start:end] for start, end in spans(data, key)[:count]]


def read_objects(
    chunk: Chunk, options: ReadOptions, build: Callable[[dict[str, Any], Where, ReadOptions], Item]
) -> Iterator[Item]:
    """Yield what `build` makes of every object of a chunk, or the error that it raises."""
    if chunk.refused:
        yield refused(chunk, options)
        return
    for index, (line, piece) in enumerate(pieces(chunk)):
        where = Where(options.source, chunk.record + index, line)
        try:
            value, odd = load(piece, where)
            item = build(value, where, options)
            if not isinstance(item, NotationError):
                item.problems[:0] = [*chunk.problems, *odd]
            yield item
        except NotationError as error:
            error.text = excerpt(piece)
            yield error


def load(piece: bytes, where: Where) -> tuple[dict[str, Any], list[Problem]]:
    """Return an object and what was odd about its text. NaN, Infinity and numbers beyond all floats become null.

    Raises:
        BadRecord: it is no object, or no JSON.
    """
    if b"\\ud" in piece or b"\\uD" in piece:
        piece = _LONE.sub(lambda match: match[1] or rb"\ufffd", piece)
    text, problems = decode(piece)
    text = text.lstrip()
    _REPEATED.keys.clear()
    try:
        value, end = _DECODER.raw_decode(text)
    except json.JSONDecodeError as error:
        place = f"line {where.line + error.lineno - 1}, column {error.colno}"
        raise BadRecord(f"no valid JSON: {error.msg} ({place})", where) from None
    except RecursionError:
        raise BadRecord("the JSON is nested too deeply", where) from None
    except ValueError:
        raise BadRecord("no valid JSON: a number has thousands of digits", where) from None
    if not isinstance(value, dict):
        raise BadRecord("a record is a JSON object, here is another value", where)
    if _REPEATED.keys:
        message = f"the key {_REPEATED.keys[0][:40]!r} stands twice in an object: the last value counts"
        problems.append(Problem("duplicate_key", message, where.line))
    rest = text[end:].strip()
    if rest and _SEPARATORS.fullmatch(rest.encode("utf-8", "replace")) is None:
        message = f"text after the object is left out: {rest[:40]!r}"
        problems.append(Problem("text_after", message, where.line))
    return value, problems


def _twice(keys: list[str]) -> str:
    """The first key that stood there before."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return ""


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


class _Repeated(threading.local):
    """Keys that stand twice in an object of the text that this thread reads: a decoder for each text takes long."""

    def __init__(self) -> None:
        self.keys: list[str] = []


_REPEATED = _Repeated()


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        _REPEATED.keys.append(_twice([key for key, _ in pairs]))
    return out


_DECODER = json.JSONDecoder(object_pairs_hook=_mapping, parse_constant=lambda name: None, parse_float=_finite)


def integer(value: object) -> int | None:
    """A whole number of ordinary size; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and abs(value) < 10**9 else None


def shallow(value: object, depth: int = 6) -> bool:
    """Whether a value is nested so little that it can be written again anywhere."""
    if isinstance(value, dict):
        return depth > 0 and all(shallow(inner, depth - 1) for inner in value.values())
    if isinstance(value, list):
        return depth > 0 and all(shallow(inner, depth - 1) for inner in value)
    return True


def compact(value: object) -> str:
    """JSON text of a shallow value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def shown(value: object, limit: int) -> str:
    """The beginning of a value, for a message."""
    text = value if isinstance(value, str) else compact(value) if shallow(value) else "(nested)"
    return text[:limit]


def add_headers(
    headers: dict[str, str], problems: list[Problem], value: dict[str, Any], known: frozenset[str], line: int
) -> None:
    """Keep what a format has no other place for as headers, in the source's words; null says nothing."""
    left_out = []
    for key, inner in value.items():
        if key in known or inner is None:
            continue
        text = inner if isinstance(inner, str) else compact(inner) if shallow(inner) else None
        if text is None or len(text) > HEADER_LIMIT or len(key) > HEADER_LIMIT:
            left_out.append(key[:40])
        else:
            headers.setdefault(key, text)
    if left_out:
        message = f"left out, since too long for headers: {', '.join(left_out[:5])}"
        problems.append(Problem("left_out", message, line))
