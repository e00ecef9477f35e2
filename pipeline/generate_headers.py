"""Who played a generated game, when and where: drawn from a seed and the game's number alone."""

from __future__ import annotations

import struct
from bisect import bisect
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import NamedTuple

NAMES = (
    "Ada", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Kim", "Léa", "Max", "Nora",
    "Oscar", "Paula", "Quentin", "Rosa", "Sam", "Tilda", "Ulf", "Vera", "Willem", "Xenia", "Yusuf", "Zoë", "Aïcha",
    "Bruno", "Céline", "Dora", "Emil", "Frida", "Günther", "Hanna", "Ivan", "Julia", "Karl", "Lucía", "Mika", "Nils",
    "Olga", "Pedro", "Ruth", "Søren", "Tom", "Ursula", "Viktor", "Wanda",
)  # fmt: skip
"""The pool of players, the most active first."""

_ACTIVITY = tuple(accumulate(10_000 // (rank + 2) for rank in range(len(NAMES))))

PROGRAM = "cornerwise generate"
"""Header of every generated game: nobody really played it."""

EVENT_GAMES = 48
"""Games with neighbouring numbers that share an event."""

_ROUND_GAMES = 6
_FIRST_DAY, _DAYS = date(2015, 1, 3).toordinal(), 10 * 365
_SEASONS = ("Winter Cup", "Spring Open", "Summer Tournament", "Autumn League")


class _Event(NamedTuple):
    name: str
    day: int  # ordinal of its first day
    rounds: bool


def _draws(*what: int | str) -> tuple[int, ...]:
    """Eight random 64-bit numbers, always the same for the same words."""
    text = "/".join(map(str, what)).encode()
    return struct.unpack("<8Q", blake2b(text, digest_size=64).digest())


@lru_cache(maxsize=256)
def _event(seed: int, number: int) -> _Event:
    kind, day, *_ = _draws("event", seed, number)
    first = _FIRST_DAY + day % _DAYS
    if kind % 4 == 0:
        return _Event("Club evening", first, rounds=False)
    when = date.fromordinal(first)
    return _Event(f"{_SEASONS[when.month % 12 // 3]} {when.year}", first, rounds=True)


def headers_of(seed: int, number: int) -> dict[str, str]:
    """Headers of game `number` (from 0): date, event and round where it has them, program, number from 1.

    >>> headers_of(1, 6)["game_number"]
    '7'
    """
    alone, day, *_ = _draws("game", seed, number)
    place, within = divmod(number, EVENT_GAMES)
    event = _event(seed, place)
    out = {"program": PROGRAM, "game_number": str(number + 1)}
    if alone % 8 == 0:
        return out | {"date": date.fromordinal(_FIRST_DAY + day % _DAYS).isoformat()}
    out["event"] = event.name
    turn = within // _ROUND_GAMES
    if event.rounds:
        out["event_round"] = str(turn + 1)
        return out | {"date": date.fromordinal(event.day + turn // 4).isoformat()}
    return out | {"date": date.fromordinal(event.day + 7 * turn).isoformat()}


def players_of(seed: int, number: int, seats: int) -> list[str]:
    """Names by seat of game `number`: different ones, the active more often."""
    chosen: list[int] = []
    for word in _draws("players", seed, number)[:seats]:
        player = bisect(_ACTIVITY, word % _ACTIVITY[-1])
        while player in chosen:
            player = (player + 1) % len(NAMES)
        chosen.append(player)
    return [NAMES[player] for player in chosen]
