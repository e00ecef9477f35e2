from __future__ import annotations

from engine.geometry import placements_by_cells
from notation.blksgf import node_table
from notation.moves import TEXTS_KEPT, keeps, move_from_cells, move_from_names, move_from_text, move_table
from notation.record import NOT_A_PIECE, OFF_BOARD
from tests.notation.reading import read_all


def test_cells_in_any_order_case_and_spelling_are_one_move():
    move = move_from_names("classic", 2, ["b20", "A20", " b019 "])
    assert (move.colour, move.text) == (2, "b19,a20,b20")
    assert move.cells == tuple(sorted(move.cells))
    assert placements_by_cells("classic")[move.cells] == move.placement
    assert (
        move is move_from_cells("classic", 2, move.cells[::-1]) is move_from_text("classic", 2, "a20,b20,b19")
    )


def test_what_is_none_says_why():
    assert move_from_text("duo", 0, "a1,c1").placement == NOT_A_PIECE
    assert move_from_text("duo", 0, "a1,o1") == (0, (), OFF_BOARD, "a1,o1")
    assert move_from_text("trigon", 0, "a1").placement == OFF_BOARD
    assert move_from_names("duo", 0, []).placement == NOT_A_PIECE


def test_hostile_texts_do_not_fill_the_tables():
    before = len(move_table("junior")), len(node_table("junior"))
    padded = "".join(f"(;GM[Blokus Junior];B[{' ' * n}a1];W[x{n}];B[a1,a1,a{n}])" for n in range(40, 140))
    assert len(read_all(padded)) == 100
    for n in range(40, 140):
        move_from_text("junior", 0, " " * n + "a1")
    assert (len(move_table("junior")), len(node_table("junior"))) == before
    move = move_from_text("junior", 0, "a1")
    assert keeps({}, "a1", move)
    assert not keeps(range(TEXTS_KEPT), "a1", move)
