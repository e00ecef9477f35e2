"""`cornerwise players`, `ratings` and `standings` as people and programs see them."""

from __future__ import annotations

import pytest

from tests.dashboards.running import Cli
from tests.pipeline.contests import Played, Stated, library

CUP = {"event": "Spring Cup"}


@pytest.fixture
def club(cli: Cli) -> Cli:
    library(
        cli.library,
        Played(("Ada", "Ben"), (1, 2), cells=(60, 50), turn="1", **CUP),
        Played(("Ben", "Cleo"), (1, 1), cells=(55, 55), turn="2", date="2020-02-01", **CUP),
        Played(("Ada", "Cleo"), (None, None), turn="3", extra={"unfinished": True, "outcome": None}, **CUP),
        Stated(("Ada", "Ben", "Cleo", "Dan"), (1, 2, 2, 4), date="2021"),
    )
    return cli


def test_a_list_of_players(club: Cli) -> None:
    out = club.ok("players").out
    assert out.splitlines()[0].split()[:5] == ["player", "games", "won", "drawn", "lost"]
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["Ben", "Ada", "Cleo", "Dan"]
    document = club.json("players", "--variant", "classic", "--limit", 2)
    assert document["total"] == 4
    assert [row["player"] for row in document["players"]] == ["Ada", "Ben"]
    assert document["reason"] is None


def test_one_player(club: Cli) -> None:
    out = club.ok("players", "ben").out
    for part in ("Ben", "by variant", "by seat", "by colour", "by year", "opponents", "Cleo"):
        assert part in out
    view = club.json("players", "Ben")
    assert (view["total"]["games"], view["total"]["draws"]) == (3, 1)
    assert {row["variant"]: row["games"] for row in view["by_variant"]} == {"duo": 2, "classic": 1}
    assert [row["year"] for row in view["by_year"]] == [2020, 2021]


def test_two_players(club: Cli) -> None:
    pair = club.json("players", "Ada", "--against", "Ben")
    assert (pair["total"]["games"], pair["total"]["wins"]) == (2, 2)
    assert "Ada against Ben" in club.ok("players", "Ada", "--against", "Ben").out
    none = club("players", "Ada", "--against", "Dan", "--variant", "duo")
    assert none.code == 0
    assert "no game of these two" in none.message


def test_everybody_against_everybody(club: Cli) -> None:
    out = club.ok("players", "--matrix", "--variant", "duo").out
    assert "100/1" in out
    assert club.json("players", "--matrix")["players"] == ["Ben", "Ada", "Cleo", "Dan"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("players", "Adda"), "there is 'Ada'"),
        (("ratings", "--history", "Bem"), "there is 'Ben'"),
        (("standings", "Winter"), "there is 'Spring Cup'"),
        (("players", "--by", "weather"), "choose one of"),
        (("players", "--against", "Ada"), "needs the name"),
        (("players", "Ada", "--matrix"), "leave NAME out"),
        (("players", "--since", "soon"), "write 2020-12-30"),
        (("ratings", "--variant-family", "chess"), "choose one of classic"),
        (("ratings", "--compare", "--at", "2020"), "ask one"),
        (("standings", "Spring Cup", "--points", "many"), "write them by place"),
        (("standings", "Spring Cup", "--tie-breaks", "luck"), "choose of"),
    ],
)
def test_what_makes_no_sense(club: Cli, args: tuple[str, ...], words: str) -> None:
    result = club(*args)
    assert result.code == 2
    assert words in result.message


@pytest.mark.parametrize(
    "args",
    [
        ("players", "--variant", "trigon"),
        ("players", "Ada", "--variant", "trigon"),
        ("players", "--matrix", "--variant", "trigon"),
        ("ratings", "--variant-family", "trigon"),
        ("ratings", "--at", "2019"),
        ("ratings", "--history", "Dan", "--variant-family", "duo"),
        ("ratings", "--compare"),
        ("standings", "Spring Cup", "--variant", "trigon"),
    ],
)
def test_what_matches_nothing_says_so(club: Cli, args: tuple[str, ...]) -> None:
    assert club.ok(*args).err.strip()
    assert club.json(*args)["reason"]


def test_ratings(club: Cli) -> None:
    result = club.ok("ratings", "--variant-family", "duo")
    assert result.out.splitlines()[1].split()[:2] == ["duo", "Ada"]
    assert "approximation" in result.err
    document = club.json("ratings")
    assert "approximation" in document["points"]
    assert {row["family"] for row in document["ratings"]} == {"classic", "duo"}
    assert all(row["low"] < row["mu"] < row["high"] for row in document["ratings"])
    assert club.json("ratings", "--min-games", 2)["total"] == 1


def test_a_rating_of_one_game(club: Cli) -> None:
    (row,) = club.json("ratings", "--history", "Dan")["history"]
    assert (row["games"], row["share"], row["points"]) == (1, 0, None)
    assert row["sigma"] > 7
    assert "classic" in club.ok("ratings", "--history", "Dan").out


def test_standings(club: Cli) -> None:
    result = club.ok("standings", "spring cup")
    lines = result.out.splitlines()
    assert lines[0] == "Spring Cup"
    assert [line.split()[:2] for line in lines[3:6]] == [["1", "Ada"], ["2", "Cleo"], ["3", "Ben"]]
    assert "bye in round 1: Cleo" in result.out
    assert "unfinished" in result.out
    document = club.json("standings", "Spring Cup", "--points", "win=3,draw=1,loss=0", "--bye", 1)
    assert [(row["player"], row["points"]) for row in document["standings"]] == [
        ("Ada", 4),
        ("Cleo", 2),
        ("Ben", 1),
    ]
    assert document["not_counted"][0]["reason"] == "unfinished"


def test_names_cannot_steer_the_terminal(cli: Cli) -> None:
    nasty = "Eve\x1b[2J"
    library(cli.library, Played((nasty, "Ben"), (1, 2), event=nasty))
    for args in (
        ("players",),
        ("players", nasty),
        ("ratings",),
        ("ratings", "--history", nasty),
        ("standings", nasty),
    ):
        assert "\x1b" not in cli.ok(*args).out
    assert cli("players", "Eve\x1b[3J").code == 2
    assert "\x1b" not in cli("players", "Eve\x1b[3J").err
