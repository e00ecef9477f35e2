"""Summaries of a snapshot: the same answers as game by game, remade when games change, and only then."""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import PipelineError
from pipeline.game_selection import Selection
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.openings.explorer import explore
from pipeline.openings.positions import Spot, spot_of_game, start_spot
from pipeline.piece_statistics import piece_statistics
from pipeline.seat_statistics import seat_statistics
from pipeline.store import Reader, check_library, open_reader, open_writer, opening_sums, summaries
from pipeline.store.layout import TEMPORARY, Layout

RULES = {"duo": {"start": "marked"}, "junior": {"scoring": "board"}, "classic": {"end": "max_rounds:9"}}
SET_UP = "(;GM[Blokus Duo]AB[e10,e11]AW[j5,j6];B[f9];W[k7])"
UNFINISHED = "(;GM[Blokus Duo];B[e10,e11,f11,f12,g12];W[j5])"
CASES = 24


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    """Summaries of libraries of any size, of every position."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summaries, "SMALLEST", 1)
        patch.setattr(opening_sums, "WORTH", 1)
        yield


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, small: None) -> Path:
    folder = tmp_path_factory.mktemp("summaries")
    for name, rules in RULES.items():
        write_archive(folder / f"{name}.blksgf", name, 12, 1, {})
        write_archive(folder / f"{name}_rules.jsonl", name, 8, 2, rules)
    for number, text in enumerate((SET_UP, SET_UP.replace("k7", "k7,l7"), UNFINISHED)):
        (folder / f"{number}.blksgf").write_text(text)
    import_paths(folder / "L", [str(path) for path in sorted(folder.glob("*.*l*"))], jobs=1)
    return folder / "L"


@pytest.fixture
def reader(library: Path) -> Iterator[Reader]:
    with open_reader(library) as found:
        assert found.summarised
        yield found


def same(first: Any, second: Any) -> bool:
    """Whether answers are alike; numbers with fractions to the last digits."""
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[name], second[name]) for name in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12)
    return bool(first == second)


def agree(
    monkeypatch: pytest.MonkeyPatch, question: Callable[..., Any], reader: Reader, *asked: Any, **more: Any
) -> Any:
    """The answer, which is the same with and without summaries."""
    mine = question(reader, *asked, **more)
    with monkeypatch.context() as patch:
        patch.setattr(Reader, "summarised", False)
        assert same(mine, question(reader, *asked, **more))
    return mine


def explored(reader: Reader, spot: Spot, wanted: Selection, **asked: Any) -> dict[str, Any]:
    return {**vars(explore(reader, spot, wanted, **asked)), "spot": spot.key}


def of_seats(reader: Reader, wanted: Selection, scoring: str | None = None) -> dict[str, Any]:
    return asdict(seat_statistics(reader, wanted, scoring))


def of_pieces(reader: Reader, wanted: Selection, scoring: str | None = None) -> dict[str, Any]:
    return asdict(piece_statistics(reader, wanted, scoring))


def chosen(chance: random.Random, name: str) -> Selection:
    rules = chance.choice([None, None, {}, RULES[name]])
    wanted = Selection(name, rules, flawed=chance.random() < 0.2)
    if chance.random() < 0.25:
        wanted = replace(wanted, since="2010")
    return wanted


def test_openings_out_of_sums_are_those_game_by_game(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    games = reader.table("SELECT id, variant, plies FROM games ORDER BY game_no").to_pylist()
    ratings = {f"Player {n:02}": 20.0 + n for n in range(1, 40)} | {"Ada": 30.0, "Ben": 25.0}
    summed = {row["variant"] for row in reader.table("FROM opening_depths").to_pylist()}
    assert summed == set(RULES)
    for _ in range(CASES):
        name = chance.choice(list(RULES))
        spot = start_spot(name)
        if chance.random() < 0.6:
            game = chance.choice([game for game in games if game["variant"] == name])
            spot = spot_of_game(reader, game["id"], min(chance.choice([1, 1, 2, 5, 24, 27]), game["plies"]))
        asked: dict[str, Any] = {
            "merged": chance.random() < 0.4,
            "scoring": chance.choice([None, "family"]),
            "limit": chance.choice([None, 2]),
            "ratings": chance.choice([None, ratings]),
        }
        wanted = chosen(chance, name)
        found = agree(monkeypatch, explored, reader, spot, wanted, **asked)
        if wanted == Selection(name) and not spot.depth:
            assert found["games"] and found["moves"]


@pytest.mark.parametrize("name", [*RULES, None])
def test_seats_and_pieces_out_of_sums_are_those_game_by_game(
    name: str | None, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rules in (None, {}, RULES[name]) if name else (None,):
        for scoring in (None, "online"):
            wanted = Selection(name, rules)
            seats = agree(monkeypatch, of_seats, reader, wanted, scoring)
            assert sum(row["games"] for row in seats["lengths"]) > 0
            if name:
                assert agree(monkeypatch, of_pieces, reader, wanted, scoring)["games"] > 0


def test_selections_that_match_nothing(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rules in (("trigon", None), ("duo", {"scoring": "net"})):
        wanted = Selection(name, rules)
        assert agree(monkeypatch, explored, reader, start_spot(name), wanted)["games"] == 0
        assert agree(monkeypatch, of_seats, reader, wanted)["seats"] == []
        assert agree(monkeypatch, of_pieces, reader, wanted)["games"] == 0
    with pytest.raises(PipelineError, match="unknown scoring 'none'"):
        explore(reader, start_spot("duo"), Selection("duo"), scoring="none")


def test_games_that_are_taken_back_are_in_no_sum(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in (1, 2):
        write_archive(tmp_path / f"{seed}.blksgf", "duo", 3, seed, {})
        import_paths(tmp_path / "L", [str(tmp_path / f"{seed}.blksgf")], jobs=1)
    made: list[Any] = []
    make = summaries._make

    def watched(*asked: Any) -> None:
        made.append(asked)
        make(*asked)

    monkeypatch.setattr(summaries, "_make", watched)
    with open_reader(tmp_path / "L") as reader:
        assert explore(reader, start_spot("duo")).games == 6
        with open_writer(tmp_path / "L") as writer:
            writer.publish()
            assert not made  # the games are the same: taken over
            writer.undo(2)
        assert made
        assert reader.summarised and explore(reader, start_spot("duo")).games == 3
        assert seat_statistics(reader, Selection("duo")).seats[0]["games"] == 3
        assert check_library(reader) == []


def test_a_snapshot_in_the_place_of_the_catalogue(tmp_path: Path, small: None) -> None:
    for seed in (1, 2):
        write_archive(tmp_path / f"{seed}.blksgf", "duo", 3, seed, {})
        import_paths(tmp_path / "L", [str(tmp_path / f"{seed}.blksgf")], jobs=1)
    layout = Layout.of(tmp_path / "L")
    shutil.copyfile(layout.snapshot(layout.snapshot_numbers()[-1]), layout.catalogue)
    with open_writer(tmp_path / "L") as writer:
        writer.undo(1)
    with open_reader(tmp_path / "L") as reader:
        assert explore(reader, start_spot("duo")).games == 3
        assert check_library(reader) == []


def test_summaries_of_another_version_are_passed_over(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "VERSION", summaries.VERSION + 1)
    with open_reader(library) as reader:
        assert not reader.summarised
        assert explore(reader, start_spot("duo")).games > 0


def test_small_libraries_have_none_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summaries, "SMALLEST", 3)
    write_archive(tmp_path / "1.blksgf", "duo", 2, 1, {})
    import_paths(tmp_path / "L", [str(tmp_path / "1.blksgf")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        assert not reader.summarised
    layout = Layout.of(tmp_path / "L")
    left = layout.snapshots / f"library-000009.duckdb{TEMPORARY}.wal"
    left.touch()
    with open_writer(tmp_path / "L"):
        assert not left.exists()
