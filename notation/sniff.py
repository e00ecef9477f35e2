"""Which format a source is in, from its first bytes; and, where it is in none, what it looks like."""

from __future__ import annotations

import json
import re

from notation.errors import NotARecord, NotationError, Where
from notation.formats import FORMATS, Format
from notation.recognise import text_of_head
from notation.stream import HEAD, byte_order_mark

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.I | re.S))
    for name, pattern in (
        (
            "result lines of the four-character code's referee, without the games",
            r"\s*+\*\*\s*+(?:tiles|player|game)\b",
        ),
        (
            "a table of final scores, without the games",
            r"\s*+#?\s*+(?:[a-z_0-9]{3,9}\t\d+\t-?\d|variant\tgame\tscore|game\tresult\tlength)",
        ),
        ("a chess or other game in PGN", r'\s*+\[(?:event|site|date|white|black)\s++"'),
        ("a Software-Challenge replay", r"\s*+(?:<\?xml[^>]*+>\s*+)?+<protocol>"),
        ("XML or HTML", r"\s*+<[!?a-z]"),
        ("a MetaBlok game", r".{0,4000}?\bnumber_of_players\s++\d.{0,4000}?\bsize_of_board\s++\d"),
        (
            "a game.log of moves as numbers, whose piece codes are not known",
            r"\s*+#\s*+version\s*=\s*[\d.]+\s.{0,400}?#num_players",
        ),
        ("a GTP transcript", r"\s*+(?:set_game|boardsize|clear_board|play\s++[bw1-4]|genmove)\b"),
        ("final boards as digits, without the order of play", r"\s*+[0-4]{196,400},?[ \r]*+(?:\n|\Z)"),
        ("a list of scores, without the games", r"\s*+-?\d{1,3} -?\d{1,3}[ \r]*+(?:\n|\Z)"),
    )
)
_BESIDE = 2
"""The first so many stand beside games in archives: no record even where the caller names the format."""

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b\x1a"))


def sniff(head: bytes, name: str = "", forced: str | None = None) -> Format | NotationError:
    """Return the format of a source, or an error (not raised) that says what the source looks like.

    `head` are its first bytes, `HEAD` of them at most; `name` never decides alone. `forced` names a format
    that the caller insists on: then only an empty or a binary source, or result lines and tables, are turned down.
    """
    where = Where(name)
    head = head[:HEAD]
    if forced is not None and forced not in FORMATS:
        return NotationError(f"unknown format {forced!r}: choose one of {', '.join(FORMATS)}", where)
    if not head:
        return NotARecord("the file is empty", where)
    if _is_binary(head):
        return NotARecord(f"the file is binary{_binary_kind(head)}", where)
    if not text_of_head(head).strip():
        return NotARecord("the file holds only blanks", where)
    if forced is not None:
        row = FORMATS[forced]
        beside = not row.sniff(head, name) and any(
            kind.match(text_of_head(head)) for _, kind in _KINDS[:_BESIDE]
        )
        return NotARecord(looks_like(head), where) if beside else row
    for row in FORMATS.values():
        if row.sniff(head, name):
            return row
    return NotARecord(looks_like(head), where)


def _is_binary(head: bytes) -> bool:
    """Whether the bytes are no text: a zero byte or many control characters, without a mark of UTF-16."""
    marked = byte_order_mark(head)
    if marked is not None and marked[1] != "utf-8":
        return False
    if b"\0" in head:
        return True
    return (len(head) - len(head.translate(None, _CONTROLS))) * 20 > len(head)


def _binary_kind(head: bytes) -> str:
    for name, magic in (
        (" (zip)", b"PK\x03\x04"),
        (" (gzip)", b"\x1f\x8b"),
        (" (Parquet)", b"PAR1"),
        (" (NumPy)", b"\x93NUMPY"),
        (" (PNG)", b"\x89PNG"),
        (" (PDF)", b"%PDF"),
        (" (program)", b"\x7fELF"),
    ):
        if head.startswith(magic):
            return name
    return ""


def looks_like(head: bytes) -> str:
    """Say in a sentence what a text that is in no known format looks like."""
    text = text_of_head(head)
    known = ", ".join(FORMATS)
    for kind, pattern in _KINDS:
        if pattern.match(text):
            return f"no game records: this looks like {kind}"
    if text.lstrip()[:1] in ("{", "["):
        return f"no game records: this looks like {_json_kind(text)}"
    return f"no game records in a known format ({known})"


def _json_kind(text: str) -> str:
    first = text.lstrip().partition("\n")[0]
    for name, keys in (
        ("a JSON list of moves as cells", ('"piece_id"', '"cells"')),
        ("a step log in JSON", ('"turn_index"', '"anchor_row"')),
        ("results in JSON, without moves", ('"final_scores"',)),
        ("results in JSON, without moves", ('"winner_ids"',)),
    ):
        if all(key in text for key in keys):
            return name
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return "text that begins like JSON"
    return "JSON that is not in this program's form"
