"""What a library holds at a glance, page by page from the newest game on, and what one import brought."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.batch_outcomes import games_of_batch, outcomes
from pipeline.contents import games_by_month, games_by_source, games_by_variant
from pipeline.features.compute import compute_features
from pipeline.game_pages import page_of_games
from pipeline.ingest import import_paths
from pipeline.queries import GameFilter, list_games
from pipeline.store import Reader, open_reader
from tests.places import REPOSITORY

DATA = REPOSITORY / "data"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    library = tmp_path_factory.mktemp("contents") / "library"
    import_paths(library, [str(DATA / "games" / "junior.blksgf")], jobs=1)
    compute_features(library, jobs=1)
    import_paths(library, [str(DATA / "games" / "duo.blksgf"), str(DATA / "faulty")], jobs=1)
    return open_reader(library)


def test_games_by_variant(reader: Reader) -> None:
    rows = {row["variant"]: row for row in games_by_variant(reader)}
    assert {name: row["games"] for name, row in rows.items()} == {
        row["variant"]: row["n"]
        for row in reader.table("SELECT variant, count(*) AS n FROM games GROUP BY 1").to_pylist()
    }
    assert rows["junior"]["measured"] == rows["junior"]["games"] == rows["junior"]["possible"]
    assert (rows["duo"]["measured"], rows["duo"]["judged"]) == (0, 0)
    assert list(rows).index("duo") < list(rows).index("junior")  # as the rule page has them


def test_games_by_month(reader: Reader) -> None:
    rows = games_by_month(reader)
    periods = [row["period"] for row in rows]
    assert periods[-1] is None
    assert periods[:-1] == sorted(periods[:-1])
    assert sum(row["games"] for row in rows) == list_games(reader, GameFilter()).total


def test_games_by_source(reader: Reader) -> None:
    every = games_by_source(reader, 100)
    assert every.total == len(every.rows)
    assert [row["games"] for row in every.rows] == sorted((row["games"] for row in every.rows), reverse=True)
    assert games_by_source(reader, 2, 1).rows == every.rows[1:3]
    assert games_by_source(reader, 2, 100).rows == []


@pytest.mark.parametrize("newest", [False, True])
@pytest.mark.parametrize("wanted", [GameFilter(), GameFilter(variant="duo", since="2026-02")])
def test_pages_of_games(reader: Reader, wanted: GameFilter, newest: bool) -> None:
    """They have every game once; the newest come first, and those without a date last, in either order."""
    pages = [page_of_games(reader, wanted, 7, None, newest)]
    while (cursor := pages[-1].next) is not None:
        pages.append(page_of_games(reader, wanted, 7, cursor, newest))
    rows = [row for page in pages for row in page.rows]
    same = list_games(reader, wanted)
    assert pages[0].total == same.total == len(rows)
    dates = [row["date"] for row in rows]
    known = [date for date in dates if date]
    assert dates[: len(known)] == known == sorted(known, reverse=newest)
    if not newest:
        assert rows == same.rows
    assert {row["id"] for row in rows} == {row["id"] for row in same.rows}


def test_what_is_wrong_with_an_import(reader: Reader) -> None:
    every, wrong = outcomes(reader, 2, 100), outcomes(reader, 2, 100, 0, True)
    assert {row["outcome"] for row in every.rows} == {"stored", "refused"}
    assert wrong.total == len(wrong.rows) == 6
    assert wrong.rows == [row for row in every.rows if row["code"]]
    assert [row["ply"] for row in wrong.rows if row["id"]] == [7, 13, 10]
    assert set(games_of_batch(reader, 2)) == {row["id"] for row in every.rows if row["id"]}
    assert Path(wrong.rows[0]["source"]).name == "bad_line.jsonl"
