"""`edit`: corrections as people make them, and where they are seen."""

from __future__ import annotations

import pytest

from tests import records
from tests.dashboards.running import Cli


@pytest.fixture
def game(cli: Cli) -> str:
    """Identity of the one game of the library."""
    text = records.O_A7.replace("CA[UTF-8]", "CA[UTF-8]DT[2020-02-30]PB[Ada]RE[W+3]EV[Cup]")
    cli.ok("import", cli.put("a.blksgf", text))
    return str(cli.games()[0]["id"])


def test_an_edit_and_what_follows_from_it(cli: Cli, game: str) -> None:
    out = cli.ok(
        "edit", game[:7], "--set", "result=1+1", "--set", "date=2020-03-01", "--note", "the club"
    ).out
    assert out.splitlines() == [
        f"edit 1: game {game}",
        "  result: W+3 -> 1+1",
        "  date: 2020-02-30 -> 2020-03-01",
        "  so mismatch: yes -> no",
    ]
    cli.ok("edit", game, "--set", "player2=Ben = Benno", "--unset", "event")
    (row,) = cli.games("--since", "2020-03", "--until", "2020-03", "--player", "benno")
    assert row["players"] == ["Ada", "Ben = Benno"]
    assert (row["event"], row["flags"]) == (None, ["edited"])
    shown = cli.ok("show", game).out
    for line in (
        "date         2020-03-01",
        "declared     1+1",
        "edited       date: 2020-02-30 -> 2020-03-01 (the club)",
        "edited       event: Cup -> none",
    ):
        assert line in shown
    assert "event        Cup" not in shown
    document = cli.json("show", game)
    assert document["sightings"][0]["headers"]["date"] == "2020-02-30"
    assert [edit["field"] for edit in document["edits"]] == ["date", "result", "event", "player2"]
    assert cli.json("quality")["quality"][-1]["code"] == "edited"


def test_edits_are_listed_and_taken_back(cli: Cli, game: str) -> None:
    assert cli.ok("edit", game).message == f"game {game} has no edits"
    before = cli.only_game()
    cli.ok("edit", game, "--set", "date=2020", "--note", "a guess")
    cli.ok("edit", game, "--set", "place=Lyon", "--set", "result=2+R")
    listed = cli.json("edit", game[:5])
    assert [(e["edit"], e["field"], e["old"], e["value"], e["note"]) for e in listed["edits"]] == [
        (1, "date", "2020-02-30", "2020", "a guess"),
        (2, "place", None, "Lyon", None),
        (2, "result", "W+3", "2+R", None),
    ]
    lines = cli.ok("edit", game).out.splitlines()
    assert lines[0].split() == ["edit", "made", "(UTC)", "field", "before", "after", "note"]
    assert "a guess" in lines[1] and len(lines) == 4
    undone = cli.json("edit", game, "--undo")
    assert (undone["edit"], undone["undone"], undone["after"]["winners"]) == (2, True, [1])
    assert "edit 1 is taken back" in cli.ok("edit", game, "--undo").out
    assert cli.only_game() == before
    assert cli("edit", game, "--undo").code == 2


def test_an_edit_that_changes_nothing(cli: Cli, game: str) -> None:
    assert "says so already" in cli.ok("edit", game, "--set", "event=Cup").message
    assert cli.json("edit", game)["edits"] == []


def test_exports_say_what_was_corrected(cli: Cli, game: str) -> None:
    cli.ok("edit", game, "--set", "date=2020-03-01")
    out = cli.ok("export", "--to", "blksgf", "--out", "-")
    assert "DT[2020-03-01]" in out.out and "[edited][date]" in out.out
    assert "1 game with edits: a header `edited` says of what" in out.err
    assert cli.json("export", "--to", "jsonl", "--out", "x.jsonl")["edited"] == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--set", "dat=2020"], "there is no field 'dat'"),
        (["--set", "date=2020-02-30"], "no such day"),
        (["--set", "player3=Cleo"], "classic_2 has the seats 1 to 2"),
        (["--set", "result=nobody"], "says nothing of classic_2"),
        (["--set", "termination=over"], "is none of normal"),
        (["--set", "date"], "write it as FIELD=VALUE"),
        (["--set", "date="], "--unset date takes it away"),
        (["--unset", "place"], "the game has none"),
        (["--set", "place=Lyon", "--unset", "place"], "place is given twice"),
        (["--undo", "--set", "place=Lyon"], "--undo takes the last edit back"),
        (["--note", "why"], "--set FIELD=VALUE or --unset FIELD is missing"),
    ],
)
def test_wrong_usage(cli: Cli, game: str, args: list[str], message: str) -> None:
    result = cli("edit", game, *args)
    assert (result.code, result.out) == (2, "")
    assert message in result.message
    assert cli.json("edit", game)["edits"] == []


def test_no_such_game_and_no_library(cli: Cli, game: str) -> None:
    assert cli("edit", "0000", "--set", "date=2020").code == 1
    assert cli("edit", "xyz", "--set", "date=2020").code == 2
    assert cli("edit", game, "--set", "date=2020", "--library", "nowhere").code == 1
    assert not (cli.folder / "nowhere").exists()
