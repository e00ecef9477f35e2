"""The header of a table: which column is what, and which character parts them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import asdict, dataclass
from functools import lru_cache

from notation.errors import BadRecord
from notation.stream import HEAD

Columns = tuple[tuple[str, str], ...]
"""Pairs of a column's name in the source and ours, as the caller gives them."""

PLAYERS = ("player1", "player2", "player3", "player4")

BY_MOVE = ("game", "ply", "turn", "colour", "move", "piece", "player")
"""Columns that speak of one move; `game` says which rows belong together."""

BY_GAME = (
    "variant", *PLAYERS, "date", "event", "event_round", "result", "rules", "termination", "penalty", "setup",
    "headers",
)  # fmt: skip
"""Columns that speak of a game."""

OURS = (*BY_MOVE, "moves", *BY_GAME)
"""All names of ours."""

_DELIMITERS = "\t;,"
_ROW_NUMBERS = re.compile(r"__index_level_\d+__|Unnamed: 0")
_SEPARATOR = re.compile(r"\s*sep=.\s*", re.I)


def plain(name: str) -> str:
    """A name of a column without case, blanks, underscores and hyphens."""
    return re.sub(r"[\s_-]+", "", name).lower()


_KNOWN = {plain(name): name for name in OURS} | {"color": "colour"}


def known_name(name: str) -> str | None:
    """Our name of a column as people may write it; None where it is none of ours."""
    return _KNOWN.get(plain(name))


@dataclass(frozen=True)
class Layout:
    """Columns of a table: `at` says where those are that we know, `others` are (place, name) of the rest.

    `width` counts the columns up to the last one with a name. `size` and `lines` are bytes and lines of the source up
    to the end of the header.
    """

    delimiter: str
    width: int
    at: dict[str, int]
    others: tuple[tuple[int, str], ...]
    size: int = 0
    lines: int = 0

    @property
    def one_move_a_row(self) -> bool:
        """Whether a row is a move, and not a whole game."""
        return "move" in self.at

    @property
    def key(self) -> int:
        """Place of the column with the moves."""
        return self.at["move" if self.one_move_a_row else "moves"]

    def pack(self) -> bytes:
        """The layout as bytes, for the head of every chunk."""
        return json.dumps(asdict(self)).encode()


@lru_cache(64)
def unpack(head: bytes) -> Layout:
    """The layout that `Layout.pack` made bytes of."""
    fields = json.loads(head)
    return Layout(**{**fields, "others": tuple((at, name) for at, name in fields["others"])})


def layout_of(head: bytes, columns: Columns = ()) -> Layout:
    """Return the layout of a table from its first bytes.

    The first row with text is the header, a line `sep=;` before it is left out.

    Raises:
        BadRecord: there is no column for the moves, or two for the same thing.
    """
    lines = list(io.StringIO(head[:HEAD].decode("latin-1"), newline=""))
    first = 0
    while first < len(lines) and (not lines[first].strip() or _SEPARATOR.fullmatch(lines[first])):
        first += 1
    found = [layout for mark in _DELIMITERS if (layout := _attempt(lines, first, mark, columns)) is not None]
    if not found:
        raise BadRecord("the table has no header that can be read")
    best = max(found, key=lambda layout: (len(layout.at), layout.width))
    if "move" not in best.at and "moves" not in best.at:
        names = ", ".join(repr(name[:40]) for _, name in best.others[:12])
        raise BadRecord(
            f"the table has neither a column 'move' nor 'moves', but {names or 'none with a name'}: "
            "--columns theirs=ours says which it is"
        )
    return best


def _attempt(lines: list[str], first: int, delimiter: str, columns: Columns) -> Layout | None:
    reader = csv.reader(lines[first:], delimiter=delimiter, strict=True)
    try:
        names = [_name(cell) for cell in next(reader, [])]
    except csv.Error:
        return None
    while names and not names[-1]:
        names.pop()
    if not names:
        return None
    at = _places(names, columns)
    unused = {"moves"} if "move" in at else set(BY_MOVE) - {"game"}
    at = {role: place for role, place in at.items() if role not in unused}
    taken = set(at.values())
    others = [(i, name) for i, name in enumerate(names) if i not in taken and _speaks(name)]
    end = first + reader.line_num
    return Layout(delimiter, len(names), at, tuple(_apart(others)), sum(map(len, lines[:end])), end)


def _name(cell: str) -> str:
    data = cell.encode("latin-1")
    try:
        return data.decode("utf-8").strip()
    except UnicodeDecodeError:
        return cell.strip()


def _speaks(name: str) -> bool:
    """Whether a column has a name that means something; data frames write their row numbers beside."""
    return bool(name) and not _ROW_NUMBERS.fullmatch(name)


def _places(names: list[str], columns: Columns) -> dict[str, int]:
    """Our name -> place; what the caller says comes before what the names say."""
    said = {plain(theirs): ours for theirs, ours in columns}
    at: dict[str, int] = {}
    for known in (said, _KNOWN):
        fresh: dict[str, int] = {}
        for i, name in enumerate(names):
            role = known.get(plain(name))
            if role is None or role in at or i in at.values():
                continue
            if role in fresh:
                raise BadRecord(f"the table has two columns {role!r}: {names[fresh[role]]!r} and {name!r}")
            fresh[role] = i
        at |= fresh
    return at


def _apart(others: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Columns of equal names told apart by numbers."""
    seen: dict[str, int] = {}
    out = []
    for at, name in others:
        seen[name] = seen.get(name, 0) + 1
        out.append((at, name if seen[name] == 1 else f"{name} ({seen[name]})"))
    return out
