"""Ratings of players, a family of variants at a time, from the whole history in the order of play; see `ratings.md`.

Computing them takes about a second for ten thousand games, so they are kept beside the snapshots, in the folder
`ratings` of the library, under a name that is a digest of everything that they depend on: what is there is never out
of date, and the folder can be deleted at any time. Where the folder cannot be written they are computed each time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from engine.variants import VARIANTS
from pipeline.contests import CONTESTS, known_player
from pipeline.errors import PipelineError
from pipeline.intervals import Z
from pipeline.queries import Page, day_number
from pipeline.rating_models import VERSION, Contest, Elo, Openskill, Points, Skill, Unit, is_duel
from pipeline.store import Derived, Reader

Row = dict[str, Any]
Tell = Callable[[int], None]

KEPT = 4
"""Stored ratings that stay: those of the last snapshots, with and without odd games."""


class Family(NamedTuple):
    """Games whose results are comparable: those of one variant, played alone or in teams."""

    id: str
    variant: str
    teams: bool


FAMILIES = {
    family.id: family
    for name in VARIANTS
    for family in (Family(name, name, False), Family(f"{name}_teams", name, True))
    if not family.teams or name in ("classic", "trigon")
}
"""A family for every variant: joining any two of them predicted one of the two worse, see `ratings.md`. Teams apart,
for there everybody plays for a sum."""

_SCHEMA = pa.schema(
    [
        ("family", pa.dictionary(pa.int32(), pa.string())),
        ("contest", pa.int32()),
        ("person", pa.dictionary(pa.int32(), pa.string())),
        ("games", pa.int32()),  # rated ones of the family, with this
        *(
            (f"{name}{when}", pa.float64())
            for when in ("", "_before")
            for name in ("mu", "sigma", "elo", "points")
        ),
    ]
)


def family(name: str) -> Family:
    """The family of that name.

    Raises:
        PipelineError: there is none.
    """
    if name not in FAMILIES:
        raise PipelineError(f"no family of variants {name!r}: choose one of {', '.join(FAMILIES)}")
    return FAMILIES[name]


def rating_tables(reader: Reader, odd: bool = False, tell: Tell | None = None) -> list[Derived]:
    """What a question needs that reads the table `rating_history`, or `rating_history_odd` with `odd`.

    A row for every rated contest and player: ratings after it and before it (`mu_before`, ...); `points`, of contests
    of two players, is null elsewhere. `tell` is told how many contests are rated, if they have to be.
    """

    def make(cursor: duckdb.DuckDBPyConnection) -> None:
        cursor.register("rated", _rated(cursor, reader.layout.root / "ratings", odd, tell))
        cursor.execute(f"CREATE TABLE {_table(odd)} AS FROM rated ORDER BY contest")

    return [CONTESTS, Derived(_table(odd), make)]


def ratings(
    reader: Reader,
    family_id: str | None = None,
    at: str | None = None,
    min_games: int = 1,
    limit: int | None = None,
    offset: int = 0,
    odd: bool = False,
    tell: Tell | None = None,
) -> Page:
    """Ratings by family, the best by the conservative estimate first.

    Args:
        reader: the library.
        family_id: one of `FAMILIES`; None: all.
        at: a date; contests count that were surely played until then, so none without a date. None: all.
        min_games: rated games of the family that a player has at least.
        limit: rows; None: all.
        offset: rows to leave out first.
        odd: whether irregular games and games with other pieces count.
        tell: told how many contests are rated.

    Raises:
        PipelineError: no such family or date.
    """
    tests: list[str] = ["true"]
    parameters: Row = {"least": min_games}
    if family_id is not None:
        tests.append("h.family = $family")
        parameters["family"] = family(family_id).id
    if at is not None:
        tests.append("k.last_day <= $at")
        parameters["at"] = day_number(at, "at", 12, 31)
    rows = _rows(
        reader,
        f"""
        WITH latest AS (
            SELECT family, person, max(contest) AS contest, max(contest) FILTER (k.year IS NOT NULL) AS dated
            FROM {_table(odd)} h JOIN contests k USING (contest) WHERE {" AND ".join(tests)} GROUP BY family, person
        )
        SELECT h.family, h.person AS player, h.games, {_FIGURES}, d.date AS last_played, count(*) OVER () AS total
        FROM latest l JOIN {_table(odd)} h USING (family, person, contest) LEFT JOIN contests d ON d.contest = l.dated
        WHERE h.games >= $least
        ORDER BY h.family::VARCHAR, ordinal DESC, h.person::VARCHAR
        LIMIT {"ALL" if limit is None else int(limit)} OFFSET {int(offset)}
        """,
        parameters,
        rating_tables(reader, odd, tell),
    )
    total = rows[0]["total"] if rows else 0
    return Page(total, [{key: value for key, value in row.items() if key != "total"} for row in rows])


def history(
    reader: Reader, name: str, family_id: str | None = None, odd: bool = False, tell: Tell | None = None
) -> list[Row]:
    """A player's ratings after every rated contest, in the order of play.

    Raises:
        NoSuchPlayer: there is none of that name.
        PipelineError: no such family.
    """
    person = known_player(reader, name)
    chosen = [family(family_id).id] if family_id is not None else list(FAMILIES)
    return _rows(
        reader,
        f"""
        SELECT h.family, k.date, g.id, k.event, k.event_round, e.share, h.games, {_FIGURES}
        FROM {_table(odd)} h JOIN contests k USING (contest) LEFT JOIN games g USING (game_no)
        JOIN (SELECT contest, avg(share) AS share FROM entries WHERE person = $person::people GROUP BY contest) e
            USING (contest)
        WHERE h.person = $person AND h.family IN (SELECT unnest($families::VARCHAR[]))
        ORDER BY h.contest
        """,
        {"person": person, "families": chosen},
        rating_tables(reader, odd, tell),
    )


_FIGURES = f"""
h.mu, h.sigma, h.mu - 3 * h.sigma AS ordinal, h.mu - {Z} * h.sigma AS low, h.mu + {Z} * h.sigma AS high, h.elo, h.points
"""


def ratings_of(reader: Reader, family_id: str) -> dict[str, float]:
    """The openskill mean of every player of a family.

    Raises:
        PipelineError: no such family.
    """
    return {row["player"]: row["mu"] for row in ratings(reader, family_id).rows}


def contests_of(rows: Iterable[Sequence[Any]]) -> Iterator[Contest]:
    """Contests that can be rated, out of rows of `CONTEST_ROWS`: of two players or more who meet."""
    for number, group in groupby(rows, key=lambda row: row[0]):
        seats = list(group)
        units = tuple(
            unit for _, members in groupby(seats, key=lambda row: row[3]) if (unit := _unit(list(members)))
        )
        name = f"{seats[0][1]}_teams" if seats[0][2] else seats[0][1]
        found = Contest(number, name, units)
        if name in FAMILIES and next(found.pairs(), None) is not None:
            yield found


CONTEST_ROWS = """
SELECT contest, k.variant, e.teams, unit, person::VARCHAR, place, coalesce(online, points), online / cells
FROM entries e JOIN contests k USING (contest)
WHERE k.variant IS NOT NULL AND NOT k.waived AND {where}
ORDER BY contest, unit, seat
"""


def _unit(members: Sequence[Sequence[Any]]) -> Unit | None:
    """The unit of its seats; None where one of them has no name."""
    people = tuple(row[4] for row in members)
    if None in people:
        return None
    if len(members) > 1:
        return Unit(people, members[0][5])
    return Unit(people, members[0][5], members[0][6], members[0][7])


def _table(odd: bool) -> str:
    return "rating_history_odd" if odd else "rating_history"


def _rows(reader: Reader, question: str, parameters: Row, needs: Sequence[Derived]) -> list[Row]:
    rows: list[Row] = reader.table(question, parameters, needs).to_pylist()
    return rows


def _rated(cursor: duckdb.DuckDBPyConnection, folder: Path, odd: bool, tell: Tell | None) -> pa.Table:
    """The history, as stored, or computed and stored."""
    question = CONTEST_ROWS.format(where="true" if odd else "NOT k.irregular AND NOT k.foreign_pieces")
    ((rows, digest),) = cursor.execute(f"SELECT count(*), bit_xor(hash(c)) FROM ({question}) c").fetchall()
    path = folder / f"{VERSION}-{rows}-{digest or 0:016x}.parquet"
    with suppress(OSError, pa.ArrowException):
        stored = pq.read_table(path)
        if stored.schema.equals(_SCHEMA):
            os.utime(path)
            return stored
    table = rate(contests_of(cursor.execute(question).fetchall()), tell)
    with suppress(OSError):
        _store(table, path)
    return table


def _store(table: pa.Table, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    scratch = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        pq.write_table(table, scratch)
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)
    stored = sorted(path.parent.glob("*.parquet"), key=lambda p: p.stat().st_mtime)
    for old in stored[:-KEPT]:
        old.unlink(missing_ok=True)


def rate(contests: Iterable[Contest], tell: Tell | None = None) -> pa.Table:
    """Rate contests in their order: a row for each and each of its players that it rates, see `rating_tables`."""
    columns: dict[str, list[Any]] = {name: [] for name in _SCHEMA.names}
    models: dict[str, _FamilyModels] = {}
    for done, contest in enumerate(contests, 1):
        state = models.setdefault(contest.family, _FamilyModels())
        for row in state.rate(contest):
            for name, value in zip(_SCHEMA.names, row, strict=True):
                columns[name].append(value)
        if tell is not None and done % 1000 == 0:
            tell(done)
    arrays = [pa.array(columns[field.name], field.type) for field in _SCHEMA]
    return pa.Table.from_arrays(arrays, schema=_SCHEMA)


class _FamilyModels:
    """The models of one family, side by side."""

    def __init__(self) -> None:
        self._skills, self._elo, self._points = Openskill(), Elo(), Points()
        self._games: dict[str, int] = {}

    def rate(self, contest: Contest) -> Iterator[tuple[Any, ...]]:
        people = contest.people()
        before = [self._state(person, contest) for person in people]
        skills: list[Skill] = [self._skills.skill(person) for person in people]
        for model in (self._skills, self._elo, self._points):
            model.rate(contest)
        for person, old, skill in zip(people, before, skills, strict=True):
            if self._skills.skill(person) is skill:
                continue  # on both sides, or nobody to compare with
            self._games[person] = self._games.get(person, 0) + 1
            yield (
                contest.family,
                contest.number,
                person,
                self._games[person],
                *self._state(person, contest),
                *old,
            )

    def _state(self, person: str, contest: Contest) -> tuple[float, float, float, float | None]:
        skill = self._skills.skill(person)
        points = self._points.level(person) if is_duel(contest) else None
        return skill.mu, skill.sigma, self._elo.rating(person), points
