"""Snapshots, how long they stay, and the merging of small partitions."""

from pathlib import Path

import pytest

from pipeline.errors import LibraryError
from pipeline.store import Writer, check_library, open_reader, open_writer
from pipeline.store.layout import Layout
from pipeline.store.merge import BUDGET_ROWS, MANY, TARGET_ROWS, Small, plan
from tests.pipeline.factory import Found, add, files


class Clock:
    """A clock that stands still until told."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def one_more(writer: Writer, number: int) -> None:
    add(writer, Found(str(number), source=str(number)))


def test_snapshots_stay_for_an_hour_after_the_next_one_and_three_for_ever(tmp_path: Path) -> None:
    clock = Clock()
    layout = Layout.of(tmp_path)
    with open_writer(tmp_path, clock=clock) as writer:  # snapshot 1
        for _ in range(5):  # 2 to 6
            clock.now += 600
            writer.publish()
        assert layout.snapshot_numbers() == [1, 2, 3, 4, 5, 6]
        clock.now += 3000  # number 3 was the newest until 4200 s before, 4 until 3600 s before
        writer.publish()
        assert layout.snapshot_numbers() == [4, 5, 6, 7]
        clock.now += 86_400
        writer.publish()
        assert layout.snapshot_numbers() == [6, 7, 8]
    assert files(layout.snapshots) == ["current", *(f"library-00000{n}.duckdb" for n in (6, 7, 8))]


def test_a_partition_stays_while_a_kept_snapshot_lists_it(tmp_path: Path) -> None:
    clock = Clock()
    with open_writer(tmp_path, clock=clock) as writer:
        one_more(writer, 1)
        with open_reader(tmp_path) as reader:
            old = reader.cursor()
            writer.undo(1)
            clock.now += 3599
            writer.publish()
            assert old.execute("SELECT count(*) FROM moves").fetchall() == [(3,)]
            assert files(tmp_path / "moves") == ["000000001.parquet"]
        clock.now += 3602
        writer.publish()
        assert files(tmp_path / "moves") == []


def test_many_small_partitions_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.store.merge.MANY", 6)
    clock = Clock()
    with open_writer(tmp_path, clock=clock) as writer:
        for number in range(6):
            one_more(writer, number)
            clock.now += 3601
        writer.publish()
        writer.publish()
        writer.publish()
    assert len(files(tmp_path / "moves")) == len(files(tmp_path / "passes")) == 1
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == []
        rows = reader.table("SELECT game_no, ply FROM moves_raw").to_pylist()
        assert rows == sorted(rows, key=lambda row: (row["game_no"], row["ply"]))
        assert len(rows) == 3 * 6
        assert reader.table("SELECT piece FROM moves LIMIT 1").to_pylist() == [{"piece": "1"}]


def test_a_merged_partition_can_be_undone_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.store.merge.MANY", 3)
    with open_writer(tmp_path) as writer:
        for number in range(6):
            one_more(writer, number)
        writer.undo(2)
        writer.undo(5)
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == []
        assert reader.table("SELECT count(*) AS n FROM moves").to_pylist() == [{"n": 12}]


def test_merging_waits_for_many_and_stops_at_its_budget() -> None:
    assert plan([Small(n, 10) for n in range(MANY - 1)]) == []
    groups = plan([Small(n, 70_000) for n in range(100)])
    assert [part.file for part in groups[0]] == list(range(BUDGET_ROWS // 70_000))
    groups = plan([Small(n, TARGET_ROWS // 40) for n in range(100)])
    assert [len(group) for group in groups] == [40]


def test_a_publication_that_failed_is_made_up_for_by_the_next_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_writer(tmp_path) as writer:
        message = "batch 1 is stored, but readers do not see it yet: .*killed; the next writer publishes it"
        with monkeypatch.context() as patch, pytest.raises(LibraryError, match=message):
            patch.setattr("pipeline.store.writer.publish", failing)
            one_more(writer, 1)
    with open_reader(tmp_path) as reader:
        assert reader.table("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 0}]
        open_writer(tmp_path).close()
        assert reader.table("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 1}]


def failing(*_: object) -> int:
    raise OSError("killed")


def test_opening_a_published_library_publishes_nothing(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        one_more(writer, 1)
    before = files(tmp_path / "snapshots")
    open_writer(tmp_path).close()
    assert files(tmp_path / "snapshots") == before


def test_lost_snapshots_are_made_again(tmp_path: Path) -> None:
    with open_writer(tmp_path) as writer:
        one_more(writer, 1)
    for path in (tmp_path / "snapshots").iterdir():
        path.unlink()
    open_writer(tmp_path).close()
    with open_reader(tmp_path) as reader:
        assert check_library(reader) == []


def test_a_batch_taken_back_whose_publication_failed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_writer(tmp_path) as writer:
        one_more(writer, 1)
        message = (
            "batch 1 is taken back, but readers do not see it yet: .*killed; the next writer publishes it"
        )
        with monkeypatch.context() as patch, pytest.raises(LibraryError, match=message):
            patch.setattr("pipeline.store.writer.publish", failing)
            writer.undo(1)
    open_writer(tmp_path).close()
    with open_reader(tmp_path) as reader:
        assert reader.table("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 0}]
