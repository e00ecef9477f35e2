from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.errors import BadRecord
from notation.final_boards import looks_like, read
from notation.formats import FORMATS
from notation.fragments import PositionRecord
from notation.position_text import format_position, parse_position
from notation.sniff import sniff
from notation.stream import Chunk, ReadOptions
from tests.notation.boards import digits, final
from tests.notation.reading import read_all
from tests.places import REPOSITORY


def positions(data: str, variant: str | None = None) -> list[PositionRecord]:
    items = read_all(data, "final_boards", variant)
    assert all(isinstance(item, PositionRecord) for item in items), items
    return items


@pytest.mark.parametrize("variant_id", ["classic", "duo"])
def test_the_pieces_of_real_games_are_seen_on_their_last_boards(variant_id):
    games = read_all((REPOSITORY / "data" / "games" / f"{variant_id}.blksgf").read_bytes())
    data = "".join(f"{digits(variant_id, *final(game))},\n" for game in games)
    found = positions(data)
    assert len(found) == len(games) > 0
    for game, item in zip(games, found, strict=True):
        assert sorted(f"{piece.colour + 1}{piece.text}" for piece in item.position.pieces) == sorted(
            final(game)
        )
        assert (item.position.variant, item.position.to_move, item.problems) == (variant_id, None, [])
        assert parse_position(format_position(item.position)) == item.position


def test_rows_come_from_the_top_and_the_comma_may_be_missing():
    data = digits("classic", "1a20,b20", "3t1") + "\r\n\n" + digits("duo", "2n1") + ","
    first, second = positions(data)
    assert [piece.text for piece in first.position.pieces] == ["a20,b20", "t1"]
    assert [piece.colour for piece in first.position.pieces] == [0, 2]
    assert format_position(second.position) == "cw1.duo._____________13B.0"
    assert (first.line, second.line) == (1, 3)


def test_a_piece_used_twice_is_kept_with_a_warning():
    (item,) = positions(digits("classic", "1a20,b20", "1c19,d19", "2t20"))
    assert [(problem.code, problem.line) for problem in item.problems] == [("piece_twice", 1)]
    assert "blue has the piece 2 2 times" in item.problems[0].message


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            digits("duo", "1a1,b1,c1,d1,e1,f1"),
            "6 cells of first that touch by sides, from a1 on, are no piece",
        ),
        (digits("classic", "4a1,a2,a3,a4,a5,b2"), "6 cells of green that touch by sides, from a1 on"),
        ("0" * 399, "399 characters"),
        ("0" * 195 + "3", "196 characters"),
        ("0" * 399 + "5", "400 characters"),
        ("0" * 399 + "٣", "400 characters"),
        ("1" * 400, "400 cells of blue"),
        ("12" * 200, "20 cells of blue"),
    ],
)
def test_what_is_no_board_is_refused_with_its_line(line, says):
    before, error, after = read_all(
        f"{digits('duo', '1e10')}\n{line}\n{digits('duo', '2j5')}\n", "final_boards"
    )
    assert isinstance(before, PositionRecord) and isinstance(after, PositionRecord)
    assert isinstance(error, BadRecord) and says in error.message
    assert (error.where.record, error.where.line) == (2, 2)
    assert error.text


def test_the_caller_may_name_another_variant_of_the_board():
    assert positions(digits("classic", "1a20"), "classic_2")[0].position.variant == "classic_2"
    (error,) = read_all(digits("classic", "1a20"), "final_boards", "duo")
    assert isinstance(error, BadRecord) and "20 x 20" in error.message


@pytest.mark.parametrize(
    ("source", "strategies"),
    [
        ("1234.txt", "1234"),
        ("old/2223", "2223"),
        ("a.zip!x/4444.txt", "4444"),
        ("games.txt", None),
        ("12.txt", None),
    ],
)
def test_four_digits_of_the_name_are_the_strategies(source, strategies):
    (item,) = read(Chunk(digits("classic", "1a20").encode()), ReadOptions(source))
    assert isinstance(item, PositionRecord)
    assert item.headers.get("strategies") == strategies


def test_digits_of_other_lengths_and_other_tables_of_digits_are_no_boards():
    assert sniff(("0" * 400 + ",\n").encode(), "1234.txt") is FORMATS["final_boards"]
    assert sniff(digits("duo", "1e10").encode(), "") is FORMATS["final_boards"]
    for text in (
        "0" * 399,
        "0" * 196 + "0\n",
        "3" * 196,
        "0" * 400 + "\n1\n2\n3\n",
        "x\n" + "0" * 400,
        "0,1,2\n" * 9,
    ):
        assert not looks_like(text.encode(), "1234.txt")


PARTS = ["0" * 195, "0" * 399, "1", "2", "3", "4", ",", "\n", "12" * 50, "x"]


@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=3).map(repr), max_size=20).map("".join))
def test_no_text_makes_the_reader_raise(text):
    looks_like(text.encode(), "")
    assert all(isinstance(item, PositionRecord | BadRecord) for item in read_all(text, "final_boards"))
