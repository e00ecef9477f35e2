"""Standings of an event: points by a stated table, tie-breaks in a stated order, byes, and games that do not count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any

from pipeline.contests import NEAR, ContestFilter, conditions, rows_of
from pipeline.errors import BadPoints, NoSuchEvent
from pipeline.store import Reader

Row = dict[str, Any]

TIE_BREAKS = {
    "difference": "score difference: in every game own score minus the mean score of the others, summed",
    "sum": "sum of own scores",
    "direct": "points of the games in which those who are still tied met each other",
}
"""What breaks ties, in the order that is used unless another is asked for."""

_NUMBER = r"-?\d{1,6}(?:\.\d{1,6})?"


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Points of a game: by place, or for winning, drawing and losing.

    `places` empty: n - 1 for the first of n down to 0 for the last, so 1 and 0 of two. Ties share the mean of their
    places' points, so a draw of two is half a point. `outcomes` are points for a win, a draw (a shared first place) and
    a loss, and go before.
    """

    places: tuple[Fraction, ...] = ()
    outcomes: tuple[Fraction, Fraction, Fraction] | None = None

    def points(self, better: int, tied: int, units: int) -> Fraction:
        """Points of somebody with so many better ones and so many others tied, among so many."""
        if self.outcomes is not None:
            return self.outcomes[2 if better else 1 if tied else 0]
        table = self.places or tuple(Fraction(units - 1 - place) for place in range(units))
        shared = [table[at] if at < len(table) else Fraction(0) for at in range(better, better + tied + 1)]
        return sum(shared, Fraction(0)) / len(shared)

    def __str__(self) -> str:
        if self.outcomes is not None:
            return "win {}, draw {}, loss {}".format(*map(shown, self.outcomes))
        if not self.places:
            return "n - 1 points for the first of n, one less for every further place, ties share"
        return f"places {', '.join(map(shown, self.places))}, ties share"


def shown(points: Fraction) -> str:
    """Points as people write them: 1, 0.5, 2.33."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def points_table(text: str | None) -> PointsTable:
    """The table that a text says: `3,2,1,0` by place, or `win=1,draw=0.5,loss=0`.

    Raises:
        BadPoints: it says none.
    """
    if text is None:
        return PointsTable()
    parts = [part.strip().lower() for part in text.split(",")]
    if all(re.fullmatch(_NUMBER, part) for part in parts):
        return PointsTable(tuple(map(Fraction, parts)))
    found = {}
    for part in parts:
        match = re.fullmatch(rf"(win|draw|loss)\s*=\s*({_NUMBER})", part)
        if match is None or match[1] in found:
            raise BadPoints(
                f"points {text[:60]!r}: write them by place, 3,2,1,0, or as win=1,draw=0.5,loss=0"
            )
        found[match[1]] = Fraction(match[2])
    win = found.get("win", Fraction(1))
    return PointsTable(outcomes=(win, found.get("draw", win / 2), found.get("loss", Fraction(0))))


def tie_breaks(text: str | None) -> tuple[str, ...]:
    """Tie-breaks in the order that a text says.

    Raises:
        BadPoints: it names one that there is not, or one twice.
    """
    if text is None:
        return tuple(TIE_BREAKS)
    names = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    if len(set(names)) != len(names) or not set(names) <= set(TIE_BREAKS):
        raise BadPoints(f"tie-breaks {text[:60]!r}: choose of {', '.join(TIE_BREAKS)}, each once")
    return names


@dataclass(slots=True)
class Standing:
    """A player's row. `games` are games, wins, draws, losses and points of seats; `place` is shared on ties.

    `difference` and `score` are None where some game has no scores.
    """

    player: str
    place: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    points: Fraction = Fraction(0)
    difference: Fraction | None = Fraction(0)
    score: int | None = 0
    direct: Fraction | None = None
    by_round: dict[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings of an event. `byes`: players without a game in a round in which others had one.

    `not_counted` are games of the event with the reason why they do not count.
    """

    event: str
    table: PointsTable
    tie_breaks: tuple[str, ...]
    bye_points: Fraction
    rounds: list[str]
    rows: list[Standing]
    games: list[Row]
    byes: dict[str, list[str]]
    not_counted: list[Row]


def known_event(reader: Reader, name: str) -> str:
    """The event of that name, in any letter case.

    Raises:
        NoSuchEvent: there is none; the message has some that are called nearly so.
    """
    events: list[str] = [
        row["event"]
        for row in rows_of(
            reader,
            "SELECT event FROM (SELECT event FROM games UNION SELECT event FROM contests) "
            "WHERE event IS NOT NULL ORDER BY event",
        )
    ]
    if name in events:
        return name
    folded = name.strip().casefold()
    alike = [event for event in events if event.casefold() == folded]
    if len(alike) == 1:
        return alike[0]
    near = alike or [event for event in events if folded and folded in event.casefold()]
    if not events:
        raise NoSuchEvent("no game of the library names its event")
    some = ", ".join(repr(event[:100]) for event in (near or events)[:NEAR])
    raise NoSuchEvent(
        f"no event {name[:100]!r}; there is {some}{' and more' if len(near or events) > NEAR else ''}"
    )


def standings(
    reader: Reader,
    event: str,
    table: PointsTable | None = None,
    order: Sequence[str] = tuple(TIE_BREAKS),
    bye_points: Fraction = Fraction(0),
    wanted: ContestFilter | None = None,
) -> Standings:
    """Standings of an event.

    A seat among several of one player is placed among that seat and those of the others. `wanted` chooses among the
    event's games by variant, dates, source; its `odd` lets irregular games count.

    Raises:
        NoSuchEvent: there is none of that name.
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    table, wanted = table or PointsTable(), wanted or ContestFilter()
    name = known_event(reader, event)
    where, parameters = conditions(wanted)
    parameters["name"] = name
    games: list[Row] = []
    people: dict[str, Standing] = {}
    rows = rows_of(reader, _ENTRIES.format(where=where), parameters)
    for _, group in groupby(rows, key=lambda row: row["contest"]):
        seats = list(group)
        games.append(_game(seats, table))
        seen: set[str] = set()
        for seat in games[-1]["seats"]:
            _add(people, seat, games[-1]["round"], seen)
    rounds, byes = _byes(games, people)
    for missing in byes.values():
        for person in missing:
            people[person].byes += 1
            people[person].points += bye_points
    ranked = _ranked(list(people.values()), games, tuple(order))
    left_out = rows_of(reader, _NOT_COUNTED, {"name": name, "odd": wanted.odd})
    return Standings(name, table, tuple(order), bye_points, rounds, ranked, games, byes, left_out)


_ENTRIES = """
SELECT k.contest, g.id, k.date, k.variant, k.event_round, e.seat, e.unit, e.person::VARCHAR AS person, e.place, e.points
FROM entries e JOIN contests k USING (contest) LEFT JOIN games g USING (game_no)
WHERE k.event = $name AND {where}
ORDER BY TRY_CAST(nullif(regexp_extract(k.event_round, '\\d+'), '') AS INTEGER) NULLS LAST, k.event_round NULLS LAST,
         k.contest, e.seat
"""

_NOT_COUNTED = """
SELECT g.id, g.date_text AS date, g.event_round AS round, list(s.person ORDER BY s.seat) AS players,
       CASE WHEN g.illegal THEN 'illegal' WHEN g.empty THEN 'empty' WHEN g.unfinished THEN 'unfinished'
            WHEN g.outcome IS NULL THEN 'no result' WHEN g.irregular THEN 'irregular'
            ELSE 'foreign_pieces' END AS reason
FROM games g JOIN seats s USING (game_no)
WHERE g.event = $name
  AND (g.illegal OR g.empty OR g.unfinished OR g.outcome IS NULL
       OR (NOT $odd AND (g.irregular OR g.foreign_pieces)))
GROUP BY g.id, g.date_text, g.event_round, reason
ORDER BY TRY_CAST(nullif(regexp_extract(g.event_round, '\\d+'), '') AS INTEGER) NULLS LAST, g.event_round, g.id
"""


def _game(seats: list[Row], table: PointsTable) -> Row:
    """A game with the points of each of its seats."""
    first = seats[0]
    game = {key: first[key] for key in ("id", "date", "variant")} | {"round": first["event_round"] or ""}
    return {**game, "seats": [_seat(seat, seats, table) for seat in seats]}


def _seat(seat: Row, seats: list[Row], table: PointsTable) -> Row:
    # Units of other people, each once: a unit in which this player sits as well is no opponent.
    own = {s["unit"] for s in seats if s["person"] is not None and s["person"] == seat["person"]}
    others = {s["unit"]: s["place"] for s in seats if s["unit"] not in own and s["unit"] != seat["unit"]}
    better = sum(place < seat["place"] for place in others.values())
    tied = sum(place == seat["place"] for place in others.values())
    scores = [_score(seats, unit) for unit in others]
    mine = _score(seats, seat["unit"])
    difference = None
    if others and mine is not None and None not in scores:
        difference = Fraction(mine) - Fraction(sum(s for s in scores if s is not None), len(scores))
    return {
        "player": seat["person"],
        "place": seat["place"],
        "score": seat["points"],
        "difference": difference,
        "verdict": None if not others else 0 if better else 1 if tied else 2,
        "points": table.points(better, tied, len(others) + 1) if others else Fraction(0),
        "counts": bool(others),
    }


def _score(seats: list[Row], unit: int) -> int | None:
    """The score of a seat or team."""
    scores = [s["points"] for s in seats if s["unit"] == unit]
    return None if None in scores else sum(scores)


def _add(people: dict[str, Standing], seat: Row, turn: str, seen: set[str]) -> None:
    if seat["player"] is None or not seat["counts"]:
        return
    row = people.setdefault(seat["player"], Standing(seat["player"]))
    row.games += row.player not in seen
    seen.add(row.player)
    row.wins += seat["verdict"] == 2
    row.draws += seat["verdict"] == 1
    row.losses += seat["verdict"] == 0
    row.points += seat["points"]
    row.difference = _sum(row.difference, seat["difference"])
    row.score = None if row.score is None or seat["score"] is None else row.score + seat["score"]
    row.by_round[turn] = row.by_round.get(turn, Fraction(0)) + seat["points"]


def _sum(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other


def _byes(games: list[Row], people: dict[str, Standing]) -> tuple[list[str], dict[str, list[str]]]:
    """Rounds in their order, and who of the event's players has no game in each; games without a round have no byes."""
    rounds = list(dict.fromkeys(game["round"] for game in games))
    byes = {
        turn: sorted(p for p, row in people.items() if turn not in row.by_round) for turn in rounds if turn
    }
    return rounds, {turn: missing for turn, missing in byes.items() if missing}


def _ranked(rows: list[Standing], games: list[Row], order: tuple[str, ...]) -> list[Standing]:
    """Rows by points, then by the tie-breaks; who is still tied shares the place and stands in the order of names."""
    place = 1
    out: list[Standing] = []
    for group in _groups(rows, lambda row: row.points):
        for tied in _split(group, games, order):
            for row in sorted(tied, key=lambda row: row.player):
                row.place = place
                out.append(row)
            place += len(tied)
    return out


def _split(group: list[Standing], games: list[Row], order: tuple[str, ...]) -> list[list[Standing]]:
    """Those with equal points told apart, as far as the tie-breaks do."""
    if len(group) == 1 or not order:
        return [group]
    if order[0] == "direct":
        _direct(group, games)
        parts = _groups(group, lambda row: row.direct)
    elif order[0] == "difference":
        parts = _groups(group, lambda row: row.difference)
    else:
        parts = _groups(group, lambda row: row.score)
    return [tied for part in parts for tied in _split(part, games, order[1:])]


def _direct(group: list[Standing], games: list[Row]) -> None:
    """Points of the games that the tied have with each other."""
    names = {row.player for row in group}
    for row in group:
        row.direct = Fraction(0)
    for game in games:
        if len({seat["player"] for seat in game["seats"]} & names) < 2:
            continue
        for row in group:
            mine = [seat["points"] for seat in game["seats"] if seat["player"] == row.player]
            row.direct = sum(mine, row.direct or Fraction(0))


def _groups(
    rows: Iterable[Standing], value: Callable[[Standing], Fraction | int | None]
) -> list[list[Standing]]:
    """Rows of equal value together, the largest first; where any value is unknown, nothing is told apart."""
    listed = list(rows)
    values = [value(row) for row in listed]
    if any(v is None for v in values):
        return [listed]
    ordered = sorted(listed, key=lambda row: value(row) or 0, reverse=True)
    return [list(group) for _, group in groupby(ordered, key=value)]
