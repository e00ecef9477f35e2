from __future__ import annotations

import pytest

from notation.blksgf_result import outs_of, parse_result
from notation.record import Declared, Out


@pytest.mark.parametrize(
    ("text", "seats", "winner", "margin", "termination"),
    [
        ("B+7", 2, 0, 7, None),
        ("W+3", 2, 1, 3, None),
        ("W + 3.0", 2, 1, 3, None),
        ("B+", 2, 0, None, None),
        ("W+R", 2, 1, None, "resigned"),
        ("W+Resign", 2, 1, None, "resigned"),
        ("B+T", 2, 0, None, "time"),
        ("W+F", 2, 1, None, "violation"),
        ("Black+2", 2, 0, 2, None),
        ("2+1", 2, 1, 1, None),
        ("3+12", 4, 2, 12, None),
        ("1+T", 3, 0, None, "time"),
        ("Draw", 2, -1, None, None),
        ("0", 2, -1, None, None),
        ("?", 2, None, None, None),
        ("Void", 2, None, None, None),
        ("3+1", 2, None, None, None),
        ("B+1", 4, None, None, None),
        ("B+2.5", 2, None, None, None),
        ("0.02,-0.1,0.3,0.1", 4, None, None, None),
    ],
)
def test_results(text, seats, winner, margin, termination):
    assert parse_result(text, seats) == Declared(text, winner, margin, (), termination)


def test_only_the_loser_of_two_is_known():
    assert outs_of(parse_result("W+R", 2), 2) == [Out(0, "resigned")]
    assert outs_of(parse_result("1+R", 4), 4) == []
    assert outs_of(parse_result("B+7", 2), 2) == []
    assert outs_of(None, 2) == []
