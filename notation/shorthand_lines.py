"""The lines of the Duo community's shorthand: which of them are turns or moves, and what they say.

Nothing here knows the board. A line counts by its beginning; what stands behind its moves is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from notation.piece_names import PIECE_NAMES

PASS, BROKEN = "pass", "?"
"""Names of plays that are no pieces: a pass, and what begins like a play and cannot be read."""

_NAME = "(?:" + "|".join(sorted(PIECE_NAMES, key=len, reverse=True)) + ")"
_QUOTES = "[\"'“”„«»]"
_OR = r"(?:\s++or\s++[UDLRudlr]{1,9}+\b)"
_PATH = re.compile(
    rf"{_QUOTES}?+({_NAME})\(\s*+([A-Za-z])(\d{{1,2}}+)\s*+([UDLRudlr]{{0,9}}+)({_OR}{{0,6}}+)\s*+\){_QUOTES}?+({_OR}{{0,6}}+)"
)
_USUAL_PATH = rf"({_NAME}\([A-Za-z]\d{{1,2}}+[UDLRudlr]{{0,9}}+\))"
_USUAL = re.compile(rf"(\d{{1,2}}+)\. {_USUAL_PATH} - {_USUAL_PATH}")
_BARE = re.compile(rf"({_NAME}|pass)(?![\w(])")
_OTHER = re.compile(rf"\s++or\s++{_NAME}(?!\w)")
_DASH = re.compile(r"\s*+[-–—]\s*+")
_NEXT = re.compile(r"\s*+/\s*+(?=\d)")
_NUMBER = re.compile(r"(\d{1,2})[.)]\s*+")
_LEAD = re.compile(r"[\s>]*+(?:(?:\.{2,}+|…\.?)\s*+)?+")
_COLOUR = re.compile(r"(violet|orange)\s*+[:=]\s*+", re.I)
_ATTEMPT = re.compile(rf"{_QUOTES}?+{_NAME}(?:\(|\s*+[-–—]\s)")
_ANY = -1


class Play(NamedTuple):
    """A piece by our name (or PASS or BROKEN), with its path where the line has one: start column and row, steps.

    `others` are further ways in which the writer lets the steps go on; `choice`: another piece is offered as well.
    """

    name: str
    column: str = ""
    row: int = 0
    steps: str = ""
    others: tuple[str, ...] = ()
    choice: bool = False
    text: str = ""

    @property
    def has_path(self) -> bool:
        """Whether there is a start square."""
        return self.column != ""


class Turn(NamedTuple):
    """Plays of a turn, of the first colour and then the second; of one colour (`colour`) where a line says so.

    `number` is 0 without one: then nothing says whose the plays are, unless `colour` does.
    """

    number: int
    plays: tuple[Play, ...]
    colour: int = _ANY


@dataclass(slots=True)
class Line:
    """What a line holds: turns, or the name of a player (colour, name); `rest` is the text behind."""

    turns: list[Turn] = field(default_factory=list)
    player: tuple[int, str] | None = None
    rest: str = ""


def read_line(text: str) -> Line:
    """Return what a line holds."""
    usual = _USUAL.fullmatch(text)
    if usual:  # in a third of the time
        number, first, second = usual.groups()
        return Line([Turn(int(number), (_with_path(first, False), _with_path(second, False)))])
    line = Line()
    lead = _LEAD.match(text)
    assert lead is not None
    at = lead.end()
    if said := _COLOUR.match(text, at):
        return _of_colour(line, text, said)
    while True:
        number = _NUMBER.match(text, at)
        plays, end = _plays(text, number.end() if number else at, numbered=number is not None)
        if not plays:
            break
        line.turns.append(Turn(int(number[1]) if number else 0, plays))
        at = end
        following = _NEXT.match(text, at)
        if following is None or not number:
            break
        at = following.end()
    line.rest = text[at:].strip(" \t\r.,;!")
    return line


def _of_colour(line: Line, text: str, said: re.Match[str]) -> Line:
    """A line that begins with a colour: its move, or the name of its player."""
    colour = 0 if said[1].lower() == "violet" else 1
    play, end = _play(text, said.end())
    if play is not None and play.has_path:
        line.turns.append(Turn(0, (play,), colour))
        line.rest = text[end:]
    elif name := text[said.end() :].strip()[:200]:
        line.player = (colour, name)
    return line


def _plays(text: str, at: int, numbered: bool) -> tuple[tuple[Play, ...], int]:
    """One or two plays joined by a dash, and where they end; names alone only behind a number."""
    first, end = _play(text, at)
    if first is None or not (numbered or first.has_path):
        return _broken(text, at) if first is None else ((), at)
    dash = _DASH.match(text, end)
    second, after = _play(text, dash.end()) if dash else (None, end)
    if second is not None and (numbered or second.has_path):
        return (first, second), after
    if dash and second is None:
        broken, after = _broken(text, dash.end())
        if broken:
            return (first, *broken), after
    if not first.has_path and text[end:].strip(" \t\r."):
        return _broken(text, at)  # or a list of something else: `1. I think ...`
    return (first,), end


def _broken(text: str, at: int) -> tuple[tuple[Play, ...], int]:
    """What begins with a piece and a bracket or a dash, up to the end of the line."""
    if _ATTEMPT.match(text, at):
        return (Play(BROKEN, text=text[at:].strip()[:60]),), len(text)
    return (), at


def _play(text: str, at: int) -> tuple[Play | None, int]:
    match = _PATH.match(text, at) or _BARE.match(text, at)
    if match is None:
        return None, at
    other = _OTHER.match(text, match.end())
    end = other.end() if other else match.end()
    if match.re is _PATH:
        return _with_path(match[0], other is not None), end
    return Play(PIECE_NAMES.get(match[1], PASS), choice=other is not None, text=match[0]), end


@lru_cache(maxsize=50_000)
def _with_path(text: str, choice: bool) -> Play:
    """The play of a text that is one."""
    match = _PATH.match(text)
    assert match is not None
    name, column, row, steps, inside, behind = match.groups()
    others = tuple(word.lower() for word in (inside + behind).split() if word != "or")
    return Play(PIECE_NAMES[name], column.lower(), int(row), steps.lower(), others, choice, text)
