"""Killed writers and full disks: the library opens again and holds whole batches only."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import LibraryError
from pipeline.store import check_library, open_reader, open_writer, write_unit
from pipeline.store.layout import Layout
from pipeline.store.partitions import rewrite
from tests.pipeline import killed_writer
from tests.pipeline.factory import Found, add, files, game_id, tables, unit


def test_a_writer_killed_at_twenty_moments_loses_no_finished_batch(tmp_path: Path) -> None:
    command = [sys.executable, "-m", killed_writer.__name__, str(tmp_path / "k"), "2"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == killed_writer.DEATHS
    assert "SIGKILL" in done.stdout


def full(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def after(calls: int, real: Callable[..., Any]) -> Callable[..., Any]:
    """A function that works some times and then finds the disk full."""
    left = [calls]

    def limited(*args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        return real(*args, **kwargs) if left[0] >= 0 else full()

    return limited


FAILING = {
    "writing a partition": ("pipeline.store.partitions.sync", 0),
    "writing the second partition": ("pipeline.store.partitions.sync", 1),
    "naming a partition": ("os.replace", 0),
    "naming the second partition": ("os.replace", 1),
    "rewriting a partition": ("pipeline.store.batch.rewrite", 0),
    "making names last": ("pipeline.store.batch.sync", 0),
}


@pytest.mark.parametrize("what", FAILING)
def test_a_full_disk_leaves_nothing_of_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    name, calls = FAILING[what]
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"))
        before = files(tmp_path / "moves"), files(tmp_path / "passes")
        with monkeypatch.context() as patch, pytest.raises(LibraryError, match="the disk is full"):
            patch.setattr(name, after(calls, {"os.replace": os.replace}.get(name, lambda *_: None)))
            add(writer, Found("a", source="copy"), Found("b", source="copy", record=2))
        assert (files(tmp_path / "moves"), files(tmp_path / "passes")) == before
        assert add(writer, Found("c", record=3)) == 2
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == []
        ids = [row["id"] for row in reader.table("SELECT id FROM games ORDER BY game_no").to_pylist()]
    assert ids == [game_id("a"), game_id("c")]


@pytest.mark.parametrize(
    "name", ["shutil.copyfile", "pipeline.store.files.sync", "pipeline.store.publish.write_whole"]
)
def test_a_full_disk_while_publishing_keeps_the_batch_and_the_old_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with open_writer(tmp_path) as writer:
        message = "batch 1 is stored, but readers do not see it yet: .*the disk is full"
        with monkeypatch.context() as patch, pytest.raises(LibraryError, match=message):
            patch.setattr(name, full)
            add(writer, Found("a"))
        with open_reader(tmp_path) as reader:
            assert reader.table("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 0}]
            assert add(writer, Found("b", record=2)) == 2
            assert reader.table("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 2}]
    assert not list(Layout.of(tmp_path).snapshots.glob("*.tmp"))


def test_ctrl_c_while_publishing_says_that_the_batch_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with (
        open_writer(tmp_path) as writer,
        monkeypatch.context() as patch,
        pytest.raises(KeyboardInterrupt, match=r"stopped: batch 1 is stored, but .*next writer publishes it"),
    ):
        patch.setattr("pipeline.store.publish.write_whole", interrupted)
        add(writer, Found("a"))
    open_writer(tmp_path).close()
    with open_reader(tmp_path) as reader:
        assert reader.table("FROM games").num_rows == 1


def test_a_full_disk_while_undoing_or_merging_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_writer(tmp_path) as writer:
        add(writer, Found("a"), Found("b", record=2))
        add(writer, Found("a", source="copy"))
        before = files(tmp_path / "moves")
        with (
            monkeypatch.context() as patch,
            pytest.raises(LibraryError, match="batch 1 back: the disk is full"),
        ):
            patch.setattr("pipeline.store.merge.rewrite", full)
            writer.undo(1)
        monkeypatch.setattr("pipeline.store.merge.MANY", 2)
        with (
            monkeypatch.context() as patch,
            pytest.raises(LibraryError, match=r"publish .* the disk is full"),
        ):
            patch.setattr("pipeline.store.merge.rewrite", after(1, rewrite))
            add(writer, Found("c", record=3))
        assert len(files(tmp_path / "moves")) == len(before) + 1  # the batch's own
        assert writer.undo(1).games_removed == 1
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == []


def test_an_error_of_the_database_is_an_error_of_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_writer(tmp_path) as writer:
        with monkeypatch.context() as patch, pytest.raises(LibraryError, match="cannot commit batch 1: "):
            patch.setattr("pipeline.store.batch.program_version", lambda: object())
            add(writer, Found("a"))
        assert add(writer, Found("b")) == 1
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == []


def test_a_batch_that_has_failed_cannot_be_committed(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        with pytest.raises(LibraryError, match="has failed and can only be aborted"), writer.batch() as batch:
            made = unit(writer, [Found("a")])
            for file in made.partitions:
                (tmp_path / file.kind / file.name).unlink()
            with pytest.raises(LibraryError, match="cannot add unit"):
                batch.add_unit(made)
        assert files(tmp_path / "moves") == []


def test_tables_of_another_shape_leave_no_file(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        made = tables(1, [Found("a")])
        made["passes"] = made["passes"].drop_columns(["turn"])
        with pytest.raises(ValueError, match="turn"):
            write_unit(writer.folder, 1, made)
        assert files(tmp_path / "moves") == files(tmp_path / "passes") == []
