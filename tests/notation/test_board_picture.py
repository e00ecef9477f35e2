from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.board_picture import looks_like
from notation.errors import BadRecord
from notation.formats import FORMATS
from notation.fragments import PositionRecord
from notation.position_text import format_position
from notation.sniff import sniff
from tests.notation.boards import digits
from tests.notation.reading import read_all, refusal

SECTIONS = (
    "~\nPlayer 1 score\n2\n~\nPlayer 1 used\nI2\n~\n"
    "Player 2 score\n1\n~\nPlayer 2 used\nI1\n~\nDifficulty\nEasy\n~"
)


def rows(variant_id: str, *pieces: str) -> list[str]:
    cells = digits(variant_id, *pieces)
    width = 20 if len(cells) == 400 else 14
    return [cells[at : at + width] for at in range(0, len(cells), width)]


def picture(*pieces: str, hints: str = "", sections: str = SECTIONS) -> str:
    """A picture; hints are pieces of colour 3."""
    table = str.maketrans("0123", "+@O*")
    return (
        "\n".join(row.translate(table) for row in rows("duo", *pieces, *filter(None, [hints])))
        + "\n"
        + sections
    )


def matrix(variant_id: str, *pieces: str, player: object = 0, **more: object) -> dict[str, object]:
    field = [[int(digit) - 1 for digit in row] for row in rows(variant_id, *pieces)]
    return {"field": field, "currentPlayer": player, **more}


def as_xml(value: dict[str, object], before: str = "") -> str:
    cells = "</row><row>\n".join(
        "".join(f"<cell>\n  {cell} </cell>" for cell in row)
        for row in value["field"]  # type: ignore[attr-defined]
    )
    return (
        f"{before}<gameState>\n  <field>\n <row>{cells}</row></field>\n"
        f"<currentPlayer>\n{value['currentPlayer']}\n</currentPlayer>\n</gameState>"
    )


def position(data: str, variant: str | None = None) -> PositionRecord:
    (item,) = read_all(data, "board_picture", variant)
    assert isinstance(item, PositionRecord), item
    return item


def codes(item: PositionRecord) -> list[str]:
    return [problem.code for problem in item.problems]


def test_a_picture_with_its_sections():
    item = position(picture("1e10,f10", "2j5"))
    assert format_position(item.position) == "cw1.duo.____4AA_____9B.1"
    assert item.headers == {"score1": "2", "score2": "1", "difficulty": "Easy"}
    assert codes(item) == ["colour_to_move"]


@pytest.mark.parametrize(
    ("pieces", "hints", "to_move"),
    [
        (("1e10", "2j5"), "3f11,d9", 0),
        (("1e10", "2j5"), "3k6", 1),
        (("1e10", "2f8"), "3g9", 1),
        (("1e10",), "", 1),
        (("1e10", "2j5"), "", 0),
        (("1e10", "2j5"), "3a1", 0),
        ((), "", 0),
    ],
)
def test_hints_or_numbers_of_pieces_say_who_is_on_turn(pieces, hints, to_move):
    assert position(picture(*pieces, hints=hints)).position.to_move == to_move


def test_pieces_that_are_not_those_of_the_list_and_unknown_sections_are_told():
    item = position(picture("1e10,f10", "2j5,k5", "2l6", sections=SECTIONS + "\nSpeed\n3\n"))
    assert codes(item) == ["colour_to_move", "pieces_used", "unknown_section"]
    assert "player 2: only in the list -, only seen 2" in item.problems[1].message
    assert "piece_twice" in codes(position(picture("1e10", "1f11")))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (("+" * 15 + "\n") * 15 + "~", "15 x 15"),
        (("+" * 20 + "\n") * 20 + "~", "more colours"),
        ("+" * 14 + "\n" + ("+" * 13 + "\n") * 13 + "~", "differ in length"),
        (picture("1a1,a2,a3,a4,a5,a6"), "6 cells of first"),
        ("+++\n", "no picture"),
    ],
)
def test_other_pictures_are_refused(data, says):
    error = refusal(data, "board_picture")
    assert isinstance(error, BadRecord) and says in error.message


@pytest.mark.parametrize("write", [json.dumps, as_xml])
def test_matrices_in_json_and_xml(write):
    item = position(write(matrix("duo", "1e10,f10", "2j5", player=1)))
    assert format_position(item.position) == "cw1.duo.____4AA_____9B.2"
    item = position(write(matrix("classic", "1a20", "2t20", "3t1", "4a1", player=3)))
    assert (item.position.variant, item.position.to_move, item.problems) == ("classic", 3, [])
    for size, name in ((15, "15 x 15"), (2, "2 x 2")):
        odd = {"field": [[-1] * size] * size, "currentPlayer": 0}
        assert name in refusal(write(odd), "board_picture").message


def test_the_inventory_is_compared_with_the_board():
    def inventory(players: int, *left: int) -> dict[str, object]:
        return {"playerAmount": players, "inventory": [[1] * count for count in left]}

    def read(*left: int, players: int = 2) -> list[str]:
        return codes(
            position(json.dumps(matrix("duo", "1e10", "2j5", blockInventory=inventory(players, *left))))
        )

    assert read(20, 20) == []
    assert read(20, 21) == ["pieces_left"]
    four = matrix("classic", "1a20", blockInventory=inventory(2, 20, 20))
    assert "2 players on a board of classic" in refusal(json.dumps(four), "board_picture").message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"currentPlayer": 2}, "players 0 to 1"),
        ({"currentPlayer": -1}, "no number"),
        ({"currentPlayer": None}, "no number"),
        ({"currentPlayer": True}, "no number"),
        ({"currentPlayer": "9" * 5000}, "no number"),
        ({"field": [[0, 0], [0]]}, "differ in length"),
        ({"field": [[2] * 14] * 14}, "players 0 to 1"),
        ({"field": [[-2] * 14] * 14}, "no number"),
        ({"field": [[0.5] * 14] * 14}, "no number"),
        ({"field": [[-1] * 14] * 100}, "no list"),
        ({"field": [[0]] + [[0] * 14] * 13}, "differ in length"),
        ({"blockInventory": 3}, "no object"),
        ({"blockInventory": {"playerAmount": {}}}, "no number"),
        ({"blockInventory": {"inventory": {}}}, "no list"),
    ],
)
def test_matrices_that_are_not_in_the_form_are_refused(change, says):
    data = json.dumps(matrix("duo", "1e10") | change)
    assert says in refusal(data, "board_picture").message


BOMB = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "lol"}">' for i in range(10))


@pytest.mark.parametrize(
    ("before", "says"),
    [
        (f"<?xml version='1.0'?><!DOCTYPE gameState [{BOMB}]>", "DOCTYPE"),
        ('<!DOCTYPE gameState SYSTEM "file:///etc/hostname">', "DOCTYPE"),
        ("<!DOCTYPE gameState>", "DOCTYPE"),
        ("<?xml version='1.0'?><x>", "cannot be read"),
        ("<?xml version='1.0'?><?xml version='1.0'?>", "cannot be read"),
    ],
)
def test_hostile_and_broken_xml_is_refused(before, says):
    data = as_xml(matrix("duo", "1e10"), before)
    assert sniff(data.encode(), "x.xml") is FORMATS["board_picture"]
    assert says in refusal(data, "board_picture").message


def test_deep_xml_and_deep_json_are_refused():
    deep = as_xml(matrix("duo", "1e10")).replace(
        "</gameState>", "<a>" * 20_000 + "</a>" * 20_000 + "</gameState>"
    )
    assert isinstance(position(deep), PositionRecord)
    nested = json.dumps(matrix("duo"))[:-1] + ',"x":' + "[" * 100_000 + "]" * 100_000 + "}"
    assert "cannot be read" in refusal(nested, "board_picture").message
    assert "has at most 256 KiB" in refusal(picture() + " " * 300_000, "board_picture").message


def test_declared_encodings_and_marks_do_not_matter():
    text = as_xml(matrix("duo", "1e10", player=1), '<?xml version="1.0" encoding="UTF-16"?>\n')
    (item,) = read_all(text.encode("utf-16"), "board_picture")
    assert isinstance(item, PositionRecord)
    assert (codes(item), item.position.to_move) == (["byte_order_mark"], 1)


def test_a_part_of_a_picture_is_none():
    (chunk,) = FORMATS["board_picture"].split(io.BytesIO(picture().encode()).read)
    assert all(part.refused for part in FORMATS["board_picture"].break_off(chunk))


@pytest.mark.parametrize(
    "text",
    [
        "+++\n+++\n\n~",
        "@@ -1,2 +3,4 @@\n+++ b/x\n~",
        "++\n--\n~\n",
        '{"field": "x", "currentPlayer": 1}',
        '{"field": [[1, 2]]}',
        '{"fields": [[1]], "currentPlayer": 0}',
        "<gameState><field/></gameState>",
        "<html><gameState><field><row>",
        "OO\n",
    ],
)
def test_what_only_resembles_a_board_is_none(text):
    assert not looks_like(text.encode(), "save.txt")


PARTS = [
    "+" * 14 + "\n",
    "@",
    "O",
    "*",
    "~\n",
    "Player 1 used\n",
    "X",
    '{"field":[[',
    "-1,",
    "1",
    "]",
    "]]",
    "}",
    "currentPlayer",
]
PARTS += [
    '"currentPlayer":1',
    "<gameState>",
    "<field><row>",
    "<cell>",
    "</cell>",
    "<!DOCTYPE x>",
    "&a;",
    ("+" * 14 + "\n") * 13,
]


@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=3).map(repr), max_size=20).map("".join))
def test_no_text_makes_the_reader_raise(text):
    looks_like(text.encode(), "")
    assert all(isinstance(item, PositionRecord | BadRecord) for item in read_all(text, "board_picture"))
