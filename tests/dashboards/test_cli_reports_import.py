"""The problem reports about importers, by the command line."""

from __future__ import annotations

import gzip

import pytest

from tests import records
from tests.dashboards.running import Cli, in_format, record_of, written_formats

GAME = "(;GM[Blokus Duo];B[e10,e11];W[j5,j4])"


@pytest.mark.parametrize(
    ("backslashes", "plies", "comment"),
    [(1, 1, "n1];B[e10"), (2, 2, "n2\\"), (3, 1, "n3\\];B[e10"), (4, 2, "n4\\\\")],
)
@pytest.mark.parametrize("form", ["blksgf", "jsonl"])
def test_b1_backslashes(cli: Cli, form: str, backslashes: int, plies: int, comment: str) -> None:
    text = f"(;GM[Blokus Duo]C[n{backslashes}{chr(92) * backslashes}];B[e10];W[j5])"
    cli.ok("import", cli.put(*in_format(text, form)))
    game = cli.only_game()
    assert game["plies"] == plies
    assert game["record"]["notes"] == [{"event": 0, "comment": comment}]
    assert ("irregular" in game["flags"]) == (plies == 1)  # the second colour moves out of turn

    cli.ok("export", "--to", form, "--out", "again" + ("." + form))
    again = cli.json("import", f"again.{form}")
    assert (again["stored"], again["duplicates"]) == (0, 1)


def test_b2_damaged_frames(cli: Cli) -> None:
    for name, content in {
        "a": "\n\n" + GAME,
        "b": GAME[:-1],
        "c": GAME + ")))",
        "d": GAME + ",b3];W[c1])",
        "e": "()",
        "f": ";;",
        "g": "",
    }.items():
        cli.put(f"frames/{name}.blksgf", content)
    other = cli.put("frames/other.blksgf", "(;GM[Blokus Duo];B[e10];W[j5])")

    summary = cli.json("import", cli.folder / "frames")

    assert (summary["games"], summary["stored"], summary["duplicates"], summary["refused"]) == (7, 2, 3, 2)
    assert (summary["files"], summary["other_files"]) == (7, 1)
    assert summary["details"]["other_files"][0]["file"].endswith("g.blksgf")
    game = next(g for g in cli.games() if g["sightings"] == 4)
    shown = cli.json("show", game["id"])
    assert (shown["plies"], shown["points"]) == (2, [-87, -87])
    warned = {row["source"][-8]: bool(row["warnings"]) for row in shown["sightings"]}
    assert warned == {"a": False, "b": True, "c": True, "d": True}
    assert summary["warnings"] == 3
    assert [row["source"][-8] for row in summary["details"]["warnings"]] == ["b", "c", "d"]
    assert all(row["record"] == 1 and row["warnings"] for row in summary["details"]["warnings"])
    refused = cli.json("quarantine")["quarantine"]
    assert {row["source"][-8] for row in refused} == {"e", "f"}
    assert all(row["message"] for row in refused)
    assert other.name in cli.ok("sql", "SELECT source FROM sightings").out


@pytest.mark.parametrize("form", written_formats())
def test_b4_an_illegal_move_stops_the_game(cli: Cli, form: str) -> None:
    path = cli.put(*in_format(records.O_B4, form))
    summary = cli.json("import", path)
    assert (summary["stored"], summary["illegal"], summary["quarantined"]) == (1, 1, 1)
    game = cli.only_game()
    assert (game["plies"], game["recorded_plies"], game["points"]) == (4, 8, [-80, -83])
    assert (game["stop_ply"], game["stop_reason"], game["winners"]) == (5, "side_contact", [])
    assert game["flags"] == ["illegal"]
    (row,) = cli.json("quarantine")["quarantine"]
    assert (row["ply"], row["code"], row["id"]) == (5, "side_contact", game["id"])
    assert row["message"].startswith("ply 5: first plays f9,g9: ")
    found = cli.json("legal", path, "--colour", "first")
    assert (found["ply"], found["to_move"], found["counts"][0]) == (4, "first", 528)
    assert "f9,g9" in found["note"]


def test_b4_the_games_around_it_are_stored(cli: Cli) -> None:
    three = GAME + "\n" + records.O_B4 + "\n" + records.O_A4_Q
    summary = cli.json("import", cli.put("three.blksgf", three))
    assert (summary["stored"], summary["illegal"]) == (3, 1)
    (row,) = cli.json("quarantine")["quarantine"]
    assert row["record"] == 2
    result = cli("check", cli.folder / "three.blksgf", "--json")
    assert result.code == 3
    assert [v["status"] for v in result.json] == ["unfinished", "illegal", "unfinished"]


@pytest.mark.parametrize("form", written_formats("fourcode", "gtp"))
@pytest.mark.parametrize(
    ("declared", "mismatch"), [("W+3", True), ("B+1", False), ("Draw", True), ("?", None)]
)
def test_b6_a_declared_result_stands_beside_the_computed_one(
    cli: Cli, form: str, declared: str, mismatch: bool | None
) -> None:
    text = records.O_A7.replace("CA[UTF-8]", f"CA[UTF-8]RE[{declared}]")
    cli.ok("import", cli.put(*in_format(text, form)))
    game = cli.only_game()
    (sighting,) = game["sightings"]
    assert (sighting["declared"], sighting["mismatch"]) == (declared, mismatch)
    assert (game["winners"], game["points"]) == ([1], [-42, -43])
    assert ("mismatch" in game["flags"]) == bool(mismatch)


def test_b7_the_same_archive_again_adds_nothing(cli: Cli) -> None:
    path = cli.put("game.blksgf", records.O_A4_P)
    first = cli.json("import", path)
    again = cli.json("import", path)
    assert (first["stored"], again["stored"], again["duplicates"], again["sightings"]) == (1, 0, 1, 0)
    assert cli.only_game()["sightings"][0]["batch"] == first["batch"]

    spelt = "".join(
        part.upper() if "," in part else part for part in records.O_A4_P.replace("[", "\0[\0").split("\0")
    )
    spelt = spelt.replace("\n", "\r\n").replace("CA[UTF-8]", "CA[UTF-8]AP[other:1]PB[PLAYER A]")
    other = cli.json("import", cli.put("other.blksgf", spelt))
    assert (other["stored"], other["duplicates"], other["sightings"]) == (0, 1, 1)
    packed = cli.json("import", cli.put("game.blksgf.gz", gzip.compress(records.O_A4_P.encode())))
    assert (packed["stored"], packed["duplicates"]) == (0, 1)
    info = cli.json("info")
    assert info["games"] == 1


@pytest.mark.parametrize("form", written_formats("blksgf"))
def test_b7_another_format_is_another_sighting(cli: Cli, form: str) -> None:
    cli.ok("import", cli.put("first.blksgf", records.O_A4_P))
    summary = cli.json("import", cli.put(*in_format(records.O_A4_P, form)))
    assert (summary["stored"], summary["duplicates"], summary["sightings"]) == (0, 1, 1)
    assert cli.games("--player", "nobody") == []
    assert record_of(records.O_A4_P).variant == cli.only_game()["variant"]
