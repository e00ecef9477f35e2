"""`quality` and `aliases`: what people see, what machines read, and exit codes."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tests import records
from tests.dashboards.running import Cli
from tests.dashboards.test_terminal import Screen


@pytest.fixture
def odd(cli: Cli) -> Cli:
    """Three games: two spellings of a player, a date that is none, a mismatch, and one game twice."""
    head = "CA[UTF-8]DT[{}]PB[{}]PW[Ben]RE[{}]"
    cli.put("in/a.blksgf", records.O_A7.replace("CA[UTF-8]", head.format("2020-02-30", "Ada", "W+3")))
    cli.put("in/b.blksgf", records.O_A7.replace("CA[UTF-8]", head.format("2020", "Ada", "B+1")))
    cli.put("in/c.blksgf", records.O_A1.replace("CA[UTF-8]", head.format("2021-01-01", "ada", "?")))
    cli.put("in/d.blksgf", "(;GM[Nexos];1[h17])")
    cli.ok("import", "in")
    return cli


def test_a_summary(odd: Cli) -> None:
    found = {row["code"]: row for row in odd.json("quality")["quality"]}
    assert {code: row["count"] for code, row in found.items()} == {
        "duplicate": 1,
        "mismatch": 1,
        "date_invalid": 1,
        "similar_players": 1,
        "refused": 1,
        "unfinished": 1,
    }
    (game,) = found["mismatch"]["examples"]
    assert game["short"] == odd.games("--variant", "classic_2")[0]["short"]
    assert found["mismatch"]["meaning"] == "the declared result is not the computed one"
    lines = odd.ok("quality").out.splitlines()
    assert lines[0].split() == ["code", "count", "meaning", "examples"]
    shown = {line.split()[0]: line for line in lines[1:]}
    assert shown.keys() == found.keys()
    assert shown["mismatch"].endswith(game["short"])
    assert shown["refused"].endswith("in/d.blksgf, game 1")
    assert "'Ada' 1x, 'ada' 1x" in shown["similar_players"]


def test_the_cases_of_a_code(odd: Cli) -> None:
    page = odd.json("quality", "--code", "date_invalid")
    assert (page["code"], page["total"], page["offset"], page["limit"]) == ("date_invalid", 1, 0, 50)
    assert [(case["source"], case["detail"]) for case in page["cases"]] == [("in/a.blksgf", "2020-02-30")]
    shown = odd.ok("quality", "--code", "refused")
    assert shown.out.splitlines()[0].split() == ["source", "game", "detail"]
    assert "refused: the record cannot be read" in shown.err
    assert odd.ok("quality", "--code", "prefix").message.endswith("no cases")
    assert odd.json("quality", "--code", "warning:junk")["cases"] == []


def test_pages(cli: Cli) -> None:
    games = "".join(f"(;GM[Blokus Duo];B[{cell}])" for cell in ("e10", "d10,e10", "e10,f10"))
    cli.ok("import", cli.put("three.blksgf", games))
    assert "1 more; --offset 2" in cli.ok("quality", "--code", "date_unknown", "--limit", 2).err
    page = cli.json("quality", "--code", "date_unknown", "--limit", 2, "--offset", 2)
    assert (page["total"], [case["record"] for case in page["cases"]]) == (3, [3])


def test_a_code_that_there_is_not(odd: Cli) -> None:
    result = odd("quality", "--code", "oddity")
    assert (result.code, result.out) == (2, "")
    assert "there is no code 'oddity': known are duplicate, prefix" in result.message


def test_nothing_to_report(cli: Cli) -> None:
    text = records.O_A7.replace("CA[UTF-8]", "CA[UTF-8]DT[2020-01-02]PB[Ada]PW[Ben]RE[B+1]")
    cli.ok("import", cli.put("a.blksgf", text))
    assert cli.json("quality") == {"quality": []}
    assert cli.ok("quality").message == "nothing to report"


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_narrow_terminals(odd: Cli, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    from dashboards.commands import quality

    screen = Screen()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", screen)
        quality.run(odd.library)
    lines = re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue()).splitlines()
    assert max(map(len, lines)) <= columns
    words = " ".join(lines).split()
    assert all(word in words for word in ("similar_players", "mismatch", "(cornerwise", "'Ada'", "1x,"))


def test_aliases_merge_names_and_leave_them_alone(odd: Cli) -> None:
    assert "1 alias of 1 player" in odd.ok("aliases", odd.put("names.csv", "name,player\nada,Ada L.\n")).out
    expected = [{"name": "ada", "player": "Ada L.", "games": 1}]
    assert odd.json("aliases")["aliases"] == odd.json("aliases", "--show")["aliases"] == expected
    assert odd.ok("aliases").out.split() == ["name", "player", "games", "ada", "Ada", "L.", "1"]
    (game,) = odd.games("--player", "ada l")
    assert game["players"] == ["ada", "Ben"]
    assert [seat["person"] for seat in odd.json("show", game["id"])["seats"]] == ["Ada L.", "Ben"]
    persons = odd.json("sql", "SELECT DISTINCT person FROM seats ORDER BY ALL")["rows"]
    assert [row["person"] for row in persons] == ["Ada", "Ada L.", "Ben"]
    done = odd.json("aliases", odd.put("names.json", json.dumps({"ada": "Ada"})))
    assert done["aliases"] == [{"name": "ada", "player": "Ada", "games": 1}]
    assert "similar_players" not in odd.ok("quality").out
    odd.ok("aliases", odd.put("names.csv", "name,player\n"))
    assert odd.ok("aliases").message == "no aliases"


def test_lists_of_names_that_make_no_sense(odd: Cli) -> None:
    odd.ok("aliases", odd.put("names.csv", "name,player\nada,Ada\n"))
    result = odd("aliases", odd.put("bad.csv", "name,player\na,b\nb,a\n"))
    assert (result.code, result.out) == (3, "")
    assert "bad.csv, line 2: the names go round in a circle: 'a' -> 'b' -> 'a'" in result.message
    assert odd("aliases", "nowhere.csv").code == 2
    assert len(odd.json("aliases")["aliases"]) == 1
