"""Positions of the explorer by more than one way: a game and moves on, a text and moves on, whatever rules fit."""

from pathlib import Path

import pytest

from pipeline.errors import NotThere
from pipeline.game_selection import rulesets
from pipeline.ingest import import_paths
from pipeline.openings.positions import spot_of_game, spot_of_moves, spot_of_text, spot_under_any
from pipeline.queries import game
from pipeline.store import open_reader
from tests.places import REPOSITORY

PLIES = (0, 1, 5, -2, -1)
"""Behind the last of them colours have passed, and some have nothing left to play."""


@pytest.mark.parametrize("name", ["duo", "classic_2", "trigon_2"])
def test_a_game_played_on_by_its_own_moves_is_the_game(tmp_path: Path, name: str) -> None:
    import_paths(tmp_path / "L", [str(REPOSITORY / "data" / "games" / f"{name}.blksgf")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        identity = reader.table("SELECT id FROM games ORDER BY game_no LIMIT 1")["id"][0].as_py()
        moves = [row["move"] for row in game(reader, identity).moves]
        for ply in (place % len(moves) for place in PLIES):
            on = spot_of_game(reader, identity, ply, moves[ply : ply + 1])
            there = spot_of_game(reader, identity, ply + 1)
            assert (on.key, on.depth, on.pieces, on.in_order) == (there.key, ply + 1, there.pieces, True)
            assert sorted(on.last) == sorted(there.last)


def test_a_text_played_on_is_the_position_of_all_moves() -> None:
    first, second = "e10,e11,f11,f12,g12", "h7,i6,i7,j5,j6"
    with pytest.raises(NotThere, match="move 1"):
        spot_of_text("cw1.duo", {}, ["a1"])
    on = spot_of_text("cw1.duo", {}, [first, second])
    there = spot_of_moves("duo", {}, [first, second])
    assert (on.key, on.last, on.pieces) == (there.key, there.last, there.pieces)
    assert not on.in_order


def test_moves_are_those_of_the_first_rules_that_allow_them(tmp_path: Path) -> None:
    corner = "(;GM[Blokus Duo]CWRULES[start=any_corner];B[a1])"
    (tmp_path / "a.blksgf").write_text(corner + "(;GM[Blokus Duo];B[e10])(;GM[Blokus Duo];B[e10,e11])")
    import_paths(tmp_path / "L", [str(tmp_path / "a.blksgf")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        rows = rulesets(reader, "duo")
    assert rows == [{"rules": {}, "games": 2}, {"rules": {"start": "any_corner"}, "games": 1}]
    known = [row["rules"] for row in rows]
    assert spot_under_any("duo", known, ["a1"]).depth == 1
    assert spot_under_any("duo", known, ["e10"]).depth == 1
    with pytest.raises(NotThere, match="starting cell"):
        spot_under_any("duo", known, ["f6"])
