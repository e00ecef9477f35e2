"""Opening, creating, locking, migrating and moving a library."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from pipeline.errors import LibraryBusy, LibraryError, LibraryTooNew, LibraryTooOld, NotALibrary
from pipeline.store import catalogue, check_library, open_reader, open_writer
from pipeline.tables import INDEXES, PARTITIONED
from tests.pipeline.factory import Found, add

ROOT = Path(__file__).parents[2]
HOLDER = """
import os, sys
from pipeline.store import open_writer
writer = open_writer(sys.argv[1], command="cornerwise import archive")
if len(sys.argv) > 2 and not os.fork():
    print(os.getppid(), flush=True)
    sys.stdin.read()
    os._exit(0)
if len(sys.argv) == 2:
    print(os.getpid(), flush=True)
sys.stdin.read()
writer.close()
"""


@contextmanager
def holder(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Another process that has the library open for writing until its standard input ends."""
    command = [sys.executable, "-c", HOLDER, str(folder), *more]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        assert process.stdout is not None and process.stdin is not None
        yield process, int(process.stdout.readline())
        if not process.stdin.closed:
            process.stdin.close()


def test_a_new_library_is_empty_sound_and_readable(tmp_path: Path) -> None:
    open_writer(tmp_path / "deep" / "down").close()
    with open_reader(tmp_path / "deep" / "down") as reader:
        assert check_library(reader) == []
        assert reader.table("SELECT count(*) AS n FROM moves").to_pylist() == [{"n": 0}]
        assert reader.table("FROM games_view").num_rows == 0


def test_a_second_writer_is_told_who_holds_the_library(tmp_path: Path) -> None:
    with holder(tmp_path) as (_, pid), pytest.raises(LibraryBusy) as caught:
        open_writer(tmp_path, wait=0)
    assert f"{tmp_path} is being written by process {pid} on " in str(caught.value)
    assert "(cornerwise import archive), since 20" in caught.value.holder


def test_a_second_writer_waits_for_the_first(tmp_path: Path) -> None:
    told: list[str] = []
    with holder(tmp_path) as (process, pid):
        assert process.stdin is not None

        def waiting(who: str) -> None:
            told.append(who)
            assert process.stdin is not None
            process.stdin.close()

        with open_writer(tmp_path, waiting=waiting) as writer:
            assert add(writer, Found("a")) == 1
    assert len(told) == 1 and f"process {pid} " in told[0]


def test_two_writers_of_one_process_exclude_each_other_too(tmp_path: Path) -> None:
    with open_writer(tmp_path, command="first"), pytest.raises(LibraryBusy, match=r"\(first\)"):
        open_writer(tmp_path, wait=0)
    open_writer(tmp_path, wait=0).close()


def test_workers_of_a_killed_writer_do_not_hold_the_library(tmp_path: Path) -> None:
    with holder(tmp_path, "with a forked worker") as (process, pid):
        assert process.pid == pid
        process.kill()
        process.wait()
        open_writer(tmp_path).close()


@pytest.mark.parametrize("name", ["notes.txt", "moves.csv"])
def test_a_folder_of_something_else_is_refused_untouched(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(NotALibrary, match="holds other files"):
        open_writer(tmp_path)
    assert os.listdir(tmp_path) == [name]
    with pytest.raises(NotALibrary, match="no library at"):
        open_reader(tmp_path)


def test_a_path_that_the_database_would_misread_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="question mark"):
        open_writer(tmp_path / "what?")


@pytest.mark.parametrize(("name", "says"), [("back\\slash", "backslash"), ("\udcff", "no UTF-8")])
def test_other_names_that_the_database_cannot_have(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(LibraryError, match=says):
        open_writer(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine")
    for opened in (open_writer, open_reader):
        with pytest.raises(NotALibrary):
            opened(tmp_path / "x")


def test_another_database_and_no_database_are_refused(tmp_path: Path) -> None:
    duckdb.connect(str(tmp_path / "library.duckdb")).close()
    with pytest.raises(NotALibrary, match="not a library of game records"):
        open_writer(tmp_path)
    (tmp_path / "library.duckdb").write_bytes(b"GIF89a" * 5000)
    with pytest.raises(LibraryError, match=r"is damaged, or no catalogue: .*not a valid DuckDB"):
        open_writer(tmp_path)


def test_nothing_is_created_when_that_is_not_asked_for(tmp_path: Path) -> None:
    with pytest.raises(NotALibrary, match="no library at"):
        open_writer(tmp_path / "x", create=False)
    assert not (tmp_path / "x").exists()


def test_a_creation_that_was_killed_is_begun_again(tmp_path: Path) -> None:
    for name in ("library.new.tmp", "library.new.tmp.wal", "library.lock"):
        (tmp_path / name).write_text("half")
    (tmp_path / "moves").mkdir()
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
    folders = sorted((*PARTITIONED, *INDEXES, "snapshots"))
    assert sorted(os.listdir(tmp_path)) == sorted(["library.duckdb", "library.lock", *folders])


def test_a_lost_catalogue_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
    (tmp_path / "library.duckdb").unlink()
    with pytest.raises(LibraryError, match=r"is missing; the newest file in .*snapshots is a copy of it"):
        open_writer(tmp_path)
    newest = max((tmp_path / "snapshots").glob("*.duckdb"))
    shutil.copy(newest, tmp_path / "library.duckdb")
    with open_writer(tmp_path) as writer:
        assert add(writer, Found("b", record=2)) == 2


@pytest.mark.parametrize("damage", ["all", "cut", "a block"])
def test_a_damaged_catalogue_is_told_with_its_copy_and_readers_go_on(tmp_path: Path, damage: str) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
    path = tmp_path / "library.duckdb"
    good = path.read_bytes()
    bad = {
        "all": b"GIF89a" * 5000,
        "cut": good[: len(good) // 2],
        "a block": good[:4096] + b"!" + good[4097:],
    }
    path.write_bytes(bad[damage])
    with pytest.raises(
        LibraryError, match=r"damaged.*snapshots is a copy.*put library-000002.duckdb"
    ) as caught:
        open_writer(tmp_path)
    assert not isinstance(caught.value, NotALibrary)
    with open_reader(tmp_path) as reader:
        assert reader.table("FROM games").num_rows == 1


def test_a_library_without_snapshots_says_what_makes_one(tmp_path: Path) -> None:
    open_writer(tmp_path).close()
    for garbage in (b"", b"\xff\xfe garbage"):
        (tmp_path / "snapshots" / "current").write_bytes(garbage)
        with pytest.raises(LibraryError, match="no snapshot for readers yet"):
            open_reader(tmp_path)
    open_writer(tmp_path).close()
    open_reader(tmp_path).close()


def test_a_library_of_a_later_version_is_refused(tmp_path: Path) -> None:
    open_writer(tmp_path).close()
    with duckdb.connect(str(tmp_path / "library.duckdb")) as connection:
        connection.execute("INSERT INTO library_version VALUES (99, '9.0', now()::TIMESTAMP)")
    with pytest.raises(LibraryTooNew, match="schema version 99, made by a later version of the program"):
        open_writer(tmp_path)


def test_an_older_library_is_brought_up_to_date_by_a_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
    script = catalogue.script
    monkeypatch.setattr(
        "pipeline.store.catalogue.MIGRATIONS", ("schema_1.sql", "schema_2.sql", "schema_3.sql")
    )
    monkeypatch.setattr("pipeline.store.reader.MIGRATIONS", ("schema_1.sql", "schema_2.sql", "schema_3.sql"))
    added = "ALTER TABLE games ADD COLUMN mood VARCHAR DEFAULT 'calm'"
    monkeypatch.setattr(
        "pipeline.store.catalogue.script", lambda name: added if name == "schema_3.sql" else script(name)
    )
    with pytest.raises(LibraryTooOld, match="schema version 2, this program reads 3"):
        open_reader(tmp_path)
    open_writer(tmp_path).close()
    with open_reader(tmp_path) as reader:
        assert reader.table("SELECT mood FROM games").to_pylist() == [{"mood": "calm"}]
        assert reader.table("SELECT version FROM library_version ORDER BY 1").to_pydict() == {
            "version": [1, 2, 3]
        }


@pytest.mark.parametrize("name", ["moved", "with, comma", "it's [odd] *", "ünïcode"])
def test_a_library_can_be_moved(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_writer(tmp_path / "old") as writer:
        add(writer, Found("a"))
    with open_writer(tmp_path / "decoy") as writer:
        add(writer, Found("d", plies=9))
    shutil.move(tmp_path / "old", tmp_path / name)
    # Relative paths in a database would be looked up in the current folder first.
    monkeypatch.chdir(tmp_path / "decoy")
    with open_writer(tmp_path / name) as writer:
        add(writer, Found("b", record=2))
        writer.undo(1)
    with open_reader(Path("..") / name) as reader:
        assert check_library(reader) == []
        assert reader.ask("SELECT count(*) AS n FROM moves").table.to_pylist() == [{"n": 3}]
