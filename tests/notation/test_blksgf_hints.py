from __future__ import annotations

import pytest

from tests.notation.reading import codes, game

WRONG_WAY_UP = (
    "(\n;GM[Blokus]\n CA[UTF-8]\n AP[Pentobi:7.2]\n DT[2016-04-19]\n;1[a1,a2];2[t1];3[t20,s20];4[a20])\n"
)


def test_rows_counted_from_the_top_are_suspected_and_nothing_is_turned_round():
    record = game(WRONG_WAY_UP)
    assert codes(record) == ["upside_down"]
    assert [event.text for event in record.events] == ["a1,a2", "t1", "s20,t20", "a20"]
    assert record.problems[0].line == 1


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[Blokus];1[a20];2[t20])",
        "(;GM[Blokus];1[a1];2[t20])",
        "(;GM[Blokus]CWRULES[start=any_corner];1[a1];2[t1])",
        "(;GM[Blokus]PL[2];2[t1])",
        "(;GM[Blokus Trigon];1[r4])",
        "(;GM[Blokus Duo];B[e10];W[j10])",
        "(;GM[Blokus Duo])",
    ],
)
def test_other_first_pieces_say_nothing_of_rows(text):
    assert "upside_down" not in codes(game(text))


def test_duo_the_wrong_way_up():
    assert codes(game("(;GM[Blokus Duo];B[e5];W[j10];B[f6])")) == ["upside_down"]
