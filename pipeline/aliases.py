"""Names of one person: a list that merges spellings in statistics and changes none of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pyarrow as pa

from pipeline.errors import BadAliases
from pipeline.store import Reader, Writer
from pipeline.store.catalogue import Catalogue, run_over

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest list that is read."""

COLUMNS = ("name", "player")

_ALIASES = pa.schema([(column, pa.string()) for column in COLUMNS])


class Alias(NamedTuple):
    """A name as records spell it, the player it belongs to, and where the list says so (from 1; 0: nowhere)."""

    name: str
    player: str
    line: int = 0


def read_aliases(data: bytes, source: str) -> list[Alias]:
    """The aliases of a CSV, TSV or JSON file, chains followed to their end: a is b, b is c makes a c.

    A table has the columns `name` and `player`, apart by commas, semicolons or tabs. JSON is an object of players by
    name, or a list of objects with both. A player's own name may stand beside itself.

    Raises:
        BadAliases: it is none of these; a name is empty, or comes twice, or is its own alias by way of others.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadAliases(f"{source}: a list of names must be in UTF-8") from None
    found = _of_json(text, source) if text.lstrip()[:1] in ("{", "[") else _of_table(text, source)
    return _resolved(list(_checked(found, source)), source)


def _of_table(text: str, source: str) -> Iterator[Alias]:
    head = text.split("\n", 1)[0]
    delimiter = next((sign for sign in "\t;" if sign in head), ",")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [name.strip().lower() for name in next(rows, [])]
        if sorted(columns) != sorted(COLUMNS):
            raise BadAliases(f"{source}, line 1: the columns must be name and player, here are {head[:80]!r}")
        at, to = (columns.index(name) for name in COLUMNS)
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(columns):
                raise BadAliases(f"{source}, line {rows.line_num}: {len(row)} values, not name and player")
            yield Alias(row[at], row[to].strip(), rows.line_num)
    except csv.Error as error:
        raise BadAliases(f"{source}, line {rows.line_num}: {error}") from None


class _Pairs(list[tuple[str, object]]):
    """An object of JSON with its keys as they come, even twice."""


def _of_json(text: str, source: str) -> Iterator[Alias]:
    try:
        document = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        raise BadAliases(f"{source}, line {error.lineno}: no valid JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise BadAliases(f"{source}: no valid JSON: {error}") from None
    if isinstance(document, _Pairs):
        pairs: Iterable[tuple[object, object]] = document
    elif all(isinstance(item, _Pairs) and sorted(dict(item)) == sorted(COLUMNS) for item in document):
        pairs = [(dict(item)["name"], dict(item)["player"]) for item in document]
    else:
        raise BadAliases(f"{source}: every entry must be an object with name and player, and nothing else")
    for name, player in pairs:
        if not isinstance(name, str) or not isinstance(player, str):
            raise BadAliases(f"{source}: {json.dumps([name, player])[:80]}: names must be texts")
        yield Alias(name, player.strip())


def _checked(aliases: Iterable[Alias], source: str) -> Iterator[Alias]:
    seen: dict[str, Alias] = {}
    for alias in aliases:
        place = _place(alias, source)
        if not alias.name.strip() or not alias.player.strip():
            what = "name" if not alias.name.strip() else "player"
            raise BadAliases(f"{place}: the {what} is empty")
        if alias.name in seen:
            before = f" (first in line {seen[alias.name].line})" if alias.line else ""
            raise BadAliases(f"{place}: the name {_shown(alias.name)} comes twice{before}")
        seen[alias.name] = alias
        yield alias


def _resolved(aliases: list[Alias], source: str) -> list[Alias]:
    """Aliases with their last players; those of a name to itself say nothing and are left out."""
    known = {alias.name: alias.player for alias in aliases if alias.name != alias.player}
    last: dict[str, str] = {}
    for alias in aliases:
        way: dict[str, None] = {}
        name = alias.name
        while name in known and name not in last:
            if name in way:
                ring = [*way][[*way].index(name) :]
                circle = " -> ".join(map(_shown, [*ring[:5], *(["..."] if len(ring) > 5 else []), name]))
                raise BadAliases(f"{_place(alias, source)}: the names go round in a circle: {circle}")
            way[name] = None
            name = known[name]
        last |= dict.fromkeys(way, last.get(name, name))
    return [Alias(name, last[name], line) for name, _, line in aliases if name in known]


def _place(alias: Alias, source: str) -> str:
    return f"{source}, line {alias.line}" if alias.line else source


def _shown(name: str) -> str:
    return repr(name if len(name) <= 40 else f"{name[:40]}...")


def set_aliases(writer: Writer, aliases: Iterable[Alias]) -> None:
    """Let these be the aliases of a library, in the place of those before.

    Raises:
        LibraryError: the disk refuses; the message says whether they are stored.
    """
    rows = [{"name": alias.name, "player": alias.player} for alias in aliases]

    def store(catalogue: Catalogue) -> None:
        catalogue.connection.execute("DELETE FROM aliases")
        statement = "INSERT INTO aliases BY NAME SELECT * FROM these_rows"
        run_over(catalogue.connection, statement, pa.Table.from_pylist(rows, _ALIASES))

    writer.change(store, "store the aliases", "the aliases are stored")


def aliases_of(reader: Reader) -> list[dict[str, object]]:
    """Name, player, and the number of games in which the name stands so, by player."""
    rows: list[dict[str, object]] = reader.table(
        "SELECT a.name, a.player, count(DISTINCT s.game_no) AS games "
        "FROM aliases a LEFT JOIN seats s ON s.player = a.name GROUP BY ALL ORDER BY a.player, a.name"
    ).to_pylist()
    return rows
