"""A work unit: portions of sources in, tables out. Pure and repeatable, so that any process may do it."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from notation.dates import parse_date
from notation.errors import BadRecord, NotationError
from notation.formats import FORMATS
from notation.fragments import Fragment, Item
from notation.record import GameRecord, Problem
from notation.stream import Chunk, ReadOptions
from pipeline.fragment_rows import add_fragment
from pipeline.judged import RuleChoice, group_records
from pipeline.rows import Origin, Rows, add_group
from pipeline.stopping import check_stop
from pipeline.store.partitions import UnitTables, write_unit
from pipeline.tables import UNIT_FRAGMENTS, UNIT_GAMES

TEXT_SHOWN = 200
"""Characters of an offending record that the quarantine keeps."""


TOO_MANY = "more records in one piece of the input than can be numbered"


@dataclass(frozen=True, slots=True)
class Portion:
    """Whole records of one source. `digest` is of the whole source, or a stand-in until that is known."""

    source: str
    digest: str
    format: str
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Reading:
    """How records are read and judged.

    Format of the caller's choice, variant where records do not say it, rules, columns of tables by pairs of
    their name and ours.
    """

    format: str | None = None
    variant: str | None = None
    rules: RuleChoice = field(default_factory=RuleChoice)
    columns: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Found:
    """What was found: a record, a fragment, or why there is none; and where it came from."""

    item: Item
    origin: Origin


def read_portion(portion: Portion, reading: Reading) -> Iterator[Found]:
    """Every record of a portion."""
    chunk = portion.chunk
    options = ReadOptions(portion.source, reading.variant, reading.columns)
    for index, item in enumerate(FORMATS[portion.format].read(chunk, options)):
        check_stop()
        if not isinstance(item, NotationError):
            _check_date(item)
        line = (item.where.line if isinstance(item, NotationError) else item.line) or chunk.line
        yield Found(item, Origin(portion.source, portion.digest, chunk.record + index, line))


def _check_date(item: GameRecord | Fragment) -> None:
    """Warn of a date that is none: formats differ in where it stands, not in how it is written."""
    problem = parse_date(item.headers.get("date", "")).problem
    if problem is not None:
        item.problems.append(Problem("date_invalid", f"date: {problem}", item.line))


@contextmanager
def _without_cycles() -> Iterator[None]:
    """Keep Python from looking for unreachable cycles: there are none, and hundreds of thousands of live records."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def unit_tables(unit: int, portions: Sequence[Portion], reading: Reading) -> Rows:
    """Read, replay and score the records of a unit; `unit` numbers its games, and what is no game."""
    rows = Rows()
    records: list[GameRecord] = []
    origins: list[Origin] = []
    fragments = count(unit * UNIT_FRAGMENTS)
    for portion in portions:
        for found in read_portion(portion, reading):
            item, origin = found.item, found.origin
            if isinstance(item, NotationError):
                _refuse(rows, item, origin)
            elif not isinstance(item, GameRecord):
                if (number := next(fragments)) < (unit + 1) * UNIT_FRAGMENTS:
                    _keep(rows, item, origin, number)
                else:
                    _refuse(rows, BadRecord(TOO_MANY), origin)
            elif len(records) < UNIT_GAMES:
                records.append(item)
                origins.append(origin)
            else:
                _refuse(rows, BadRecord(TOO_MANY), origin)
    groups, refused = group_records(records, reading.rules)
    for index, error in refused:
        _refuse(rows, error, origins[index])
    first = unit * UNIT_GAMES
    for group in groups:
        add_group(rows, group, [first + i for i in group.index], [origins[i] for i in group.index])
    return rows


def _keep(rows: Rows, fragment: Fragment, origin: Origin, number: int) -> None:
    try:
        add_fragment(rows, fragment, origin, number)
    except NotationError as error:
        _refuse(rows, error, origin)


def process_unit(folder: Path, unit: int, portions: Sequence[Portion], reading: Reading) -> UnitTables:
    """Make the tables of a unit and write the big ones as partitions into the library's folder."""
    with _without_cycles():
        return write_unit(folder, unit, unit_tables(unit, portions, reading).tables())


def _refuse(rows: Rows, error: NotationError, origin: Origin) -> None:
    rows.add_problem(origin, error.code, error.message, error.text[:TEXT_SHOWN])
