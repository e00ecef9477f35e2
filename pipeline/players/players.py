"""Players: their results, by seat, colour and variant, over time, and against one another.

A player is who the aliases say, else the name as written. Games count that are decided, legal and regular, and results
without moves, each once. A player on several seats of a game has a result with each of them, against the others;
between these seats nothing is learned. `games` are games, `seats` results; intervals are of 95 % and take games, not
seats, as the number of observations, for seats of one game depend on each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.contests import ContestFilter, conditions, known_player, rows_of
from pipeline.intervals import student, wilson
from pipeline.queries import Page
from pipeline.store import Reader

Row = dict[str, Any]

GROUPS = {"variant": ("variant",), "seat": ("variant", "seat"), "colour": ("variant", "colours")}
"""What results can be told apart by."""

SEVERAL_TABLES = "points of several variants or scoring tables have no common mean"
NO_POINTS = "no points are known"
ONE_GAME = "one game has no interval"
ALONE = "no game against another player"

_TALLY = """
count(*) FILTER (nth = 1) AS games, count(*) AS seats,
count(*) FILTER (verdict = 2) AS wins, count(*) FILTER (verdict = 1) AS draws, count(*) FILTER (verdict = 0) AS losses,
avg(share) AS share, avg(points) AS mean_score, stddev_samp(points) AS deviation,
count(points) AS scored, count(points) FILTER (nth = 1) AS scored_games,
max(k.points_of) FILTER (points IS NOT NULL) > min(k.points_of) FILTER (points IS NOT NULL) AS tables,
max(contest) FILTER (k.year IS NOT NULL) AS last
"""
"""Figures of a group of entries e with their contests k, all against other players."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What is known of one player. `own_games`: games in which all seats were this player's, which count nowhere."""

    player: str
    names: list[str]
    own_games: int
    total: Row
    by_variant: list[Row]
    by_seat: list[Row]
    by_colour: list[Row]
    by_year: list[Row]
    opponents: list[Row]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two players' games against each other, from the view of `player`; `last` are the latest ones, newest first."""

    player: str
    against: str
    total: Row
    by_variant: list[Row]
    last: list[Row]


def list_players(
    reader: Reader,
    wanted: ContestFilter,
    by: str | None = None,
    min_games: int = 1,
    limit: int | None = None,
    offset: int = 0,
) -> Page:
    """Players with most games first; by one of `GROUPS` a row for each of its values, of players in the same order.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    where, parameters = conditions(wanted)
    groups = ("person", *_grouped(by))
    rows = rows_of(
        reader,
        f"""
        WITH tallies AS (
            SELECT {", ".join(groups)}, {_TALLY}, list_sort(list(DISTINCT k.variant)) AS variants
            FROM entries e JOIN contests k USING (contest)
            WHERE share IS NOT NULL AND person IS NOT NULL AND {where}
            GROUP BY ALL
        ), kept AS (SELECT *, sum(games) OVER (PARTITION BY person) AS most FROM tallies)
        SELECT t.* EXCLUDE (most, last), d.date AS last_played, count(*) OVER () AS total
        FROM kept t LEFT JOIN contests d ON d.contest = t.last
        WHERE most >= $least
        ORDER BY most DESC, {", ".join(f"t.{group}" for group in groups)}
        LIMIT {"ALL" if limit is None else int(limit)} OFFSET {int(offset)}
        """,
        {**parameters, "least": min_games},
    )
    return Page(rows[0]["total"] if rows else 0, [_finished(row) for row in rows])


def player(reader: Reader, name: str, wanted: ContestFilter, opponents: int | None = None) -> PlayerView:
    """The page of one player; `opponents` is how many of these, those met most often first (None: all).

    Raises:
        NoSuchPlayer: there is none of that name.
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    person = known_player(reader, name)
    where, parameters = conditions(wanted)
    parameters["person"] = person
    rows = rows_of(reader, _ONE_PLAYER.format(tally=_TALLY, where=where), parameters)
    parts: dict[str, list[Row]] = {"total": [], "variant": [], "seat": [], "colours": [], "year": []}
    for row in rows:
        kind = row.pop("kind")
        kept = {"total": (), "seat": ("variant", "seat"), "colours": ("variant", "colours")}.get(
            kind, (kind,)
        )
        for column in ("variant", "seat", "colours", "year"):
            if column not in kept:
                row.pop(column)
        parts[kind].append(_finished(row))
    alone = rows_of(
        reader,
        "SELECT count(DISTINCT contest) AS n FROM entries e JOIN contests k USING (contest) "
        f"WHERE person = $person::people AND share IS NULL AND {where}",
        parameters,
    )
    names = rows_of(
        reader, "SELECT name FROM aliases WHERE player = $person ORDER BY name", {"person": person}
    )
    return PlayerView(
        player=person,
        names=[row["name"] for row in names],
        own_games=alone[0]["n"],
        total=parts["total"][0],
        by_variant=parts["variant"],
        by_seat=parts["seat"],
        by_colour=[row for row in parts["colours"] if row["colours"]],
        by_year=parts["year"],
        opponents=_opponents(reader, person, where, parameters, opponents),
    )


_ONE_PLAYER = """
WITH tallies AS (
SELECT CASE grouping(variant, seat, colours, year) WHEN 15 THEN 'total' WHEN 7 THEN 'variant' WHEN 3 THEN 'seat'
            WHEN 5 THEN 'colours' ELSE 'year' END AS kind,
       variant, seat, colours, year, {tally}
FROM entries e JOIN contests k USING (contest)
WHERE share IS NOT NULL AND person = $person::people AND {where}
GROUP BY GROUPING SETS ((), (variant), (variant, seat), (variant, colours), (year))
)
SELECT t.* EXCLUDE (last), d.date AS last_played FROM tallies t LEFT JOIN contests d ON d.contest = t.last
ORDER BY kind, t.year NULLS LAST, t.variant, t.seat, t.colours
"""

_MEETINGS = """
FROM entries a JOIN entries b ON a.contest = b.contest AND a.unit <> b.unit AND a.person <> b.person
JOIN contests k ON k.contest = a.contest
WHERE {who} AND {where}
"""
"""Every seat of one player meets each seat of the other; team mates do not meet."""

_SUMS = """
count(*) FILTER (a.nth = 1 AND b.nth = 1) AS games, count(*) AS meetings,
count(*) FILTER (a.place < b.place) AS wins, count(*) FILTER (a.place = b.place) AS draws,
count(*) FILTER (a.place > b.place) AS losses,
avg(CASE WHEN a.place < b.place THEN 1 WHEN a.place = b.place THEN 0.5 ELSE 0 END) AS share
"""


def _opponents(reader: Reader, person: str, where: str, parameters: Row, limit: int | None) -> list[Row]:
    meetings = _MEETINGS.format(who="a.person = $person::people", where=where)
    rows = rows_of(
        reader,
        f"SELECT b.person AS against, {_SUMS} {meetings} GROUP BY b.person ORDER BY games DESC, against "
        f"LIMIT {'ALL' if limit is None else int(limit)}",
        parameters,
    )
    return [_met(row) for row in rows]


def head_to_head(
    reader: Reader, name: str, against: str, wanted: ContestFilter, last: int = 10
) -> HeadToHead:
    """Games of two players against each other: every seat of one against every seat of the other.

    Raises:
        NoSuchPlayer: there is none of that name.
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    person, other = known_player(reader, name), known_player(reader, against)
    where, parameters = conditions(wanted)
    parameters |= {"person": person, "against": other}
    meetings = _MEETINGS.format(who="a.person = $person::people AND b.person = $against::people", where=where)
    rows = rows_of(
        reader,
        f"SELECT grouping(k.variant) AS whole, k.variant, {_SUMS} {meetings} "
        "GROUP BY GROUPING SETS ((), (k.variant)) ORDER BY whole, games DESC, k.variant",
        parameters,
    )
    latest = rows_of(
        reader,
        f"""
        WITH met AS (
            SELECT k.contest, {_SUMS} {meetings} GROUP BY k.contest ORDER BY k.contest DESC LIMIT {int(last)}
        )
        SELECT g.id, k.date, k.variant, k.event, k.event_round, m.wins, m.draws, m.losses
        FROM met m JOIN contests k USING (contest) LEFT JOIN games g USING (game_no)
        ORDER BY k.contest DESC
        """,
        parameters,
    )
    whole = [row.pop("whole") for row in rows]
    told = [_met(row) for row in rows]
    total = next(row for row, is_whole in zip(told, whole, strict=True) if is_whole)
    del total["variant"]
    parts = [row for row, is_whole in zip(told, whole, strict=True) if not is_whole]
    return HeadToHead(person, other, total, parts, latest)


def matrix(
    reader: Reader, wanted: ContestFilter, min_games: int = 1, players: int = 12
) -> tuple[list[str], list[Row]]:
    """The players with most games, and a row for every two of them that met, once from the view of each.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    names = [row["player"] for row in list_players(reader, wanted, None, min_games, players).rows]
    return names, meetings(reader, tuple(names), wanted)


def meetings(reader: Reader, names: tuple[str, ...], wanted: ContestFilter) -> list[Row]:
    """A row for every two of these players that met, once from the view of each.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    where, parameters = conditions(wanted)
    rows = rows_of(reader, _MATRIX.format(sums=_SUMS, where=where), {**parameters, "names": list(names)})
    met = [_met(row) for one in rows for row in (one, _turned(one))]
    return sorted(met, key=lambda row: (row["player"], row["against"]))


_MATRIX = """
WITH listed AS MATERIALIZED (
    SELECT e.contest, e.unit, e.person, e.place, e.nth FROM entries e JOIN contests k USING (contest)
    WHERE e.person IN (SELECT unnest($names::people[])) AND {where}
)
SELECT a.person AS player, b.person AS against, {sums}
FROM listed a JOIN listed b ON a.contest = b.contest AND a.unit <> b.unit AND a.person < b.person
GROUP BY a.person, b.person
"""
"""Meetings of some players, each pair once."""


def _turned(row: Row) -> Row:
    """A row of meetings from the view of the other one."""
    return {
        **row,
        "player": row["against"],
        "against": row["player"],
        "wins": row["losses"],
        "losses": row["wins"],
        "share": 1 - row["share"],
    }


def _grouped(by: str | None) -> tuple[str, ...]:
    return () if by is None else GROUPS[by]


def _met(row: Row) -> Row:
    """A row of meetings with the interval of its share."""
    span = wilson(row["share"], row["games"])
    return {**row, "share_low": span and span.low, "share_high": span and span.high}


def _finished(row: Row) -> Row:
    """A row of figures with its intervals, or the reason why one is missing."""
    row = {("player" if key == "person" else key): value for key, value in row.items() if key != "total"}
    if "seat" in row or "colours" in row:
        # Of one seat of a game, whichever of the player's it is.
        row |= {"games": row["seats"], "scored_games": row["scored"]}
    tables, scored, games = row.pop("tables"), row.pop("scored"), row.pop("scored_games")
    deviation = row.pop("deviation")
    span = wilson(row["share"], row["games"])
    row |= {"share_low": span and span.low, "share_high": span and span.high}
    reason = None
    if not row["games"]:
        reason = ALONE
    elif not scored:
        reason = NO_POINTS
    elif tables:
        reason, row["mean_score"] = SEVERAL_TABLES, None
    elif games < 2:
        reason = ONE_GAME
    spread = None if reason else student(row["mean_score"], deviation, games)
    row |= {"score_low": spread and spread.low, "score_high": spread and spread.high, "score_reason": reason}
    return row
