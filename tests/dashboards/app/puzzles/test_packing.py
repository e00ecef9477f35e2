import pytest

from dashboards.app.puzzles.packing import pack, unpack
from engine.puzzle_kinds import Placed, puzzle
from engine.puzzles import solve
from tests.dashboards.app.puzzles.beginnings import FOUR

ROW = puzzle("3")


@pytest.mark.parametrize(("kind", "board"), [("3", None), ("tiling", "5x12")])
def test_all_pieces_of_a_solution_come_back(kind: str, board: str | None) -> None:
    row = puzzle(kind, board)
    solution = solve(row, 2).pieces
    assert unpack(row, pack(row, solution)) == solution


def test_triangles_come_back() -> None:
    row = puzzle("trigon")
    start = min(row.starts[0])
    one = Placed(0, "1", (start,))
    assert unpack(row, pack(row, [one])) == (one,)


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "0",
        "0O",
        "0O.0.a99",
        "9O.0.a1",
        "0O.7.a1",
        "0Q.0.a1",
        "0O.-1.a1",
        "0O.0.h10",
        "_",
        "0O.0.a1_0O.0.b1",
    ],
)
def test_what_makes_no_sense_is_nothing(text: str) -> None:
    assert unpack(ROW, text) is None


def test_no_more_pieces_than_the_puzzle_has() -> None:
    assert unpack(ROW, "_".join(["0O.0.a1"] * 100_000)) is None


def test_a_beginning_by_the_rules_of_play_keeps_to_them() -> None:
    assert unpack(puzzle("1"), pack(puzzle("1"), FOUR)) == FOUR
    assert unpack(puzzle("1"), pack(puzzle("1"), FOUR[1:])) is None
