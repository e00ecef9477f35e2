"""Corrections: rows follow, the record as read stays, and edits survive undo and imports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.edit_fields import Change
from pipeline.editing import Edited, check_edit, edit_game, edits_of_game, undo_edit
from pipeline.edits import rejudge
from pipeline.errors import BadEdit, NoSuchGame
from pipeline.export import export_games
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.store import check_library, open_reader, open_writer
from pipeline.unit import Reading
from tests import records
from tests.places import REPOSITORY

DUO = "(;GM[Blokus Duo]{head};B[e10];W[j5]{end})\n"
FOLLOWING = ("games", "seats", "colours", "moves", "passes")


def put(folder: Path, name: str, text: str, *, library: str = "L", strict: bool = False) -> int:
    """Import a text as a file; returns the batch."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    reading = Reading(rules=RuleChoice(strict=strict))
    return import_paths(folder / library, [str(path)], reading, jobs=1).batch


def edit(library: Path, *changes: str, note: str | None = None, game: int = 0) -> Edited:
    """Changes are FIELD=VALUE, or FIELD alone to take it away."""
    asked = [Change(f, v if equals else None) for f, equals, v in (c.partition("=") for c in changes)]
    with open_writer(library) as writer:
        return edit_game(writer, ids(library)[game], asked, note)


def ids(library: Path) -> list[str]:
    return [row["id"] for row in rows(library, "SELECT id FROM games ORDER BY game_no")]


def rows(library: Path, question: str) -> list[dict[str, Any]]:
    with open_reader(library) as reader:
        found: list[dict[str, Any]] = reader.table(question).to_pylist()
        return found


def tables(library: Path, names: Sequence[str] = FOLLOWING) -> dict[str, list[dict[str, Any]]]:
    with open_reader(library) as reader:
        assert check_library(reader) == []
        return {name: reader.table(f"FROM {name} ORDER BY ALL").to_pylist() for name in names}


@pytest.fixture(scope="module")
def one_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that no test may change."""
    folder = tmp_path_factory.mktemp("one")
    put(folder, "a.blksgf", DUO.format(head="", end=""))
    return folder / "L"


def test_headers_and_players(tmp_path: Path) -> None:
    put(tmp_path, "a.blksgf", DUO.format(head="DT[2020-02-30]PB[Ada]EV[Cup]", end=""))
    before = tables(tmp_path / "L", ("sightings", "moves"))
    done = edit(
        tmp_path / "L",
        *("date=2020-03-01", "player2= Ben ", "event", "event_round=2", "header:referee=Cleo"),
        note="asked the club",
    )
    assert [(e.field, e.old, e.value, e.note) for e in done.changes] == [
        ("date", "2020-02-30", "2020-03-01", "asked the club"),
        ("player2", None, "Ben", "asked the club"),
        ("event", "Cup", None, "asked the club"),
        ("event_round", None, "2", "asked the club"),
        ("referee", None, "Cleo", "asked the club"),
    ]
    (game,) = rows(
        tmp_path / "L", "SELECT g.*, v.players, v.flags FROM games g JOIN games_view v USING (game_no)"
    )
    assert (game["date_text"], game["year"], game["month"], game["day"]) == ("2020-03-01", 2020, 3, 1)
    assert (game["event"], game["event_round"], game["players"]) == (None, "2", ["Ada", "Ben"])
    assert "edited" in game["flags"]
    assert tables(tmp_path / "L", ("sightings", "moves")) == before


CORRECTED = [
    ("", "W+R"),
    ("RE[B+R]", "W+R"),
    ("RE[B+R]", "W+3"),
    ("RE[B+R]", ""),
    ("RE[W+T]", "?"),
    ("RE[W+3]", "B+R"),
    ("RE[W+3]", "Draw"),
]
"""What a record says, and what it is corrected to."""


def test_a_corrected_result_is_as_if_the_record_had_said_it(tmp_path: Path) -> None:
    game = "(;GM[Blokus Duo]{};B[e{},e10];W[j5])"
    firsts = [game.format(first, 9 - number) for number, (first, _) in enumerate(CORRECTED)]
    seconds = [game.format(f"RE[{said}]", 9 - number) for number, (_, said) in enumerate(CORRECTED)]
    put(tmp_path, "first.blksgf", "".join(firsts))
    put(tmp_path, "second.blksgf", "".join(seconds), library="second")
    start = tables(tmp_path / "L")
    games = ids(tmp_path / "L")
    with open_writer(tmp_path / "L") as writer:
        for identity, (_, said) in zip(games, CORRECTED, strict=True):
            edit_game(writer, identity, [Change("result", said or None)])
        assert tables(tmp_path / "L") == tables(tmp_path / "second")
        for identity in games:
            undo_edit(writer, identity)
    assert tables(tmp_path / "L") == start


def test_the_result_of_a_finished_game(tmp_path: Path) -> None:
    put(tmp_path, "a7.blksgf", records.O_A7.replace("CA[UTF-8]", "RE[W+3]"))
    library = tmp_path / "L"

    def state() -> tuple[Any, ...]:
        question = "SELECT mismatch, outcome, winners, termination FROM games"
        return tuple(rows(library, question)[0].values())

    assert state() == (True, "win", [1], "normal")
    edit(library, "result=1+1")
    assert state() == (False, "win", [1], "normal")
    edit(library, "result=2+R")
    assert state() == (False, "win", [2], "resigned")
    assert rows(library, "SELECT place, out_cause FROM seats ORDER BY seat") == [
        {"place": 2, "out_cause": "resigned"},
        {"place": 1, "out_cause": None},
    ]
    edit(library, "termination=time")
    assert state() == (False, "win", [2], "time")
    edit(library, "termination=normal")
    assert state()[1:] == ("win", [1], "normal")
    assert rows(library, "SELECT declared, mismatch FROM sightings") == [
        {"declared": "W+3", "mismatch": True}
    ]


def test_a_seat_that_left_is_another_seat_now(tmp_path: Path) -> None:
    put(tmp_path, "a.blksgf", DUO.format(head="", end=";CWOUT[1:resigned]C[gives up]"))
    library = tmp_path / "L"
    question = "SELECT outcome, winners, termination FROM games"
    edit(library, "termination=time")
    assert rows(library, question) == [{"outcome": "win", "winners": [2], "termination": "time"}]
    edit(library, "result=1+R")
    assert rows(library, question) == [{"outcome": "win", "winners": [1], "termination": "resigned"}]
    edit(library, "termination=violation")
    assert rows(library, question) == [{"outcome": "win", "winners": [1], "termination": "violation"}]
    edit(library, "termination")
    assert rows(library, question) == [{"outcome": "win", "winners": [1], "termination": "resigned"}]
    with open_reader(library) as reader:
        assert export_games(reader, None, "jsonl", tmp_path / "all.jsonl").edited == 1
    assert "gives up" not in (tmp_path / "all.jsonl").read_text()


def test_edits_apply_in_order_and_are_taken_back_from_the_last(tmp_path: Path) -> None:
    put(tmp_path, "a.blksgf", DUO.format(head="DT[2019]PB[Ada]", end=""))
    library, start = tmp_path / "L", tables(tmp_path / "L")
    edit(library, "date=2020")
    middle = tables(library)
    edit(library, "date=2021", "player1=Eve")
    assert edit(library, "date=2021").edit == 0  # says so already
    (game,) = ids(library)
    with open_reader(library) as reader:
        assert [(e.edit, e.field, e.old, e.value) for e in edits_of_game(reader, game)] == [
            (1, "date", "2019", "2020"),
            (2, "date", "2020", "2021"),
            (2, "player1", "Ada", "Eve"),
        ]
    with open_writer(library) as writer:
        assert [e.field for e in undo_edit(writer, game).changes] == ["date", "player1"]
        assert tables(library) == middle
        undo_edit(writer, game)
        assert tables(library) == start
        with pytest.raises(BadEdit, match="has no edits"):
            undo_edit(writer, game)
    assert rows(library, "SELECT flags FROM games_view WHERE list_contains(flags, 'edited')") == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (Change("dat", "2020"), "there is no field 'dat': known are player1 to player2, result"),
        (Change("", "x"), "FIELD=VALUE"),
        (Change("header:", "x"), "there is no field"),
        (Change("date", "2020-02-30"), "no such day"),
        (Change("date", "soon"), "no date in a known form"),
        (Change("date", " "), "--unset date takes it away"),
        (Change("player0", "X"), "duo has the seats 1 to 2"),
        (Change("player3", "X"), "duo has the seats 1 to 2"),
        (Change("player99999999999999999999", "X"), "there is no field"),
        (Change("result", "3+1"), "says nothing of duo"),
        (Change("result", "Ada"), "says nothing of duo"),
        (Change("result", "1+" + "9" * 5000), "says nothing of duo"),
        (Change("termination", "over"), "is none of normal, time"),
        (Change("place", None), "cannot be taken away: the game has none"),
    ],
)
def test_what_makes_no_sense_changes_nothing(one_game: Path, change: Change, message: str) -> None:
    (game,) = ids(one_game)
    with open_reader(one_game) as reader, pytest.raises(BadEdit, match=message):
        check_edit(reader, game[:6], [change])
    with open_writer(one_game) as writer, pytest.raises(BadEdit, match=message):
        edit_game(writer, game, [Change("event", "Cup"), change])
    assert rows(one_game, "FROM edits") == []


def test_a_field_twice_and_a_game_that_there_is_not(one_game: Path) -> None:
    with open_reader(one_game) as reader:
        with pytest.raises(BadEdit, match="player1 is given twice"):
            check_edit(reader, ids(one_game)[0], [Change("player1", "A"), Change("player01", "B")])
        with pytest.raises(NoSuchGame):
            check_edit(reader, "0000", [])


def test_unknown_dates_and_headers_of_the_record_may_be_set(tmp_path: Path) -> None:
    put(tmp_path, "a.blksgf", DUO.format(head="DT[2020]XY[raw]", end=""))
    edit(tmp_path / "L", "date=????", "sgf:XY=new")
    assert rows(tmp_path / "L", "SELECT date_text, year FROM games") == [{"date_text": "????", "year": None}]


def test_the_next_sighting_is_edited_when_the_first_goes(tmp_path: Path) -> None:
    first = put(tmp_path, "a.blksgf", DUO.format(head="DT[2019]PB[Ada]EV[Cup]", end=""))
    put(tmp_path, "b.blksgf", DUO.format(head="DT[2018]PB[ada]EV[Open]RE[W+R]", end=""))
    edit(tmp_path / "L", "date=2020")
    with open_writer(tmp_path / "L") as writer:
        writer.undo(first)
    question = "SELECT date, event, players, winners, termination FROM games_view"
    assert rows(tmp_path / "L", question) == [
        {"date": "2020", "event": "Open", "players": ["ada", None], "winners": [2], "termination": "resigned"}
    ]


def test_edits_of_a_game_that_went_come_back_with_it(tmp_path: Path) -> None:
    text = DUO.format(head="DT[2019]PB[Ada]", end="")
    first = put(tmp_path, "a.blksgf", text)
    edit(tmp_path / "L", "date=2020", "result=2+R")
    edited = tables(tmp_path / "L", ("games_view",))["games_view"][0]
    put(tmp_path, "a.blksgf", text)
    put(tmp_path, "b.blksgf", text + "\n")
    assert tables(tmp_path / "L", ("games_view",))["games_view"] == [{**edited, "sightings": 2}]
    with open_writer(tmp_path / "L") as writer:
        for batch in (first, 2, 3):
            writer.undo(batch)
    assert ids(tmp_path / "L") == []
    put(tmp_path, "c.blksgf", text)
    (again,) = tables(tmp_path / "L", ("games_view",))["games_view"]
    assert {**again, "game_no": 0} == {**edited, "game_no": 0}


def test_a_game_judged_strictly_stays_so(tmp_path: Path) -> None:
    put(tmp_path, "a.blksgf", records.O_A9_SKIP, strict=True)
    before = rows(tmp_path / "L", "SELECT plies, illegal, stop_reason, termination FROM games")
    assert before[0]["stop_reason"] == "unforced_pass"
    edit(tmp_path / "L", "player1=Ada", "result=1+R")
    assert rows(tmp_path / "L", "SELECT plies, illegal, stop_reason, termination FROM games") == before


def test_rules_stay_those_of_the_verdict(tmp_path: Path) -> None:
    first = put(tmp_path, "a.blksgf", DUO.format(head="CWRULES[start=marked]", end=""))
    put(tmp_path, "b.blksgf", DUO.format(head="CWRULES[scoring=net]DT[2018]", end=""))
    edit(tmp_path / "L", "player1=Ada")
    before = rows(tmp_path / "L", "SELECT rules, scoring FROM games")
    with open_writer(tmp_path / "L") as writer:
        writer.undo(first)
    assert rows(tmp_path / "L", "SELECT rules, scoring FROM games") == before
    with open_reader(tmp_path / "L") as reader:
        export_games(reader, None, "jsonl", tmp_path / "all.jsonl")
    assert json.loads((tmp_path / "all.jsonl").read_text())["rules"] == {"start": "marked"}


@pytest.mark.parametrize("form", ["blksgf", "jsonl"])
def test_exports_have_the_corrected_headers_and_say_so(tmp_path: Path, form: str) -> None:
    put(tmp_path, "a.blksgf", DUO.format(head="DT[2019]PB[Ada]RE[B+R]", end=""))
    put(tmp_path, "b.blksgf", records.O_A1)
    edit(tmp_path / "L", "date=2020", "player2=Ben", "result=2+T")
    out = tmp_path / f"all.{form}"
    with open_reader(tmp_path / "L") as reader:
        report = export_games(reader, None, form, out)
    assert (report.games, report.edited) == (2, 1)
    import_paths(tmp_path / "again", [str(out)], jobs=1)
    question = (
        "SELECT v.id, v.date, v.players, v.winners, v.termination, s.headers ->> 'edited' AS edited "
        "FROM games_view v JOIN sightings s USING (id) ORDER BY v.id"
    )
    again = {row.pop("id"): row for row in rows(tmp_path / "again", question)}
    assert again.pop(ids(tmp_path / "L")[0]) == {
        "date": "2020",
        "players": ["Ada", "Ben"],
        "winners": [2],
        "termination": "time",
        "edited": "date, player2, result",
    }
    assert [row["edited"] for row in again.values()] == [None]


def test_a_result_that_another_file_declares(tmp_path: Path) -> None:
    games = "".join(
        DUO.format(head=f"GN[{n}]", end=f";B[{cells}]") for n, cells in enumerate(("d8,d9", "f8,f9"))
    )
    folder = tmp_path / "match"
    folder.mkdir()
    (folder / "games.blksgf").write_text(games)
    lines = [f"{n}\tB+3\t3\t0\t0.1\t0.1\t0\n" for n in range(2)]
    (folder / "output.dat").write_text("# GAME\tRES\tLENGTH\tPLAYER_B\tCPU_B\tCPU_W\tFAST\n" + "".join(lines))
    import_paths(tmp_path / "L", [str(folder)], Reading(variant="duo"), jobs=1)
    question = "SELECT id, mismatch FROM games ORDER BY game_no"
    before = rows(tmp_path / "L", question)
    edit(tmp_path / "L", "date=2020")
    assert rows(tmp_path / "L", question) == before
    edit(tmp_path / "L", "result=2+T")
    assert rows(tmp_path / "L", "SELECT winners, mismatch FROM games ORDER BY game_no LIMIT 1") == [
        {"winners": [2], "mismatch": False}
    ]


def test_judging_again_changes_nothing_by_itself(tmp_path: Path) -> None:
    import_paths(tmp_path / "L", [str(REPOSITORY / "data")], jobs=1)
    before = tables(tmp_path / "L", (*FOLLOWING, "sightings", "quarantine"))
    everything = ids(tmp_path / "L")
    with open_writer(tmp_path / "L") as writer:
        writer.change(lambda catalogue: rejudge(catalogue, everything), "judge", "judged")
    assert tables(tmp_path / "L", (*FOLLOWING, "sightings", "quarantine")) == before


def test_a_failing_edit_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.blksgf", DUO.format(head="", end=""))
    before = tables(tmp_path / "L", (*FOLLOWING, "edits"))

    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("pipeline.edits.add_group", fail)
    with pytest.raises(Exception, match="cannot edit the game: the disk is gone"):
        edit(tmp_path / "L", "date=2020")
    assert tables(tmp_path / "L", (*FOLLOWING, "edits")) == before
