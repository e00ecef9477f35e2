"""Bytes of an SGF record to text: UTF-8 first, then what the record declares, then Latin-1."""

from __future__ import annotations

import codecs
import re

from notation.errors import CannotWrite
from notation.record import Problem

_DECLARED = re.compile(rb"(?<![A-Za-z0-9])CA\s*+\[\s*+([A-Za-z0-9 ._:-]{1,40}+)\]")
_CODECS = re.compile(r"(iso8859-|cp|gb|big5|euc_|shift|koi8|mac-|hz|johab|tis|ptcp|kz)\w*")
_MULTIBYTE = re.compile(r"(gb|big5|shift|cp9[345]|johab|hz)\w*")


def _codec(name: str) -> str | None:
    """Python's name of a declared encoding; None for unknown ones and codecs that are none of text."""
    plain = name.strip().replace(" ", "-")
    try:
        found = codecs.lookup(plain).name
    except (LookupError, ValueError):
        return None
    if found in ("utf-8", "utf-8-sig"):
        return "utf-8"
    if found == "ascii":
        return "iso8859-1"
    return found if _CODECS.match(found) else None


def declared_encoding(data: bytes) -> str:
    """What the first `CA` of some bytes says, as written; empty when there is none."""
    match = _DECLARED.search(data)
    return match.group(1).decode("ascii").strip() if match else ""


def file_encoding(head: bytes) -> str | None:
    """Encoding to translate a whole file from before its brackets are looked at, None to leave it.

    In the Chinese and Japanese encodings the second byte of a character may look like a backslash or a
    bracket.
    """
    codec = _codec(declared_encoding(head)) if b"CA" in head else None
    if codec is None or not _MULTIBYTE.match(codec):
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, False)
    except UnicodeDecodeError:
        return codec
    return None


def decode(data: bytes) -> tuple[str, list[Problem]]:
    """Return the text of a record and what was odd about its encoding."""
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    name = declared_encoding(data)
    codec = _codec(name)
    if codec == "utf-8":
        message = "the record says it is UTF-8 and is not: unreadable bytes are shown as U+FFFD"
        return data.decode("utf-8", "replace"), [Problem("encoding", message)]
    if codec is None:
        said = (
            f"the encoding {name!r} is unknown" if name else "the record names no encoding and is not UTF-8"
        )
        return data.decode("latin-1"), [Problem("encoding", f"{said}: read as Latin-1")]
    try:
        return data.decode(codec), []
    except UnicodeDecodeError:
        message = f"not all bytes are {name}: unreadable ones are shown as U+FFFD"
        return data.decode(codec, "replace"), [Problem("encoding", message)]


def writable(text: str) -> str:
    """Return the text of a game as it is.

    Raises:
        CannotWrite: it holds a zero character; a file with one is taken for no text.
    """
    if "\0" in text:
        raise CannotWrite("the game holds a zero character: a text with one would be taken for a binary file")
    return text
