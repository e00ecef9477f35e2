"""Identities of games abbreviated, as git abbreviates its own: the shortest beginning that names one game."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.errors import AmbiguousGame, NoIdentity, NoSuchGame
from pipeline.store import Reader

SHORTEST = 7
"""Digits that lists show at least."""

LEAST = 4
"""Digits that a user gives at least."""

CANDIDATES = 10
"""Games that a message names at most."""


def short_ids(reader: Reader, ids: Iterable[str]) -> dict[str, str]:
    """Shortest beginning of each identity, of `SHORTEST` digits or more, that no other game of the library has."""
    wanted = set(ids)
    if not wanted:
        return {}
    heads = sorted({identity[:SHORTEST] for identity in wanted})
    found = reader.table(
        f"SELECT id FROM games WHERE left(id, {SHORTEST}) IN (SELECT unnest($heads::VARCHAR[]))",
        {"heads": heads},
    )
    alike: dict[str, list[str]] = {}
    for identity in sorted({*found["id"].to_pylist(), *wanted}):
        alike.setdefault(identity[:SHORTEST], []).append(identity)
    return {identity: _shortest(identity, alike[identity[:SHORTEST]]) for identity in wanted}


def _shortest(identity: str, others: list[str]) -> str:
    shared = max((_alike_until(identity, other) for other in others if other != identity), default=0)
    return identity[: max(SHORTEST, shared + 1)]


def _alike_until(one: str, other: str) -> int:
    """Digits that two identities have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))


def find_game(reader: Reader, text: str) -> str:
    """Full identity of the one game whose identity begins with `text`.

    Raises:
        NoIdentity: it is none: other characters, too short or too long.
        NoSuchGame: none does; the message names some that begin alike.
        AmbiguousGame: several do; the message names them.
    """
    head = text.strip().lower()
    if not head or set(head) - set("0123456789abcdef") or len(head) > 32:
        raise NoIdentity(f"{text[:40]!r} is no identity of a game: up to 32 digits 0 to 9 and a to f")
    if len(head) < LEAST:
        raise NoIdentity(f"{text!r} is too short: give at least {LEAST} digits of the identity")
    ids = reader.table("SELECT id FROM games WHERE starts_with(id, ?) LIMIT 2", [head])["id"].to_pylist()
    if len(ids) == 1:
        return str(ids[0])
    if found := _beginning(reader, head):
        listed = "".join(f"\n  {line}" for line in _described(found))
        more = f"\n  and {len(found) - CANDIDATES} or more others" if len(found) > CANDIDATES else ""
        raise AmbiguousGame(f"{head} is the beginning of several games:{listed}{more}", [i for i, _ in found])
    raise NoSuchGame(f"there is no game {head} in {reader.layout.root}{_alike(reader, head)}")


def _alike(reader: Reader, head: str) -> str:
    for length in range(len(head) - 1, LEAST - 1, -1):
        if found := _beginning(reader, head[:length]):
            return "; these begin alike:" + "".join(f"\n  {line}" for line in _described(found))
    return "; `cornerwise games` lists them"


def _beginning(reader: Reader, head: str) -> list[tuple[str, str]]:
    rows = reader.table(
        "SELECT id, concat_ws(', ', variant, date, array_to_string(players, ' - '), plies || ' plies') AS words "
        f"FROM games_view WHERE starts_with(id, ?) ORDER BY id LIMIT {CANDIDATES + 1}",
        [head],
    ).to_pylist()
    return [(row["id"], row["words"]) for row in rows]


def _described(found: list[tuple[str, str]]) -> list[str]:
    ids = [identity for identity, _ in found]
    return [f"{_shortest(identity, ids)}  {words}" for identity, words in found[:CANDIDATES]]
