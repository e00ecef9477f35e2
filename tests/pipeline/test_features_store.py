"""The features of a library: those of the engine, whatever happens to the run, the games and the definitions."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from engine.features import COLOUR_COLUMNS, POSITION_COLUMNS
from engine.measures import definitions
from pipeline.errors import NotALibrary
from pipeline.features import columns as feature_columns
from pipeline.features import compute as features
from pipeline.features import unit as feature_unit
from pipeline.features.compute import FeatureSummary, compute_features
from pipeline.store import check_library, merge, open_reader, open_writer
from tests.pipeline.measured import (
    everything,
    expected_colours,
    expected_positions,
    generated,
    imported,
    measured,
    odd_games,
    records,
)
from tests.places import REPOSITORY


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured library of odd games; tests only read it."""
    folder = tmp_path_factory.mktemp("odd")
    library = imported(folder, folder / "L", odd_games())
    compute_features(library, jobs=1)
    return library


def small_units(monkeypatch: pytest.MonkeyPatch, plies: int = 200) -> None:
    monkeypatch.setattr(features, "TASK_PLIES", plies)


def test_columns_are_those_of_the_engine() -> None:
    sectors = tuple(f"corner_access_{sector}" for sector in range(1, 7))
    assert feature_columns.FEATURES.names == ["game_no", "ply", "colour", *COLOUR_COLUMNS, *sectors]
    assert feature_columns.POSITION_MEASURES == POSITION_COLUMNS
    named = {name.rsplit("_", 1)[0] if name in sectors else name for name in feature_columns.COLOUR_MEASURES}
    known = named | {*POSITION_COLUMNS, feature_columns.CENTRE_CONTACT, "fitting_mask"}
    assert known == set(definitions())


def test_rows_are_those_of_the_rebuilt_records(odd: Path) -> None:
    with open_reader(odd) as reader:
        assert check_library(reader) == []
        rows = everything(reader)
        assert rows["features"].to_pylist() == expected_colours(reader)
        assert rows["feature_plies"].to_pylist() == expected_positions(reader)
        for row in rows["feature_games"].to_pylist():
            _, found = measured(records(reader)[row["game_no"]])
            centre = [None if ply < 0 else ply for ply in found.centre_contact[0].tolist()]
            assert row["centre_contact"] == centre
        assert rows["feature_games"].num_rows == len(odd_games()) - 1
    summary = compute_features(odd, jobs=1)
    assert (summary.games, summary.present, summary.without) == (0, len(odd_games()) - 1, 1)


def test_views_name_what_the_numbers_stand_for(odd: Path) -> None:
    with open_reader(odd) as reader:
        views = reader.table(
            "SELECT f.*, g.plies FROM features f JOIN games g USING (game_no) WHERE f.variant = 'classic_3' "
            "ORDER BY game_no, ply, colour"
        ).to_pylist()
        assert {row["colour_name"] for row in views} == {"blue", "yellow", "red", "green"}
        assert {row["colour_name"] for row in views if row["player"] is None} == {"green"}
        raw = reader.table("FROM features_raw").num_rows
        assert reader.table("FROM features").num_rows == raw
        positions = reader.table("FROM position_features").to_pylist()
        assert {row["mover_name"] for row in positions if row["variant"] == "duo"} == {
            "first",
            "second",
            None,
        }
        contacts = reader.table("FROM centre_contacts WHERE ply = 0").to_pylist()
        assert all(row["variant"] in ("classic", "classic_3", "duo") for row in contacts)


def test_a_later_run_measures_only_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_units(monkeypatch)
    library = imported(tmp_path, tmp_path / "L", generated("duo", 12))
    told: list[tuple[int, int]] = []
    first = compute_features(library, jobs=1, progress=lambda *counts: told.append(counts))
    assert (first.games, first.present, told[-1]) == (12, 0, (12, 12))
    assert len(told) > 1
    with open_reader(library) as reader:
        before = reader.table("SELECT kind, file FROM partitions WHERE kind LIKE 'feature%'").to_pylist()
    imported(tmp_path, library, generated("duo", 5, seed=2))
    second = compute_features(library, jobs=2)
    assert (second.games, second.present) == (5, 12)
    with open_reader(library) as reader:
        after = reader.table("SELECT kind, file FROM partitions WHERE kind LIKE 'feature%'").to_pylist()
        assert all(part in after for part in before)
        assert everything(reader)["features"].to_pylist() == expected_colours(reader)
        assert check_library(reader) == []


def test_features_of_an_older_version_are_computed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_units(monkeypatch)
    library = imported(tmp_path, tmp_path / "L", generated("duo", 12))
    with monkeypatch.context() as past:
        past.setattr(features, "VERSION", 0)
        past.setattr(feature_unit, "VERSION", 0)
        compute_features(library, jobs=1)
    imported(tmp_path, library, generated("duo", 4, seed=2))
    stop_after(1, monkeypatch)
    with pytest.raises(KeyboardInterrupt, match="games are done and stored"):
        compute_features(library, jobs=1, progress=_stop)
    with open_reader(library) as reader:
        versions = reader.table("SELECT version FROM feature_games_raw ORDER BY game_no")[
            "version"
        ].to_pylist()
        assert len(versions) == 12
        assert versions == sorted(versions, reverse=True)
        assert set(versions) == {0, 1}
        assert check_library(reader) == []
    left = versions.count(0)
    summary = compute_features(library, jobs=1)
    assert (summary.games, summary.older, summary.present) == (left + 4, left, 12 - left)
    with open_reader(library) as reader:
        assert check_library(reader) == []
        assert everything(reader)["features"].to_pylist() == expected_colours(reader)
        assert set(everything(reader)["feature_games"]["version"].to_pylist()) == {1}


_units = [0]


def stop_after(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "_units", [units])


def _stop(done: int, total: int) -> None:
    """A progress that is stopped by Ctrl-C after so many units."""
    import os
    import signal

    _units[0] -= 1
    if _units[0] == 0:
        os.kill(os.getpid(), signal.SIGINT)


def test_a_stopped_run_keeps_what_is_finished_and_says_how_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_units(monkeypatch)
    library = imported(tmp_path, tmp_path / "L", generated("duo", 30))
    stop_after(2, monkeypatch)
    with pytest.raises(KeyboardInterrupt, match=r"stopped: (\d+) of 30 games") as stopped:
        compute_features(library, jobs=2, progress=_stop)
    done = int(str(stopped.value).split()[1])
    assert 0 < done < 30
    with open_reader(library) as reader:
        assert everything(reader)["feature_games"].num_rows == done
        assert check_library(reader) == []
    assert not list(library.rglob("*.tmp"))
    assert summary_of(compute_features(library, jobs=2)) == (30 - done, done)
    with open_reader(library) as reader:
        assert everything(reader)["features"].to_pylist() == expected_colours(reader)


def summary_of(summary: FeatureSummary) -> tuple[int, int]:
    return summary.games, summary.present


KILLED = """
import os, signal, sys
from pathlib import Path
from pipeline.features import compute as features
from tests.pipeline.killed_writer import Calls
features.TASK_PLIES = 200
if sys.argv[2] == "calls":
    sys.setprofile(Calls(int(sys.argv[3])))
units = [int(sys.argv[3])]
def progress(done, total):
    units[0] -= 1
    if units[0] == 0 and sys.argv[2] == "units":
        os.kill(os.getpid(), signal.SIGKILL)
features.compute_features(Path(sys.argv[1]), jobs=2, progress=progress)
"""


def test_a_killed_run_leaves_whole_units_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_units(monkeypatch)
    chance = random.Random(1)
    library = imported(tmp_path, tmp_path / "L", generated("duo", 40))
    deaths = [("units", 2), *(("calls", chance.randrange(100, 900)) for _ in range(3))]
    for how, last in deaths:
        command = [sys.executable, "-c", KILLED, str(library), how, str(last)]
        code = subprocess.run(command, cwd=REPOSITORY, capture_output=True, timeout=120).returncode
        assert code in (0, -9)
        with open_reader(library) as reader:
            assert check_library(reader) == []
            open_writer(library).close()
            reader.refresh()
            assert check_library(reader) == []
            done = everything(reader)["feature_games"].num_rows
        assert done > 0
        assert not list(library.rglob("*.tmp"))
    summary = compute_features(library, jobs=1)
    assert summary.games + summary.present == 40
    with open_reader(library) as reader:
        assert everything(reader)["features"].to_pylist() == expected_colours(reader)
        assert check_library(reader) == []


def test_an_undone_batch_takes_its_features_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_units(monkeypatch, 100_000)
    library, alone = tmp_path / "L", tmp_path / "alone"
    for batch in range(3):
        imported(tmp_path, library, generated("duo", 6, seed=batch))
        if batch != 1:
            imported(tmp_path, alone, generated("duo", 6, seed=batch))
    compute_features(library, jobs=1)
    compute_features(alone, jobs=1)
    with open_writer(library) as writer:
        writer.undo(2)
    with open_reader(library) as reader, open_reader(alone) as other:
        assert check_library(reader) == []
        ours, theirs = everything(reader), everything(other)
        for kind in ours:
            without = [name for name in ours[kind].column_names if name != "game_no"]
            assert ours[kind].select(without).equals(theirs[kind].select(without)), kind
    assert compute_features(library, jobs=1).games == 0
    with open_writer(library) as writer:
        writer.undo(1)
        writer.undo(3)
    with open_reader(library) as reader:
        assert [table.num_rows for table in everything(reader).values()] == [0, 0, 0, 0]
        assert check_library(reader) == []


def test_many_small_runs_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "MANY", 4)
    library = tmp_path / "L"
    for seed in range(5):
        imported(tmp_path, library, generated("duo", 2, seed=seed))
        compute_features(library, jobs=1)
    with open_reader(library) as reader:
        files = reader.table("SELECT kind, count(*) AS n FROM partitions GROUP BY kind").to_pylist()
        counts = {row["kind"]: row["n"] for row in files}
        assert max(counts[kind] for kind in feature_columns.FEATURE_KINDS) < 4
        assert everything(reader)["features"].to_pylist() == expected_colours(reader)
        assert check_library(reader) == []


def test_there_must_be_a_library(tmp_path: Path) -> None:
    with pytest.raises(NotALibrary, match="there is no library"):
        compute_features(tmp_path / "nothing")
    imported(tmp_path, tmp_path / "L", [{**generated("duo", 1)[0], "events": []}])
    assert compute_features(tmp_path / "L", jobs=1).games == 1
