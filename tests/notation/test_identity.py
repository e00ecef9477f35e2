from __future__ import annotations

from notation.identity import game_id
from notation.record import GameRecord, Move
from tests.notation.reading import game


def identity(record: GameRecord) -> str:
    placements = [event for event in record.events if isinstance(event, Move)]
    return game_id(record.variant, record.setup, placements, [move.colour for move in placements])


def of(text: str) -> str:
    return identity(game(text))


BASE = of("(;GM[Blokus Duo];B[e10,f10];W[j5])")


def test_it_is_32_digits_and_stays_the_same_in_later_versions():
    assert BASE == "305088b358f8877b6b4e79e959463574"
    assert of("(;GM[Blokus Duo])") == game_id("duo", GameRecord("duo", "x").setup, [], [])


def test_the_same_game():
    for text in (
        "(;GM[Blokus Duo]DT[2020]PB[A]RE[B+R]CWRULES[start=marked];B[F10,E10]C[x];W[j5];B[])",
        "(;GM[Blokus Duo]PL[B];B[e10][f10];CWPASS[];W[j5])",
    ):
        assert of(text) == BASE


def test_other_games():
    others = [
        "(;GM[Blokus Junior];B[e10,f10];W[j5])",
        "(;GM[Blokus Duo]PL[W];B[e10,f10];W[j5])",
        "(;GM[Blokus Duo]AB[a1];B[e10,f10];W[j5])",
        "(;GM[Blokus Duo]AW[a1];B[e10,f10];W[j5])",
        "(;GM[Blokus Duo];W[j5];B[e10,f10])",
        "(;GM[Blokus Duo];B[j5];W[e10,f10])",
        "(;GM[Blokus Duo];B[e10,f10];W[j5];B[zz1])",
        "(;GM[Blokus Duo];B[e10,f10];W[j5];B[zz2])",
        "(;GM[Blokus Duo];B[e10];W[f10,j5])",
        "(;GM[Blokus Duo];B[e10,f10,e10];W[j5])",
        "(;GM[Blokus Duo];B[e10,f10,e10,e10];W[j5])",
    ]
    assert len({BASE, *map(of, others)}) == len(others) + 1


def test_setup_pieces_are_a_set():
    assert of("(;GM[Blokus Duo]AB[a1][c3]AW[e5])") == of("(;GM[Blokus Duo]AW[e5]AB[c3][a1])")


def test_a_faulty_record_does_not_pass_for_a_sound_one():
    assert of("(;GM[Blokus Duo];B[e10,e10])") != of("(;GM[Blokus Duo];B[e10])")
    assert of("(;GM[Blokus Duo]AB[a1][a1])") != of("(;GM[Blokus Duo]AB[a1])")


def test_a_text_cannot_pass_for_two_moves():
    one = Move(0, (), -1, 'a1 b"1')
    two = [Move(0, (), -1, "a1"), Move(0, (), -1, 'b"1')]
    setup = GameRecord("duo", "x").setup
    assert game_id("duo", setup, [one, one], [0, 0]) != game_id("duo", setup, two, [0, 0])


def test_colours_come_from_the_replay():
    record = game("55a0\naaa0\n", "fourcode")
    placements = [event for event in record.events if isinstance(event, Move)]
    assert game_id("duo", record.setup, placements, [0, 1]) == of("(;GM[Blokus Duo];B[e10];W[j5])")
