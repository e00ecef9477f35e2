from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest

from notation.errors import CannotWrite
from notation.jsonl import object_of, record_of, write
from notation.jsonl_model import schema_text
from notation.moves import move_from_names
from notation.record import Branch, Declared, GameRecord, Move, Note, Out, Pass, Setup
from tests.notation.reading import game, read_all, refusal

SCHEMA = json.loads(schema_text())


def full() -> GameRecord:
    """A record that uses everything."""
    return GameRecord(
        variant="classic_3",
        format="jsonl",
        events=[
            move_from_names("classic_3", 0, ["a20", "b20"]),
            move_from_names("classic_3", -1, ["zz9"]),
            Move(1, (), -2, "55z0"),
            move_from_names("classic_3", 2, ["t1", "t3"]),
            Pass(3),
            Pass(),
            Out(1, "abandoned"),
        ],
        players=["Ada", None, "Cléo \u2028"],
        headers={"date": "2020", "sgf:XY": "a][b"},
        rules={"start": "any_corner", "three": "two_colours:1:blue+red"},
        setup=Setup([move_from_names("classic_3", 3, ["a1"])], 2),
        declared=Declared("1+3", 0, 3, (10, 7, -2), "resigned"),
        termination="abandoned",
        penalty_applied=False,
        notes=[Note(-1, "root"), Note(0, "", [("BM", ("2",)), ("XY", ("a", "b\\]"))])],
        branches=[Branch(1, "(;2[t20])"), Branch(7, "(;3[t1])")],
        clocks={0: 12.5, 3: 7.0},
        evaluations={0: {"value": [0.5, None]}, 2: -3},
        broken="rest",
    )


def test_everything_comes_back():
    record = full()
    again = record_of(write(record))
    assert [problem.code for problem in again.problems] == ["broken"]
    again.problems = []
    assert again == record


def test_what_is_written_fits_the_published_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(object_of(full()), SCHEMA)
    jsonschema.validate(object_of(GameRecord("duo", "x")), SCHEMA)


def test_the_published_schema_is_current():
    assert files("notation").joinpath("game.schema.json").read_text("utf-8") == schema_text()


def test_a_line_is_readable():
    line = write(game("(;GM[Blokus Duo]PB[Ada]DT[2020];B[f10,e10];W[])"))
    assert line == (
        '{"format":"cornerwise","version":1,"variant":"duo","players":["Ada",null],"headers":{"date":"2020"},'
        '"events":[{"colour":"first","cells":"e10,f10"},{"colour":"second","pass":true}]}\n'
    )


def line_with(**parts: object) -> str:
    return json.dumps({"format": "cornerwise", "version": 1, "variant": "duo"} | parts)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "no valid JSON: EOF while parsing an object, column 1"),
        ("[]", "object"),
        ('{"a":1}', "format: is missing (and 3 more)"),
        (line_with(version=2), "version 2 of the form: this program reads version 1"),
        (line_with(version="1"), "version"),
        (line_with(version=True), "version"),
        (line_with(variant="go"), "variant: must be one of classic, classic_2, "),
        (line_with(extra=1), "extra: is no part of this form"),
        (line_with(events=[{"colour": "blue", "cells": "a1"}]), "duo has no colour 'blue'"),
        (line_with(events=[{"cells": "a1"}, {"cells": 3}]), "events.2"),
        (line_with(events=[{"pass": 1}]), "events.1"),
        (line_with(events=[{"pass": False}]), "events.1"),
        (line_with(events=[{"out": 3, "cause": "time"}]), "duo has 2 seats"),
        (line_with(events=[{"out": True, "cause": "time"}]), "events.1"),
        (line_with(players=["a", "b", "c"]), "players"),
        (line_with(players=[True]), "players.1: must be a valid string"),
        (line_with(rules={"start": "nowhere"}), "nowhere"),
        (line_with(rules={"star": "marked"}), "star"),
        (line_with(notes=[{"event": 1, "comment": "x"}]), "notes: event 1 of 0"),
        (line_with(clocks=[{"event": 0, "seconds": 1.0}]), "clocks.1.event"),
        (line_with(declared={"text": "x", "winner": 3}), "declared.winner"),
        (line_with(clocks=[{"event": 1, "seconds": float("nan")}], events=[{"pass": True}]), "clocks"),
        (
            line_with(evaluations=[{"event": 1, "value": [float("inf")]}], events=[{"pass": True}]),
            "evaluations.1.value",
        ),
        ('{"format":"cornerwise","version":1,"variant":"duo","broken":"\\ud800"}', ""),
        ("[" * 100_000, ""),
    ],
    ids=range(25),
)
def test_a_line_that_is_not_in_our_form_says_where(line, says):
    error = refusal(line, "jsonl")
    assert error.code == "bad_record"
    assert says in error.message


def test_lines_are_numbered_and_the_others_are_read():
    good = line_with(events=[{"cells": "e10"}])
    items = read_all(f"{good}\r\n\n{{}}\n{good}", "jsonl")
    assert [getattr(item, "code", "game") for item in items] == ["game", "bad_record", "game"]
    assert (items[1].where.record, items[1].where.line) == (2, 3)
    assert items[2].line == 4


def test_the_variant_that_the_caller_names_must_be_the_records():
    assert "not of classic" in refusal(line_with(), "jsonl", variant="classic").message


def test_marks_of_byte_order():
    for encoding in ("utf-8-sig", "utf-16"):
        record = game(line_with(players=["Zoë"]).encode(encoding), "jsonl")
        assert record.players == ["Zoë"]
        assert [problem.code for problem in record.problems] == ["byte_order_mark"]


def test_values_that_json_does_not_have():
    with pytest.raises(CannotWrite):
        write(GameRecord("duo", "x", events=[Pass()], clocks={0: float("inf")}))
    with pytest.raises(CannotWrite):
        write(GameRecord("duo", "x", events=[Pass()], evaluations={0: object()}))
