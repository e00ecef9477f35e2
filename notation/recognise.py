"""What each format looks like in the first bytes of a source."""

from __future__ import annotations

import re

from notation.fourcode import LINE, RESULT
from notation.fourcode_codes import CODE, PASSES
from notation.stream import HEAD, byte_order_mark

_TREE = re.compile(r"\(\s*+;")
_TREE_FIRST = re.compile(r"\s*+(?:\(\s*+\)\s*+)*+(?:\(\s*+;|;\s*+[A-Z]{1,8}+\s*+\[)")
_OURS = re.compile(r'\s*+\{[^\n]*?"format"\s*:\s*"cornerwise"')
_JSONL_SUFFIXES = (".jsonl", ".ndjson")
_SGF_SUFFIXES = (".blksgf", ".sgf")


def text_of_head(head: bytes) -> str:
    """Text of the first bytes of a source, whatever its encoding."""
    marked = byte_order_mark(head)
    if marked is None:
        return head.decode("utf-8", "replace")
    return head[len(marked[0]) :].decode(marked[1], "replace")


def named_sgf(name: str) -> bool:
    """Whether a name ends as those of SGF files do."""
    return name.lower().removesuffix(".gz").endswith(_SGF_SUFFIXES)


def looks_like_blksgf(head: bytes, name: str) -> bool:
    """A tree or its bare brackets come first; or a tree comes later and the name says SGF."""
    text = text_of_head(head)
    if _TREE_FIRST.match(text) or (named_sgf(name) and _TREE.search(text)):
        return True
    return set(text) <= set(" \t\r\n;()") and not text.isspace() and text != ""


def looks_like_jsonl(head: bytes, name: str) -> bool:
    """One of the first lines is an object in our form, and the first of all is an object or the name says so."""
    text = text_of_head(head)
    if not text.lstrip().startswith("{") and not name.lower().removesuffix(".gz").endswith(_JSONL_SUFFIXES):
        return False  # a page that shows an example
    return any(_OURS.match(line) for line in text.split("\n")[:20])


def looks_like_fourcode(head: bytes, name: str) -> bool:
    """The first line is a code, a pass or a result, and there are codes, in at least half of the lines."""
    text = text_of_head(head)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(head) >= HEAD or not lines:
        lines = lines[:-1]
    kinds = [_kind(line) for line in lines]
    codes = kinds.count("code")
    return bool(kinds) and kinds[0] != "" and codes > 0 and 2 * (len(kinds) - kinds.count("")) >= len(kinds)


def _kind(line: str) -> str:
    if RESULT.match(line):
        return "result"
    match = LINE.fullmatch(line)
    code = match[2].lower() if match else ""
    if code in PASSES:
        return "pass"
    return "code" if CODE.fullmatch(code) else ""
