"""Commands and answers of the Go Text Protocol as text."""

from __future__ import annotations

import pytest

from notation.gtp_commands import (
    Command,
    answer,
    colour_of,
    colour_word,
    parse_command,
    score_text,
    variant_of_game,
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name", Command("", "name", "")),
        ("12 play b e10,e11", Command("12", "play", "b e10,e11")),
        ("  007\tplay\tw  a1 # why", Command("007", "play", "w  a1")),
        ("12", Command("12", "", "")),
        ("12x y", Command("", "12x", "y")),
        ("", None),
        (" \t ", None),
        ("# only a comment", None),
        ("\x00\x07", None),
        ("1" * 30, Command("", "1" * 30, "")),
    ],
)
def test_lines_are_taken_apart(line: str, expected: Command | None) -> None:
    assert parse_command(line) == expected


def test_answers_end_with_one_empty_line_and_hold_none() -> None:
    assert answer("", "") == "= \n\n"
    assert answer("7", "a\n\nb \n") == "=7 a\nb\n\n"
    assert answer("7", "no", good=False) == "?7 no\n\n"
    assert answer("", "\nboard\n") == "= \nboard\n\n"


def test_games_and_colours_have_the_names_that_players_use() -> None:
    assert (
        variant_of_game("Blokus Duo") == variant_of_game(" blokus   DUO ") == variant_of_game("duo") == "duo"
    )
    assert variant_of_game("Blokus Trigon Two-Player") == "trigon_2"
    assert variant_of_game("Nexos") is None
    assert [colour_of("duo", name) for name in ("b", "W", "black", "2", "first", "red")] == [
        0,
        1,
        0,
        1,
        0,
        None,
    ]
    assert [colour_of("classic", name) for name in ("1", "Yellow", "4", "b")] == [0, 1, 3, None]
    assert [colour_word("duo", 1), colour_word("trigon_3", 2)] == ["w", "3"]


def test_scores_are_a_lead_of_two_seats_or_points_of_all_colours() -> None:
    assert score_text("duo", (), (5, 9)) == "W+4"
    assert score_text("classic_2", (), (9, 5)) == "B+4"
    assert score_text("duo", (), (5, 5)) == "0"
    assert score_text("classic_3", (1, 2, 3, 4), (1, 2, 3)) == "1 2 3 4"
