from __future__ import annotations

import pytest

from engine.boards import cell_names
from engine.geometry import geometry, placement_cells, placements_by_cells
from engine.pieces import PIECE_SETS
from notation.errors import CannotWrite
from notation.fourcode import write
from notation.fourcode_codes import code_of, move_of
from notation.moves import move_from_names
from notation.record import NOT_A_PIECE, OFF_BOARD, Declared, GameRecord, Move, Out, Pass, Setup
from tests.notation.reading import codes, game, moves, read_all, refusal


def test_cells_of_some_codes():
    assert move_of(0, "55a0").text == "e10"
    assert move_of(1, "aaa7").text == "j5"
    assert move_of(0, "55b0").text == "e9,e10"
    assert move_of(0, "66r0").text == "g8,f9,g9,e10,f10"


def test_all_placements_have_a_code_and_all_pieces_their_letter():
    table = code_of()
    assert len(table) == len(placements_by_cells("duo")) == 13_729
    names = PIECE_SETS["polyominoes"].names
    pieces = geometry("duo").placement_piece
    letters = {code[2]: names[pieces[placement]] for placement, code in table.items()}
    expected = (
        "a=1 b=2 c=I3 d=V3 e=I4 f=L4 g=T4 h=O i=Z4 j=I5 k=L5 l=N m=P n=U o=Y p=T5 q=V5 r=W s=Z5 t=F u=X"
    )
    assert letters == dict(pair.split("=") for pair in expected.split())
    assert all(
        move_of(-1, code).cells == placement_cells(geometry("duo"), p)
        for p, code in list(table.items())[::97]
    )


def test_codes_of_one_placement_are_one_move():
    assert len({move_of(0, f"55u{rotation}") for rotation in range(8)}) == 1


def test_a_bare_list_leaves_the_colours_open():
    record = game("55a0\r\n\r\n  AAA0\r\n0000\n----\n44a0\n", "fourcode")
    e10, j5, d11 = (move_from_names("duo", -1, [name]) for name in ("e10", "j5", "d11"))
    assert record.events == [e10, j5, Pass(), Pass(), d11]
    assert (record.setup, codes(record)) == (Setup(), [])


def test_prefixes_name_the_colours():
    record = game("Player 1:55a0\nplayer 2: aaa0\nPlayer 1:0000\n", "fourcode")
    assert moves(record) == ["1:e10", "2:j5"]
    assert record.events[2] == Pass(0)


@pytest.mark.parametrize("first", ["aaa0", "Player 2:aaa0"])
def test_the_second_colour_begins_when_the_first_code_covers_its_start(first):
    assert game(f"{first}\n55a0\n", "fourcode").setup.to_move == 1
    assert game(f"0000\n{first}\n", "fourcode").setup.to_move is None


@pytest.mark.parametrize(
    ("line", "placement"),
    [
        ("55z0", NOT_A_PIECE),
        ("55a8", NOT_A_PIECE),
        ("55a", NOT_A_PIECE),
        ("hello world", NOT_A_PIECE),
        ("Player 3:55a0", NOT_A_PIECE),
        ("05a0", OFF_BOARD),
        ("5fa0", OFF_BOARD),
    ],
)
def test_a_broken_code_ends_the_record_there(line, placement):
    record = game(f"55a0\n{line}\naaa0\n", "fourcode")
    last = record.events[-1]
    assert isinstance(last, Move)
    assert (len(record.events), last.placement, last.text) == (2, placement, line.lower())
    assert record.broken == f"{line}\naaa0"
    assert [(p.code, p.line, p.ply) for p in record.problems] == [("broken_code", 2, 2)]


def test_a_piece_over_the_border_is_off_board_and_the_rest_is_read():
    record = game("11u0\naaa0\n", "fourcode")
    assert record.events[0] == Move(-1, (), OFF_BOARD, "11u0")
    assert (len(record.events), record.broken) == (2, "")


@pytest.mark.parametrize(
    ("line", "winner", "margin", "scores", "termination", "outs"),
    [
        ("** Tiles: 20 / 21, Score: -20 / -21. Player 1 won the game!", 0, 1, (-20, -21), None, []),
        ("** Tiles: 20 / 0, Score: -20 / 15. Player 2 won the game!", 1, 35, (-20, 15), None, []),
        ("** Tiles: 9 / 9, Score: -9 / -9. Draw game.", -1, None, (-9, -9), None, []),
        (
            "** Player 2 lost the game by violation (code -3). Tiles: 9 / 20",
            0,
            None,
            (),
            "violation",
            [Out(1, "violation")],
        ),
        (
            "** Player 1 lost the game by violation (code -10). Tiles: 9 / 2",
            1,
            None,
            (),
            "time",
            [Out(0, "time")],
        ),
        ("** Game terminated unexpectedly. 30 / 31", None, None, (), "unfinished", []),
    ],
)
def test_the_referee_declares_the_result(line, winner, margin, scores, termination, outs):
    record = game(f"55a0\naaa0\n{line}\n", "fourcode")
    assert record.declared == Declared(line, winner, margin, scores, termination)
    assert record.termination == termination
    assert record.events[2:] == outs
    assert game(write(record), "fourcode") == record


def test_refusals():
    assert "classic" in refusal("55a0", "fourcode", variant="classic").message
    assert "1 MiB" in refusal(b"55a0\n" * 300_000, "fourcode").message
    assert "no code" in refusal("** Tiles: 9 / 9, Score: -9 / -9. Draw game.\n", "fourcode").message
    assert read_all(" \n", "fourcode") == []


def test_written_with_prefixes_only_where_colours_are_known():
    record = game("(;GM[Blokus Duo];B[e10];W[j5];B[f11,g11])")
    assert (
        write(record) == f"Player 1:55a0\nPlayer 2:aaa0\nPlayer 1:{code_of()[record.events[2].placement]}\n"
    )
    bare = "55a0\naaa0\n0000\n"
    assert write(game(bare, "fourcode")) == bare


def test_a_colour_that_was_skipped_at_the_start_is_not_made_the_second():
    record = game("(;GM[Blokus Duo];W[j5];B[e10])")
    again = game(write(record), "fourcode")
    assert (moves(again), again.setup.to_move) == (moves(record), None)
    stated = game("(;GM[Blokus Duo]PL[W];W[j5];B[e10])")
    assert game(write(stated), "fourcode").setup.to_move == 1


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("(;GM[Blokus];1[a20])", "classic"),
        ("(;GM[Blokus Duo]AB[e10];B[f11])", "setup"),
        ("(;GM[Blokus Duo]PL[W];W[e10])", "setup"),
        ("(;GM[Blokus Duo]CWRULES[start=any_corner];B[a1])", "rules"),
        ("(;GM[Blokus Duo];B[z9])", "placement"),
        ("(;GM[Blokus Duo]RE[W+R];B[e10])", "left"),
    ],
)
def test_what_the_code_cannot_say(text, lacking):
    with pytest.raises(CannotWrite, match=lacking):
        write(game(text))


def test_names_of_the_board_agree_with_the_formats_page():
    assert cell_names("square14")[move_of(0, "1ea0").cells[0]] == "a1"
    assert GameRecord("duo", "x").events == []
