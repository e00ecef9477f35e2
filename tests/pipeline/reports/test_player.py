"""The report of a player: results against others, ratings, opponents; near names for an unknown one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.contests import ContestFilter
from pipeline.errors import NoSuchPlayer
from pipeline.reports import Report, texts
from pipeline.reports.player import player_report
from pipeline.store import open_reader
from tests import records
from tests.pipeline.reports.pages import MADE, library, page


def report(where: Path, name: str, wanted: ContestFilter | None = None) -> Report:
    with open_reader(where) as reader:
        return player_report(reader, name, wanted or ContestFilter(), texts(), MADE)


@pytest.fixture
def some(tmp_path: Path) -> Path:
    return library(
        tmp_path,
        records.O_A7.replace("CA[UTF-8]", "DT[2021-03-04]PB[Ada]PW[Ben]"),
        records.O_A2_A.replace("CA[UTF-8]", "P1[Cleo]P2[Ada]P3[Dan]P4[Ada]"),
    )


def test_results_seats_ratings_and_opponents(some: Path) -> None:
    found = report(some, "Ada")
    shown = page(found)
    assert shown.sections[:4] == ["results", "seats", "time", "ratings"] and "opponents" in shown.sections
    assert {row["variant"]: row["seats"] for row in found.tables["players_by_variant"].rows} == {
        "classic": 2,
        "classic_2": 1,
    }
    assert {row["against"] for row in found.tables["opponents"].rows} == {"Ben", "Cleo", "Dan"}
    assert {row["family"] for row in found.tables["rating_history"].rows} == {"classic", "classic_2"}
    assert "approximation" in shown.said


def test_a_filter_that_matches_nothing(some: Path) -> None:
    found = report(some, "Ada", ContestFilter(variant="junior"))
    shown = page(found)
    assert "No decided game of this player against others matches" in shown.said
    assert "No game of this player is rated" in shown.said
    assert found.tables == {}


def test_an_unknown_player(some: Path) -> None:
    with pytest.raises(NoSuchPlayer, match="there is 'Ada'"):
        report(some, "Adda")
