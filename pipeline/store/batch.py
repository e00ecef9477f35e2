"""A batch: work units that enter the library together, in one transaction of the catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pipeline.errors import LibraryError
from pipeline.store.catalogue import Catalogue, State, one_row, program_version, run_over, timestamp
from pipeline.store.counts import Counts, counts_of
from pipeline.store.dedupe import Decision, RecordKey, decide, numbers_array, of_games, record_keys
from pipeline.store.digests import note_repeats, resolve
from pipeline.store.edited import apply_edits
from pipeline.store.files import as_library_errors, sync
from pipeline.store.fragments import new_contents, unseen
from pipeline.store.joining import Unjoined, join_results
from pipeline.store.partitions import PartitionFile, UnitTables, discard, rewrite, settle
from pipeline.store.recover import tidy
from pipeline.tables import CATALOGUE, FRAGMENTS, PARTITIONED, UNIT_FRAGMENTS, UNIT_GAMES

RESTATED = ("date_text", "year", "month", "day", "event", "event_round", "foreign_pieces")
"""Columns of games that a sighting keeps too, for the day it becomes the first one."""


class Batch:
    """An open batch; `Writer.batch` makes it, commits it at the end of its block, aborts it on an error."""

    def __init__(self, catalogue: Catalogue, command: str, options: Mapping[str, Any], state: State) -> None:
        self.counts = Counts()
        self.details: dict[str, Any] = {}
        self.unjoined: list[Unjoined] = []
        """Files of results of numbered games that belong to no games for sure; known when the batch is committed."""
        self._catalogue = catalogue
        self._command = command
        self._options = dict(options)
        self._started = catalogue.clock()
        self._first_file = self._next_file = state.next_file
        self._failed = False
        self._open = True
        catalogue.connection.execute("BEGIN TRANSACTION")
        self.number: int = one_row(catalogue.connection, "SELECT coalesce(max(batch), 0) + 1 FROM batches")[0]
        """Number of the batch, from 1."""

    def add_unit(self, unit: UnitTables) -> Counts:
        """Take a unit's new games into the batch; its partition files belong to the library from here on.

        Raises:
            LibraryError: the disk or the database refuses; the batch can only be aborted then.
        """
        self._check_open()
        try:
            with as_library_errors(f"cannot add unit {unit.unit} to batch {self.number}"):
                return self._add(unit)
        except BaseException:
            self._failed = True
            discard(self._catalogue.layout.root, unit.partitions)
            raise

    def _add(self, unit: UnitTables) -> Counts:
        tables = {name: unit.tables.get(name, CATALOGUE[name].empty_table()) for name in CATALOGUE}
        _check_numbers(unit.unit, tables)
        known, seen, held = self._already(tables)
        fragments, repeated = self._add_fragments(tables)
        if seen or held:
            again = (key for name in ("sightings", "quarantine") for key in record_keys(tables[name]))
            repeated |= {key[0] for key in again if key in seen or key in held}
        if repeated:
            note_repeats(self._catalogue.connection, self.number, repeated)
        decision = decide(tables["sightings"], tables["quarantine"], known, seen, held)
        stored = numbers_array(decision.new_games)
        games = of_games(tables["games"], stored)
        self._insert("games", games)
        self._insert("seats", of_games(tables["seats"], stored))
        self._insert("colours", of_games(tables["colours"], stored))
        self._insert("sightings", self._sightings(tables, decision))
        self._insert(
            "quarantine", self._with_batch(tables["quarantine"].take(numbers_array(decision.quarantine)))
        )
        numbers = tables["games"]["game_no"].combine_chunks()
        dropped = numbers.filter(pc.invert(pc.is_in(numbers, value_set=stored)))
        for file in unit.partitions:
            self._take_partition(file, dropped)
        counts = counts_of(games, decision)
        counts.results, counts.positions, counts.piece_lists = fragments
        self.counts.add(counts)
        return counts

    def _add_fragments(self, tables: dict[str, pa.Table]) -> tuple[list[int], set[str]]:
        """Take what is no game; how many there are of each kind, and digests of files that were there before."""
        repeated: set[str] = set()
        for name in FRAGMENTS:
            rows, again = unseen(self._catalogue.connection, name, tables[name])
            self._insert(name, self._with_batch(rows))
            repeated |= again
        return [tables[name].num_rows for name in FRAGMENTS], repeated

    def _already(self, tables: dict[str, pa.Table]) -> tuple[dict[str, int], set[RecordKey], set[RecordKey]]:
        """What the library and the batch so far hold of a unit: games by id, sightings, quarantine rows."""
        found: list[list[tuple[Any, ...]]] = []
        record = ["digest", "record"]
        for name, asked, answer, key in (
            ("sightings", "games", ["id", "game_no"], ["id"]),
            ("sightings", "sightings", record, record),
            ("quarantine", "quarantine", record, record),
        ):
            rows = tables[name].select(key)
            question = (
                f"SELECT {', '.join(answer)} FROM {asked} SEMI JOIN these_rows USING ({', '.join(key)})"
            )
            found.append(run_over(self._catalogue.connection, question, rows) if rows.num_rows else [])
        return dict(found[0]), set(found[1]), set(found[2])

    def _insert(self, name: str, rows: pa.Table) -> None:
        if rows.num_rows:
            statement = f"INSERT INTO {name} BY NAME SELECT * FROM these_rows"
            run_over(self._catalogue.connection, statement, rows)

    def _with_batch(self, rows: pa.Table) -> pa.Table:
        return rows.append_column("batch", pa.array([self.number] * rows.num_rows, pa.int32()))

    def _sightings(self, tables: dict[str, pa.Table], decision: Decision) -> pa.Table:
        rows = tables["sightings"].take(numbers_array(decision.sightings))
        games = tables["games"]
        own_game = pc.index_in(rows["game_no"], value_set=games["game_no"].combine_chunks())
        columns = {name: games[name].take(own_game) for name in RESTATED}
        columns["seen_no"] = rows["game_no"]
        at = rows.schema.get_field_index("game_no")
        rows = self._with_batch(rows.set_column(at, "game_no", numbers_array(decision.targets)))
        for name, column in columns.items():
            rows = rows.append_column(name, column)
        return rows

    def _take_partition(self, file: PartitionFile, dropped: pa.Array) -> None:
        root = self._catalogue.layout.root
        kept: PartitionFile | None = file
        if len(dropped):
            kept = rewrite(root, file.kind, [file.name], dropped)
            discard(root, [file])
        if kept is not None:
            place(self._catalogue, kept, self._next_file)
            self._next_file += 1

    def resolve_digest(self, stand_in: str, digest: str) -> None:
        """Say what the digest is that some units of this batch had only a stand-in for, unique to the source.

        Raises:
            LibraryError: as `add_unit`.
        """
        self._check_open()
        try:
            with as_library_errors(f"cannot complete batch {self.number}"):
                taken = resolve(self._catalogue.connection, self.number, stand_in, digest)
                if len(taken.games):
                    self._drop_games(taken.games)
        except BaseException:
            self._failed = True
            raise
        counts = self.counts
        counts.sightings -= taken.sightings
        counts.stored -= len(taken.games)
        counts.duplicates += len(taken.games)
        counts.plies -= taken.plies
        counts.quarantined -= taken.flags["illegal"]
        for flag, number in taken.flags.items():
            setattr(counts, flag, getattr(counts, flag) - number)

    def _drop_games(self, games: pa.Array) -> None:
        """Rewrite the batch's own partitions without some of its games."""
        root = self._catalogue.layout.root
        question = "SELECT kind, file FROM partitions WHERE file >= ? AND first_game <= ? AND last_game >= ?"
        ends = pc.min_max(games).as_py()
        values = [self._first_file, ends["max"], ends["min"]]
        for kind, number in self._catalogue.connection.execute(question, values).fetchall():
            old = self._catalogue.layout.partition(kind, number)
            kept = rewrite(root, kind, [old.name], games)
            self._catalogue.connection.execute("DELETE FROM partitions WHERE file = ?", [number])
            old.unlink()
            if kept is not None:
                place(self._catalogue, kept, self._next_file)
                self._next_file += 1

    def commit(self, next_unit: int) -> None:
        """Make the batch part of the library, all at once.

        Raises:
            LibraryError: the disk or the database refuses; the library is as it was before the batch.
        """
        self._check_open()
        try:
            with as_library_errors(f"cannot commit batch {self.number}"):
                for kind in PARTITIONED:
                    sync(self._catalogue.layout.partitions(kind))
                self._mark_other_rules()
                self._close_fragments()
                apply_edits(self._catalogue, f"SELECT game_no FROM sightings WHERE batch = {self.number:d}")
                self._record()
                self._catalogue.advance(next_unit, self._next_file)
                self._catalogue.connection.execute("COMMIT")
        except BaseException:
            self.abort()
            raise
        self._open = False

    def _mark_other_rules(self) -> None:
        """A worker judges each record by the rules it states; only here is it known which sighting came first."""
        self._catalogue.connection.execute(
            "UPDATE sightings s SET rules_differ = s.rules IS DISTINCT FROM g.rules FROM games g "
            "WHERE s.batch = ? AND g.game_no = s.game_no AND s.game_no <> s.seen_no",
            [self.number],
        )

    def _close_fragments(self) -> None:
        """Only now is it known which games are there, and what was said twice."""
        counts = self.counts
        if counts.fragments:
            connection = self._catalogue.connection
            counts.known_fragments = counts.fragments - new_contents(connection, self.number)
            self.unjoined = join_results(connection, self.number)
            if self.unjoined:
                self.details["unjoined_results"] = [file._asdict() for file in self.unjoined]

    def _record(self) -> None:
        clock = self._catalogue.clock
        row = {
            "batch": self.number,
            "started": timestamp(self._started),
            "finished": timestamp(clock()),
            "command": self._command,
            "options": json.dumps(self._options, default=str),
            "program": program_version(),
            **asdict(self.counts),
            "details": json.dumps(self.details, default=str),
        }
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        statement = f"INSERT INTO batches ({names}) VALUES ({marks})"
        self._catalogue.connection.execute(statement, list(row.values()))

    def abort(self) -> None:
        """Leave the library as it was before the batch; its files go."""
        if self._open:
            self._open = False
            tidy(self._catalogue)

    def _check_open(self) -> None:
        if not self._open:
            raise LibraryError(f"batch {self.number} is closed")
        if self._failed:
            raise LibraryError(f"batch {self.number} has failed and can only be aborted")


def place(catalogue: Catalogue, file: PartitionFile, number: int) -> None:
    """Give a partition its final name and list it; part of a transaction."""
    size = settle(catalogue.layout.root, file, catalogue.layout.partition(file.kind, number))
    catalogue.connection.execute(
        "INSERT INTO partitions VALUES (?, ?, ?, ?, ?, ?)",
        [file.kind, number, file.first_game, file.last_game, file.rows, size],
    )


def retire(catalogue: Catalogue, kind: str, files: list[int]) -> None:
    """Take partitions off the list; part of a transaction. They stay until no snapshot lists them."""
    catalogue.connection.execute(
        "INSERT INTO retired SELECT kind, file, ? FROM partitions WHERE kind = ? AND list_contains(?, file)",
        [catalogue.layout.next_snapshot(), kind, files],
    )
    catalogue.connection.execute(
        "DELETE FROM partitions WHERE kind = ? AND list_contains(?, file)", [kind, files]
    )


def _check_numbers(unit: int, tables: dict[str, pa.Table]) -> None:
    limits = [("games", "game_no", UNIT_GAMES), *((name, "seen_no", UNIT_FRAGMENTS) for name in FRAGMENTS)]
    for name, column, most in limits:
        if tables[name].num_rows:
            ends = pc.min_max(tables[name][column]).as_py()
            if ends["min"] < unit * most or ends["max"] >= (unit + 1) * most:
                raise LibraryError(f"numbers {ends['min']} to {ends['max']} of {name} are not of unit {unit}")
