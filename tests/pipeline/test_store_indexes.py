"""The indexes that publication makes: complete, merged when there are many, without what was taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.game_selection import Selection
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.openings.explorer import explore
from pipeline.openings.positions import start_spot
from pipeline.store import check_library, indexes, open_reader, open_writer


def batches(folder: Path, count: int) -> Path:
    """A library of so many batches of four games each."""
    for number in range(count):
        write_archive(folder / f"{number}.blksgf", "duo", 4, number, {})
        import_paths(folder / "L", [str(folder / f"{number}.blksgf")], jobs=1)
    return folder / "L"


def test_many_small_index_partitions_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "MANY", 3)
    library = batches(tmp_path, 5)
    with open_reader(library) as reader:
        assert check_library(reader) == []
        files = reader.table("SELECT kind, count(*) AS n FROM partitions GROUP BY kind").to_pylist()
        assert {row["kind"]: row["n"] for row in files if row["kind"] in ("openings", "orders")} == {
            "openings": 2,
            "orders": 2,
        }
        rows = reader.table(
            "SELECT count(*) AS n, count(DISTINCT (game_no, depth)) AS different FROM openings_raw"
        ).to_pylist()[0]
        moves = reader.table("SELECT count(*) AS n FROM moves WHERE ply <= 25").to_pylist()[0]["n"]
        assert rows == {"n": moves, "different": moves}
        assert explore(reader, start_spot("duo")).games == 20


def test_what_is_taken_back_counts_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = batches(tmp_path, 3)
    with open_writer(library) as writer:
        writer.undo(2)
    with open_reader(library) as reader:
        found = explore(reader, start_spot("duo"), Selection("duo"))
        assert found.games == sum(row["games"] for row in found.moves) == 8
        assert sum(row["reached"] for row in found.moves) == 8
        assert check_library(reader) == []


def test_orders_hold_the_round_of_every_piece(tmp_path: Path) -> None:
    write_archive(tmp_path / "j.blksgf", "junior", 3, 1, {})
    import_paths(tmp_path / "L", [str(tmp_path / "j.blksgf")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        orders = reader.table("SELECT game_no, colour, seat, rounds FROM orders_raw ORDER BY ALL").to_pylist()
        assert len(orders) == 6
        for row in orders:
            moves = reader.table(
                "SELECT round FROM moves WHERE game_no = ? AND colour = ?", [row["game_no"], row["colour"]]
            )
            assert sorted(x for x in row["rounds"] if x) == sorted(moves["round"].to_pylist())
            assert len(row["rounds"]) == 24 and row["seat"] == row["colour"]
