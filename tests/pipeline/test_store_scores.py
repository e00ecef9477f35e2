"""Scoring tables as views: the worked values of the rules, seats, teams, shared colours."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engine.rulesets import parse_rules
from engine.scoring import ColourFacts, points
from engine.scoring_tables import SCORINGS, Scoring
from pipeline.store import open_reader, open_writer, write_unit
from pipeline.tables import CATALOGUE
from tests.pipeline.factory import Found, tables


def library(folder: Path, variant: str, seats: list[dict[str, Any]], colours: list[dict[str, Any]]) -> Path:
    with open_writer(folder) as writer, writer.batch() as batch:
        number = writer.next_unit()
        made = tables(number, [Found("a")])
        games = [{**row, "variant": variant, "scoring": "board"} for row in made["games"].to_pylist()]
        game = {"game_no": games[0]["game_no"]}
        rows = {"games": games, "seats": [game | s for s in seats], "colours": [game | c for c in colours]}
        made |= {name: pa.Table.from_pylist(part, CATALOGUE[name]) for name, part in rows.items()}
        batch.add_unit(write_unit(writer.folder, number, made))
    return folder


def colour(
    number: int, cells: int, seat: int | None, every: bool = False, single: bool = False
) -> dict[str, Any]:
    return {"colour": number, "seat": seat, "cells_placed": cells, "all_placed": every, "single_last": single}


@pytest.mark.parametrize(
    ("cells", "every", "single", "expected"),
    [
        (89, True, True, {"board": 20, "online": 109, "net": 109, "family": 15, "plain": 89}),
        (89, True, False, {"board": 15, "online": 104, "net": 104, "family": 10, "plain": 89}),
        (54, False, False, {"board": -35, "online": 54, "net": 19, "family": -35, "plain": 54}),
        (81, False, False, {"board": -8, "online": 81, "net": 73, "family": -8, "plain": 81}),
        (65, False, False, {"board": -24, "online": 65, "net": 41, "family": -24, "plain": 65}),
        (69, False, False, {"board": -20, "online": 69, "net": 49, "family": -20, "plain": 69}),
    ],
)
def test_points_of_the_worked_examples(
    tmp_path: Path, cells: int, every: bool, single: bool, expected: dict[str, int]
) -> None:
    library(tmp_path, "duo", [{"seat": 1, "player": "Ada"}], [colour(1, cells, 1, every, single)])
    with open_reader(tmp_path) as reader:
        rows = reader.table("SELECT scoring, points FROM scores").to_pylist()
    assert {row["scoring"]: row["points"] for row in rows} == expected


@pytest.mark.parametrize(
    ("variant", "cells"), [("duo", 89), ("junior", 88), ("trigon", 110), ("trigon_3", 110)]
)
def test_points_of_a_colour_that_placed_nothing(tmp_path: Path, variant: str, cells: int) -> None:
    library(tmp_path, variant, [{"seat": 1}], [colour(1, 0, 1)])
    with open_reader(tmp_path) as reader:
        assert reader.table("SELECT points FROM scores WHERE scoring = 'board'").to_pylist() == [
            {"points": -cells}
        ]


def test_seats_of_two_colours_add_up(tmp_path: Path) -> None:
    seats = [{"seat": 1, "player": "Ada", "colours": [1, 3]}, {"seat": 2, "player": None, "colours": [2, 4]}]
    placed = [colour(1, 80, 1), colour(2, 70, 2), colour(3, 60, 1), colour(4, 89, 2, True, True)]
    library(tmp_path, "classic_2", seats, placed)
    with open_reader(tmp_path) as reader:
        (row,) = reader.table("SELECT players, points FROM games_view").to_pylist()
        assert row == {"players": ["Ada", None], "points": [-9 - 29, -19 + 20]}


def test_teams_share_the_points_of_their_seats(tmp_path: Path) -> None:
    seats = [{"seat": s, "team": 1 + (s + 1) % 2, "colours": [s]} for s in range(1, 5)]
    library(tmp_path, "classic", seats, [colour(s, 80 + s, s) for s in range(1, 5)])
    with open_reader(tmp_path) as reader:
        rows = reader.table(
            "SELECT points, team_points FROM seat_scores WHERE scoring = 'plain' ORDER BY seat"
        ).to_pylist()
    assert [tuple(row.values()) for row in rows] == [(81, 164), (82, 166), (83, 164), (84, 166)]


def test_a_shared_colour_counts_for_nobody(tmp_path: Path) -> None:
    seats = [{"seat": s, "colours": [s]} for s in range(1, 4)]
    library(tmp_path, "classic_3", seats, [*(colour(s, 80, s) for s in range(1, 4)), colour(4, 50, None)])
    with open_reader(tmp_path) as reader:
        assert reader.table("SELECT points FROM games_view").to_pylist() == [{"points": [-9, -9, -9]}]
        assert reader.table("FROM scores WHERE colour = 4").num_rows == 5


def test_a_row_more_in_the_engine_is_a_scoring_table_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCORINGS, "double", Scoring("double", 2, -3, 7, 9))
    assert parse_rules("duo", {"scoring": "double"}).scoring == "double"
    assert points("double", "duo", ColourFacts(88)) == 2 * 88 - 3
    library(tmp_path, "duo", [{"seat": 1, "player": "Ada"}], [colour(1, 88, 1)])
    with open_reader(tmp_path) as reader:
        rows = reader.table("SELECT scoring, points FROM scores").to_pylist()
    assert {row["scoring"] for row in rows} == set(SCORINGS)
    assert {row["points"] for row in rows if row["scoring"] == "double"} == {2 * 88 - 3}
