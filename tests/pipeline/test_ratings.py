"""Ratings: order-free, reproducible, of what counts; and the reference engine's levels in their order."""

from __future__ import annotations

import math
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pipeline import ratings as module
from pipeline.aliases import Alias, set_aliases
from pipeline.errors import NoSuchPlayer, PipelineError
from pipeline.ingest import import_paths
from pipeline.rating_comparison import compare, compare_models
from pipeline.rating_models import Contest, Elo, Openskill, Points, Unit
from pipeline.ratings import FAMILIES, history, rating_tables, ratings, ratings_of
from pipeline.store import open_reader, open_writer
from tests.pipeline.contests import Played, Stated, library
from tests.places import archives

CLOSE = 1e-9
FOUR = ("Ada", "Ben", "Cleo", "Dan")


def rated(folder: Path, family: str | None = None, **options: Any) -> dict[str, dict[str, Any]]:
    with open_reader(folder) as reader:
        return {row["player"]: row for row in ratings(reader, family, **options).rows}


def contest(*places: int, people: tuple[str, ...] = FOUR, number: int = 1) -> Contest:
    units = tuple(Unit((person,), place) for person, place in zip(people, places, strict=False))
    return Contest(number, "classic", units)


def seated(found: Contest, order: tuple[int, ...]) -> Contest:
    return Contest(found.number, found.family, tuple(found.units[at] for at in order))


@pytest.mark.parametrize(
    "people",
    [FOUR, ("Ada", "Ben", "Ada", "Cleo"), ("Ada", "Ada", "Ben", "Ben"), ("Ada", "Ada", "Ada", "Ben")],
)
def test_seats_in_any_order_rate_alike(people: tuple[str, ...]) -> None:
    """O-C4: 24 permutations, from equal ratings and from unequal ones."""
    found = contest(1, 2, 2, 4, people=people)
    results = []
    for order in permutations(range(4)):
        skills, elo = Openskill(), Elo()
        for model in (skills, elo):
            model.rate(seated(found, order))
            model.rate(seated(contest(2, 1, 3, 3, people=people), order))
            model.rate(seated(found, order[::-1]))
        results.append(
            [
                v
                for p in sorted(set(people))
                for v in (skills.skill(p).mu, skills.skill(p).sigma, elo.rating(p))
            ]
        )
    for other in results:
        assert other == pytest.approx(results[0], abs=CLOSE)


def test_equal_scores_rate_alike() -> None:
    """O-C4: -10, -12, -12, -20, all of them new."""
    model = Openskill()
    model.rate(contest(1, 2, 2, 4))
    ada, ben, cleo, dan = map(model.skill, FOUR)
    assert ben.mu == pytest.approx(cleo.mu, abs=CLOSE)
    assert ben.sigma == pytest.approx(cleo.sigma, abs=CLOSE)
    assert ada.mu > ben.mu > dan.mu
    assert ben.mu == pytest.approx(25, abs=CLOSE)


def test_between_own_seats_nothing_is_learned() -> None:
    skills, elo = Openskill(), Elo()
    for model in (skills, elo):
        model.rate(contest(1, 2, people=("Ada", "Ada")))
    assert skills.skills == {}
    assert elo.points == {}
    # Both of Ada's seats came before Ben: where they came among themselves does not matter.
    results = []
    for places in ((1, 2, 3, 4), (2, 1, 4, 3), (1, 1, 3, 3)):
        model = Openskill()
        model.rate(contest(*places, people=("Ada", "Ada", "Ben", "Ben")))
        results.append((model.skill("Ada").mu, model.skill("Ben").mu))
    assert results[1] == pytest.approx(results[0])
    assert results[2] == pytest.approx(results[0])


def test_a_player_on_two_seats_has_two_results() -> None:
    once, twice = Openskill(), Openskill()
    once.rate(contest(1, 2, people=("Ada", "Ben")))
    twice.rate(contest(1, 3, 2, people=("Ada", "Ben", "Ada")))
    gain = once.skill("Ada").mu - 25
    assert twice.skill("Ada").mu - 25 == pytest.approx(2 * gain)
    assert 25 - twice.skill("Ben").mu == pytest.approx(gain)
    assert math.log(twice.skill("Ada").sigma / (25 / 3)) == pytest.approx(
        2 * math.log(once.skill("Ada").sigma / (25 / 3))
    )


def test_teams_are_rated_as_teams() -> None:
    skills, elo = Openskill(), Elo()
    pairs = (Unit(("Ada", "Ben"), 1), Unit(("Cleo", "Dan"), 2))
    for model in (skills, elo):
        model.rate(Contest(1, "classic_teams", pairs))
    assert skills.skill("Ada").mu == skills.skill("Ben").mu > 25 > skills.skill("Cleo").mu
    assert elo.rating("Ada") == elo.rating("Ben") == 1516
    both = Openskill()
    both.rate(Contest(1, "classic_teams", (Unit(("Ada", "Ben"), 1), Unit(("Ada", "Dan"), 2))))
    assert "Ada" not in both.skills


def test_points_are_of_two_players_only() -> None:
    model = Points()
    model.rate(contest(1, 2, 3, 4))
    model.rate(contest(1, 2, people=("Ada", "Ada")))
    assert model.points == {}
    model.rate(Contest(1, "duo", (Unit(("Ada",), 1, 80, 80 / 89), Unit(("Ben",), 2, 60, 60 / 89))))
    assert model.level("Ada") == pytest.approx(599.6, abs=0.05)
    assert model.level("Ben") == 500


def test_what_is_rated(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben"), (1, 2)),
        Played(("Ada", "Ada"), (1, 2)),
        Played(("Ada", None), (1, 2)),
        Played(("Cleo", "Ben"), (1, 2), extra={"irregular": True}),
        Played(("Dan", "Ben"), (1, 2), extra={"foreign_pieces": True}),
        Played(("Eve", "Ben"), (None, None), extra={"illegal": True}),
        Played(
            ("Fay", "Gus", "Hal"), (1, 2, 3), "trigon_3",
            extra={"termination": "abandoned", "penalty_applied": False},
        ),
        Stated(("Ada", "Ben"), (1, 2), variant=None),
        Stated(FOUR, (1, 2, 3, 4), unfinished=True),
        Stated((None, "Ben", "Cleo", "Dan"), (1, 2, 3, 4)),
    )  # fmt: skip
    assert {(r["family"], r["player"]) for r in rated_rows(folder)} == {
        ("duo", "Ada"), ("duo", "Ben"), ("classic", "Ben"), ("classic", "Cleo"), ("classic", "Dan"),
    }  # fmt: skip
    assert {row["player"]: row["games"] for row in rated_rows(folder, "duo")} == {"Ada": 1, "Ben": 1}
    odd = {row["player"]: row["games"] for row in rated_rows(folder, "duo", odd=True)}
    assert odd == {"Ada": 1, "Ben": 3, "Cleo": 1, "Dan": 1}


def rated_rows(folder: Path, family: str | None = None, **options: Any) -> list[dict[str, Any]]:
    with open_reader(folder) as reader:
        return ratings(reader, family, **options).rows


def test_a_new_player_is_shown_with_much_doubt(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)))
    row = rated(folder)["Ada"]
    assert row["games"] == 1
    assert row["low"] < 25 < row["mu"] < row["high"]
    assert row["ordinal"] == pytest.approx(row["mu"] - 3 * row["sigma"])
    assert rated(folder, min_games=2) == {}


def test_ratings_follow_the_order_of_play_and_not_of_import(tmp_path: Path) -> None:
    games = [
        Played(("Ada", "Ben"), (1, 2), date="2020-01-02", name="a"),
        Played(("Ben", "Cleo"), (1, 2), date="2020-02", name="b"),
        Played(("Ada", "Cleo"), (2, 1), date="2021", name="c"),
        Stated(("Ada", "Cleo"), (1, 2), "duo", date="2020-01-30"),
    ]
    one, other = tmp_path / "one", tmp_path / "other"
    library(one, *games)
    for game in reversed(games):
        library(other, game)
    assert rated(one) == rated(other)


def test_the_same_again_and_taken_back_changes_nothing(tmp_path: Path) -> None:
    result = Stated(FOUR, (1, 2, 2, 4), key="7")
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)), result)
    before = rated_rows(folder)
    library(folder, result)
    assert rated_rows(folder) == before
    library(folder, Played(("Ada", "Ben"), (2, 1), name="late"))
    assert rated_rows(folder) != before
    with open_writer(folder) as writer:
        writer.undo(3)
    assert rated_rows(folder) == before


def test_at_a_date(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben"), (1, 2), date="2020-05-01"),
        Played(("Ada", "Ben"), (2, 1), date="2020"),
        Played(("Ada", "Ben"), (2, 1), date=None),
    )
    games = {
        at: rated(folder, at=at).get("Ada", {"games": 0})["games"] for at in ("2020-04", "2020-06", "2020")
    }
    assert games == {"2020-04": 0, "2020-06": 1, "2020": 2}
    assert rated(folder)["Ada"]["games"] == 3
    with open_reader(folder) as reader:
        rows = history(reader, "ada")
        assert [row["date"] for row in rows] == ["2020-05-01", "2020", ""]
        assert [row["games"] for row in rows] == [1, 2, 3]
        assert rows[-1]["mu"] == ratings_of(reader, "duo")["Ada"]
        with pytest.raises(NoSuchPlayer):
            history(reader, "Zed")
        with pytest.raises(PipelineError, match="classic_teams"):
            ratings(reader, "duo_teams")


def test_aliases_are_one_rating(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)), Played(("Ada L.", "Ben"), (1, 2)))
    assert rated(folder)["Ada"]["games"] == 1
    with open_writer(folder) as writer:
        set_aliases(writer, [Alias("Ada L.", "Ada")])
    assert rated(folder)["Ada"]["games"] == 2
    assert "Ada L." not in rated(folder)


def test_teams_are_a_family_of_their_own(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(FOUR, (1, 2, 1, 2), "classic", teams=(1, 2, 1, 2)),
        Played(FOUR, (1, 2, 3, 4), "classic", name="alone"),
    )
    assert rated(folder, "classic_teams")["Ada"]["mu"] == rated(folder, "classic_teams")["Cleo"]["mu"]
    assert rated(folder, "classic")["Ada"]["mu"] > rated(folder, "classic")["Cleo"]["mu"]


def test_ratings_are_kept_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)))
    first = rated_rows(folder)
    monkeypatch.setattr(module, "rate", None)
    assert rated_rows(folder) == first
    (kept,) = (folder / "ratings").glob("*.parquet")
    kept.write_bytes(b"no Parquet")
    monkeypatch.undo()
    assert rated_rows(folder) == first


def test_without_a_place_to_keep_them_they_are_computed(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)))
    (folder / "ratings").write_text("a file in the way")
    assert len(rated_rows(folder)) == 2


def test_only_the_last_ratings_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "L"
    for number in range(module.KEPT + 2):
        library(folder, Played(("Ada", "Ben"), (1, 2), name=str(number)))
        rated_rows(folder)
    assert len(list((folder / "ratings").iterdir())) == module.KEPT


def test_ratings_before_a_game_can_be_joined(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)))
    with open_reader(folder) as reader:
        rows = reader.table(
            "SELECT k.game_no, e.seat, h.mu_before FROM rating_history h JOIN contests k USING (contest) "
            "JOIN entries e ON e.contest = h.contest AND e.person = h.person ORDER BY seat",
            needs=rating_tables(reader),
        ).to_pylist()
    assert [(row["seat"], row["mu_before"]) for row in rows] == [(1, 25), (2, 25)]


def test_an_empty_library_has_no_ratings(tmp_path: Path) -> None:
    with open_reader(library(tmp_path / "L")) as reader:
        assert ratings(reader).rows == []
        assert compare(reader) == []


def test_families_are_of_variants_that_there_are() -> None:
    assert {f.variant for f in FAMILIES.values()} >= {"classic", "duo", "trigon_3"}


def test_models_that_know_the_winner_beat_a_coin() -> None:
    games = [Contest(n, "duo", (Unit(("Ada",), 1, 80, 0.9), Unit(("Ben",), 2, 60, 0.7))) for n in range(40)]
    rows = {row["model"]: row for row in compare_models(games)}
    assert rows["coin"]["calibrated"] == pytest.approx(math.log(2))
    for model in ("openskill", "elo", "points"):
        assert rows[model]["held_out"] == 20
        assert rows[model]["calibrated"] < 0.2
    assert rows["points"]["log_loss"] is None


def test_prediction_does_not_look_ahead() -> None:
    """The first contest of two new players is an even one for every model, whatever came of it."""
    first = Contest(1, "duo", (Unit(("Ada",), 1, 90, 1.0), Unit(("Ben",), 2, 10, 0.1)))
    rows = {row["model"]: row for row in compare_models([first, Contest(2, "duo", first.units[::-1])])}
    assert rows["openskill"]["log_loss"] < math.log(2)
    even = {row["model"]: row for row in compare_models([first])}
    assert even["openskill"]["log_loss"] == pytest.approx(math.log(2))
    assert even["elo"]["log_loss"] == pytest.approx(math.log(2))


@pytest.mark.archives
def test_levels_of_the_reference_engine_are_in_their_order(tmp_path: Path) -> None:
    paths = [archives("reference", f"{name}.blksgf") for name in ("duo", "classic_2")]
    import_paths(tmp_path / "L", [str(path) for path in paths])
    with open_reader(tmp_path / "L") as reader:
        for family in ("duo", "classic_2"):
            rows = ratings(reader, family).rows
            names = [f"Reference level {level}" for level in (5, 4, 3, 2, 1)]
            assert [row["player"] for row in rows] == names  # by the conservative estimate
            for key in ("mu", "elo", "points"):
                assert [row["player"] for row in sorted(rows, key=lambda row: -row[key])] == names
        rows = [row for row in compare(reader) if row["family"] == "duo"]
    losses = {row["model"]: row["calibrated"] for row in rows}
    assert max(losses[model] for model in ("openskill", "elo", "points")) < losses["seats"] / 1.5
