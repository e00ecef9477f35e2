from __future__ import annotations

import pytest

from notation.moves import move_from_names
from notation.piece_lines import looks_like
from notation.record import ANY_COLOUR, NOT_A_PIECE, OFF_BOARD, Move, Pass
from notation.software_challenge_codes import ROTATIONS, VARIANT, kinds
from tests.notation.reading import codes, game, read_all, refusal
from tests.notation.software_challenge_writer import spelling_of
from tests.notation.test_identity import identity
from tests.records import O_A7

FORM = "piece_lines"
NAMES = ("BLUE", "YELLOW", "RED", "GREEN")


def placed(colour: int, names: str) -> Move:
    return move_from_names(VARIANT, colour, names.split(","))


def test_the_examples_of_the_helper():
    text = "BLUE|PENTO_I:1:1|0,2\nYELLOW|14:1:1|0,2\nGREEN|skip\nRED|10:3:0|13,15\nBLUE|3:0:0|3,18\n"
    record = game(text, FORM)
    assert record.events == [
        placed(0, "a18,b18,c18,d18,e18"),
        placed(1, "a18,b18,c18,d18,e18"),
        Pass(3),
        placed(2, "n3,n4,n5,o4,p4"),
        Move(0, (), OFF_BOARD, "BLUE|TRIO_I:NONE:0|3,18"),
    ]
    assert record.rules == {
        "start": "any_border",
        "pass": "voluntary",
        "end": "max_rounds:25",
        "scoring": "online",
    }
    assert (record.variant, record.problems) == (VARIANT, [])


@pytest.mark.parametrize("number", range(4))
def test_a_whole_game_in_any_spelling(number):
    record = game(O_A7)
    lines = []
    for event in record.events:
        assert isinstance(event, Move)
        kind, rotation, flipped, x, y = spelling_of(event, number)
        name = kind if number % 2 else str(kinds().index(kind))
        turn = str(ROTATIONS.index(rotation)) if number < 2 else rotation.lower()
        lines.append(f"{NAMES[event.colour]}|{name}:{turn}:{int(flipped)}|{x},{y}")
    again = game("\r\n".join(lines), FORM)
    assert again.events == record.events
    assert identity(again) == identity(record)


def test_case_and_blanks_do_not_matter():
    record = game("  blue | pento_i : right : TRUE | 0 , 2 \n\n green|PASS\n", FORM)
    assert record.events == [placed(0, "a18,b18,c18,d18,e18"), Pass(3)]


@pytest.mark.parametrize(
    ("line", "placement"),
    [
        ("RED|PENTO_Q:0:0|0,0", NOT_A_PIECE),
        ("RED|21:0:0|0,0", NOT_A_PIECE),
        ("RED|MONO:4:0|0,0", NOT_A_PIECE),
        ("RED|MONO:0:0|20,0", OFF_BOARD),
        ("RED|MONO:0:0|-1,0", OFF_BOARD),
        ("RED|MONO:0:0|0," + "9" * 40, OFF_BOARD),
        ("RED|MONO:0:0|a,b", OFF_BOARD),
    ],
)
def test_unreadable_moves_stand_in_the_record(line, placement):
    record = game(f"BLUE|MONO:0:0|0,0\n{line}\nGREEN|MONO:0:0|0,19\n", FORM)
    assert [type(event) for event in record.events] == [Move, Move, Move]
    assert record.events[1] == Move(2, (), placement, record.events[1].text)  # type: ignore[union-attr]
    assert record.problems == []


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "PINK|MONO:0:0|0,0",
        "RED|MONO:0|0,0",
        "RED|MONO:0:0|0,0,0",
        "RED|",
        "RED|MONO:0:0|0," + "9" * 5000,
    ],
)
def test_a_line_that_is_none_ends_the_record(line):
    record = game(f"BLUE|MONO:0:0|0,0\n\n{line}\nGREEN|skip\n", FORM)
    assert record.events[1:] == [Move(ANY_COLOUR, (), NOT_A_PIECE, line[:80])]
    assert record.broken == f"{line}\nGREEN|skip"
    assert [(p.code, p.line, p.ply) for p in record.problems] == [("broken_line", 3, 2)]


def test_refusals():
    assert "duo" in refusal("RED|skip\n", FORM, variant="duo").message
    assert "no piece line" in refusal("hello\n", FORM).message
    assert "1024 KiB" in refusal(b"RED|skip\n" * 120_000, FORM).message
    assert read_all(" \n", FORM) == []
    assert codes(game("\ufeffRED|skip\n", FORM)) == ["byte_order_mark"]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("BLUE|PENTO_I:1:1|0,2\n", True),
        ("\n\nred|skip\nnote\n", True),
        ("RED|MONO:0:0|0,0\n" * 6000, True),
        ("RED|skip\na\nb\n", False),
        ("move: RED|skip\n", False),
        ("RED|GREEN|BLUE\n", False),
        ("| RED|skip |\n|---|---|\n", False),
        ("RED | 12 | 13\n", False),
        ("blue|12:30:15|10.0.0.1,99 connected\nx\ny\n", False),
        ("colour|move\nRED|skip\n", False),
        ("RED|" * 20_000, False),
        ("", False),
    ],
)
def test_which_files_are_taken(text, taken):
    assert looks_like(text.encode(), "x.txt") is taken
