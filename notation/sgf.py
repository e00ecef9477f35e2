"""Generic SGF syntax: nodes, properties, escapes, the main line and its variations; nothing of any game.

Everything is iterative, and every expression possessive, so depth and damage cost linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Property = tuple[str, tuple[str, ...]]
"""Identifier and raw values (escapes as written)."""

_VALUE = r"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\]"
_PROPERTY = r"[A-Za-z0-9]++\s*+" + _VALUE + r"(?:\s*+" + _VALUE + r")*+"
_REST = r"\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\\?\Z"

TOKEN = re.compile(
    # The first alternative is a plain node of the second, which it spares its general form.
    r"\s*+(;[A-Z0-9]++\[[^\]\\]*+\](?=[;)])|;(?:\s*+"
    + _PROPERTY
    + r")*+|[()]|"
    + _PROPERTY
    + r"(?:\s*+"
    + _PROPERTY
    + r")*+"
    # A value without a name is junk as a whole: bracket by bracket each would be searched for its end again.
    r"|" + _REST + r"|" + _VALUE + r"|[A-Za-z0-9]++|[^\s();\[A-Za-z0-9]++|\S)",
    re.S,
)
"""One token: a node with its properties, a bracket, properties without node, an open value at the end, junk."""

_PROPERTIES = re.compile(r"([A-Za-z0-9]++)\s*+((?:" + _VALUE + r"\s*+)++)", re.S)
_WHOLE_VALUE = re.compile(_VALUE, re.S)
_VALUES = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.S)
_ESCAPE = re.compile(r"\\(.)", re.S)
_BLANKS = str.maketrans("\t\v\f", "   ")


def properties(node: str) -> list[Property]:
    """Properties of a node in order."""
    # With one closing bracket there is one value, and nothing to search.
    return [
        (name, (values[1:-1],) if values.find("]") == len(values) - 1 else tuple(_VALUES.findall(values)))
        for name, values in _PROPERTIES.findall(node)
    ]


def text_of(raw: str) -> str:
    r"""Text of a raw value: ``\x`` is x, an escaped line end is nothing, other blanks are blanks.

    >>> text_of(r"n1\]")
    'n1]'
    """
    if "\r" in raw:
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    if "\\" in raw:
        raw = _ESCAPE.sub(lambda match: "" if match[1] == "\n" else match[1], raw)
    return raw.translate(_BLANKS)


def simple_text_of(raw: str) -> str:
    """Text of a raw value on one line, without blanks around it."""
    if raw.isprintable() and "\\" not in raw:
        return raw.strip()
    return text_of(raw).replace("\n", " ").strip()


def escaped(text: str) -> str:
    """Raw value of a text: the inverse of `text_of`."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


JUNK_KEPT = 3
"""Places with junk that are told one by one."""


@dataclass(slots=True)
class MainLine:
    """First nodes all the way down. Positions are in the text of the tree.

    `branches` are (number of main nodes before it, raw text) of the siblings left aside; `junk` are
    (position, text) of what is no SGF, the first places and the last; `tail` is the position of a value that
    never ends, -1 when there is none.
    """

    nodes: list[str] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    branches: list[tuple[int, str]] = field(default_factory=list)
    junk: list[tuple[int, str]] = field(default_factory=list)
    junk_count: int = 0
    tail: int = -1
    _more: dict[int, list[str]] = field(default_factory=dict)

    def add(self, token: str, position: int, last: bool) -> None:
        """Take a token of the main line that is no bracket."""
        if token[0] == ";":
            self.nodes.append(token)
            self.positions.append(position)
        elif token[0] == "[":
            if not last or _WHOLE_VALUE.fullmatch(token):
                self.drop(position, token)
                return
            self.tail = position
            if self.junk and self.junk[-1][0] + len(self.junk[-1][1]) == position:
                self.tail = self.junk.pop()[0]  # its identifier
                self.junk_count -= 1
        elif self.nodes and "[" in token and len(token) > 1:
            # Properties after junk still belong to their node.
            self._more.setdefault(len(self.nodes) - 1, []).append(token)
        else:
            self.drop(position, token)

    def drop(self, position: int, token: str) -> None:
        """Take note of something that is no SGF."""
        if len(self.junk) > JUNK_KEPT:
            self.junk.pop()
        self.junk.append((position, token))
        self.junk_count += 1

    def finish(self) -> None:
        """Join what was collected for the nodes."""
        for index, parts in self._more.items():
            self.nodes[index] += "".join(parts)
        self._more.clear()


def main_line(text: str) -> MainLine:
    """Split the text of one tree into its main line and the rest."""
    line = MainLine()
    opened: list[int] = []  # main nodes before each open bracket of the main line
    ended, level = False, 0
    skipped, start = 0, 0
    for match in TOKEN.finditer(text):
        token = match[1]
        if token == "(":
            if not ended:
                opened.append(len(line.nodes))
                continue
            if skipped == 0:
                start = match.start(1)
            skipped += 1
        elif token == ")":
            if skipped:
                skipped -= 1
                if skipped == 0:
                    line.branches.append((level, text[start : match.end(1)]))
            elif opened:
                ended, level = True, opened.pop()
        elif ended and not skipped:
            line.drop(match.start(1), token)
        elif not skipped:
            line.add(token, match.start(1), match.end(1) == len(text))
    if skipped:
        line.drop(start, text[start:])
    line.finish()
    return line
