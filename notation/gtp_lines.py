"""The lines of GTP transcripts: how they are known, commands, answers; where a game ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator

from notation.recognise import text_of_head

SIDED = re.compile(
    rb"^[ \t]*+\w{1,12}+>>[ \t]*+(?:\d{1,9}+[ \t]++)?+(?:set_game|clear_board|play|genmove)(?![\w-])",
    re.M | re.I,
)
"""A command of a transcript that names its sides: `B>> genmove b`."""

LINE = re.compile(
    r"[ \t]*+(?:(?P<side>\w{1,12}+)(?P<way>>>|<<)[ \t]*+)?+"
    r"(?:(?P<answer>[=?])(?P<of>\d{0,9}+)(?:[ \t]++(?P<text>.*+))?+"
    r"|(?:(?P<id>\d{1,9}+)[ \t]++)?+(?P<command>[a-z][\w-]*+)(?:[ \t]++(?P<arguments>.*+))?+)",
    re.I | re.A,
)
"""A command or an answer, without its comment and line end."""

_EVENTS = re.compile(
    rb"^[ \t]*+(?P<side>\w{1,12}+>>[ \t]*+)?+(?:\d{1,9}+[ \t]++)?+"
    rb"(?:(?P<game>set_game)|(?P<clear>clear_board)|(?P<move>play|genmove|p(?=[ \t]++[a-z]{1,2}\d)|g(?=[ \t\r]*+$))"
    rb"|(?P<list>(?:list_commands|help)(?=[ \t\r]*+\n[ \t]*+=)))(?![\w-])"
    rb"|^[ \t\r]*+$(?P<blank>)",
    re.M | re.I,
)
_LISTS = ("list_commands", "help")


def game_starts(data: bytes) -> list[int]:
    """Places at which a game begins: 0, and the first `set_game` or `clear_board` between two commands that move.

    A list of commands, as an engine may answer, has the same words; it ends with a blank line.
    """
    starts, reset, moved, listed = [0], -1, False, False
    for match in _EVENTS.finditer(data):
        kind = match.lastgroup
        if kind == "blank":
            listed = False
        elif listed:
            continue
        elif kind == "list":
            listed = match["side"] is None
        elif kind == "move":
            if reset >= 0:
                starts.append(reset)
            reset, moved = -1, True
        elif moved and reset < 0:
            reset = match.start()
    return starts


def lines_of(text: str, sided: bool) -> Iterator[tuple[int, re.Match[str]]]:
    """(number of the line from 0, match of `LINE`) of commands and answers; the rest is left out.

    Where commands name their side, lines that do not are output of the programs.
    """
    asked = listed = False
    for number, line in enumerate(text.split("\n")):
        if "#" in line:
            line = line.partition("#")[0]
        line = line.rstrip()
        if listed and line:
            continue
        listed = False
        match = LINE.fullmatch(line)
        if match is None or (match["side"] is not None) != sided:
            continue
        if sided and (match["way"] == ">>") != (match["command"] is not None):
            continue
        listed, asked = asked and match["answer"] is not None, not sided and match["command"] in _LISTS
        yield number, match


_FIRST = re.compile(
    r"(?:set_game|clear_board|boardsize|komi|play|genmove|reg_genmove|p|g|undo|name|version|protocol_version"
    r"|list_commands|known_command|cputime|showboard|set_random_seed|param\w*|time_settings|loadsgf|all_legal)",
    re.I | re.A,
)
_CELLS = r"[a-z]{1,2}\d{1,2}(?:[ \t]*+,[ \t]*+[a-z]{1,2}\d{1,2})"
_COMMAND = r"^[ \t]*+(?:\w{1,12}+>>[ \t]*+)?+(?:\d{1,9}+[ \t]++)?+"
_SETS = re.compile(_COMMAND + r"set_game[ \t]++\w", re.I | re.M | re.A)
_MOVES = re.compile(
    _COMMAND + r"(?:play[ \t]++\w+[ \t]++\w|p[ \t]++\w|genmove[ \t]++\w|g[ \t\r]*+$)", re.I | re.M | re.A
)
_CELLS_MOVED = re.compile(
    r"^[ \t]*+(?:\w{1,12}+(?:>>|<<)[ \t]*+)?+(?:\d{1,9}+[ \t]++)?+(?:=\d*+|play[ \t]++\w+|p)[ \t]++"
    + _CELLS
    + "{1,5}[ \\t\\r]*+(?:#|$)",
    re.I | re.M | re.A,
)
_NOISE_BEFORE = 40


def looks_like(head: bytes, name: str) -> bool:
    """Commands come first, or those that name their side soon; they set the game or moves have several cells."""
    text = text_of_head(head)
    if not _MOVES.search(text) or not (_SETS.search(text) or _CELLS_MOVED.search(text)):
        return False
    if sided := SIDED.search(text.encode("utf-8", "replace")):
        # Documents show transcripts too, indented or between fences.
        before = sided.string.count(b"\n", 0, sided.start())
        drawn = sided[0][:1].isspace() or "```" in text or "~~~" in text
        return before <= _NOISE_BEFORE and "<<" in text and not drawn
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            match = LINE.fullmatch(line.partition("#")[0].rstrip())
            return match is not None and _FIRST.fullmatch(match["command"] or "") is not None
    return False
