"""The problem reports about rules, by the command line, in every format that can hold the game."""

from __future__ import annotations

import dataclasses

import pytest

from notation.formats import FORMATS
from notation.record import ANY_COLOUR, Event, Pass
from tests import records
from tests.dashboards.running import Cli, in_format, record_of, written_formats

ALL = written_formats()
WITHOUT_CODE = written_formats("fourcode")
EMPTY = written_formats("fourcode", "gtp")
"""Formats of more than Duo that hold a game without a move."""


@pytest.mark.parametrize("form", ALL)
def test_a1_side_contact_counts_with_the_own_colour_only(cli: Cli, form: str) -> None:
    verdicts = {
        "j7,j8": None,
        "f9": None,
        "h13,h14": None,
        "i8,j8": "side_contact",
        "f9,g9": "side_contact",
        "k10": "no_corner_contact",
        "f7": "no_corner_contact",
        "e10": "occupied",
    }
    path = cli.put(*in_format(records.O_A1, form))
    asked = [part for cells in verdicts for part in ("--move", cells)]

    found = cli.json("legal", path, "--ply", 4, "--colour", "first", *asked)

    assert {probe["move"]: probe["reason"] for probe in found["probes"]} == verdicts
    assert [probe["legal"] for probe in found["probes"]] == [reason is None for reason in verdicts.values()]
    assert found["counts"][0] == len(found["moves"]["first"]) == 528
    assert cli.json("legal", found["position"], "--colour", "first")["counts"][0] == 528


@pytest.mark.parametrize("form", WITHOUT_CODE)
@pytest.mark.parametrize(
    ("text", "left", "placed"),
    [
        (records.O_A2_A, [20, -35, -30, -25], [109, 54, 59, 64]),
        (records.O_A2_B, [15, -35, -30, -25], [104, 54, 59, 64]),
    ],
)
def test_a2_the_bonus_needs_the_order(
    cli: Cli, form: str, text: str, left: list[int], placed: list[int]
) -> None:
    cli.ok("import", cli.put(*in_format(text, form)))
    game = cli.only_game()
    assert game["scores"]["board"]["colours"] == left
    assert game["scores"]["online"]["colours"] == placed
    assert (game["termination"], game["flags"], game["winners"]) == ("normal", [], [1])


def _with_passes(text: str, colours: list[int]) -> str:
    """The record in JSON with a pass without a colour on every turn that the order of colours skips."""
    record = record_of(text)
    events: list[Event] = []
    turn = 0
    for event in record.events:
        assert not isinstance(event, Pass)
        while colours[turn % len(colours)] != event[0]:
            events.append(Pass(ANY_COLOUR))
            turn += 1
        events.append(event)
        turn += 1
    write = FORMATS["jsonl"].write
    assert write is not None
    return write(dataclasses.replace(record, events=events))


def test_a3_missing_passes_are_found_and_written_ones_change_nothing(cli: Cli) -> None:
    cli.put("passes.jsonl", _with_passes(records.O_A2_A, [0, 1, 2, 3]))
    cli.put("none.jsonl", in_format(records.O_A2_A, "jsonl")[1])
    cli.put("none.blksgf", records.O_A2_A)
    for name in ("none.blksgf", "passes.jsonl", "none.jsonl"):
        cli.ok("import", cli.folder / name)
    game = cli.only_game()
    assert game["sightings"] and len(game["sightings"]) == 3
    assert game["plies"] == len(game["moves"]) == 66
    assert [[row["colour"] for row in game["passes"]].count(c) for c in (1, 2, 3, 4)] == [0, 6, 5, 4]
    assert {row["kind"] for row in game["passes"]} == {"forced"}
    last = game["moves"][-1]
    assert (last["move"], last["turn"], last["round"]) == ("q2", 81, 21)
    assert [row["pieces_placed"] for row in game["colours"]] == [21, 14, 15, 16]


@pytest.mark.parametrize("first", ["passes.jsonl", "none.blksgf"])
def test_a3_the_verdict_is_the_same_with_passes_written(cli: Cli, first: str) -> None:
    cli.put("passes.jsonl", _with_passes(records.O_A2_A, [0, 1, 2, 3]))
    cli.put("none.blksgf", records.O_A2_A)
    cli.ok("import", cli.folder / first)
    game = cli.only_game()
    assert (game["pass_count"], game["turns"], game["flags"]) == (15, 81, [])
    assert game["scores"]["board"]["colours"] == [20, -35, -30, -25]


@pytest.mark.parametrize("form", ALL)
@pytest.mark.parametrize(
    ("text", "colour", "move"),
    [(records.O_A4_P, "first", "j6,k6,j7,k5"), (records.O_A4_Q, "second", "e12,f12,d13,e13")],
)
def test_a4_the_last_move_is_found_in_either_handedness(
    cli: Cli, form: str, text: str, colour: str, move: str
) -> None:
    found = cli.json("legal", cli.put(*in_format(text, form)))
    assert (found["to_move"], found["over"]) == (colour, False)
    assert [(m["piece"], set(m["move"].split(","))) for m in found["moves"][colour]] == [
        ("Z4", set(move.split(",")))
    ]


@pytest.mark.parametrize(
    ("game", "first_moves", "form"),
    [
        (game, first_moves, form)
        for game, first_moves in (("Blokus", 58), ("Blokus Duo", 414), ("Blokus Trigon", 2478))
        for form in EMPTY
        if (game, form) != ("Blokus Trigon", "json_cells")
    ],
)
def test_a5_first_moves(cli: Cli, form: str, game: str, first_moves: int) -> None:
    found = cli.json("legal", cli.put(*in_format(f"(;GM[{game}])", form)), "--ply", 0)
    assert set(found["counts"]) == {first_moves}
    assert found["ply"] == 0


def test_a5_no_points_for_places(cli: Cli) -> None:
    cli.ok("import", cli.put("one.blksgf", "(;GM[Blokus];1[a20])"))
    game = cli.only_game()
    assert game["scores"]["board"]["colours"] == [-88, -89, -89, -89]
    assert game["winners"] == [] and game["outcome"] is None


def test_a6_old_and_new_forms_are_the_same_game(cli: Cli) -> None:
    cli.put("old.blksgf", records.O_A6_OLD)
    cli.put("new.blksgf", records.O_A6_NEW)
    cli.put("new.jsonl", in_format(records.O_A6_NEW, "jsonl")[1])
    summary = cli.json(
        "import", cli.folder / "old.blksgf", cli.folder / "new.blksgf", cli.folder / "new.jsonl"
    )
    assert (summary["games"], summary["stored"], summary["duplicates"]) == (3, 1, 2)
    game = cli.only_game()
    assert [move["colour"] for move in game["moves"]] == [1, 2, 3, 4, 1]
    assert game["moves"][0]["move"] == "b19,a20,b20"
    assert game["scores"]["board"]["colours"][0] == -84


@pytest.mark.parametrize("form", ALL)
def test_a6_a_pass_although_it_can_move_is_flagged(cli: Cli, form: str) -> None:
    path = cli.put(*in_format(records.O_A6_PASS, form))
    (verdict,) = cli("check", path, "--json").json
    assert (verdict["status"], verdict["code"], verdict["plies"]) == ("irregular", "unforced_pass", 2)
    assert verdict["message"] == "ply 3: first skipped although it can move (turn 3, after ply 2)"
    cli.ok("import", path)
    game = cli.only_game()
    assert "irregular" in game["flags"]
    assert [(row["kind"], row["recorded"]) for row in game["passes"]] == [("unforced", True)]


@pytest.mark.parametrize("form", WITHOUT_CODE)
def test_a7_sums_decide_between_two_players(cli: Cli, form: str) -> None:
    cli.ok("import", cli.put(*in_format(records.O_A7, form)))
    game = cli.only_game()
    assert game["scores"]["board"] == {
        "colours": [-15, -11, -27, -32],
        "seats": [-42, -43],
        "teams": [-42, -43],
    }
    assert (game["outcome"], game["winners"]) == ("win", [1])


def test_a7_the_same_moves_of_four_players(cli: Cli) -> None:
    text = records.O_A7.replace("GM[Blokus Two-Player]", "GM[Blokus]")
    cli.ok("import", cli.put("four.blksgf", text))
    game = cli.only_game()
    assert game["winners"] == [2]
    assert game["points"] == [-15, -11, -27, -32]


@pytest.mark.parametrize("form", written_formats("fourcode", "json_cells"))
def test_a8_triangles(cli: Cli, form: str) -> None:
    path = cli.put(*in_format(records.O_A8, form))
    blue = cli.json("legal", path, "--ply", 1, "--colour", "blue", "--move", "r14", "--move", "t15")
    singles = {move["move"] for move in blue["moves"]["blue"] if move["piece"] == "1"}
    assert singles == {"p14", "q14", "s14", "t14", "p15", "u15", "q16", "r16", "t16", "u16"}
    assert blue["counts"][0] == 1024
    assert [probe["reason"] for probe in blue["probes"]] == ["side_contact", "side_contact"]
    asked = ["--move", "r15", "--move", "i12", "--move", "a1", "--move", "j12"]
    yellow = cli.json("legal", path, "--ply", 1, "--colour", 2, *asked)
    assert [probe["reason"] for probe in yellow["probes"]] == ["occupied", "start_rule", "off_board", None]


def test_a8_the_smaller_hexagon(cli: Cli) -> None:
    path = cli.put("three.blksgf", "(;GM[Blokus Trigon Three-Player])")
    asked = ["--move", "r15", "--move", "ai9", "--move", "p14"]
    found = cli.json("legal", path, *asked)
    assert [probe["reason"] for probe in found["probes"]] == ["start_rule", "off_board", None]


@pytest.mark.parametrize("form", WITHOUT_CODE)
def test_a9_a_colour_that_is_passed_over(cli: Cli, form: str) -> None:
    path = cli.put(*in_format(records.O_A9_SKIP, form))
    lenient, strict = cli("check", path, "--json"), cli("check", path, "--strict", "--json")
    message = "ply 3: red skipped although it can move (turn 3, after ply 2)"
    assert lenient.code == strict.code == 3
    assert (lenient.json[0]["status"], lenient.json[0]["ply"], lenient.json[0]["message"]) == (
        "irregular",
        3,
        message,
    )
    assert (strict.json[0]["status"], strict.json[0]["ply"], strict.json[0]["message"]) == (
        "illegal",
        3,
        message,
    )

    assert cli("import", path, "--strict").code == 3
    assert cli.json("quarantine")["quarantine"][0]["message"] == message
    assert cli.only_game()["plies"] == 2


@pytest.mark.parametrize("form", WITHOUT_CODE)
def test_a9_the_wrong_corner(cli: Cli, form: str) -> None:
    path = cli.put(*in_format(records.O_A9_CORNER, form))
    result = cli("check", path)
    assert result.code == 3
    assert "game 1: classic: illegal: ply 1: blue plays t20: " in result.out
    assert "starting cell" in result.out
    assert cli.ok("check", path, "--rule", "start=any_corner").out.count("unfinished") == 1
