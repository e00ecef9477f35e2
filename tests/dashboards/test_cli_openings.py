"""`cornerwise openings`, `pieces` and `seats`."""

from __future__ import annotations

import pytest

from tests.dashboards.running import Cli

LINE = "B[e10,e11,f11,f12,g12];W[h7,i6,i7,j5,j6];B[d8,d9];W[g8]"
FIRST = "e10,e11,f11,f12,g12"


@pytest.fixture
def played(cli: Cli) -> Cli:
    """Finished games of Duo, and an unfinished one with a player."""
    cli.put("in/.keep", "")
    cli.ok("generate", "--out", cli.folder / "in/duo.blksgf", "--variant", "duo", "--games", 12, "--seed", 2)
    cli.put("in/some.blksgf", f"(;GM[Blokus Duo]PB[Ada Lovely]DT[2021-03-04];{LINE})")
    cli.ok("import", "in")
    return cli


def test_openings_from_the_start(played: Cli) -> None:
    found = played.json("openings")
    assert (found["variant"], found["games"], found["left_out"], found["view"]) == ("duo", 12, 1, "exact")
    assert sum(row["games"] for row in found["moves"]) <= 12
    result = played.ok("openings", "--limit", 1)
    assert "duo, first to move: 12 games" in result.out and "games  reached" in result.out
    assert "not counted: 1 " in result.err and "--limit" in result.err
    merged = played.json("openings", "--merged", "--limit", 0)
    assert merged["view"] == "merged" and merged["total_moves"] <= found["total_moves"]


def test_the_same_position_in_four_ways(played: Cli) -> None:
    game = played.games("--player", "Ada Lovely")[0]["id"]
    shown = played.json("show", game, "--ply", 2)
    key = shown["at"]["position_key"]
    text = played.json("legal", played.folder / "in/some.blksgf", "--ply", 2)["position"]
    ways = (
        (FIRST, "h7,i6,i7,j5,j6"),
        ("--game", game, "--ply", 2),
        ("--key", key),
        ("--position", text),
    )
    for way in ways:
        found = played.json("openings", *way, "--flawed")
        assert (found["position_key"], found["games"], found["to_move"]) == (key, 1, "first")
        assert [row["move"] for row in found["moves"]] == ["d8,d9"]
        assert found["moves"][0]["share_reason"] == "no game with this move has a result"


def test_questions_that_make_no_sense(played: Cli) -> None:
    for args, message in (
        ((FIRST, "--key", "0" * 32), "exclude each other"),
        (("--ply", 2), "--game"),
        (("e10", "e10"), "move 2, e10"),
        (("--key", "12"), "no position key"),
        (("--variant", "go"), "go"),
        (("--scoring", "points"), "unknown scoring"),
        (("--seat", 1), "name one"),
        (("--player", "Adda"), "there is 'Ada'"),
        (("--since", "soon"), "--since"),
        (("--shape", FIRST), "--shape"),
    ):
        result = played("openings", *args)
        assert result.code == 2, (args, result.err)
        assert message in result.message


def test_a_filter_that_matches_nothing_says_so(played: Cli) -> None:
    result = played.ok("openings", "--since", "2500")
    assert "no game that is counted has this position" in result.err
    assert "no game that is counted matches" in played.ok("pieces", "--since", "2500").err
    assert "no game that is counted matches" in played.ok("seats", "--since", "2500").err
    assert played.json("openings", "--since", "2500")["moves"] == []


def test_several_variants_need_a_name(played: Cli) -> None:
    played.put("more/.keep", "")
    played.ok(
        "generate", "--out", played.folder / "more/j.blksgf", "--variant", "junior", "--games", 2, "--seed", 2
    )
    played.ok("import", "more")
    result = played("openings")
    assert result.code == 2 and "duo, junior" in result.message
    assert played.json("openings", "--variant", "junior")["games"] == 2
    assert {row["variant"] for row in played.json("seats")["seats"]} == {"duo", "junior"}


def test_pieces_and_seats(played: Cli) -> None:
    text = played.ok("pieces").out
    assert "first pieces" in text and "with share" in text
    found = played.json("pieces", "--lists")
    assert (found["games"], found["colours"], found["lists"]) == (12, 24, [])
    assert len(found["pieces"]) == 21
    text = played.ok("seats").out
    assert "all placed" in text and "least to most" in text
    rows = played.json("seats")["seats"]
    assert [row["seat"] for row in rows] == [1, 2] and rows[0]["games"] == 12
    shapes = played.json("openings", "--shape")
    assert shapes["view"] == "shape" and sum(row["games"] for row in shapes["shapes"]) <= 24


def test_an_empty_library(cli: Cli) -> None:
    cli.put("in/none.txt", "nothing")
    cli("import", "in")
    for command in ("openings", "pieces"):
        assert "no games" in cli(command).message or "no library" in cli(command).message
