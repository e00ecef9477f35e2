"""Every command on a small library: what people see, what machines read, and exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from dashboards.commands.demo import DATA
from tests import records
from tests.dashboards.running import Cli

DATED = """\
(;GM[Blokus Duo]DT[{date}]PB[{first}]PW[Ben];B[{cells}];W[j5])
"""


def test_info(some: Cli) -> None:
    info = some.json("info")
    assert (info["games"], info["sightings"], info["quarantined"], info["players"]) == (3, 3, 1, 5)
    assert info["by_variant"] == {"classic": 1, "classic_2": 1, "duo": 1}
    assert info["by_format"] == {"blksgf": 3}
    assert info["by_termination"] == {"normal": 2, "unfinished": 1}
    assert info["flags"]["illegal"] == info["flags"]["mismatch"] == 1
    assert info["quarantine_by_code"] == {"side_contact": 1}
    assert info["schema_version"] >= 1 and info["program"]
    text = some.ok("info").out
    for word in ("3 games", "classic_2", "side_contact", "mismatch", "schema"):
        assert word in text


def test_games_as_a_table(some: Cli) -> None:
    lines = some.ok("games").out.splitlines()
    assert lines[0].split() == [
        "id",
        "variant",
        "date",
        "players",
        "scores",
        "winner",
        "plies",
        "termination",
        "flags",
    ]
    dated = lines[1].split("  ")
    assert dated[1:3] == ["classic_2", "2021-03-04"]
    assert (
        "Ada - Ben" in lines[1] and "-42 -43" in lines[1] and "seat 1" in lines[1] and "mismatch" in lines[1]
    )
    assert "illegal" in next(line for line in lines if " duo " in line)
    assert len(dated[0]) == 7 and some.games()[0]["id"].startswith(dated[0])


def test_games_in_pages_and_by_filters(some: Cli) -> None:
    assert len(some.games("--variant", "duo")) == 1
    assert [g["variant"] for g in some.games("--player", "aDa")] == ["classic_2", "classic"]
    assert some.games("--player", "Zoe") == []
    page = some.json("games", "--limit", 1, "--offset", 1)
    assert (page["total"], len(page["games"]), page["offset"]) == (3, 1, 1)
    assert "1 of 3 games; --offset 1" in some.ok("games", "--limit", 1).err
    assert some.json("games", "--offset", 99)["games"] == []


def test_dates_are_not_made_up(cli: Cli) -> None:
    dates = [
        *("????.??.??", "2020.12.30", "2020.12.31", "2015", "2020-12", "1996-05,06", "2020-06-02,2020-06-15"),
        *("2018-05-10T16:19:34.094Z", "2020-02-30", "30/11/2021", ""),
    ]
    cells = ["e10", "e10,f10", "e10,d10", "e9,e10", "e10,e11", "e10,f10,g10", "e8,e9,e10", "e10,e11,e12"]
    cells += ["c10,d10,e10", "d10,e10,f10", "e9,e10,e11"]
    text = "".join(
        DATED.format(date=date, first="Ada", cells=c) for date, c in zip(dates, cells, strict=True)
    )
    cli.ok("import", cli.put("dates.blksgf", text))

    def found(*filters: str) -> list[Any]:
        return [game["date"] for game in cli.games(*filters)]

    of_2020 = ["2020-06-02,2020-06-15", "2020.12.30", "2020.12.31", "2020-12"]
    assert found("--since", "2020", "--until", "2020") == of_2020
    assert found("--since", "2015-06", "--until", "2015-12") == []  # of 2015 no more than the year is known
    assert found("--since", "2015", "--until", "2015") == ["2015"]
    assert found("--since", "2020-12-31") == ["2020.12.31"]
    assert found("--since", "2020-12", "--until", "2020-12-31") == ["2020.12.30", "2020.12.31", "2020-12"]
    assert found()[:4] == ["1996-05,06", "2015", "2018-05-10T16:19:34.094Z", "2020-06-02,2020-06-15"]
    assert set(found()[7:]) == {"????.??.??", "2020-02-30", "30/11/2021", None}


def test_show(some: Cli) -> None:
    (game,) = some.games("--variant", "classic_2")
    text = some.ok("show", game["id"][:9]).out
    for part in (game["id"], "Blokus Two-Player (classic_2)", "Ada (seat 1)", "W+3", "2021-03-04", "forced"):
        assert part in text
    for scoring in ("board (decides)", "online", "net", "family", "plain"):
        assert scoring in text
    board, others = some.json("show", game["id"]), some.json("show", game["id"], "--ply", 0)
    assert board["at"]["ply"] == 62
    assert sum(map(len, board["at"]["cells"].values())) == sum(c["cells_placed"] for c in board["colours"])
    assert others["at"]["cells"] == {"blue": [], "yellow": [], "red": [], "green": []}
    assert len(others["at"]["pieces_left"]["red"]) == 21
    assert board["moves"][0] | {"position_key": None} == {
        "ply": 1,
        "turn": 1,
        "round": 1,
        "colour": 1,
        "colour_name": "blue",
        "piece": board["moves"][0]["piece"],
        "move": "a18,b18,c18,a19,a20",
        "position_key": None,
    }
    first = some.json("show", game["id"], "--ply", 1)["at"]
    assert first["cells"]["blue"] == ["a18", "b18", "c18", "a19", "a20"]
    assert first["position_key"] == board["moves"][0]["position_key"]


def test_show_draws_letters_where_there_is_no_colour(some: Cli) -> None:
    (game,) = some.games("--variant", "duo")
    text = some.ok("show", game["short"], "--ply", 3).out
    assert "\x1b" not in text
    assert "after ply 3 of 4:" in text
    assert " 9 . . . . . . . f f . . . . .  9\n" in text
    assert "stopped" in text and "ply 5: first plays f9,g9" in text


def test_show_of_a_setup(cli: Cli) -> None:
    cli.ok("import", cli.put("setup.blksgf", "(;GM[Blokus Duo]AB[e10,f10]AW[j5]PL[W];W[k6,k7])"))
    game = cli.only_game()
    assert game["at"]["cells"] == {"first": ["e10", "f10"], "second": ["j5", "k6", "k7"]}
    assert "2" not in game["at"]["pieces_left"]["first"]
    assert game["points"] == [-87, -86]


@pytest.mark.parametrize("ply", [-1, 5, 99])
def test_show_of_a_ply_that_is_not_there(some: Cli, ply: int) -> None:
    (game,) = some.games("--variant", "duo")
    result = some("show", game["id"], "--ply", ply)
    assert result.code == 2
    assert "the game has 4 legal plies" in result.message


def test_identities_are_abbreviated_like_those_of_git(some: Cli) -> None:
    ids = [game["id"] for game in some.games()]
    assert some("show", ids[0][:3]).code == some("show", "zz").code == some("show", "0" * 33).code == 2
    unknown = some("show", ids[0][:6] + ("0" if ids[0][6] != "0" else "1"))
    assert unknown.code == 1
    assert "there is no game" in unknown.message and ids[0][:7] in unknown.message
    assert "is no identity" in some("show", "what?").message


def test_quarantine(some: Cli) -> None:
    some.put("in/bad.jsonl", '{"format":"cornerwise","version":1,"variant":"nix"}\n')
    some.ok("import", "in/bad.jsonl")
    page = some.json("quarantine")
    assert page["total"] == 2
    bad, illegal = page["quarantine"]
    assert (bad["source"], bad["record"], bad["code"], bad["id"]) == ("in/bad.jsonl", 1, "bad_record", None)
    assert bad["text"].startswith('{"format"')
    assert (illegal["ply"], illegal["code"]) == (5, "side_contact")
    assert "1 more" in some.ok("quarantine", "--limit", 1).err
    assert "side_contact" in some.ok("quarantine").out


def test_sql_in_three_forms(some: Cli) -> None:
    question = (
        "SELECT variant, plies, players, 0.5 AS half, 'NaN'::DOUBLE AS x FROM games_view ORDER BY plies"
    )
    document = some.json("sql", question)
    assert document["columns"] == ["variant", "plies", "players", "half", "x"]
    assert document["rows"][1]["players"] == ["Ada", "Ben"]
    assert document["rows"][0]["half"] == 0.5 and document["rows"][0]["x"] is None
    rows = list(csv.reader(io.StringIO(some.ok("sql", question, "--csv").out)))
    assert rows[0] == document["columns"] and rows[2][:2] == ["classic_2", "62"]
    assert json.loads(rows[2][2]) == ["Ada", "Ben"]
    assert some.ok("sql", question).out.splitlines()[0].split() == document["columns"]
    assert some.ok("sql", "-", "--csv", stdin=b"SELECT 1 AS one").out == "one\n1\n"
    limited = some.ok("sql", "FROM range(5)", "--limit", 2, "--csv")
    assert limited.out == "range\n0\n1\n" and "only the first 2 rows" in limited.err
    doubled = some.json("sql", "SELECT 1 AS a, 2 AS a")
    assert doubled["rows"] == [{"a": 1, "a_2": 2}]


@pytest.mark.parametrize(
    "question",
    [
        "DROP TABLE games",
        "COPY games TO 'x.csv'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "FROM '/etc/passwd'",
        "SELECT 1; SELECT 2",
        "SELEC 1",
        "SELECT nothing FROM games",
    ],
)
def test_sql_that_is_no_question(some: Cli, question: str) -> None:
    result = some("sql", question)
    assert (result.code, result.out) == (1, "")
    assert result.message.startswith("cornerwise: ")


def test_undo(some: Cli) -> None:
    some.ok("import", some.put("copy/b4.blksgf", records.O_B4 + "\n"), some.put("new.blksgf", records.O_A8))
    undone = some.json("undo", 1)
    assert (undone["games_removed"], undone["games_kept"]) == (2, 1)
    assert {game["variant"] for game in some.games()} == {"duo", "trigon"}
    assert "batch 2 is taken back" in some.ok("undo", 2).out
    for again in (2, 7):
        result = some("undo", again)
        assert result.code == 1 and f"batch {again}" in result.message
    assert some("undo", 1, "--library", "nowhere").code == 1
    assert not (some.folder / "nowhere").exists()


def test_legal_takes_a_position_text_wherever_it_stands(cli: Cli) -> None:
    text = cli.json("legal", cli.put("a1.blksgf", records.O_A1))["position"]
    file = cli.put("position.txt", text + "\n")
    expected = cli.json("legal", text)
    assert expected["counts"] == [528, 709] and expected["ply"] is None
    assert cli.json("legal", file) == expected
    assert json.loads(cli.ok("legal", "-", "--json", stdin=text.encode()).out) == expected
    counted = json.loads(cli.ok("legal", "-", "--json", stdin=records.O_A1.encode()).out)
    assert counted["counts"] == expected["counts"]
    assert cli("legal", text, "--ply", 3).code == 2
    assert cli("legal", text, "--variant", "classic").code == 2
    assert cli("legal", "cw1.duo.zz").code == 3
    assert cli.json("legal", "cw1.duo")["to_move"] == "first"
    assert cli.json("legal", "cw1.duo..0")["over"] is True


def test_legal_of_games_and_plies(cli: Cli) -> None:
    path = cli.put("two.blksgf", records.O_A8 + records.O_A1)
    assert cli.json("legal", path, "--game", 2, "--ply", 0)["counts"] == [414, 414]
    assert cli.json("legal", path, "--game", 2, "--rule", "start=marked", "--ply", 0)["counts"] == [828, 828]
    assert cli("legal", path, "--game", 3).code == 2
    assert cli("legal", path, "--game", 2, "--ply", 5).code == 2
    assert cli("legal", path, "--colour", "violet").code == 2
    text = cli.ok("legal", path, "--game", 2, "--colour", "W").out
    assert "first to move" in text and "moves of second:" in text and "709 legal moves" in text


def test_legal_of_players_who_left_and_games_that_ended(cli: Cli) -> None:
    left = cli.put("left.blksgf", "(;GM[Blokus];1[a20];2[t20];CWOUT[3:time];4[a1])")
    found = cli.json("legal", left)
    assert found["counts"][2] == 0 and found["to_move"] == "blue"
    assert cli.json("legal", found["position"])["counts"] == found["counts"]
    assert cli.json("legal", left, "--colour", "red", "--move", "t1")["probes"][0]["reason"] == "colour_out"
    ended = cli.put("ended.blksgf", records.O_A2_A)
    over = cli.json("legal", ended)
    assert (over["over"], over["to_move"], over["counts"]) == (True, None, [0, 0, 0, 0])
    assert cli.json("legal", over["position"])["over"] is True
    rounds = cli.json("legal", ended, "--rule", "end=rounds:2", "--ply", 8)
    assert (rounds["over"], rounds["counts"]) == (True, [0, 0, 0, 0])


def test_check_without_storing(cli: Cli) -> None:
    cli.put("in/good.blksgf", records.O_A7)
    cli.put("in/notes.txt", "nothing to see")
    result = cli("check", "in", "--json")
    assert result.code == 0
    good, notes = result.json
    assert (good["status"], good["variant"], good["plies"], good["warnings"]) == ("ok", "classic_2", 62, [])
    assert (notes["status"], notes["record"]) == ("no_records", None)
    assert not cli.library.exists()
    assert "1 game: 1 ok" in cli("check", "in").err


@pytest.mark.parametrize(
    "args",
    [
        ("nix",),
        ("games", "--variant", "nix"),
        ("games", "--since", "yesterday"),
        ("games", "--limit", "-1"),
        ("import",),
        ("import", "missing"),
        ("import", ".", "--rule", "start"),
        ("import", ".", "--rule", "nix=1"),
        ("import", ".", "--rule", "start=nix"),
        ("import", ".", "--rule", "start=marked", "--variant", "classic"),
        ("import", ".", "--rule", "end=rounds:2", "--rule", "end=rounds:3"),
        ("import", ".", "--rule", "teams=yes", "--rule", "three=shared_fourth:green"),
        ("import", ".", "--format", "nix"),
        ("import", ".", "--jobs", "0"),
        ("check", "missing"),
        ("legal", "missing"),
        ("export", "--to", "nix", "--out", "x"),
        ("export", "--to", "jsonl"),
        ("sql", "SELECT 1", "--csv", "--json"),
        ("generate", "--variant", "nix", "--games", "1", "--out", "x"),
        ("generate", "--variant", "duo", "--games", "0", "--out", "x"),
        ("undo", "one"),
        ("games", "--offset", "9" * 20),
        ("quarantine", "--limit", "9" * 20),
        ("sql", ""),
        ("sql", " \n"),
        ("sql", "SELECT 1", "--limit", "9" * 20),
        ("generate", "--variant", "duo", "--games", "1", "--out", "x", "--seed", str(2**64)),
        ("generate", "--variant", "duo", "--games", "1", "--out", "x", "--jobs", "9" * 20),
        ("demo", "--data", "missing"),
    ],
)
def test_wrong_usage(cli: Cli, args: tuple[str, ...]) -> None:
    result = cli(*args)
    assert (result.code, result.out) == (2, "")
    assert result.message
    assert not cli.library.exists()


@pytest.mark.parametrize(
    "args", [("info",), ("games",), ("quarantine",), ("show", "abcd"), ("sql", "SELECT 1")]
)
def test_without_a_library(cli: Cli, args: tuple[str, ...]) -> None:
    result = cli(*args)
    assert (result.code, result.out) == (1, "")
    assert "there is no library at" in result.message and "cornerwise import" in result.message
    assert not cli.library.exists()


def test_rules_on_import(cli: Cli) -> None:
    path = cli.put("corner.blksgf", records.O_A9_CORNER)
    cli.ok("import", path, "--rule", "start=any_corner", "--rule", "teams=yes")
    game = cli.only_game()
    assert (game["rules"], game["flags"]) == ({"start": "any_corner", "teams": "yes"}, ["unfinished"])
    assert [seat["team"] for seat in game["seats"]] == [1, 2, 1, 2]
    stated = records.O_A9_CORNER.replace("GM[Blokus]", "GM[Blokus]CWRULES[start=any_corner]")
    path = cli.put("stated.blksgf", stated)
    assert cli.ok("check", path, "--rule", "start=assigned")
    assert cli("check", path, "--rule", "start=assigned", "--force-rules").code == 3


def test_generated_games_are_legal_and_repeatable(cli: Cli) -> None:
    made = cli.json(
        "generate", "--variant", "duo", "--games", 30, "--seed", 7, "--out", "a.blksgf", "--jobs", 1
    )
    assert (made["games"], made["files"]) == (30, 1)
    assert (
        "30 games of duo from seed 7"
        in cli.ok(
            *("generate", "--variant", "duo", "--games", 30, "--seed", 7, "--out", "b.blksgf", "--jobs", 1)
        ).out
    )
    assert Path("a.blksgf").read_bytes() == Path("b.blksgf").read_bytes()
    summary = cli.json("import", "a.blksgf")
    assert (summary["games"], summary["illegal"], summary["irregular"], summary["unfinished"]) == (
        30,
        0,
        0,
        0,
    )


def test_names_cannot_steer_the_terminal(cli: Cli) -> None:
    cli.ok(
        "import", cli.put("evil.blksgf", "(;GM[Blokus Duo]PB[\x1b[31mAda\\]]PW[[bold]Ben[/bold\\]];B[e10])")
    )
    identity = cli.games()[0]["id"]
    for args in (("games",), ("show", identity), ("sql", "SELECT player FROM seats")):
        out = cli.ok(*args).out
        assert "\x1b" not in out and "Ada" in out
    assert cli.json("show", identity)["players"][0].startswith("\x1b")


def test_demo(cli: Cli) -> None:
    text = cli.ok("demo", "--library", "demo").out
    for part in (
        "=== cornerwise import",
        "=== cornerwise info",
        "=== cornerwise show",
        "=== cornerwise openings",
        "=== cornerwise results",
        "=== what to try next",
    ):
        assert part in text
    assert "piece_used" in text and "\x1b" not in text
    again = cli.json("demo", "--library", "demo")
    assert (again["import"]["stored"], again["info"]["games"]) == (0, 209)
    assert DATA.is_dir()
