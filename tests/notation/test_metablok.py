from __future__ import annotations

import pytest

from engine.geometry import geometry, placements_by_cells
from engine.pieces import PIECE_SETS
from notation.metablok import looks_like
from notation.metablok_codes import PIECES, move_of, piece_name
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Move
from notation.sniff import sniff
from pipeline.judged import RuleChoice, group_records, resolved_colours, stop_of
from tests.notation.reading import codes, game, moves, read_all, refusal
from tests.places import archives

HEAD = "Number_Of_Players 2\nSize_Of_Board 14\nStart_Tile 0 4 4\nStart_Tile 1 9 9\n"


def left(*played: int) -> str:
    return "".join("0" if piece in played else "1" for piece in range(PIECES))


def test_a_game_with_comments_moves_pieces_left_and_score():
    text = (
        f"// Blokus\n/* saved\n by hand */\n{HEAD}\nMove 0 3 3 0 0 // corner\nMove 0 8 8 0 0\r\nMove 1 4 4 0 0\n"
        f"Pieces 0 {left(0, 1)}\nPieces 1 {left(0)}\nScore 20\n"
    )
    record = game(text, "metablok")
    assert moves(record) == ["0:e10", "0:j5", "0:f9,g9"]
    assert all(isinstance(event, Move) and event.colour == ANY_COLOUR for event in record.events)
    assert (record.variant, record.headers, codes(record), record.setup.to_move) == (
        "duo",
        {"score": "20"},
        [],
        None,
    )


def test_the_mask_turns_against_the_clock_then_flips_and_its_border_may_lie_outside():
    assert move_of(3, 0, 0, 0, 0).text == "c12,b13,c13"
    assert move_of(3, 0, 0, 1, 0).text == "b12,b13,c13" != move_of(3, 0, 0, 0, 0).text
    assert move_of(3, 0, 0, 1, 1).text == "c12,b13,c13"
    assert move_of(0, -1, -1, 0, 0).text == "a14"
    assert move_of(7, -1, -1, 0, 1).text == "a13,a14,b14,c14"


def test_all_placements_of_all_pieces_can_be_said():
    names, pieces = PIECE_SETS["polyominoes"].names, geometry("duo").placement_piece
    found = {}
    for piece in range(PIECES):
        for x in range(-2, 14):
            for y in range(-2, 14):
                for way in range(8):
                    move = move_of(piece, x, y, way // 2, way % 2)
                    if move.placement >= 0:
                        found[move.placement] = piece_name(piece)
    assert len(found) == len(placements_by_cells("duo"))
    assert all(names[pieces[placement]] == name for placement, name in found.items())


def test_exchanged_start_tiles_let_our_second_colour_begin():
    text = HEAD.replace("0 4 4", "x").replace("1 9 9", "1 4 4").replace("x", "0 9 9")
    assert game(text + "Move 0 8 8 0 0\n", "metablok").setup.to_move == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD.replace("Players 2", "Players 4"), "4 players on a board of 14"),
        (HEAD.replace("Board 14", "Board 20"), "2 players on a board of 20"),
        (HEAD.replace("1 9 9", "1 10 9"), "start tiles '0 4 4, 1 10 9'"),
        (HEAD.replace("Start_Tile 1 9 9\n", ""), "start tiles '0 4 4'"),
        ("Size_Of_Board 14\nMove 0 3 3 0 0\n", "does not state"),
        ("hello", "does not state"),
    ],
)
def test_what_is_not_duo_is_refused_with_the_reason(text, says):
    assert says in refusal(text, "metablok").message


def test_other_refusals():
    assert "classic" in refusal(HEAD, "metablok", variant="classic").message
    assert "1024 KiB" in refusal(HEAD + "Move 0 3 3 0 0\n" * 100_000, "metablok").message
    assert read_all(" \n", "metablok") == []


def test_start_tiles_that_are_not_stated_are_taken_for_those_of_duo_and_told():
    record = game("Number_Of_Players 2\nSize_Of_Board 14\nMove 0 3 3 0 0\n", "metablok")
    assert (len(record.events), codes(record)) == (1, ["start_tiles"])


def test_pieces_left_that_do_not_fit_the_moves_are_a_warning_that_names_them():
    text = f"{HEAD}Move 0 3 3 0 0\nMove 0 8 8 0 0\nPieces 0 {left(0, 20)}\nPieces 1 {left()}\n"
    (problem,) = game(text, "metablok").problems
    assert (problem.code, problem.message) == ("pieces_left", "the pieces left do not fit the moves: 1, X")


@pytest.mark.parametrize(
    "line",
    [
        "Move 21 3 3 0 0",
        "Move 0 3 3 4 0",
        "Move 0 3 3 0 2",
        "Move 0 3 3 0",
        "Move",
        "Move 0 3 x 0 0",
        "Move 0 99999 3 0 0",
    ],
)
def test_a_broken_move_ends_the_record_there(line):
    record = game(f"{HEAD}Move 0 3 3 0 0\n{line}\nMove 0 8 8 0 0\n", "metablok")
    last = record.events[-1]
    assert isinstance(last, Move)
    assert (len(record.events), last.placement) == (2, NOT_A_PIECE)
    assert record.broken == f"{line}\nMove 0 8 8 0 0\n"
    assert [(p.code, p.line, p.ply) for p in record.problems] == [("broken_move", 6, 2)]


def test_a_piece_over_the_border_is_off_board_and_the_rest_is_read():
    record = game(f"{HEAD}Move 12 12 3 0 0\nMove 0 8 8 0 0\n", "metablok")
    first = record.events[0]
    assert isinstance(first, Move)
    assert (first.placement, first.text, len(record.events)) == (OFF_BOARD, "12 12 3 0 0", 2)


def test_lines_that_are_unknown_are_told_and_do_not_flood():
    record = game(
        HEAD + "Colour red\n" * 50 + "Move 0 3 3 0 0\n/* never closed\nMove 0 8 8 0 0\n", "metablok"
    )
    assert (codes(record), len(record.events)) == (["unknown_line"] * 4, 1)
    assert "47 more" in record.problems[-1].message


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (HEAD, True),
        (f"/* a */ // b\n\n{HEAD.lower()}", True),
        ("Size_Of_Board 14\nMove 1 1 1 1 1\n", False),
        ("int main() {\n  // Number_Of_Players 2\n}\nNumber_Of_Players 2\nSize_Of_Board 14\n", False),
        ("The file has\nNumber_Of_Players 2\nSize_Of_Board 14\n", False),
        ("Move the lamp\nNumber_Of_Players 2\nSize_Of_Board 14\n", False),
        ("/*" * 30_000, False),
    ],
)
def test_only_saved_games_are_recognised(text, known):
    assert looks_like(text.encode(), "game.sav") is known


def test_opening_books_are_named_and_not_read():
    found = sniff(b"// XF\n0 1.0 20 3 2 0 0\n1 0.5 20 6 7 0 0\n1 0.5 11 6 7 1 2\n", "book.txt")
    assert "opening book of MetaBlok" in str(found)


@pytest.mark.archives
@pytest.mark.parametrize(("file", "plies"), [("Bigwood_F.sav", 6), ("XF_Rubric.sav", 4)])
def test_real_files_are_legal_and_their_pieces_fit(file, plies):
    record = game(archives("metablok_duo", file).read_bytes(), "metablok")
    ((group,), refused) = group_records([record], RuleChoice())
    assert (len(record.events), record.problems, refused, stop_of(group, 0)) == (plies, [], [], None)
    assert resolved_colours(group, 0, None) == [ply % 2 for ply in range(plies)]
