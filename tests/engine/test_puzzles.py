"""The two known solutions of the first solo puzzle: all 84 pieces on the board by the rules of play."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from engine.boards import cell_numbers
from engine.geometry import geometry
from engine.pieces import PIECE_SETS
from engine.position import Position
from engine.replay import Script
from engine.rulesets import default_rules
from engine.scoring import ColourFacts, points
from tests.engine.games import played
from tests.places import SHARED

SOLUTIONS = ["perfect84_b1.json", "perfect84_b2.json"]


@pytest.mark.archives
@pytest.mark.parametrize("file", SOLUTIONS)
def test_all_pieces_of_all_colours(file: str) -> None:
    path = SHARED / "puzzles" / file
    if not path.is_file():
        pytest.skip(f"no puzzle solutions at {path.parent}: this test reads them")
    number = cell_numbers("square20")
    pieces = PIECE_SETS["polyominoes"].names
    position, events = Position("classic"), []
    for row in json.loads(path.read_text()):
        cells = [number[column, 19 - down] for down, column in row["cells"]]
        code = position.placement_code(cells)
        name = pieces[geometry("classic").placement_piece[code]]
        # The solutions name every piece with its size.
        assert row["piece"] in (name, f"{name}{len(cells)}", f"I{len(cells)}")
        passed = position.play(row["colour"], cells)
        assert all(kind == "forced" for _, kind in passed)
        events.append((row["colour"], code))
    assert len(events) == 84
    assert position.is_over
    seen = played(Script(events), "classic", default_rules("classic"), strict=True)
    assert set(seen.reasons) == {"legal"}
    assert seen.facts == position.facts == [ColourFacts(89, True, True)] * 4
    assert [points("board", "classic", f) for f in seen.facts] == [20] * 4
    assert seen.over
    # The second puzzle asks for sizes that never grow: both solutions play colour by colour in turn.
    assert all((b - a) % 4 == 1 for (a, _), (b, _) in pairwise(events))
