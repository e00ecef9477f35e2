"""Step logs: an object a step, games one after the other or mixed, a set of pieces of their own."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import json_objects, step_log, stream
from notation.formats import FORMATS, Format
from notation.record import NOT_A_PIECE, OFF_BOARD, Declared, GameRecord, Move, Pass
from notation.sniff import sniff
from notation.step_log_codes import shapes
from notation.stream import ReadOptions
from tests.notation.reading import codes, game, moves, read_all, refusal
from tests.places import archives

CORNERS = ((15, 0, 0, 0), (15, 4, 0, 18), (1, 0, 19, 19), (1, 0, 19, 0), (4, 0, 3, 1))
"""Piece, orientation, row and column of the first steps of a game."""


def step(turn: int, game_id: object = "g", code: Any = None, player: object = 0, **more: Any) -> str:
    piece, orientation, row, column = code or CORNERS[turn % 5]
    action = {"piece_id": piece, "orientation": orientation, "anchor_row": row, "anchor_col": column}
    said = {"game_id": game_id, "turn_index": turn, "player_id": player or turn % 4 + 1, "action": action}
    return json.dumps(said | more)


def steps(count: int, game_id: object = "g", **more: Any) -> list[str]:
    return [step(turn, game_id, **more) for turn in range(count)]


def one(*lines: str) -> GameRecord:
    return game("\n".join(lines), "step_log")


def test_players_are_colours_from_the_top_left_clockwise():
    record = one(*steps(5, seed=42, timestamp=1771716867.02, legal_moves_before=58, metrics={"x": 1.5}))
    assert record.variant == "classic"
    assert moves(record) == [
        "1:a18,a19,b19,a20,b20",
        "2:t18,s19,t19,s20,t20",
        "3:t1",
        "4:a1",
        "1:b16,c16,b17",
    ]
    assert record.headers == {
        "date": "2026-02-21T23:34:27Z",
        "game_id": "g",
        "seed": "42",
        "piece_set": "88 cells: two Z4, no Z5",
        "colour_names": "RED,BLUE,YELLOW,GREEN",
    }
    assert record.evaluations[0] == {"legal_moves_before": 58}
    assert codes(record) == ["piece_set"]


def test_orientations_are_the_distinct_images_of_each_piece():
    count = {piece: sum(1 for known, _ in shapes() if known == piece) for piece in range(1, 22)}
    assert (count[1], count[2], count[5], count[20]) == (1, 2, 2, 1)
    assert (count[9], count[10], count[11], count[15], count[19]) == (4, 4, 8, 8, 4)
    assert {frozenset(cells) for (piece, _), cells in shapes().items() if piece == 9} == {
        frozenset(cells) for (piece, _), cells in shapes().items() if piece == 10
    }
    assert sum(len(shapes()[piece, 0]) for piece in range(1, 22)) == 88


def test_the_second_z4_is_the_move_it_is():
    record = one(step(0, code=(9, 0, 0, 0)), step(4, code=(10, 0, 2, 2), player=1))
    first, second = record.events
    assert isinstance(first, Move) and isinstance(second, Move)
    assert first.placement >= 0 and second.placement >= 0
    assert record.broken == ""


def test_a_pass_and_a_piece_off_the_board():
    passed = json.dumps({"game_id": "g", "turn_index": 1, "player_id": 2, "action": None})
    record = one(step(0), passed, step(2, code=(12, 0, 19, 17)), step(3))
    assert record.events[1] == Pass(1)
    assert record.events[2] == Move(2, (), OFF_BOARD, "12:0:19:17")
    assert len(record.events) == 4 and record.broken == ""


def test_games_one_after_the_other_and_mixed():
    a, b, c = steps(5, "a"), steps(4, "b"), steps(3, 7)
    mixed = [a[0], b[0], a[1], c[0], b[1], c[1], a[2], b[2], a[3], b[3], c[2], a[4]]
    for lines in (a + b + c, mixed):
        found = {item.headers["game_id"]: item for item in read_all("\n".join(lines), "step_log")}
        assert [len(found[key].events) for key in ("a", "b", "7")] == [5, 4, 3]
        assert all(codes(record) == ["piece_set"] for record in found.values())


def test_lines_are_those_of_the_source():
    a, b = steps(3, "a"), steps(3, "b")
    b[1] = b[1].replace('"orientation": 4', '"orientation": 9')
    first, second = read_all("\n".join(["", a[0], b[0], a[1], b[1], a[2], b[2]]), "step_log")
    assert (first.line, second.line) == (2, 3)
    assert [(p.code, p.line) for p in second.problems] == [("broken_code", 5), ("piece_set", 3)]


def test_the_same_name_again_is_another_game():
    first, second = read_all("\n".join([*steps(3, seed=1), *steps(4, seed=2)]), "step_log")
    assert (len(first.events), len(second.events)) == (3, 4)
    assert (first.headers["seed"], second.headers["seed"]) == ("1", "2")


def test_steps_that_are_twice_there_missing_or_out_of_order():
    lines = steps(5)
    assert codes(one(*lines, lines[0], lines[2])) == ["turn_order", "turn_repeated", "piece_set"]
    assert len(one(*lines, *lines).events) == 5
    record = one(lines[0], lines[2], lines[1], lines[4])
    assert codes(record) == ["turn_order", "turn_gap", "piece_set"]
    assert [move[0] for move in moves(record)] == ["1", "2", "3", "1"]
    late = one(lines[3], lines[4])
    assert "3 turns are missing; the first one there is turn 3" in late.problems[0].message


def test_a_turn_with_two_moves_ends_the_game_before_it():
    record = one(*steps(3), step(2, code=(2, 0, 19, 18)), step(3))
    assert codes(record) == ["turn_conflict", "piece_set"]
    assert len(record.events) == 2
    assert record.broken.count("turn_index") == 3


@pytest.mark.parametrize(
    "broken",
    [
        '{"game_id":"g","turn_index":',
        '{"game_id":"g","turn_index":2}',
        '{"game_id":"g","turn_index":2,"player_id":5,"action":null}',
        '{"game_id":"g","turn_index":-2,"player_id":1,"action":null}',
        '{"game_id":"g","turn_index":NaN,"player_id":1,"action":null}',
        '{"game_id":"g","turn_index":2,"player_id":3,"action":7}',
        '{"game_id":"g","turn_index":2,"player_id":3,"action":{"piece_id":1}}',
        '{"turn_index":2,"x":[[[',
        '{"a":' * 2_000,
        "garbage",
    ],
)
def test_a_broken_step_ends_the_game_and_the_others_are_read(broken):
    lines = [*steps(2), broken, step(3), step(4), *steps(3, "h")]
    found = read_all("\n".join(lines), "step_log")
    assert [len(record.events) for record in found][-1] == 3
    record = found[0]
    if broken == "garbage":  # text behind the step before it
        assert codes(record) == ["text_after", "turn_gap", "piece_set"]
        return
    assert codes(record) == ["broken_step", "piece_set"]
    assert record.problems[0].line == 3
    assert len(record.events) == 2
    assert record.broken.startswith(broken[:10]) and record.broken.count('"turn_index": ') == 2


@pytest.mark.parametrize("code", [(22, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0), (15, -1, 0, 0)])
def test_a_code_that_is_none_ends_the_game(code):
    record = one(step(0), step(1, code=code), step(2))
    assert record.events[1] == Move(1, (), NOT_A_PIECE, ":".join(map(str, code)))
    assert codes(record) == ["broken_code", "piece_set"]
    assert record.broken.count("turn_index") == 2


def test_what_holds_no_step_is_refused():
    assert refusal('{"game_id":"g","turn_index":"x"}', "step_log").code == "bad_record"
    assert refusal("[]x", "step_log").code == "bad_record"
    assert "is of classic" in refusal(step(0), "step_log", "duo").message
    assert game(step(0), "step_log", "classic_2").variant == "classic_2"


def test_a_result_among_the_steps_is_the_declared_one():
    result = json.dumps(
        {"game_id": "g", "final_scores": {"1": 63, "2": 74, "3": 77, "4": 76}, "winner_id": 3}
    )
    record = one(*steps(4), result)
    assert record.declared == Declared("63 / 74 / 77 / 76", scores=(63, 74, 77, 76))
    assert len(record.events) == 4 and record.broken == ""
    assert "final_scores" in codes(one(*steps(4), result.replace("77", '"x"')))


def test_far_games_are_over_and_memory_stays_flat(monkeypatch):
    monkeypatch.setattr(step_log, "WINDOW", 2_000)
    others = [line for number in range(40) for line in steps(3, f"o{number}")]
    first, *rest = read_all("\n".join([*steps(3), *others, *steps(5)[3:]]), "step_log")
    assert len(first.events) == 3 and len(rest) == 41
    assert codes(rest[-1])[0] == "turn_gap"  # its beginning was too far away


def test_limits_of_one_game_and_of_mixed_ones(monkeypatch):
    monkeypatch.setattr(step_log, "RECORD_LIMIT", 1_000)
    found = read_all("\n".join([*steps(3, "a"), *steps(50, "b"), *steps(3, "c")]), "step_log")
    assert [getattr(item, "code", "game") for item in found] == ["game", "bad_record", "game"]
    assert found[1].where.record == 2
    monkeypatch.undo()
    monkeypatch.setattr(step_log, "HELD_LIMIT", 1_000)
    *_, last = read_all("\n".join(step(0, number) for number in range(9_999)), "step_log")
    assert "mixed" in last.message


LINES = st.sampled_from(
    [
        *steps(3, "a"),
        *steps(3, "b"),
        step(0, "a", seed=1),
        "",
        "x",
        "{",
        '{"a":1}',
        '{"game_id":"a"}',
        '{"game_id":',
    ]
)


@given(lines=st.lists(LINES, max_size=20), size=st.integers(1, 80))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_where_a_source_is_cut_changes_nothing(lines, size, monkeypatch):
    data = "\n".join([step(0, "a"), *lines])
    expected = [repr(item) for item in read_all(data, "step_log")]
    with monkeypatch.context() as patch:
        for module in (json_objects, step_log):
            patch.setattr(module, "BLOCK", size)
        patch.setattr(stream, "HEAD", 20)
        assert [repr(item) for item in read_all(data, "step_log", step=size)] == expected
    number = 1
    for chunk in step_log.split(io.BytesIO(data.encode()).read):
        assert chunk.record == number
        number += len(list(step_log.read(chunk, ReadOptions())))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("\n".join(steps(3)), "step_log"),
        (json.dumps([json.loads(line) for line in steps(3)], indent=1), "step_log"),
        ('{"game_id":\n' + "\n".join(steps(3)), "step_log"),
        ('{"level":"info","msg":' + json.dumps(step(0)) + "}", None),
        ('{"game_id":"x","turn_index":0,"player_id":1,"action":"raise"}', None),
        ("log = " + step(0), None),
    ],
)
def test_what_is_recognised(text, form):
    found = sniff(text.encode(), "x.jsonl")
    assert (found.name if isinstance(found, Format) else None) == form


@pytest.mark.archives
def test_real_file():
    data = archives("step_log_classic", "steps.jsonl").read_bytes()
    assert sniff(data, "steps.jsonl") is FORMATS["step_log"]
    record = game(data, "step_log")
    assert len(record.events) == 61
    assert all(isinstance(move, Move) and move.placement >= 0 for move in record.events)
    assert codes(record) == ["piece_set"]
    assert record.broken == ""
