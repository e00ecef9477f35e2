from __future__ import annotations

import pytest

from notation.dates import parse_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("????.??.??", (None, None, None)),
        ("2020.12.30", (2020, 12, 30)),
        ("2020.12.31", (2020, 12, 31)),
        ("2015", (2015, None, None)),
        ("2020-12", (2020, 12, None)),
        ("1996-05,06", (1996, 5, None)),
        ("2020-06-02,2020-06-15", (2020, 6, 2)),
        ("2018-05-10T16:19:34.094Z", (2018, 5, 10)),
        ("", (None, None, None)),
        ("2020.??.??", (2020, None, None)),
        ("2020/2/29", (2020, 2, 29)),
        (" 2016-04-19 10:22 ", (2016, 4, 19)),
        ("1996-05-06,07,08", (1996, 5, 6)),
    ],
)
def test_dates_and_parts_of_dates(text, expected):
    assert parse_date(text) == (*expected, None)


@pytest.mark.parametrize(
    "text", ["2020-02-30", "30/11/2021", "2020-13", "yesterday", "0000", "2020-1-1-1", "٢٠٢٠"]
)
def test_others_are_a_problem_and_no_date(text):
    date = parse_date(text)
    assert date[:3] == (None, None, None)
    assert date.problem is not None and text in date.problem
