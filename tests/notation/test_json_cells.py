"""JSON lists of cells: games with passes and an engine's log, positions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.pieces import PIECE_SETS
from notation.errors import CannotWrite
from notation.formats import FORMATS, Format
from notation.fragments import PositionRecord
from notation.identity import game_id
from notation.json_cells import SQUARE
from notation.json_events import PIECE_IDS
from notation.position_text import format_position
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Declared, GameRecord, Move, Out, Pass
from notation.sniff import sniff
from tests.notation.reading import codes, game, moves, read_all, refusal
from tests.places import REPOSITORY, archives
from tests.records import O_A2_A, O_A6_OLD, O_A7, O_B4

FIRST = {"ply": 0, "side": 0, "piece_id": 20, "cells": [[4, 4], [4, 5], [5, 5], [6, 5], [6, 6]]}
SECOND = {"ply": 1, "side": 1, "piece_id": 1, "cells": [[9, 10], [9, 9]]}


def cells(*entries: Any, **more: Any) -> GameRecord:
    return game(json.dumps({"version": 1, "moves": list(entries), **more}), "json_cells")


def ident(record: GameRecord) -> str:
    placements = [event for event in record.events if isinstance(event, Move)]
    return game_id(record.variant, record.setup, placements, [move.colour for move in placements])


def written(record: GameRecord) -> str:
    write = FORMATS["json_cells"].write
    assert write is not None
    return write(record)


def test_rows_count_from_the_top_and_columns_from_the_left():
    record = cells(FIRST, SECOND, {"ply": 2, "side": 0, "pass": True})
    assert record.variant == "duo"
    assert moves(record) == ["1:f8,g8,f9,e10,f10", "2:j5,k5"]
    assert record.events[2] == Pass(0)
    assert record.problems == []


def test_what_a_file_says_beside_the_moves():
    log = [
        {"ply": 1, "value": 80, "depth": 3, "nodes": 7, "move": "Move(piece=S4, cells=[(9, 9), (9, 10)])"},
        {"ply": 7, "value": 1},
        {"ply": 1, "value": 2},
        "x",
    ]
    record = cells(
        FIRST,
        SECOND,
        timestamp="20260527_114612",
        engine_side=1,
        opponent="Ada",
        seed=42,
        engine_time_budget_ms=1000,
        engine_weights={"corner_count": 80},
        engine_eval_log=log,
        final_score_p0=-84,
        final_score_p1=-87,
        board=[[0] * 2000],
        nothing=None,
    )
    assert record.players == ["Ada", None]
    assert record.headers == {
        "date": "2026-05-27",
        "timestamp": "20260527_114612",
        "engine_side": "1",
        "seed": "42",
        "engine_time_budget_ms": "1000",
        "engine_weights": '{"corner_count":80}',
    }
    assert record.evaluations == {1: {key: value for key, value in log[0].items() if key != "ply"}}
    assert record.declared == Declared("-84 / -87", scores=(-84, -87))
    assert codes(record) == ["left_out", "evaluations"]
    assert "3 entries" in record.problems[1].message


@pytest.mark.parametrize(
    ("entry", "event"),
    [
        ({"colour": None, "pass": True}, Pass(ANY_COLOUR)),
        ({"pass": True}, Pass(ANY_COLOUR)),
        ({"side": None, "cells": []}, Pass(ANY_COLOUR)),
        ({"by": 1, "passed": True, "cells": None}, Pass(1)),
        ({"colour": "Second", "pass": True}, Pass(1)),
        ({"color": "W", "pass": True}, Pass(1)),
        ({"colour": 1, "pass": True}, Pass(0)),
        ({"side": 1, "pass": False, "cells": [[9, 9]]}, (1, "j5", True)),
        ({"cells": [[9, 9]]}, (ANY_COLOUR, "j5", True)),
        ({"side": 0, "cells": [[4, 4], [4, 6]]}, (0, "e10,g10", False)),
        ({"side": 0, "cells": [[4, 4], [4, 4]]}, (0, "e10,e10", False)),
    ],
)
def test_ways_to_write_an_entry(entry, event):
    (found,) = cells(entry).events
    if isinstance(found, Move):
        assert (found.colour, found.text, found.placement >= 0) == event
    else:
        assert found == event


def test_cells_off_the_board_are_a_move_there_and_the_game_goes_on():
    record = cells(FIRST, {"side": 1, "cells": [[14, 0], [13, 0]]}, {"side": 0, "cells": [[-1, 0]]}, SECOND)
    off = record.events[1]
    assert isinstance(off, Move)
    assert (off.colour, off.cells, off.placement, off.text) == (1, (), OFF_BOARD, "[[14,0],[13,0]]")
    assert len(record.events) == 4


@pytest.mark.parametrize(
    "broken",
    [
        5,
        None,
        [],
        {"side": 2, "cells": [[1, 1]]},
        {"side": True, "cells": [[1, 1]]},
        {"colour": "blue", "cells": [[1, 1]]},
        {"colour": 0, "pass": True},
        {"side": 0},
        {"side": 0, "cells": "e10"},
        {"side": 0, "cells": [[1, 1], 3]},
        {"side": 0, "cells": [[1, 1, 1]]},
        {"side": 0, "cells": [[1.0, 1]]},
        {"side": 0, "cells": [[True, 1]]},
        {"side": 0, "cells": [[10**400, "x"]]},
        {"side": 0, "cells": [[0, 0]] * 197},
        {"side": 0, "pass": True, "cells": [[1, 1]]},
        {"side": 0, "pass": "yes"},
        {"side": [[[[[[[[[[1]]]]]]]]]]},
    ],
)
def test_a_broken_entry_ends_the_game_and_keeps_what_stands_before(broken):
    record = cells(FIRST, broken, SECOND)
    first, last = record.events
    assert isinstance(first, Move) and first.placement >= 0
    assert isinstance(last, Move) and (last.cells, last.placement) == ((), NOT_A_PIECE)
    (problem,) = record.problems
    assert (problem.code, problem.ply) == ("broken_move", 2)
    assert "entry 2" in problem.message
    assert len(record.broken.splitlines()) == 2 and '"side":1' in record.broken
    assert FORMATS["jsonl"].write(record)


def test_the_cells_win_over_a_wrong_name_of_the_piece():
    wrong = [
        FIRST | {"piece_id": 9},
        SECOND | {"piece_id": 99},
        {"ply": 2, "side": 0, "piece": "W5", "cells": [[8, 7]]},
        {"ply": 3, "side": 1, "piece": "I1", "cells": [[10, 11]]},
    ]
    record = cells(*wrong)
    assert [(p.code, p.ply) for p in record.problems] == [
        ("piece_name", 1),
        ("piece_name", 2),
        ("piece_name", 3),
    ]
    assert "9 is F, the cells of ply 1 are Z5" in record.problems[0].message
    assert "is no piece" in record.problems[1].message
    assert ident(record) == ident(cells(*[{k: v for k, v in e.items() if k[0] != "p"} for e in wrong]))


def test_numbers_of_moves_that_are_not_their_places():
    assert codes(cells(SECOND, FIRST)) == ["ply_order"]
    assert codes(cells({"side": 0, "cells": [[4, 4]]}, {"side": 1, "pass": True})) == []


@pytest.mark.parametrize("value", ["x", 5, {"a": 1}, [1, "b"], True])
def test_wrong_kinds_beside_the_moves_cost_only_themselves(value):
    keys = (
        "engine_eval_log",
        "headers",
        "players",
        "final_score_p0",
        "termination",
        "opponent",
        "timestamp",
        "ply",
    )
    record = cells(FIRST, **dict.fromkeys(keys, value), engine_side=value, result=value)
    assert moves(record) == ["1:f8,g8,f9,e10,f10"]
    assert FORMATS["jsonl"].write(record) and written(record)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"moves":5}', "no list of moves"),
        ('{"variant":"trigon","moves":[]}', "not for 'trigon'"),
        ('{"variant":["duo"],"moves":[]}', "not for"),
        ('{"moves":[],"rules":{"start":"nowhere"}}', "nowhere"),
        ('{"moves":[],"rules":5}', "rules"),
    ],
)
def test_what_is_refused(text, says):
    error = refusal(f"\n\n{text}", "json_cells")
    assert says in error.message
    assert (error.where.record, error.where.line, error.text[:2]) == (1, 3, '{"')


def test_the_variant_is_that_of_the_record_else_the_callers():
    text = '{"moves":[{"side":0,"cells":[[0,0]]}]}'
    assert moves(game(text, "json_cells", "classic")) == ["1:a20"]
    assert game(text, "json_cells", "junior").variant == "junior"
    assert (
        "is of junior, not of duo" in refusal('{"variant":"junior","moves":[]}', "json_cells", "duo").message
    )
    assert "not for 'trigon'" in refusal(text, "json_cells", "trigon").message


def position(**more: Any) -> PositionRecord:
    history = [
        {"by": 0, "passed": False, "piece_id": 20, "cells": FIRST["cells"]},
        {"by": 1, "passed": True},
        {"by": 0, "passed": False, "cells": [[7, 7]]},
    ]
    (item,) = read_all(json.dumps({"ply": 3, "history": history} | more), "json_cells")
    assert isinstance(item, PositionRecord), item
    return item


def test_a_history_is_a_position_and_stays_as_a_header():
    record = position(side_to_move=0, human_side=1)
    assert record.position.to_move == 0
    assert [piece.text for piece in record.position.pieces] == ["h7", "f8,g8,f9,e10,f10"]
    assert record.headers == {"history": "first:f8,g8,f9,e10,f10;second:pass;first:h7", "human_side": "1"}
    assert record.problems == []
    assert format_position(record.position).startswith("cw1.duo.")


def test_who_is_to_move_in_a_position_that_does_not_say_it():
    assert position().position.to_move == 1
    record = position(side_to_move=5, ply=9)
    assert record.position.to_move == 1
    assert codes(record) == ["side_to_move", "ply_order"]


@pytest.mark.parametrize(
    "entry",
    [
        {"by": 0, "cells": [[4, 4]]},
        {"by": 0, "cells": [[0, 0], [0, 2]]},
        {"by": 0, "cells": [[14, 0]]},
        {"cells": [[0, 0]]},
        {"by": 3, "cells": [[0, 0]]},
        7,
    ],
)
def test_a_position_with_a_broken_piece_is_refused(entry):
    text = json.dumps({"history": [{"by": 0, "cells": [[4, 4]]}, entry]})
    assert refusal(text, "json_cells").code == "bad_record"


def test_the_single_cell_last_is_part_of_a_position():
    record = game(O_A2_A)
    entries = json.loads(written(record))["moves"]
    (item,) = read_all(json.dumps({"variant": "classic", "history": entries}), "json_cells")
    assert isinstance(item, PositionRecord)
    assert item.position.single_last == (0,)


# O-A6, O-A7, O-B4: the same game through this format is the same game
@pytest.mark.parametrize("text", [O_A2_A, O_A6_OLD, O_A7, O_B4])
def test_what_is_written_is_read_again(text):
    record = game(text)
    record.players = ["Ada", None]
    record.headers = {"date": "2020-12", "seed": "1", "moves": "as a header", "": "none"}
    record.rules = {"start": "any_corner"}
    record.evaluations = {0: {"value": 0.5}, 1: 7, 2: None}
    record.termination, record.penalty_applied = "abandoned", True
    again = game(written(record), "json_cells")
    assert again.evaluations == {0: {"value": 0.5}, 1: {"value": 7}, 2: {"value": None}}
    for part in ("variant", "events", "players", "headers", "rules", "termination", "penalty_applied"):
        assert getattr(again, part) == getattr(record, part)
    assert again.problems == []
    assert ident(again) == ident(record)
    assert written(again) == written(record)


@pytest.mark.parametrize("text", ["B+7", "W+R", "B+T", "Draw", "?", "anything"])
def test_declared_results_come_back(text):
    record = game(f"(;GM[Blokus Duo]RE[{text}];B[e10];W[j5])")
    again = game(written(record), "json_cells")
    assert (again.declared, again.events) == (record.declared, record.events)


def test_scores_come_back():
    record = cells(FIRST, final_score_p0=-84, final_score_p1=-89)
    assert game(written(record), "json_cells").declared == record.declared
    for scores in ({"final_score_p0": 1}, {"final_score_p0": 1, "final_score_p1": "x"}):
        broken = cells(FIRST, **scores)
        assert (broken.declared, codes(broken)) == (None, ["final_scores"])


def test_what_cannot_be_written():
    def refused(text: str, *events: Out) -> str:
        record = game(text)
        record.events += events
        with pytest.raises(CannotWrite) as error:
            written(record)
        return error.value.message

    assert "trigon" in refused("(;GM[Blokus Trigon];1[r15])")
    assert "setup" in refused("(;GM[Blokus Duo]AB[e10];W[j5])")
    assert "left the game" in refused("(;GM[Blokus Duo];B[e10])", Out(0, "time"))
    assert "without cells" in refused("(;GM[Blokus Duo];B[z99])")
    record = cells(FIRST)
    record.evaluations[0] = float("nan")
    with pytest.raises(CannotWrite):
        written(record)


def test_random_games_of_all_square_variants_come_back():
    folder = REPOSITORY / "data" / "games"
    found = [
        record
        for path in sorted(folder.glob("*.blksgf"))
        for record in read_all(path.read_bytes())
        if isinstance(record, GameRecord) and record.variant in SQUARE
    ]
    assert {record.variant for record in found} >= {"classic", "duo"}
    for record in found:
        again = game(written(record), "json_cells")
        assert (again.events, again.players, again.headers) == (record.events, record.players, record.headers)
        assert again.problems == []


def test_names_of_pieces_by_number_are_those_of_the_set():
    assert sorted(PIECE_IDS) == sorted(PIECE_SETS["polyominoes"].names)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (json.dumps({"moves": [FIRST]}, indent=2), "json_cells"),
        (json.dumps([{"moves": [{"side": 0, "pass": True}]}]), "json_cells"),
        (json.dumps({"history": [{"by": 0, "passed": False, "cells": [[4, 4]]}]}), "json_cells"),
        (json.dumps({"version": 1, "variant": "duo", "moves": []}), "json_cells"),
        (json.dumps({"moves": []}), None),
        (json.dumps({"moves": ["e4", "e5"]}), None),
        (json.dumps({"moves": [{"side": "white", "san": "e4"}]}), None),
        (json.dumps({"cells": [{"cell_type": "code", "source": ["moves"]}], "nbformat": 4}), None),
        (json.dumps({"moves": [{"cells": [[4, 4]]}]}), None),
        (json.dumps({"moves": [{"side": 0, "cells": ["e10"]}]}), None),
        ("const x = " + json.dumps({"moves": [FIRST]}), None),
        ("# A page\n\n```json\n" + json.dumps({"moves": [FIRST]}) + "\n```\n", None),
        ('def f():\n    return {"moves": [{"side": 0, "pass": true}]}\n', None),
        ("{" * 60_000, None),
        ('{"moves":[{' * 6_000, None),
        ('{"moves": ' * 6_000, None),
    ],
)
def test_what_is_recognised(text, form):
    found = sniff(text.encode(), "x.json")
    assert (found.name if isinstance(found, Format) else None) == form


@pytest.mark.archives
def test_real_files():
    paths = sorted(archives("json_celllist_duo").glob("*.json"))
    items = {path.name: read_all(path.read_bytes(), "json_cells") for path in paths}
    positions = [name for name, found in items.items() if isinstance(found[0], PositionRecord)]
    assert positions == ["position.json"]
    records = [found[0] for found in items.values() if isinstance(found[0], GameRecord)]
    assert len(records) == 4
    for path in paths:
        assert sniff(path.read_bytes(), path.name) is FORMATS["json_cells"]
    for record in records:
        assert record.problems == []
        assert all(move.placement >= 0 for move in record.events if isinstance(move, Move))
        assert game(written(record), "json_cells").events == record.events
    assert [(r.headers["date"], r.players[0], len(r.events), len(r.evaluations)) for r in records] == [
        ("2026-05-26", "CenterPressurePlayer", 38, 18),
        ("2026-05-26", "BlockerPlayer", 38, 18),
        ("2026-05-27", "BlockerPlayer", 34, 16),
        ("2026-05-27", "BlockerPlayer", 40, 19),
    ]


@pytest.mark.archives
@pytest.mark.parametrize("name", SQUARE)
def test_reference_games_come_back_with_their_identities(name):
    found = read_all(archives("reference", f"{name}.blksgf").read_bytes())[:20]
    assert len(found) == 20
    again = read_all("".join(written(record) for record in found), "json_cells")
    assert [ident(record) for record in again] == [ident(record) for record in found]
    for new, old in zip(again, found, strict=True):
        assert (new.events, new.headers, new.players) == (old.events, old.headers, old.players)
