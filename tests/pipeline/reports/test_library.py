"""The report of a library: totals, and clear words where there is nothing."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import UnknownVariant
from notation.blksgf_write import write
from pipeline.features.compute import compute_features
from pipeline.generate import generate_records
from pipeline.queries import GameFilter
from pipeline.reports import Report, texts
from pipeline.reports.library import library_report
from pipeline.store import open_reader
from tests import records
from tests.pipeline.reports.pages import MADE, library, page


def report(where: Path, wanted: GameFilter | None = None) -> Report:
    with open_reader(where) as reader:
        return library_report(reader, wanted or GameFilter(), texts(), MADE)


@pytest.fixture
def some(tmp_path: Path) -> Path:
    return library(
        tmp_path,
        records.O_A7.replace("CA[UTF-8]", "DT[2021-03-04]PB[Ada]PW[Ben]"),
        records.O_A2_A.replace("CA[UTF-8]", "DT[2021]P1[Cleo]P2[Ada]P3[Dan]P4[Eve]"),
        records.O_B4,
    )


def test_totals(some: Path) -> None:
    found = report(some)
    shown = page(found)
    rows = {row["variant"]: row for row in found.tables["variants"].rows}
    assert {name: row["games"] for name, row in rows.items()} == {"classic": 1, "classic_2": 1, "duo": 1}
    assert (rows["duo"]["illegal"], rows["duo"]["decided"], rows["classic"]["decided"]) == (1, 0, 1)
    assert {row["variant"] for row in found.tables["lengths"].rows} == {"classic", "classic_2"}
    months = {row["period"]: row["games"] for row in found.tables["months"].rows}
    assert months == {"2021-03": 1, "2021": 1, "no date": 1}
    assert sum(row["sightings"] for row in found.tables["sources"].rows) == 3
    assert {"illegal", "player_missing"} <= {row["code"] for row in found.tables["quality"].rows}
    assert "Games by month" in shown.said


def test_a_part(some: Path) -> None:
    found = report(some, GameFilter(variant="classic", since="2021"))
    assert [row["variant"] for row in found.tables["variants"].rows] == ["classic"]
    assert "1 game of 3 match" in page(found).said
    assert found.subtitle == "variant classic, since 2021"


def test_nothing_matches(some: Path) -> None:
    found = report(some, GameFilter(player="nobody at all"))
    shown = page(found)
    assert "No game matches. Without the filter there are 3 games." in shown.said
    assert found.tables == {}


def test_a_library_without_games(tmp_path: Path) -> None:
    found = report(library(tmp_path, "(;GM[Nexos];1[h17])"))
    shown = page(found)
    assert "The library has no games yet" in shown.said and "In quarantine 1" in shown.said


def test_games_without_dates_or_decisions(tmp_path: Path) -> None:
    shown = page(report(library(tmp_path, "(;GM[Blokus Duo];B[e10])")))
    assert "None of these games has a date" in shown.said
    assert "None of these games is decided" in shown.said


def test_many_months_become_years(tmp_path: Path) -> None:
    games = enumerate(itertools.islice(generate_records("duo", 70, 1, {}), 70))
    dates = [(f"{1990 + n // 12}-{n % 12 + 1:02}-01", game) for n, game in games]
    several = "".join(write(replace(game, headers={"date": day})) for day, game in dates)
    found = report(library(tmp_path, several))
    assert "Games by year" in page(found).said
    assert len(found.tables["months"].rows) == 70


def test_a_variant_that_there_is_not(some: Path) -> None:
    with pytest.raises(UnknownVariant):
        report(some, GameFilter(variant="chess"))


def test_seats_and_colours(some: Path) -> None:
    found = report(some)
    seats = {(row["variant"], row["seat"]): row for row in found.tables["seat_results"].rows}
    assert set(seats) == {("classic", n) for n in (1, 2, 3, 4)} | {("classic_2", 1), ("classic_2", 2)}
    assert seats["classic_2", 2]["colours"] == ["yellow", "green"]
    colours = {(row["variant"], row["colour"]): row for row in found.tables["colour_results"].rows}
    blue = colours["classic", "blue"]
    assert (blue["all_placed_rate"], blue["single_last_rate"], blue["mean_cells"]) == (1, 1, 89)
    assert "seats" not in page(report(some, GameFilter(player="ad"))).sections


def test_heat_maps_and_what_is_said_without_features(some: Path) -> None:
    assert "no heat maps, because no game that counts has features" in page(report(some)).said
    compute_features(some, jobs=1)
    found = report(some, GameFilter(variant="classic_2"))
    assert "Blokus Two-Player, 1 game:" in page(found).said
    rows = [
        row
        for row in found.tables["heat_maps"].rows
        if (row["measure"], row["phase"], row["colour"]) == ("occupied", None, "blue")
    ]
    assert len(rows) == 400 and {row["cell"]: row["heat"] for row in rows}["a20"] > 0.9
    assert "heat_maps" not in report(some, GameFilter(since="2021")).tables
