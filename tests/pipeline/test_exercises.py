"""Mistakes as exercises, and what a player's moves lose: on the games of one small judged library."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.analysis.exercises import exercise, tried
from pipeline.analysis.mistakes import MistakeFilter, mistakes
from pipeline.errors import NoSuchGame, NotThere
from pipeline.players.quality import PlayerQuality, player_quality
from pipeline.queries import Row
from pipeline.store import Reader, open_reader
from tests.pipeline.analysed import judge, library_of, rows_of
from tests.pipeline.measured import generated

NAME = "Ada"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three random games of two colours, judged without search, and one that is not."""
    place = tmp_path_factory.mktemp("exercises")
    games = [{**game, "players": [NAME, "Ben"]} for game in generated("duo", 3)]
    library = library_of(place, games)
    judge(library)
    return library_of(place, [{**generated("duo", 4)[3], "players": ["Ben", NAME]}])


@pytest.fixture(scope="module")
def reader(folder: Path) -> Reader:
    return open_reader(folder)


@pytest.fixture(scope="module")
def worst(reader: Reader) -> Row:
    return next(row for row in mistakes(reader, MistakeFilter(0.05, NAME)).rows if row["best_move"])


def test_an_exercise_is_the_position_before_the_mistake(reader: Reader, worst: Row) -> None:
    asked = exercise(reader, worst["short"], worst["ply"])
    assert (asked.player, asked.players, asked.variant) == (NAME, (NAME, "Ben"), "duo")
    assert int((asked.position.board >= 0).any()) == (worst["ply"] > 1)
    assert asked.position.to_move == asked.colour == worst["colour"] - 1
    assert (asked.played.move, asked.best.move) == (worst["played_move"], worst["best_move"])
    legal = asked.legal()
    assert legal[asked.played.cells] == asked.played.placement
    assert legal[asked.best.cells] == asked.best.placement
    assert len(legal) == asked.row["legal_moves"]


def test_a_tried_move_is_valued_beside_the_better_one(reader: Reader, worst: Row) -> None:
    asked = exercise(reader, worst["short"], worst["ply"])
    best, played = tried(asked, asked.best.placement), tried(asked, asked.played.placement)
    assert best.found and best.loss_share == 0
    assert played.loss_share == worst["loss_share"] and not played.found
    others = (asked.best.placement, asked.played.placement)
    another = next(placement for placement in asked.legal().values() if placement not in others)
    before = asked.position.key
    first, again = tried(asked, another), tried(asked, another)
    assert first == again
    assert first.choice.placement == another
    assert first.choice.share == pytest.approx(asked.best.share - first.loss_share)
    assert asked.position.key == before


def test_what_is_no_mistake_is_no_exercise(reader: Reader, worst: Row, folder: Path) -> None:
    _, plies = rows_of(folder)
    fine = next(row for row in plies if row["label"] == "best")
    identity = reader.table("SELECT id FROM games WHERE game_no = ?", [fine["game_no"]])["id"][0].as_py()
    for ply in (fine["ply"], 0, 250):
        with pytest.raises(NotThere, match="no mistake"):
            exercise(reader, identity, ply)
    (unjudged,) = reader.table(
        "SELECT id FROM games WHERE game_no NOT IN (SELECT game_no FROM analysed_games_raw)"
    )["id"].to_pylist()
    with pytest.raises(NotThere, match="not judged"):
        exercise(reader, unjudged, worst["ply"])
    with pytest.raises(NoSuchGame):
        exercise(reader, "0" * 32, 1)


def test_what_a_player_loses_adds_up(reader: Reader, folder: Path) -> None:
    (found,) = player_quality(reader, NAME)
    assert isinstance(found, PlayerQuality)
    _, plies = rows_of(folder)
    own = [row for row in plies if row["seat"] == 1 and row["accuracy"] is not None]
    assert found.total["decisions"] == len(own)
    assert found.total["games"] == 3 and found.older == 0
    lost = sum(row["loss_share"] for row in own)
    points = sum(row["loss_points"] for row in own)
    for rows in (found.labels, found.pieces):
        assert sum(row["decisions"] for row in rows) == len(own)
        assert sum(row["lost"] for row in rows) == pytest.approx(lost)
        assert sum(row["lost_points"] for row in rows) == pytest.approx(points)
    assert [row["phase"] for row in found.phases] == ["opening", "middle", "end"]
    assert sum(row["decisions"] * row["accuracy"] for row in found.phases) == pytest.approx(
        sum(row["accuracy"] for row in own)
    )
    costs = [row["lost"] for row in found.pieces]
    assert costs == sorted(costs, reverse=True)
    everybody = [row for row in plies if row["accuracy"] is not None]
    assert found.total["all_accuracy"] == pytest.approx(
        sum(r["accuracy"] for r in everybody) / len(everybody)
    )


def test_who_was_never_judged_has_no_quality(reader: Reader) -> None:
    assert player_quality(reader, "Cleo") == []
