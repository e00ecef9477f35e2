"""The value of RE: who won, by what, and how the game ended."""

from __future__ import annotations

import re

from notation.record import Declared, Out

_RESULT = re.compile(r"(b|black|w|white|[1-4])\s*\+\s*(.*)", re.S | re.I)
_MARGIN = re.compile(r"\d{1,5}+(?:\.0+)?")
_CAUSES = {
    "r": "resigned", "resign": "resigned", "t": "time", "time": "time",
    "f": "violation", "forfeit": "violation",
}  # fmt: skip
_DRAWS = ("draw", "0", "jigo", "tie")


def parse_result(text: str, seats: int) -> Declared:
    """Return what a result says: `B+7`, `W+R`, `1+T`, `Draw`, `0`; `?`, `Void` and anything else stay text.

    >>> parse_result("W+R", 2)
    Declared(text='W+R', winner=1, margin=None, scores=(), termination='resigned')
    """
    if text.lower() in _DRAWS:
        return Declared(text, winner=-1)
    match = _RESULT.fullmatch(text)
    if match is None:
        return Declared(text)
    who, by = match[1].lower(), match[2].strip().lower()
    winner = int(who) - 1 if who.isdigit() else int(who[0] == "w")
    if winner >= seats or (seats > 2 and not who.isdigit()):
        return Declared(text)
    if by in _CAUSES:
        return Declared(text, winner=winner, termination=_CAUSES[by])
    if _MARGIN.fullmatch(by):
        return Declared(text, winner=winner, margin=int(by.partition(".")[0]))
    return Declared(text, winner=winner) if not by else Declared(text)


def outs_of(declared: Declared | None, seats: int) -> list[Out]:
    """Who leaves the game at its end according to the result: the loser of two, when it says how."""
    if declared is None or declared.termination is None or declared.winner is None or seats != 2:
        return []
    return [Out(1 - declared.winner, declared.termination)] if declared.winner >= 0 else []
