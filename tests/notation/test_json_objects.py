"""Cutting sources into JSON objects: glue, damage, arrays; the readers of results stand for all."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import json_arrays, json_objects, stream
from notation.errors import NotationError
from notation.fragments import ResultRecord
from notation.json_objects import split_objects
from notation.stream import RECORD_LIMIT
from tests.notation.reading import codes, read_all


def row(key: object, **more: object) -> dict[str, object]:
    scores = {"1": 70, "2": 60, "3": 50, "4": 40}
    return {"game_id": key, "final_scores": scores, "winner_ids": [1], **more}


def keys(data: bytes | str) -> list[str]:
    """Name of every result; `error` for what is refused."""
    return [
        item.key if isinstance(item, ResultRecord) else "error" if isinstance(item, NotationError) else "?"
        for item in read_all(data, "result_log")
    ]


A, B, C = (json.dumps(row(name)) for name in "ABC")


@pytest.mark.parametrize("glue", ["\n", "\\n", "", " ", "\r\n\r\n", "\\n\n", "\\r\\n"])
@pytest.mark.parametrize("end", ["", "\n", "\\n"])
def test_objects_may_follow_each_other_in_any_way(glue, end):
    assert keys(glue.join([A, B, C]) + end) == ["A", "B", "C"]


@pytest.mark.parametrize("indent", [None, 0, 1, 2, 4])
def test_printing_over_many_lines_changes_nothing(indent):
    text = "\n".join(json.dumps(row(name), indent=indent) for name in "ABC")
    assert keys(text) == ["A", "B", "C"]


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("before", ["", "\n ", "\ufeff"])
def test_an_array_is_read_like_its_elements(indent, before):
    other = {"winner_ids": [2], **row("D")}  # its first key is another one
    text = before + json.dumps([row("A", more=[{"b": [1]}]), other, row("B")], indent=indent)
    assert keys(text) == ["A", "D", "B"]
    assert keys(text + "\n" + text.strip("\ufeff")) == ["A", "D", "B"] * 2


def test_lines_are_those_of_the_source():
    def lines(text: str) -> list[int]:
        return [item.line for item in read_all(text, "result_log") if isinstance(item, ResultRecord)]

    assert lines(f"\n{A}\n\n{B}\\n{C}\n") == [2, 4, 4]
    assert lines(f"[\n{A},\n{B}\n,\n{C}]") == [2, 3, 5]


@pytest.mark.parametrize(
    "broken",
    [
        '{"game_id":"X","final_scores":{"1":7',
        '{"game_id":"X","final_scores":{"1":70,',
        '{"game_id":"X","winner_ids":[',
        '{"game_id":"X","winner_ids":',
        '{"game_id":"X',
        '{"game_id":"X\\',
        '{"game_id":"X","a":"' + "\x00" + '"}',
        '{"game_id":"X",}',
        '{"game_id":"X"}}',
        '{"game_id":' + "9" * 5000 + "}",
        '{"game_id":' + "[" * 100_000 + "}",
        '{"game_id":' + '{"a":' * 100_000,
        '{"a":1}',
        '{"game_id":"X","final_scores":{"1":70,"2":60,"4":50}}',
        '{"game_id":"X","final_scores":{"1":70,"2":true,"3":0,"4":50}}',
        '{"game_id":"X","final_scores":{"1":70,"2":NaN,"3":0,"4":50}}',
        '{"game_id":"X","final_scores":{"1":70,"2":1e999,"3":0,"4":50}}',
        '{"game_id":"X","final_scores":{"1":70,"2":1e30,"3":0,"4":50}}',
        '{"game_id":"X","final_scores":[1,2,3,4,5]}',
    ],
)
def test_a_broken_object_costs_only_itself(broken):
    assert keys(f"{A}\n{broken}\n{B}\n{C}\n") == ["A", "error", "B", "C"]
    if "\x00" not in broken:
        assert keys(f"{A}\\n{broken}\\n{B}") == ["A", "error", "B"] or broken.endswith("\\")


@pytest.mark.parametrize("broken", ['{"game_id":"X",}', '{"game_id":"X","final_scores":{"1":7]}'])
def test_a_broken_element_of_an_array_costs_only_itself(broken):
    assert keys(f"[{A},\n{broken},\n  {B},{C}]") == ["A", "error", "B", "C"]


def test_text_between_objects_is_left_out_with_a_warning():
    first, second = read_all(f"{A}\nINFO done\n{json.dumps({'winner_ids': [1], **row('B')})}\n", "result_log")
    assert (codes(first), codes(second)) == (["text_after"], [])
    assert [codes(item) for item in read_all(f"{A}\n{{}}\n{B}", "result_log")] == [["text_after"], []]
    assert keys(f"5\n{A}\n") == ["error", "A"]
    assert keys('"x"\n') == keys("nothing") == ["error"]
    assert keys("") == keys(" \n\\n") == []


def test_numbers_that_are_none_and_keys_that_stand_twice():
    text = '{"game_id":"X","game_id":"Y","t":NaN,"u":-Infinity,"v":1e999,' + A[1:].replace('"A"', '"Z"')
    (item,) = read_all(text, "result_log")
    assert item.key == "Z"
    assert codes(item) == ["duplicate_key"] and "'game_id'" in item.problems[0].message
    assert item.headers == {"winner_ids": "[1]"}


def test_texts_that_are_no_utf_8_and_halves_of_characters():
    (item,) = read_all(json.dumps(row("X")).replace("X", "é").encode("latin-1"), "result_log")
    assert (item.key, codes(item)) == ("é", ["encoding"])
    (item,) = read_all(A.replace('"A"', r'"\ud83d\ude00 \ud800 \\ud800"'), "result_log")
    assert item.key == "\U0001f600 � \\ud800"


def test_more_than_4_mib_in_one_line():
    long = json.dumps(row("A", agent_move_stats="x" * 3900))
    assert keys("\\n".join([long] * 1_200)) == ["A"] * 1_200


def test_an_object_without_end_stops_the_reading():
    *before, last = read_all(f"{A}\n" + '{"a":[' + "1," * RECORD_LIMIT, "result_log")
    assert [item.key for item in before] == ["A"]
    assert "4 MiB" in last.message
    assert keys("[" * (2 * RECORD_LIMIT)) in ([], ["error"])


@pytest.mark.parametrize(
    "bad", ['{"a":\n', '{"a":[\n', '{"a":"', "{\n", "}{\n", '{"a":{"a":[{"a":', "\\n{", '},{"']
)
def test_endless_repetition_takes_linear_time(bad):
    data = f"{A}\n{bad * (400_000 // len(bad))}\n{B}"
    items = read_all(data, "result_log")
    assert isinstance(items[0], ResultRecord)
    assert isinstance(items[-1], ResultRecord | NotationError)
    read_all(f"[{A},{data}]", "result_log")


SOUP = st.lists(
    st.sampled_from(
        [
            A,
            B,
            "\n",
            "\\n",
            " ",
            ",",
            "[",
            "]",
            "{",
            "}",
            '"',
            '{"game_id":',
            '{"a":1}',
            ":",
            "\\",
            "x",
            "é",
            "1",
        ]
    ),
    max_size=25,
).map("".join)


@given(data=SOUP, step=st.integers(1, 60), array=st.sampled_from(["", "["]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_where_a_source_is_cut_changes_nothing(data, step, array, monkeypatch):
    # the bracket of an array and the first key stand in the first block
    whole = array + A + "\n" + data
    expected = [repr(item) for item in read_all(whole, "result_log")]
    with monkeypatch.context() as patch:
        for module in (json_objects, json_arrays):
            patch.setattr(module, "BLOCK", step)
        patch.setattr(stream, "HEAD", 20)
        found = read_all(whole, "result_log", step=step)
        assert [repr(item) for item in found] == expected


@given(data=SOUP)
@settings(deadline=None)
def test_records_are_numbered_as_they_are_cut(data):
    number = 1
    for chunk in split_objects(io.BytesIO(data.encode()).read):
        assert chunk.record == number
        number += len(list(json_objects.pieces(chunk)))
