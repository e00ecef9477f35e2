"""Damage: to bytes, to tokens and lines, to values in JSON, to encodings, to tables in Parquet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.fuzz.reading import LIMIT

NUMBERS = (
    *b"0 1 -1 2 4 5 13 14 20 21 22 255 256 65535 65536 2147483647 2147483648 -2147483649".split(),
    *b"9223372036854775807 9223372036854775808 18446744073709551615".split(),
    *b"1e308 1e400 -0 0.5 NaN Infinity 007 +1".split(),
    b"9" * 40,
    b"1" * 5000,
    "٣".encode(),
    "²".encode(),
    "１".encode(),
)
WORDS = (
    *b"null true false {} [] \"\" '' () < > &amp; <![CDATA[ <!DOCTYPE <!-- ]]> -->".split(),
    *b"# % ; , : | = \\ \\n \\u0000".split(),
    b"\0", b"\n", b"\r\n", b"\r", b"\t", b"\x1a", b"\x85", b"\xa0", b"\x0b", b"\x1c",
    "\u2028".encode(), "\ufeff".encode(),
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xe9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\\ud800", "é".encode(),
    "İ".encode(), "ß".encode(), b"CA[UTF-16]", b"CA[GB18030]", b'<?xml version="1.0" encoding="utf-7"?>',
    b'"', b"'", b'""', b"constructor", b"__class__", b"%s%n", b"../x", b"A" * 3000, b" " * 3000, b"pass", b"a1", b"t20",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 14, 20, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, 1e308, float("nan"), float("inf"),
    "", "0", "x" * 2000, "\0", "\ud800", "a1", "é",
    [], [[]], {}, {"": {}}, [0, 0], [[0, 0]], [None], ["a1"], [[[[[[]]]]]], [1.0, True],
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "gb18030", "utf-7", "cp037")
_TOKEN = re.compile(rb"[A-Za-z_]+|\d+|\s+|.", re.S)
_BRACKETS = (
    (b"(;", b")"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b'{"a":', b"}"),
    (b"<a>", b"</a>"),
    (b"(", b")"),
    (b"/*", b"*/"),
)


@dataclass(slots=True)
class Material:
    """What mutations draw from."""

    rng: Random
    seeds: Sequence[bytes]
    words: Sequence[bytes]


def words_of(seeds: Sequence[bytes]) -> list[bytes]:
    """The dictionary of a format: the words of its texts, the commonest first."""
    seen: dict[bytes, int] = {}
    for seed in seeds:
        for word in set(re.findall(rb"[A-Za-z_][A-Za-z_ ]{0,30}|[^\w\s]{1,3}|\d{1,4}", seed)):
            seen[word] = seen.get(word, 0) + 1
    return sorted(seen, key=lambda word: (-seen[word], word))[:800]


def mutated(data: bytes, material: Material) -> bytes:
    """The text after one to six mutations, of no more than the largest size."""
    rng = material.rng
    for _ in range(1 + min(int(rng.expovariate(0.7)), 5)):
        data = rng.choice(MUTATIONS)(data, material)[:LIMIT]
    return data


def _span(data: Sequence[Any], rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + 1 + int(rng.expovariate(1 / rng.choice((1, 4, 30, 400)))))


def _delete(data: bytes, m: Material) -> bytes:
    start, end = _span(data, m.rng)
    return data[:start] + data[end:]


def _truncate(data: bytes, m: Material) -> bytes:
    at = m.rng.randrange(len(data) + 1)
    return data[:at] if m.rng.random() < 0.7 else data[at:]


def _double(data: bytes, m: Material) -> bytes:
    start, end = _span(data, m.rng)
    return data[:end] + data[start:end] * m.rng.choice((1, 1, 1, 2, 10, 500)) + data[end:]


def _flip(data: bytes, m: Material) -> bytes:
    out = bytearray(data)
    for _ in range(m.rng.choice((1, 1, 2, 8))):
        if out:
            out[m.rng.randrange(len(out))] ^= 1 << m.rng.randrange(8)
    return bytes(out)


def _random_bytes(data: bytes, m: Material) -> bytes:
    at = m.rng.randrange(len(data) + 1)
    return data[:at] + m.rng.randbytes(m.rng.choice((1, 2, 9))) + data[at + m.rng.choice((0, 1)) :]


def _splice(data: bytes, m: Material) -> bytes:
    other = m.rng.choice(m.seeds)
    start, end = _span(other, m.rng)
    at = m.rng.randrange(len(data) + 1)
    if m.rng.random() < 0.4:
        return data[:at] + other[start:]
    return data[:at] + other[start:end] + data[at:]


def _join(data: bytes, m: Material) -> bytes:
    return data + m.rng.choice((b"", b"\n", b"\n\n", b" ")) + m.rng.choice(m.seeds)


def _insert_word(data: bytes, m: Material) -> bytes:
    word = m.rng.choice(m.rng.choice((m.words, m.words, WORDS, NUMBERS)) or WORDS)
    at = m.rng.randrange(len(data) + 1)
    return data[:at] + word * m.rng.choice((1, 1, 1, 1, 3, 200)) + data[at:]


def _swap_tokens(data: bytes, m: Material) -> bytes:
    """A token is replaced: a number by a number, anything by a word of the format."""
    tokens = _TOKEN.findall(data[:LIMIT])
    for _ in range(m.rng.choice((1, 1, 2, 5))):
        if tokens:
            at = m.rng.randrange(len(tokens))
            number = tokens[at].isdigit() and m.rng.random() < 0.8
            pool = NUMBERS if number else m.rng.choice((m.words, m.words, tokens, WORDS)) or WORDS
            tokens[at] = m.rng.choice(pool)
    return b"".join(tokens)


def _move_tokens(data: bytes, m: Material) -> bytes:
    tokens = _TOKEN.findall(data[:LIMIT])
    start, end = _span(tokens, m.rng)
    part = tokens[start:end]
    rest = tokens[:start] + tokens[end:]
    at = m.rng.randrange(len(rest) + 1)
    return b"".join(rest[:at] + part + rest[at:])


def _lines(data: bytes, m: Material) -> bytes:
    lines = data.split(b"\n")
    start, end = _span(lines, m.rng)
    kind = m.rng.randrange(4)
    if kind == 0:
        del lines[start:end]
    elif kind == 1:
        lines[end:end] = lines[start:end] * m.rng.choice((1, 2, 30))
    elif kind == 2:
        m.rng.shuffle(lines)
    else:
        lines[start:start] = m.rng.choice(m.seeds).split(b"\n")[: m.rng.choice((1, 3))]
    return b"\n".join(lines)


def _ends_of_lines(data: bytes, m: Material) -> bytes:
    return data.replace(
        b"\n", m.rng.choice((b"\r\n", b"\r", b"\n\n", b"\\n", b"", b"\n\r", b"\x00\n", " \u2028".encode()))
    )


def _nest(data: bytes, m: Material) -> bytes:
    opening, closing = m.rng.choice(_BRACKETS)
    deep = m.rng.choice((1, 3, 200, 2000, 20_000))
    start, end = _span(data, m.rng)
    closed = closing * m.rng.choice((deep, deep, 0, 1))
    return (
        data[:start] + opening * min(deep, LIMIT // 2 // len(opening)) + data[start:end] + closed + data[end:]
    )


def _recode(data: bytes, m: Material) -> bytes:
    text = data.decode("utf-8", "replace") if m.rng.random() < 0.7 else data.decode("latin-1")
    out = text.encode(m.rng.choice(ENCODINGS), "replace")
    return out[: len(out) - m.rng.choice((0, 0, 1, 2, 3))]


def _json_value(data: bytes, m: Material) -> bytes:
    """A value somewhere in an object or a list becomes another, moves, is doubled or goes."""
    lines = data.split(b"\n") if m.rng.random() < 0.8 else [data]
    at = m.rng.randrange(len(lines))
    try:
        value = json.loads(lines[at])
        places = _places(value, [])
    except (ValueError, RecursionError):
        return _swap_tokens(data, m)
    if not places:
        return _swap_tokens(data, m)
    try:
        for _ in range(m.rng.choice((1, 1, 2, 4))):
            holder, key = m.rng.choice(places)
            _change(holder, key, places, m)
        lines[at] = json.dumps(value, ensure_ascii=m.rng.random() < 0.8).encode("utf-8", "surrogatepass")
    except (ValueError, OverflowError, RecursionError):
        return data
    return b"\n".join(lines)


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    if len(found) < 3000 and isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            found.append((value, key))
            _places(value[key], found)
    return found


def _change(holder: Any, key: Any, places: list[tuple[Any, Any]], m: Material) -> None:
    if (isinstance(holder, list) and key >= len(holder)) or (isinstance(holder, dict) and key not in holder):
        return
    kind = m.rng.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder[key:key] = [holder[key]] * m.rng.choice((1, 1, 40))
    elif kind == 2 and isinstance(holder, dict):
        holder[m.rng.choice(m.words or (b"a",)).decode("latin-1")] = holder.pop(key)
    elif kind == 3:
        other, name = m.rng.choice(places)
        if name in other if isinstance(other, dict) else name < len(other):
            holder[key] = json.loads(json.dumps(other[name]))
    elif kind == 4 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
        holder[key] = holder[key] + m.rng.choice((-1, 1, 0.5, 100, -100))
    else:
        holder[key] = m.rng.choice(VALUES)


Mutation = Callable[[bytes, Material], bytes]
MUTATIONS: tuple[Mutation, ...] = (
    _delete, _truncate, _double, _flip, _random_bytes, _splice, _join, _insert_word, _insert_word,
    _swap_tokens, _swap_tokens, _swap_tokens, _move_tokens, _lines, _lines,
    _ends_of_lines, _nest, _recode, _json_value, _json_value,
)  # fmt: skip
