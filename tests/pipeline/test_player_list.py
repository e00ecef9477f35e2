"""All players beside one another: what compares, in what order, whom a search finds."""

from pathlib import Path

from pipeline.players.listing import in_order, listed_players, played_variants
from pipeline.store import open_reader
from tests.pipeline.contests import Played, Stated, library


def _library(folder: Path) -> Path:
    return library(
        folder,
        *(Played(("Ada", "Ben"), (1, 2), date=f"2020-01-0{day}") for day in range(1, 6)),
        Played(("Ben", "Ada"), (1, 2), "junior"),
        Stated(("Cleo", "Ada", "Ben", "Élan"), (1, 2, 3, 4)),
    )


def test_ratings_and_accuracy_are_of_one_variant(tmp_path: Path) -> None:
    with open_reader(_library(tmp_path / "L")) as reader:
        every, duo = listed_players(reader), listed_players(reader, "duo")
    assert {row["player"] for row in every} == {"Ada", "Ben", "Cleo", "Élan"}
    assert all(row["mu"] is None and row["rated_games"] is None for row in every)
    assert {row["player"]: row["rated_games"] for row in duo} == {"Ada": 5, "Ben": 5}
    ada, ben = (next(row for row in duo if row["player"] == name) for name in ("Ada", "Ben"))
    assert ada["low"] < ada["mu"] < ada["high"]
    assert ada["mu"] > ben["mu"]
    assert ada["accuracy"] is None and ada["decisions"] is None  # nothing is judged
    assert played_variants(every) == ["classic", "duo", "junior"]


def test_orders_and_search(tmp_path: Path) -> None:
    with open_reader(_library(tmp_path / "L")) as reader:
        every, duo = listed_players(reader), listed_players(reader, "duo")

    def names(rows: list[dict[str, object]]) -> list[object]:
        return [row["player"] for row in rows]

    assert names(in_order(every, "games"))[:2] == ["Ada", "Ben"]
    assert names(in_order(every, "share"))[0] == "Cleo"
    assert names(in_order(every, "player")) == ["Ada", "Ben", "Cleo", "Élan"]
    assert names(in_order(duo, "rating")) == ["Ada", "Ben"]
    assert names(in_order(every, "no such order")) == names(in_order(every, "games"))
    assert names(in_order(every, "games", " éL ")) == ["Élan"]
    assert in_order(every, "games", "nobody") == []
