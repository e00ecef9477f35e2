"""Contests: what counts for players, decided games and results without moves, each once, in the order of play."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from engine.variants import variant
from notation.dates import parse_date
from pipeline.errors import NoSuchPlayer
from pipeline.queries import day_number
from pipeline.store import Derived, Reader
from pipeline.store.catalogue import script

NEAR = 5
"""Names that a message about an unknown one suggests at most."""

_DATES = pa.schema([("text", pa.string()), ("year", pa.int16()), ("month", pa.int8()), ("day", pa.int8())])


@dataclass(frozen=True, slots=True)
class ContestFilter:
    """Which contests count; None: all.

    `since` and `until` are dates, whole or partial, as in `queries.GameFilter`: contests without a date match neither.
    `event` is a part of the event's name and `source` one of a file's, in any case. `odd` lets in games that are
    irregular, or played with another set of pieces.
    """

    variant: str | None = None
    since: str | None = None
    until: str | None = None
    event: str | None = None
    source: str | None = None
    odd: bool = False


def _make(cursor: duckdb.DuckDBPyConnection) -> None:
    texts = cursor.execute("SELECT DISTINCT headers ->> 'date' FROM results").fetchall()
    dates = [(text, parse_date(text)) for (text,) in texts if text]
    rows = [{"text": text, "year": d.year, "month": d.month, "day": d.day} for text, d in dates]
    cursor.register("result_dates", pa.Table.from_pylist(rows, _DATES))
    cursor.execute(f"BEGIN; {script('players_contests.sql')} COMMIT")


CONTESTS = Derived("entries", _make)
"""The tables `contests` and `entries`, see `sql/players_contests.sql`."""


def rows_of(reader: Reader, question: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Rows of a question about contests."""
    rows: list[dict[str, Any]] = reader.table(question, parameters or {}, needs=[CONTESTS]).to_pylist()
    return rows


def conditions(wanted: ContestFilter) -> tuple[str, dict[str, Any]]:
    """A condition on rows of `contests`, called k, and its parameters.

    Raises:
        UnknownVariant, PipelineError: a filter that means nothing.
    """
    tests = ["true"] if wanted.odd else ["NOT k.irregular AND NOT k.foreign_pieces"]
    parameters: dict[str, Any] = {}
    if wanted.variant is not None:
        tests.append("k.variant = $variant")
        parameters["variant"] = variant(wanted.variant).id
    if wanted.since is not None:
        tests.append("k.first_day >= $since")
        parameters["since"] = day_number(wanted.since, "since", 1, 1)
    if wanted.until is not None:
        tests.append("k.last_day <= $until")
        parameters["until"] = day_number(wanted.until, "until", 12, 31)
    if wanted.event is not None:
        tests.append("contains(lower(k.event), lower($event))")
        parameters["event"] = wanted.event
    if wanted.source is not None:
        tests.append(
            "(k.game_no IN (SELECT game_no FROM sightings WHERE contains(lower(source), lower($source)))"
            " OR k.result_no IN (SELECT r.seen_no FROM results r JOIN result_sightings s USING (id)"
            " WHERE contains(lower(s.source), lower($source))))"
        )
        parameters["source"] = wanted.source
    return " AND ".join(tests), parameters


def known_player(reader: Reader, name: str) -> str:
    """The player of a name: as it stands, as an alias, or in other letter case where that leaves one.

    Raises:
        NoSuchPlayer: nobody in a decided game or result is called so; the message has names near it.
    """
    people: list[str] = [row["person"] for row in rows_of(reader, _PEOPLE)]
    if name in people:
        return name
    aliases = rows_of(reader, "SELECT player FROM aliases WHERE name = $name", {"name": name})
    for row in aliases:
        if row["player"] in people:
            return str(row["player"])
    folded = name.strip().casefold()
    alike = [person for person in people if person.casefold() == folded]
    if len(alike) == 1:
        return str(alike[0])
    raise NoSuchPlayer(_unknown(name, alike or _near(folded, people), bool(people)))


_PEOPLE = "SELECT unnest(enum_range(NULL::people))::VARCHAR AS person"


def _near(folded: str, people: list[str]) -> list[str]:
    by_folded = {person.casefold(): person for person in reversed(people)}
    inside = [person for person in people if folded and folded in person.casefold()]
    # Comparing takes time in proportion to the lengths, and names may be megabytes.
    short = [key for key in by_folded if len(key) <= 100]
    close = difflib.get_close_matches(folded[:100], short, NEAR, 0.6)
    return list(dict.fromkeys([*inside[:NEAR], *(by_folded[key] for key in close)]))[:NEAR]


def _unknown(name: str, near: list[str], anybody: bool) -> str:
    if not anybody:
        return "the library has no decided game or result with a named player"
    which = f"; there is {', '.join(repr(person[:100]) for person in near)}" if near else ""
    return f"no decided game or result has a player {name[:100]!r}{which}"
