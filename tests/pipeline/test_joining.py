"""Results of numbered games and the games of their folder: joined where that is sure, else reported."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from notation.blksgf_write import write
from notation.record import GameRecord
from pipeline import ingest
from pipeline.generate import generate_records
from pipeline.ingest import Summary, import_paths
from pipeline.store import check_library, open_reader, open_writer
from tests.places import archives

HEAD = "# Game\tResult\tLength\tPlayerB\tCpuB\tCpuW\tFast\n"


def games(count: int, numbers: Sequence[int] | None = None) -> list[str]:
    """Finished games of Duo without a result, numbered."""
    texts = []
    for number, record in zip(numbers or range(count), generate_records("duo", count, 1, {}), strict=True):
        assert isinstance(record, GameRecord)
        record.declared, record.headers = None, {"game_number": str(number)}
        texts.append(write(record))
    return texts


def rows(library: Path, question: str) -> list[tuple[Any, ...]]:
    with open_reader(library) as reader:
        assert check_library(reader) == []
        return [tuple(row.values()) for row in reader.table(question).to_pylist()]


def margins(library: Path) -> list[int]:
    """Points of the first seat over the second, by number of the game."""
    question = "SELECT v.points[1] - v.points[2] FROM games_view v JOIN sightings s USING (game_no) ORDER BY s.record"
    return [margin for (margin,) in rows(library, question)]


def output(results: Sequence[str], first: int = 0) -> str:
    lines = [f"{number}\t{result}\t27\t0\t1.5\t2.5\t0\n" for number, result in enumerate(results, first)]
    return HEAD + "".join(lines)


def stated(margin: int) -> str:
    return "Draw" if not margin else f"B+{margin}" if margin > 0 else f"W+{-margin}"


def load(library: Path, *paths: Path) -> Summary:
    return import_paths(library, [str(path) for path in paths], jobs=1)


@pytest.fixture(scope="module")
def true_margins(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    folder = tmp_path_factory.mktemp("margins")
    (folder / "g.blksgf").write_text("".join(games(3)))
    load(folder / "L", folder / "g.blksgf")
    return margins(folder / "L")


@pytest.fixture
def match(tmp_path: Path, true_margins: list[int]) -> Path:
    folder = tmp_path / "match"
    folder.mkdir()
    for number, text in enumerate(games(3)):
        (folder / f"game-{number}.blksgf").write_text(text)
    (folder / "output.dat").write_text(output([stated(margin) for margin in true_margins]))
    return folder


def declared(library: Path) -> list[tuple[Any, ...]]:
    return rows(library, "SELECT declared, declared_winner, mismatch FROM sightings ORDER BY source, record")


def test_numbers_join_results_with_games(match: Path, tmp_path: Path, true_margins: list[int]) -> None:
    summary = load(tmp_path / "L", match)
    assert (summary.counts.results, summary.unjoined) == (3, [])
    winners = [0 if not margin else 1 if margin > 0 else 2 for margin in true_margins]
    assert declared(tmp_path / "L") == [
        (stated(margin), winner, False) for margin, winner in zip(true_margins, winners, strict=True)
    ]
    keyed = "SELECT r.key = s.headers ->> '$.game_number' FROM results r JOIN sightings s USING (game_no)"
    assert rows(tmp_path / "L", keyed) == [(True,)] * 3
    assert rows(tmp_path / "L", "SELECT mismatch FROM games") == [(False,)] * 3


def test_units_of_any_size_join_alike(match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "UNIT_PORTIONS", 1)
    assert load(tmp_path / "L", match).unjoined == []
    assert rows(tmp_path / "L", "SELECT count(*) FROM results WHERE game_no IS NULL") == [(0,)]


def test_an_archive_is_as_good_as_a_folder(match: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "match.zip", "w") as archive:
        for path in match.iterdir():
            archive.write(path, path.name)
    assert load(tmp_path / "L", tmp_path / "match.zip").unjoined == []
    assert rows(tmp_path / "L", "SELECT count(game_no) FROM results") == [(3,)]


def test_a_result_that_the_game_contradicts_is_a_mismatch(
    match: Path, tmp_path: Path, true_margins: list[int]
) -> None:
    wrong = [stated(true_margins[0]), stated(-true_margins[1] or 1), stated(true_margins[2] + 1)]
    (match / "output.dat").write_text(output(wrong))
    load(tmp_path / "L", match)
    assert [mismatch for *_, mismatch in declared(tmp_path / "L")] == [False, True, True]
    assert rows(tmp_path / "L", "SELECT count(*) FROM games_view WHERE list_contains(flags, 'mismatch')") == [
        (2,)
    ]


def test_a_share_names_the_winner_and_no_margin(match: Path, tmp_path: Path, true_margins: list[int]) -> None:
    shares = ["0.5" if not margin else "1" if margin > 0 else "0" for margin in true_margins]
    (match / "output.dat").write_text(output(shares))
    load(tmp_path / "L", match)
    assert [mismatch for *_, mismatch in declared(tmp_path / "L")] == [False] * 3


def test_a_result_of_the_record_itself_stays(match: Path, tmp_path: Path, true_margins: list[int]) -> None:
    own = (match / "game-1.blksgf").read_text().replace("GN[1]", "GN[1]RE[B+40]")
    (match / "game-1.blksgf").write_text(own)
    load(tmp_path / "L", match)
    assert declared(tmp_path / "L")[1] == ("B+40", 1, True)
    assert rows(tmp_path / "L", "SELECT declared_by IS NULL FROM sightings ORDER BY source")[1] == (True,)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda m: (m / "game-2.blksgf").unlink(), "no game has the number 2"),
        (
            lambda m: (m / "more.blksgf").write_text("".join(games(4, (0, 0, 0, 1))[3:])),
            "several games have the number 1",
        ),
        (
            lambda m: (m / "output.dat").write_text(output(["1", "1"]) + "1\t1\t27\t0\t1.5\t2.5\t0\n"),
            "the number 1 stands",
        ),
        (lambda m: (m / "output2.dat").write_text(output(["1", "0", "1"])), "2 files of results"),
        (lambda m: [p.unlink() for p in m.glob("*.blksgf")], "no new records of games"),
    ],
)
def test_what_is_not_sure_is_reported(match: Path, tmp_path: Path, change: Any, reason: str) -> None:
    change(match)
    summary = load(tmp_path / "L", match)
    assert all(reason in file.reason for file in summary.unjoined) and summary.unjoined
    assert summary.unjoined[0].file == str(match / "output.dat") and summary.unjoined[0].results == 3
    assert summary.as_dict()["details"]["unjoined_results"][0]["results"] == 3
    assert rows(tmp_path / "L", "SELECT count(game_no) FROM results") == [(0,)]
    assert all(row == (None, None, None) for row in declared(tmp_path / "L"))
    assert reason in rows(tmp_path / "L", "SELECT details FROM batches")[0][0]


def test_games_of_another_folder_are_not_meant(match: Path, tmp_path: Path) -> None:
    (match / "deep").mkdir()
    for path in match.glob("*.blksgf"):
        path.rename(match / "deep" / path.name)
    (unjoined,) = load(tmp_path / "L", match).unjoined
    assert "no new records of games" in unjoined.reason


def test_undo_takes_the_declared_results_back(match: Path, tmp_path: Path) -> None:
    """A later batch brings the games again, but not the file of results: what only that said goes with it."""
    load(tmp_path / "L", match)
    load(tmp_path / "L", *sorted(match.glob("*.blksgf")))
    with open_writer(tmp_path / "L") as writer:
        undone = writer.undo(1)
    assert (undone.fragments_removed, undone.games_removed) == (3, 0)
    assert declared(tmp_path / "L") == [(None, None, None)] * 3
    assert rows(tmp_path / "L", "SELECT mismatch FROM games") == [(None,)] * 3


def test_results_that_outlive_their_games_belong_to_none(match: Path, tmp_path: Path) -> None:
    load(tmp_path / "L", match)
    load(tmp_path / "L", match / "output.dat")
    with open_writer(tmp_path / "L") as writer:
        assert writer.undo(1).games_removed == 3
    assert rows(tmp_path / "L", "SELECT game_no, batch FROM results") == [(None, 2)] * 3


@pytest.mark.archives
def test_the_real_match_numbers_all_its_games_alike(tmp_path: Path) -> None:
    summary = load(tmp_path / "L", archives("twogtp_duo"))
    (unjoined,) = summary.unjoined
    assert "several games have the number 0" in unjoined.reason
    assert summary.counts.stored == 70
