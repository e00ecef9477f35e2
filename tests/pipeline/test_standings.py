"""Standings: points, tie-breaks, byes, and what does not count."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pipeline.contests import ContestFilter
from pipeline.errors import BadPoints, NoSuchEvent
from pipeline.standings import PointsTable, Standings, points_table, standings, tie_breaks
from pipeline.store import open_reader
from tests.pipeline.contests import Played, library

HALF = Fraction(1, 2)


def duel(one: str, other: str, cells: tuple[int, int], turn: str | None = "1", **options: Any) -> Played:
    a, b = cells
    places = (1 + (b > a), 1 + (a > b))
    return Played(
        (one, other), places, cells=cells, event="Cup", turn=turn, name=f"{one}{other}{turn}", **options
    )


def table(folder: Path, **options: Any) -> Standings:
    with open_reader(folder) as reader:
        return standings(reader, "Cup", **options)


def order(found: Standings) -> list[tuple[int, str, Fraction]]:
    return [(row.place, row.player, row.points) for row in found.rows]


def test_a_round_robin_of_two_player_games(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        duel("Ada", "Ben", (60, 50), "1"),
        duel("Cleo", "Ada", (55, 55), "2"),
        duel("Ben", "Cleo", (70, 40), "10"),
    )
    found = table(folder)
    assert found.rounds == ["1", "2", "10"]
    assert order(found) == [(1, "Ada", 3 * HALF), (2, "Ben", Fraction(1)), (3, "Cleo", HALF)]
    assert found.byes == {"1": ["Cleo"], "2": ["Ben"], "10": ["Ada"]}
    assert [row.byes for row in found.rows] == [1, 1, 1]
    ada = found.rows[0]
    assert (ada.games, ada.wins, ada.draws, ada.losses, ada.difference) == (2, 1, 1, 0, 10)
    assert order(table(folder, bye_points=Fraction(1)))[0] == (1, "Ada", 5 * HALF)


def test_places_of_four_share_their_points(tmp_path: Path) -> None:
    four = ("Ada", "Ben", "Cleo", "Dan")
    folder = library(
        tmp_path / "L", Played(four, (1, 2, 2, 4), "classic", event="Cup", cells=(70, 60, 60, 50))
    )
    assert [row.points for row in table(folder).rows] == [3, 3 * HALF, 3 * HALF, 0]
    custom = table(folder, table=points_table("5,3,1,0"))
    assert [row.points for row in custom.rows] == [5, 2, 2, 0]
    outcomes = table(folder, table=points_table("win=3,draw=1,loss=0"))
    assert [row.points for row in outcomes.rows] == [3, 0, 0, 0]
    assert table(folder).rows[0].difference == Fraction(70 * 3 - 170, 3)


@pytest.mark.parametrize(
    ("text", "first"),
    [(None, "Ben"), ("difference", "Ben"), ("sum", "Cleo"), ("direct", "Ada"), ("direct,sum", "Ada")],
)
def test_tie_breaks_in_the_order_asked_for(tmp_path: Path, text: str | None, first: str) -> None:
    folder = library(
        tmp_path / "L",
        duel("Ada", "Ben", (41, 40), "1"),
        duel("Ada", "Dan", (30, 50), "2"),
        duel("Ben", "Dan", (60, 20), "3"),
        duel("Cleo", "Dan", (87, 88), "4"),
        duel("Cleo", "Eve", (80, 79), "5"),
    )
    found = table(folder, order=tie_breaks(text))
    assert found.rows[0].player == "Dan"
    assert next(row.player for row in found.rows if row.points == 1) == first


def test_who_cannot_be_told_apart_shares_the_place(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        duel("Ben", "Ada", (50, 50), "1"),
        duel("Dan", "Cleo", (50, 40), "1"),
    )
    assert [(row.place, row.player) for row in table(folder).rows] == [
        (1, "Dan"),
        (2, "Ada"),
        (2, "Ben"),
        (4, "Cleo"),
    ]


def test_games_that_do_not_count_are_listed(tmp_path: Path) -> None:
    undecided = {"outcome": None, "winners": []}
    folder = library(
        tmp_path / "L",
        duel("Ada", "Ben", (60, 50)),
        Played(("Ada", "Cleo"), (None, None), event="Cup", turn="2", extra={"unfinished": True, **undecided}),
        Played(("Ben", "Cleo"), (None, None), event="Cup", turn="2", extra={"illegal": True, **undecided}),
        duel("Dan", "Ben", (60, 50), "3", extra={"irregular": True}),
    )
    found = table(folder)
    assert sorted((game["reason"], *game["players"]) for game in found.not_counted) == [
        ("illegal", "Ben", "Cleo"),
        ("irregular", "Dan", "Ben"),
        ("unfinished", "Ada", "Cleo"),
    ]
    assert [row.player for row in found.rows] == ["Ada", "Ben"]
    with_odd = table(folder, wanted=ContestFilter(odd=True))
    assert "Dan" in [row.player for row in with_odd.rows]
    assert len(with_odd.not_counted) == 2


def test_a_player_on_several_seats_is_placed_against_the_others(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L", Played(("Ada", "Ada", "Ben", "Cleo"), (1, 2, 3, 4), "classic", event="Cup")
    )
    rows = {row.player: row for row in table(folder).rows}
    assert (rows["Ada"].games, rows["Ada"].wins, rows["Ada"].points) == (1, 2, 4)  # first of three, twice
    assert rows["Ben"].points == 1


def test_teams_share_the_points_of_their_place(tmp_path: Path) -> None:
    four = ("Ada", "Ben", "Cleo", "Dan")
    folder = library(
        tmp_path / "L",
        Played(four, (1, 2, 1, 2), "classic", event="Cup", teams=(1, 2, 1, 2), cells=(70, 60, 50, 40)),
    )
    rows = {row.player: row for row in table(folder).rows}
    assert [rows[name].points for name in four] == [1, 0, 1, 0]
    assert rows["Ada"].difference == 20


def test_events_are_found_by_name(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", duel("Ada", "Ben", (60, 50)))
    with open_reader(folder) as reader:
        assert standings(reader, "cup").event == "Cup"
        with pytest.raises(NoSuchEvent, match="'Cup'"):
            standings(reader, "Winter")
        assert standings(reader, "Cup", wanted=ContestFilter(variant="trigon")).rows == []
    with open_reader(library(tmp_path / "E")) as reader, pytest.raises(NoSuchEvent, match="names its event"):
        standings(reader, "Cup")


@pytest.mark.parametrize("text", ["", "1,x", "win=1,win=2", "won=1", "1e9", "nan", "1,,0"])
def test_tables_that_make_no_sense(text: str) -> None:
    with pytest.raises(BadPoints):
        points_table(text)


@pytest.mark.parametrize("text", ["difference,difference", "luck"])
def test_tie_breaks_that_make_no_sense(text: str) -> None:
    with pytest.raises(BadPoints):
        tie_breaks(text)


def test_a_table_says_what_it_is() -> None:
    assert str(points_table("3,2.5,0")) == "places 3, 2.5, 0, ties share"
    assert str(points_table("win=3")) == "win 3, draw 1.5, loss 0"
    assert "ties share" in str(PointsTable())
