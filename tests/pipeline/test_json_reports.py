"""Public problem reports, in games as JSON lists of cells and in step logs: what the replay makes of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.boards import neighbours
from notation.formats import FORMATS
from notation.identity import game_id
from notation.json_events import piece_names
from notation.record import Event, GameRecord, Pass
from pipeline.judged import Group, RuleChoice, Stop, group_records, pass_counts, resolved_colours, stop_of
from pipeline.outcomes import ending_of, is_mismatch, results_of
from tests.notation.reading import game, read_all
from tests.places import archives
from tests.records import O_A2_A, O_A6_NEW, O_A6_OLD, O_A6_PASS, O_A7, O_B4


def replayed(record: GameRecord) -> tuple[Group, Stop | None]:
    groups, refused = group_records([record], RuleChoice())
    assert not refused
    return groups[0], stop_of(groups[0], 0)


def judge(record: GameRecord) -> tuple[list[int], list[int], bool | None, Stop | None]:
    """Places, totals, whether the declared result differs, why the replay stopped."""
    group, stop = replayed(record)
    results = results_of(group, [ending_of(group, 0)])
    places, totals = results.places[0].tolist(), results.totals[0].tolist()
    return places, totals, is_mismatch(group, 0, places, totals), stop


def ident(record: GameRecord) -> str:
    group, stop = replayed(record)
    return game_id(record.variant, record.setup, group.moves_of(0), resolved_colours(group, 0, stop))


def as_json(text: str) -> dict[str, Any]:
    """The object of a game in our SGF."""
    write = FORMATS["json_cells"].write
    assert write is not None
    made: dict[str, Any] = json.loads(write(game(text)))
    return made


def from_json(value: dict[str, Any]) -> GameRecord:
    return game(json.dumps(value), "json_cells")


def with_passes(value: dict[str, Any], colour: bool) -> dict[str, Any]:
    """The same game with an entry for every turn, passes of nobody; moves too where `colour` says so not."""
    moves, turn = [], 0
    for entry in value["moves"]:
        while entry["side"] != turn % 4:
            moves.append({"colour": None, "pass": True})
            turn += 1
        moves.append({"cells": entry["cells"], **({"side": entry["side"]} if colour else {})})
        turn += 1
    return value | {"moves": moves}


@pytest.mark.parametrize("colour", [True, False])
def test_passes_without_a_colour_belong_to_the_colour_on_turn(colour):  # O-A3, third form
    bare = game(O_A2_A)
    record = from_json(with_passes(as_json(O_A2_A), colour))
    assert sum(isinstance(event, Pass) for event in record.events) == 15
    group, stop = replayed(record)
    assert stop is None
    assert pass_counts(group.replay, 4)[0].tolist() == [0, 6, 5, 4]
    assert pass_counts(replayed(bare)[0].replay, 4)[0].tolist() == [0, 6, 5, 4]
    assert judge(record)[:2] == judge(bare)[:2] == ([1, 4, 3, 2], [20, -35, -30, -25])
    assert ident(record) == ident(bare)


def test_cells_have_no_order_and_an_unforced_pass_is_seen():  # O-A6
    old, new = from_json(as_json(O_A6_OLD)), from_json(as_json(O_A6_NEW))
    for entry in (value := as_json(O_A6_OLD))["moves"]:
        entry["cells"].reverse()
    assert ident(old) == ident(new) == ident(from_json(value)) == ident(game(O_A6_NEW))
    record = from_json(as_json(O_A6_PASS))
    assert record.events[2] == Pass(0)
    groups, _ = group_records([record], RuleChoice({}, strict=True))
    stop = stop_of(groups[0], 0)
    assert stop is not None and stop.reason == "unforced_pass"


def test_an_illegal_move_in_the_middle_ends_the_replay_there():  # O-B4
    line = json.dumps(as_json(O_B4))
    good = json.dumps(as_json(O_A7))
    first, record, last = read_all("\n".join([good, line, good]), "json_cells")
    assert isinstance(record, GameRecord) and len(record.events) == 8
    places, totals, _, stop = judge(record)
    assert (places, totals) == ([0, 0], [-80, -83])
    assert stop is not None and (stop.ply, stop.reason) == (5, "side_contact")
    assert judge(first)[3] is None and judge(last)[3] is None


@pytest.mark.parametrize(
    ("said", "mismatch"),
    [
        ({"result": "W+3"}, True),
        ({"result": "1+1"}, False),
        ({"result": "Draw"}, True),
        ({"result": "?"}, None),
        ({"final_score_p0": 0, "final_score_p1": 0}, True),
        ({}, None),
    ],
)
def test_a_declared_result_stands_beside_the_computed_one(said, mismatch):  # O-B6
    record = from_json(as_json(O_A7) | said)
    places, totals, found, _ = judge(record)
    assert places == [1, 2] and totals[0] - totals[1] == 1
    assert found == mismatch
    right = from_json(as_json(O_A7) | {"final_score_p0": totals[0], "final_score_p1": totals[1]})
    assert judge(right)[2] is False


def test_a_second_z4_of_a_step_log_is_a_piece_used_twice():
    codes = [(1, 9, 0, 0, 1), (2, 1, 0, 0, 19), (3, 1, 0, 19, 19), (4, 1, 0, 19, 0), (1, 10, 0, 2, 2)]
    lines = [
        json.dumps(
            {
                "game_id": "g",
                "turn_index": turn,
                "player_id": player,
                "action": {"piece_id": piece, "orientation": o, "anchor_row": row, "anchor_col": column},
            }
        )
        for turn, (player, piece, o, row, column) in enumerate(codes)
    ]
    _, stop = replayed(game("\n".join(lines), "step_log"))
    assert stop is not None and stop.reason in ("piece_used", "start_rule")


@pytest.mark.archives
def test_real_games_as_cells_are_legal_and_their_scores_right():
    for path in sorted(archives("json_celllist_duo").glob("horizon*.json")):
        (record,) = read_all(path.read_bytes(), "json_cells")
        places, _, mismatch, stop = judge(record)
        assert (stop, mismatch, sorted(places)) == (None, False, [1, 2]), path


@pytest.mark.archives
def test_the_real_step_log_stops_at_the_second_z4_of_a_colour():
    record = game(archives("step_log_classic", "steps.jsonl").read_bytes(), "step_log")
    _, stop = replayed(record)
    assert stop is not None and stop.reason == "piece_used"
    assert all(
        not _breaks_contact_rules(record.events, ply) for ply in range(61)
    )  # so the codes are read right
    names = [(move.colour, piece_names("classic")[move.placement]) for move in record.events]
    assert {name for _, name in names if names.count((_, name)) > 1} == {"Z4"}
    assert len(names) - len(set(names)) == 3


def _breaks_contact_rules(moves: list[Event], ply: int) -> bool:
    """Whether a placement covers a cell twice, touches its colour by a side, or by no corner."""
    move, before = moves[ply], moves[:ply]
    around = neighbours("square20")
    own = {cell for other in before if other.colour == move.colour for cell in other.cells}
    taken = {cell for other in before for cell in other.cells}
    sides = {cell for at in move.cells for cell in around[at][0]}
    corners = {cell for at in move.cells for cell in around[at][1]}
    return bool(taken & set(move.cells)) or bool(sides & own) or (bool(own) and not corners & own)
