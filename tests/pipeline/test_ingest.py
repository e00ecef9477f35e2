"""Import: counts, sightings, rules, and the same answer on any number of workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline import ingest
from pipeline.errors import PipelineError
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.store import check_library, open_reader
from pipeline.unit import Reading
from tests import records
from tests.places import REPOSITORY

DATA = REPOSITORY / "data"

TABLES = {
    "games": "game_no",
    "seats": "game_no, seat",
    "colours": "game_no, colour",
    "sightings": "game_no, seen_no",
    "quarantine": "source, record",
    "moves": "game_no, ply",
    "passes": "game_no, turn",
}


def contents(library: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of a library, without what differs between two imports of the same."""
    with open_reader(library) as reader:
        return {
            name: reader.table(f"FROM {name} ORDER BY {order}").to_pylist() for name, order in TABLES.items()
        }


def test_any_number_of_workers_gives_the_same_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "UNIT_PORTIONS", 5)  # so that there is something to share out
    for jobs in (1, 2):
        import_paths(tmp_path / f"L{jobs}", [str(DATA)], jobs=jobs)
    one, two = contents(tmp_path / "L1"), contents(tmp_path / "L2")
    assert one == two
    assert len({row["game_no"] >> 20 for row in one["games"]}) > 5
    for jobs in (1, 2):
        with open_reader(tmp_path / f"L{jobs}") as reader:
            assert check_library(reader) == []


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    import_paths(tmp_path / "L", [str(DATA)], jobs=1)
    before = contents(tmp_path / "L")
    again = import_paths(tmp_path / "L", [str(DATA), str(DATA / "games")], jobs=1)
    assert (again.counts.stored, again.counts.sightings, again.counts.plies) == (0, 0, 0)
    after = contents(tmp_path / "L")
    for name in ("games", "seats", "colours", "sightings", "moves", "passes"):
        assert after[name] == before[name]


def test_the_rules_of_the_first_sighting_govern(tmp_path: Path) -> None:
    path = tmp_path / "corner.blksgf"
    path.write_text(records.O_A9_CORNER)
    wide = Reading(rules=RuleChoice({"start": "any_corner"}))
    import_paths(tmp_path / "L", [str(path)], wide, jobs=1)
    path.write_text(records.O_A9_CORNER + "\n")
    import_paths(tmp_path / "L", [str(path)], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        (game,) = reader.table("SELECT illegal, rules FROM games").to_pylist()
        differ = reader.table("SELECT rules_differ FROM sightings ORDER BY seen_no")[
            "rules_differ"
        ].to_pylist()
        quarantined = reader.table("SELECT * FROM quarantine").num_rows
    assert game == {"illegal": False, "rules": '{"start": "any_corner"}'}
    assert differ == [False, True]
    assert quarantined == 0


def test_a_missing_path_stores_nothing(tmp_path: Path) -> None:
    good = tmp_path / "good.blksgf"
    good.write_text(records.O_A1)
    with pytest.raises(PipelineError, match="no such file"):
        import_paths(tmp_path / "L", [str(good), str(tmp_path / "missing")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        assert reader.table("SELECT * FROM games").num_rows == 0


def test_progress_is_told_and_only_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "UNIT_PORTIONS", 10)
    told: list[tuple[int, int]] = []
    import_paths(
        *(tmp_path / "L", [str(DATA / "games")]),
        jobs=1,
        progress=lambda inventory, counts: told.append((inventory.files, counts.games)),
    )
    assert told == sorted(told) and len(told) > 2 and told[-1] == (40, 201)
