"""What a source that is in no known format looks like: other games, side files, notations that nobody can read.

One table: a name for people and the pattern by which its first bytes are known. Patterns are tried in order at the
beginning of the text; none of them may cost more than a pass over the head of a source.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple


class LookAlike(NamedTuple):
    """A kind of text. `beside`: it stands beside games in archives, and is no record even where the caller insists."""

    name: str
    pattern: re.Pattern[str]
    beside: bool = False


def _kind(name: str, pattern: str, *, beside: bool = False) -> LookAlike:
    return LookAlike(name, re.compile(pattern, re.I | re.S), beside)


_FIRST_LINES = r"(?:[^\n]{0,500}+\n){0,20}?[^\n]{0,200}?"

TEXTS: tuple[LookAlike, ...] = (
    _kind(
        "result lines of the four-character code's referee, without the games",
        r"\s*+\*\*\s*+(?:tiles|player|game)\b",
        beside=True,
    ),
    _kind(
        "a table of final scores, without the games",
        r"\s*+#?\s*+(?:[a-z_0-9]{3,9}\t\d+\t-?\d|variant\tgame\tscore)",
        beside=True,
    ),
    _kind(
        "numbers of possible moves, which a simulator writes beside its final boards",
        r"\s*+(?:[1-4]:\d{1,5},){3}",
        beside=True,
    ),
    _kind("a chess or other game in PGN", r'\s*+\[(?:event|site|date|white|black)\s++"'),
    _kind("XML or HTML", r"\s*+<[!?a-z]"),
    _kind(
        "an opening book of MetaBlok, whose documentation and files disagree on how pieces are turned",
        r"(?:\s*+(?://[^\n]*+|/\*.{0,2000}?\*/))*+\s*+"
        r"(?:\d{1,2} ++\d{1,4}(?:\.\d{1,6})? ++\d{1,2} ++-?\d{1,2} ++-?\d{1,2} ++[01] ++[0-3][ \r]*+(?:\n\s*+|\Z)){2}",
    ),
    _kind(
        "a game.log of moves as numbers, whose piece codes are not known",
        r"\s*+#\s*+version\s*=\s*[\d.]+\s.{0,400}?#num_players",
    ),
    _kind(
        "a GTP transcript of another game, or without moves",
        r"\s*+(?:\d{1,9}+\s++)?+(?:set_game|boardsize|komi|clear_board|play\s++[bw1-4]|genmove)\b",
    ),
    _kind("a list of scores, without the games", r"\s*+-?\d{1,3} -?\d{1,3}[ \r]*+(?:\n|\Z)"),
    _kind(
        "lines in which a Blokus program shows how it read a code, not a record of moves",
        _FIRST_LINES + r"\bblock=\w{1,3} x=\d{1,2} y=\d{1,2} rotation=\d packed=0x[0-9a-f]{1,8}\b",
    ),
    _kind(
        "moves of OpenSpiel's Blokus as types and action numbers, whose cells are not known",
        _FIRST_LINES + r"\bP[0-3] (?:plays [^\n]{1,80}\(index \d+\)|passes\.)",
    ),
    _kind(
        "moves of colosseumrl's Blokus (piece;(x, y);orientation), whose cells are not known",
        r"""\s*+["'\[]{0,2}[a-z0-9_ ]{1,30};\s*\(\d{1,2},\s*\d{1,2}\);\s*[a-z0-9_ ]{1,20}["'\s,\]]""",
    ),
    _kind("a Ludii trial", r"\s*+game=[^\n]{0,300}?\.lud\b"),
    _kind(
        "moves of a CodinGame contest (letter, flip and turn, column, row), whose boards and pieces differ by game",
        r"\s*+(?:[a-u][01][0-3] \d{1,2} \d{1,2}[ \r]*+(?:\n\s*+|\Z)){2}",
    ),
    _kind(
        "moves of boardspace.net's Universe, which is no variant of this program",
        r"\s*+(?:\d{1,4}[ .:]\s*)?+(?:P\d )?+(?:start P\d|onboard(?: -?\d{1,3}){5})",
    ),
)

_BINARIES: tuple[tuple[str, bytes], ...] = (
    (" (zip)", b"PK\x03\x04"),
    (" (gzip)", b"\x1f\x8b"),
    (" (Parquet)", b"PAR1"),
    (" (NumPy array: numbers of actions or boards, as training data of AlphaBlokus has them)", b"\x93NUMPY"),
    (" (PNG)", b"\x89PNG"),
    (" (PDF)", b"%PDF"),
    (" (program)", b"\x7fELF"),
)
_ARRAYS = " (NumPy archive: numbers of actions or boards, as training data of AlphaBlokus has them)"
_FIRST_MEMBER = re.compile(rb"PK\x03\x04.{26}[^\0]{1,200}?\.npy", re.S)

_JSON: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "a log of Board Game Arena: what its Blokus messages say is not known, a sample would help",
        ('"logs"', '"log"', '"args"'),
    ),
    (
        "a log of Board Game Arena: what its Blokus messages say is not known, a sample would help",
        ('"packet_id"', '"log"', '"args"'),
    ),
)


def text_kind(text: str, name: str = "") -> str | None:
    """Return what the first characters of a text look like; None: like nothing known. `name` is the source's."""
    for kind in TEXTS:
        if kind.pattern.match(text):
            return kind.name
    if text.lstrip()[:1] in ("{", "["):
        return _json_kind(text)
    if name.lower().endswith((".csv", ".tsv", ".tab")):
        return "a table without a column of moves (where it has one, --columns names it)"
    return _MEYER if named_meyer(name) else None


def stands_beside(text: str) -> bool:
    """Whether a text is of a kind that stands beside games in archives."""
    return any(kind.beside and kind.pattern.match(text) for kind in TEXTS)


def binary_kind(head: bytes, name: str = "") -> str:
    """What bytes that are no text are, in brackets behind a blank; empty where nobody knows."""
    if _FIRST_MEMBER.match(head):
        return _ARRAYS
    if name.lower().endswith((".xlsx", ".xlsm", ".xls", ".ods", ".numbers")):
        return " (a workbook: save its sheet as CSV)"
    known = next((kind for kind, magic in _BINARIES if head.startswith(magic)), "")
    return f" ({_MEYER})" if not known and named_meyer(name) else known


_MEYER = "by its name a game of Sjoerd Meyer's program, whose form is not known: a sample would help"


def named_meyer(name: str) -> bool:
    """Whether a name ends as those of Sjoerd Meyer's program do."""
    return name.lower().endswith(".blk")


def _json_kind(text: str) -> str:
    first = text.lstrip().partition("\n")[0]
    for name, keys in _JSON:
        if all(key in text for key in keys):
            return name
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return "text that begins like JSON"
    return "JSON of none of the known forms"
