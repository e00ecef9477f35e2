"""Players' results: who counts against whom, filters, intervals, and what has none."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pipeline.aliases import Alias, set_aliases
from pipeline.contests import ContestFilter
from pipeline.errors import NoSuchPlayer
from pipeline.intervals import student, wilson
from pipeline.players.players import (
    ALONE,
    ONE_GAME,
    SEVERAL_TABLES,
    head_to_head,
    list_players,
    matrix,
    player,
)
from pipeline.store import open_reader, open_writer
from tests.pipeline.contests import ALL, Played, Stated, library


def listed(folder: Path, wanted: ContestFilter = ALL, **options: Any) -> dict[str, dict[str, Any]]:
    with open_reader(folder) as reader:
        return {row["player"]: row for row in list_players(reader, wanted, **options).rows}


def tally(row: dict[str, Any]) -> tuple[int, int, int, int]:
    return row["games"], row["wins"], row["draws"], row["losses"]


def test_games_and_results_count_once(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben"), (1, 2), cells=(60, 50)),
        Played(("Ben", "Ada"), (1, 1), date="2021-05", cells=(55, 55)),
        Stated(("Ada", "Ben", "Cleo", "Dan"), (1, 2, 2, 4), date="2019-03-01"),
        Stated(("Ada", "Ben", "Cleo", "Dan"), (2, 1, 3, 4), unfinished=True),
    )
    rows = listed(folder)
    assert tally(rows["Ada"]) == (3, 2, 1, 0)
    assert tally(rows["Ben"]) == (3, 0, 1, 2)
    assert tally(rows["Dan"]) == (1, 0, 0, 1)
    assert rows["Ada"]["last_played"] == "2021-05"
    assert rows["Cleo"]["share"] == 0.5  # before one, level with one, behind one
    assert rows["Ada"]["variants"] == ["classic", "duo"]


def test_the_same_result_from_another_file_changes_nothing(tmp_path: Path) -> None:
    result = Stated(("Ada", "Ben", "Cleo", "Dan"), (1, 2, 2, 4), key="7")
    folder = library(tmp_path / "L", result)
    before = listed(folder)
    library(folder, result)
    assert listed(folder) == before


def test_seats_of_one_player_count_against_the_others_only(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben", "Ada", "Cleo"), (1, 2, 3, 4), "classic"),
        Played(("Ada", "Ada"), (1, 2)),
    )
    rows = listed(folder)
    assert tally(rows["Ada"]) == (1, 1, 0, 1)
    assert rows["Ada"]["seats"] == 2
    assert rows["Ada"]["share"] == 0.75  # the first seat beat both, the second one of two
    assert rows["Ben"]["share"] == pytest.approx(2 / 3)  # Ada's seats are two opponents
    with open_reader(folder) as reader:
        assert player(reader, "Ada", ALL).own_games == 1
        met = head_to_head(reader, "Ada", "Ben", ALL).total
    assert (met["games"], met["meetings"], met["wins"], met["losses"]) == (1, 2, 1, 1)


def test_a_first_place_shared_with_oneself_is_a_win(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ada", "Ben", "Ben"), (1, 1, 3, 4), "classic"))
    assert tally(listed(folder)["Ada"]) == (1, 2, 0, 0)


def test_team_mates_do_not_meet(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L", Played(("Ada", "Ben", "Cleo", "Dan"), (1, 2, 1, 2), "classic", teams=(1, 2, 1, 2))
    )
    assert tally(listed(folder)["Cleo"]) == (1, 1, 0, 0)
    with open_reader(folder) as reader:
        assert [row["against"] for row in player(reader, "Ada", ALL).opponents] == ["Ben", "Dan"]
        assert head_to_head(reader, "Ada", "Cleo", ALL).total["games"] == 0


def test_odd_games_count_when_asked_for(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben"), (1, 2), extra={"irregular": True}),
        Played(("Ada", "Ben"), (1, 2), extra={"foreign_pieces": True}, name="other"),
        Played(("Ada", "Ben"), (None, None), extra={"illegal": True}),
    )
    assert listed(folder) == {}
    assert tally(listed(folder, ContestFilter(odd=True))["Ada"]) == (2, 2, 0, 0)


def test_aliases_are_one_player(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada L.", "Ben"), (1, 2)),
        Stated(("Ada", "Ben", "Cleo", "Dan"), (1, 2, 3, 4)),
        Stated(("ada", "Ben", "Cleo", "Dan"), (1, 2, 3, 4)),
    )
    with open_writer(folder) as writer:
        set_aliases(writer, [Alias("Ada L.", "Ada"), Alias("ada", "Ada")])
    assert tally(listed(folder)["Ada"]) == (3, 3, 0, 0)
    with open_reader(folder) as reader:
        view = player(reader, "Ada L.", ALL)
    assert (view.player, view.names) == ("Ada", ["Ada L.", "ada"])


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        (ContestFilter(variant="duo"), 2),
        (ContestFilter(since="2020-06"), 1),
        (ContestFilter(until="2020-06"), 1),
        (ContestFilter(since="2020", until="2020"), 2),
        (ContestFilter(event="cup"), 1),
        (ContestFilter(source="results"), 1),
        (ContestFilter(variant="trigon"), 0),
    ],
)
def test_filters(tmp_path: Path, wanted: ContestFilter, games: int) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben"), (1, 2), date="2020-03-01", event="Spring Cup"),
        Played(("Ada", "Ben"), (2, 1), date="2020-12", event="Club"),
        Stated(("Ada", "Ben", "Cleo", "Dan"), (1, 2, 3, 4)),
    )
    rows = listed(folder, wanted)
    assert (rows["Ada"]["games"] if rows else 0) == games


def test_a_wanted_number_of_games(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L", Played(("Ada", "Ben"), (1, 2)), Played(("Ada", "Cleo"), (2, 1), name="second")
    )
    assert list(listed(folder, min_games=2)) == ["Ada"]


def test_a_missing_interval_has_its_reason(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Played(("Ada", "Ben"), (1, 2), cells=(60, 50)),
        Played(("Ada", "Cleo"), (1, 2), "junior", cells=(60, 50)),
    )
    rows = listed(folder)
    assert rows["Ben"]["mean_score"] == -39
    assert (rows["Ben"]["score_low"], rows["Ben"]["score_reason"]) == (None, ONE_GAME)
    assert (rows["Ada"]["mean_score"], rows["Ada"]["score_reason"]) == (None, SEVERAL_TABLES)
    assert rows["Ben"]["share_high"] == pytest.approx(0.7935, abs=1e-4)
    by_variant = listed(folder, by="variant")
    assert by_variant["Ada"]["mean_score"] is not None


def test_a_filter_that_matches_nothing_gives_numbers_and_a_reason(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)))
    with open_reader(folder) as reader:
        view = player(reader, "Ada", ContestFilter(variant="trigon"))
        met = head_to_head(reader, "Ada", "Ben", ContestFilter(variant="trigon"))
    assert (view.total["games"], view.total["share"], view.total["score_reason"]) == (0, None, ALONE)
    assert (met.total["games"], met.total["share"], met.by_variant) == (0, None, [])


def test_unknown_players(tmp_path: Path) -> None:
    folder = library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)), Played((None, "Adam"), (1, 2), name="b"))
    with open_reader(folder) as reader:
        assert player(reader, "ADA", ALL).player == "Ada"
        with pytest.raises(NoSuchPlayer, match=r"'Ada', 'Adam'|'Adam', 'Ada'"):
            player(reader, "Adda", ALL)
        with pytest.raises(NoSuchPlayer, match=r"'Zed'$"):
            player(reader, "Zed", ALL)
    empty = library(tmp_path / "E")
    with open_reader(empty) as reader:
        assert list_players(reader, ALL).rows == []
        assert matrix(reader, ALL) == ([], [])
        with pytest.raises(NoSuchPlayer, match="no decided game"):
            player(reader, "Ada", ALL)


def test_results_of_a_margin_alone(tmp_path: Path) -> None:
    folder = library(
        tmp_path / "L",
        Stated(("Ada", "Ben"), margin=-3, variant="duo"),
        Stated(("Ada", "Ben"), margin=0, variant="duo"),
    )
    assert tally(listed(folder)["Ben"]) == (2, 1, 1, 0)


def test_tables_agree_with_a_naive_count(tmp_path: Path) -> None:
    """Random games with names on several seats and seats without a name, counted with dictionaries."""
    chance = random.Random(5)
    games = []
    for number in range(80):
        seats = chance.choice((2, 4))
        players = tuple(chance.choice(("Ada", "Ben", "Cleo", "Dan", None)) for _ in range(seats))
        scores = [chance.randrange(4) for _ in range(seats)]
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        if chance.random() < 0.5:
            games.append(Played(players, places, "duo" if seats == 2 else "classic", name=str(number)))
        else:
            games.append(Stated(players, places, "duo" if seats == 2 else "classic", key=str(number)))
    folder = library(tmp_path / "L", *games)
    shares: dict[str, list[float]] = defaultdict(list)
    meetings: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game in games:
        seats_of = list(zip(game.players, game.places, strict=True))
        for one, place in seats_of:
            others = [p for other, p in seats_of if other is None or other != one]
            if one is None:
                others = [p for at, (_, p) in enumerate(seats_of) if seats_of[at] is not (one, place)]
            if one is not None and others:
                shares[one].append(sum((place < p) + (place == p) / 2 for p in others) / len(others))
        for (one, place), (other, behind) in combinations(seats_of, 2):
            if one is not None and other is not None and one != other:
                result = (place < behind) + (place == behind) / 2
                meetings[one, other].append(result)
                meetings[other, one].append(1 - result)
    rows = listed(folder)
    assert {name: row["seats"] for name, row in rows.items()} == {n: len(s) for n, s in shares.items()}
    for name, row in rows.items():
        assert row["share"] == pytest.approx(sum(shares[name]) / len(shares[name]))
    with open_reader(folder) as reader:
        names, pairs = matrix(reader, ALL)
    assert set(names) == set(shares)
    assert {(row["player"], row["against"]): row["meetings"] for row in pairs} == {
        pair: len(results) for pair, results in meetings.items()
    }
    for row in pairs:
        assert row["share"] == pytest.approx(sum(meetings[row["player"], row["against"]]) / row["meetings"])


def test_intervals() -> None:
    assert wilson(0.0, 1) == pytest.approx((0, 0.7935), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1), abs=1e-4)
    assert wilson(None, 0) is None
    assert student(1.0, None, 1) is None
    assert student(0.0, 1.0, 31) == pytest.approx((-2.0423 / math.sqrt(31), 2.0423 / math.sqrt(31)), abs=1e-4)
    assert student(0.0, 1.0, 61) == pytest.approx((-2.0003 / math.sqrt(61), 2.0003 / math.sqrt(61)), abs=1e-4)
