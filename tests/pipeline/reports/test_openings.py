"""The report of openings: first moves and lines as the explorer counts them, and words where there are none."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from notation.blksgf_write import write
from pipeline.game_selection import Selection
from pipeline.generate import generate_records
from pipeline.reports import Report, texts
from pipeline.reports.openings import openings_report
from pipeline.store import open_reader
from tests.pipeline.reports.pages import MADE, library, page


def report(where: Path, name: str | None = None, min_games: int = 1, **wanted: object) -> Report:
    with open_reader(where) as reader:
        return openings_report(reader, name, Selection(**wanted), texts(), MADE, min_games)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    games = itertools.chain(generate_records("duo", 12, 3, {}), generate_records("classic", 4, 3, {}))
    return library(tmp_path_factory.mktemp("openings"), "".join(map(write, games)))


def test_first_moves_and_lines(some: Path) -> None:
    found = report(some)
    shown = page(found)
    assert found.title == "Openings of Blokus Duo" and found.subtitle == "the variant with most games"
    assert shown.sections == ["first", "lines", "pieces", "merged"]
    first = found.tables["first_moves"].rows
    assert sum(row["games"] for row in first) == 12
    lines = found.tables["lines"].rows
    assert next(row for row in lines if row["depth"] == 1)["games"] == first[0]["games"]
    for row in lines:
        assert len(row["moves"]) == row["depth"] == len(row["line"].split(" › "))
        assert row["games"] <= row["reached"]
    pieces = {row["piece"]: row for row in found.tables["pieces"].rows}
    assert all(0 <= row["left_rate"] <= 1 for row in pieces.values()) and len(pieces) == 21
    assert sum(row["games"] for row in found.tables["merged_first_moves"].rows) == 12


def test_a_variant_without_symmetries(some: Path) -> None:
    found = report(some, "classic")
    assert page(found).sections == ["first", "lines", "pieces"] and found.subtitle == ""


def test_filters(some: Path) -> None:
    found = report(some, "duo", 1000)
    assert "No first move was played in so many games" in page(found).said
    assert found.subtitle == "moves of 1000 games or more"
    nobody = report(some, "duo", players=("Nobody",), since="2019")
    assert "No game matches; 0 games would" in page(nobody).said
    assert nobody.subtitle == "players Nobody, since 2019"
    assert "No game matches" in page(report(some, "trigon_3")).said


def test_an_empty_library(tmp_path: Path) -> None:
    found = report(library(tmp_path, "(;GM[Nexos];1[h17])"))
    assert "No game matches" in page(found).said and found.tables == {}
