"""Results without moves: seats, places, contradictions, real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from notation.formats import FORMATS, Format
from notation.fragments import ResultRecord
from notation.sniff import sniff
from tests.notation.reading import codes, read_all, refusal
from tests.places import archives

NAMES = {"1": "Ada", "2": "Ben", "3": "Cid", "4": "Dot"}
ROW: dict[str, Any] = {
    "agent_scores": {"Ada": 94, "Ben": 74, "Cid": 60, "Dot": 74},
    "duration_sec": 6.5,
    "error": None,
    "final_ranks": {"1": 1, "2": 2, "3": 3, "4": 2},
    "final_scores": {"1": 94, "2": 74, "3": 60, "4": 74},
    "game_id": "r_g0000",
    "is_tie": False,
    "moves_made": 59,
    "passes": 10,
    "run_id": "20260301_225143_f2d15aab",
    "seat_assignment": NAMES,
    "truncated": False,
    "winner_ids": [1],
}


def result(variant: str | None = None, **more: Any) -> ResultRecord:
    changed = {key: value for key, value in (ROW | more).items() if value is not ...}
    (item,) = read_all(json.dumps(changed), "result_log", variant)
    assert isinstance(item, ResultRecord), item
    return item


def test_a_row_is_a_result_by_seat():
    row = result()
    assert (row.variant, row.key) == ("classic", "r_g0000")
    assert row.players == ["Ada", "Ben", "Cid", "Dot"]
    assert (row.scores, row.places) == ((94, 74, 60, 74), (1, 2, 4, 2))
    assert (row.plies, row.passes, row.unfinished) == (59, 10, False)
    assert row.headers["date"] == "2026-03-01"
    assert row.headers["duration_sec"] == "6.5" and "error" not in row.headers
    assert row.problems == []


def test_the_other_shape():
    text = json.dumps(
        {
            "game_id": "game_001",
            "timestamp": 1771716881.67,
            "final_scores": {"1": 63, "2": 74, "3": 77, "4": 76},
            "winner_id": 3,
            "num_turns": 61,
            "agent_ids": NAMES,
            "seat_order": [1, 2, 3, 4],
        }
    )
    (row,) = read_all(text, "result_log")
    assert (row.places, row.plies, row.passes) == ((4, 3, 1, 2), 61, None)
    assert row.players == ["Ada", "Ben", "Cid", "Dot"]
    assert row.headers["date"] == "2026-02-21T23:34:41Z"
    assert row.problems == []


def test_games_that_were_stopped_are_unfinished():
    assert result(truncated=True).unfinished
    row = result(error="'Ben'")
    assert row.unfinished and codes(row) == ["program_error"]


def test_ties_share_the_place_whatever_the_ranks_go_on_with():
    for ranks in ((1, 1, 3, 4), (1, 1, 2, 3), (5, 5, 6, 9)):
        by_seat = dict(zip("1234", ranks, strict=True))
        scores = {"1": 9, "2": 9, "3": 8, "4": 7}
        row = result(
            final_ranks=by_seat, final_scores=scores, winner_ids=[2, 1], is_tie=True, agent_scores=...
        )
        assert (row.places, codes(row)) == ((1, 1, 3, 4), [])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"winner_ids": [2]}, "winners [2]"),
        ({"winner_ids": [1, 2]}, "winners [1,2]"),
        ({"winner_id": 4}, "winner 4"),
        ({"winner_id": 4, "winner_ids": ...}, "winner 4"),
        ({"is_tie": True}, "is_tie"),
        ({"final_ranks": {"1": 1, "2": 2, "3": 3, "4": 4}}, "ranks"),
        ({"agent_scores": {"Ada": 94, "Ben": 74, "Cid": 60, "Dot": 0}}, "agent_scores"),
        ({"agent_ranks": {"Ada": 1}}, "agent_ranks"),
        ({"winner_ids": [[[[[[[[[1]]]]]]]]]}, "nested"),
    ],
)
def test_contradictions_are_warnings(change, says):
    row = result(**change)
    assert set(codes(row)) - {"left_out"} == {"result_inconsistent"}
    assert any(says in problem.message for problem in row.problems)
    assert row.scores == (94, 74, 60, 74)


def test_ranks_alone_and_scores_alone():
    row = result(final_scores=..., agent_scores=...)
    assert (row.scores, row.places, codes(row)) == ((), (1, 2, 4, 2), [])
    row = result(final_ranks=..., seat_assignment=...)
    assert (row.places, row.players) == ((1, 2, 4, 2), [None] * 4)


def test_two_seats_are_of_the_variant_that_the_caller_says():
    two = {"final_scores": [5, 3], "final_ranks": ..., "seat_assignment": ["Ada", None], "agent_scores": ...}
    assert result(**two).variant == ""
    row = result("duo", **two)
    assert (row.variant, row.players, row.places) == ("duo", ["Ada", None], (1, 2))
    text = json.dumps({"final_scores": [5, 3], "winner_id": 1})
    assert "has 4" in refusal(text, "result_log", "classic").message


@pytest.mark.parametrize(
    "change",
    [
        {"final_scores": {"1": 1, "2": 2, "3": 3}},
        {"final_scores": {"1": 1, "2": 2, "3": 3, "5": 4}},
        {"final_scores": {"1": 1, "2": 2, "3": 3, "4": None}},
        {"final_scores": "x"},
        {"final_scores": ..., "final_ranks": ...},
        {"seat_assignment": 7},
        {"final_ranks": [1, 2]},
        {"final_scores": {"1": 1, "2": 2, "3": 3, "4": 10**30}},
    ],
)
def test_what_is_no_result_is_refused(change):
    changed = {key: value for key, value in (ROW | change).items() if value is not ...}
    assert refusal(json.dumps(changed), "result_log").code == "bad_record"


@pytest.mark.parametrize("value", ["x", 5, -1, 1.5, [1, "b"], {"a": 1}, True, 10**300])
def test_wrong_kinds_cost_only_themselves(value):
    keys = (
        "game_id",
        "moves_made",
        "passes",
        "truncated",
        "error",
        "run_id",
        "timestamp",
        "is_tie",
        "winner_ids",
    )
    row = result(**dict.fromkeys(keys, value), agent_scores=value)
    assert row.places == (1, 2, 4, 2)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (json.dumps(ROW), "result_log"),
        (json.dumps(ROW, indent=4), "result_log"),
        ("\\n".join([json.dumps(ROW)] * 99), "result_log"),
        (json.dumps({"final_scores": {"a": 1}}), None),
        (json.dumps({"results": 5, "winner_ids": [1]}), None),
        ("x = " + json.dumps(ROW), None),
        ("import json\n" + json.dumps(ROW), None),
        (json.dumps({"text": json.dumps(ROW)}), None),
    ],
)
def test_what_is_recognised(text, form):
    found = sniff(text.encode(), "games.jsonl")
    assert (found.name if isinstance(found, Format) else None) == form


def piecewise(path: Path) -> list[dict[str, Any]]:
    """Rows of a file, by the standard library: one object after the other, what is between them skipped."""
    text, decoder, at, out = path.read_text(), json.JSONDecoder(), 0, []
    while (at := text.find("{", at)) >= 0:
        value, at = decoder.raw_decode(text, at)
        out.append(value)
    return out


@pytest.mark.archives
def test_real_files():
    paths = sorted(archives("results_classic").glob("*/games.jsonl"))
    count: dict[bool, int] = {True: 0, False: 0}
    for path in paths:
        assert sniff(path.read_bytes(), path.name) is FORMATS["result_log"]
        found, rows = read_all(path.read_bytes(), "result_log"), piecewise(path)
        assert found == [
            item for row in rows for item in read_all(json.dumps(row), "result_log")
        ] or not path.parent.name.startswith("glued")
        assert [item.key for item in found] == [row["game_id"] for row in rows]
        for item, row in zip(found, rows, strict=True):
            seats = "1234"
            assert item.players == [row["seat_assignment"][seat] for seat in seats]
            assert item.scores == tuple(row["final_scores"][seat] for seat in seats)
            assert [seat + 1 for seat in range(4) if item.places[seat] == 1] == row["winner_ids"]
            assert item.unfinished == (row["truncated"] or row["error"] is not None)
            assert "result_inconsistent" not in codes(item)
        count[path.parent.name.startswith("glued")] += len(found)
    assert count == {True: 149, False: 269}
    (other,) = read_all(archives("step_log_classic", "results.jsonl").read_bytes(), "result_log")
    assert other.scores == (63, 74, 77, 76) and other.problems == []
