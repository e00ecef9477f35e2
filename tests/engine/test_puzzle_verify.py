"""Solutions of puzzles are accepted, and every kind of fault is named with its place."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from engine.puzzles import Clock, Placed, on_board, puzzle, solve, verify
from tests.places import SHARED

XY = tuple[int, int]


def placed(colour: int, *cells: XY) -> Placed:
    return Placed(colour, "", tuple(sorted(cells, key=lambda xy: (xy[1], xy[0]))))


@pytest.fixture(scope="module")
def game() -> list[Placed]:
    return list(solve(puzzle("2"), 1, Clock(3600)).pieces)


@pytest.fixture(scope="module")
def tiling() -> list[Placed]:
    return list(solve(puzzle("3"), 1, Clock(3600)).pieces)


@pytest.mark.archives
@pytest.mark.parametrize("kind", ["1", "2"])
@pytest.mark.parametrize("file", ["perfect84_b1.json", "perfect84_b2.json"])
def test_the_known_solutions(file: str, kind: str) -> None:
    path = SHARED / "puzzles" / file
    if not path.is_file():
        pytest.skip(f"no puzzle solutions at {path.parent}: this test reads them")
    rows = json.loads(path.read_text())
    pieces = [placed(row["colour"], *((x, 19 - y) for y, x in row["cells"])) for row in rows]
    assert verify(puzzle(kind), pieces) == []
    assert [one.piece for one in on_board(puzzle("1"), pieces)][-4:] == ["1"] * 4


def _twice(game: list[Placed]) -> list[Placed]:
    """Red plays the shape of its first piece again, somewhere else."""
    again = Placed(2, "", tuple((x - 8, y + 8) for x, y in game[2].cells))
    return [*game[:6], again, *game[7:]]


def _stray(game: list[Placed]) -> list[Placed]:
    """Green never reaches its corner."""
    first = Placed(3, "", tuple((x + 1, y + 1) for x, y in game[3].cells))
    return [*game[:3], first, *game[4:]]


def _swapped(first: int, second: int) -> Callable[[list[Placed]], list[Placed]]:
    def swap(game: list[Placed]) -> list[Placed]:
        out = list(game)
        out[first], out[second] = out[second], out[first]
        return out

    return swap


@pytest.mark.parametrize(
    ("edit", "number", "code", "words"),
    [
        (lambda game: game[:-1], 0, "wrong_number", "83 pieces, the puzzle has 84; green lacks 1: 1"),
        (lambda game: [*game, game[0]], 85, "piece_used", "placed before as number 1"),
        (_twice, 7, "piece_used", "placed before as number 3"),
        (_stray, 4, "start_rule", "here a1"),
        (_swapped(0, 1), 1, "unforced_pass", "it is blue's turn"),
        (lambda game: game[1:], 1, "unforced_pass", "it is blue's turn"),
        (
            lambda game: [game[0], Placed(1, "", game[0].cells), *game[2:]],
            2,
            "occupied",
            "is covered by number 1, blue",
        ),
        (
            lambda game: [Placed(0, "", tuple((x - 30, y) for x, y in game[0].cells)), *game[1:]],
            1,
            "off_board",
            "off the board 20x20",
        ),
        (
            lambda game: [Placed(0, "", (*game[0].cells[:2], (19, 9))), *game[1:]],
            1,
            "not_a_piece",
            "not a piece",
        ),
    ],
)
def test_faults_by_the_rules_of_play(
    game: list[Placed],
    edit: Callable[[list[Placed]], list[Placed]],
    number: int,
    code: str,
    words: str,
) -> None:
    problems = verify(puzzle("1"), edit(game))
    assert [p for p in problems if p.number == number and p.code == code and words in p.message], problems


def test_contacts() -> None:
    row = puzzle("1", bag={"2": 1, "V3": 1})
    first = [placed(0, (0, 19), (1, 19)), placed(1, (19, 19), (18, 19)), placed(2, (19, 0), (18, 0))]
    first.append(placed(3, (0, 0), (1, 0)))
    side = [*first, placed(0, (2, 19), (3, 19), (3, 18))]
    apart = [*first, placed(0, (3, 18), (4, 18), (4, 17))]
    right = [*first, placed(0, (2, 18), (3, 18), (3, 17))]
    for pieces, code in ((side, "side_contact"), (apart, "no_corner_contact")):
        (problem,) = verify(row, pieces, partial=True)
        assert (problem.number, problem.code) == (5, code)
    assert verify(row, right, partial=True) == []


def test_sizes_never_grow(game: list[Placed]) -> None:
    # The round of the first trominoes before that of the last tetrominoes is wrong in any case; where the contacts are
    # right, growing alone is the fault.
    row = puzzle("2", bag={"1": 1, "2": 1})
    corners = [(0, 19), (19, 19), (19, 0), (0, 0)]
    inner = [(1, 18), (18, 18), (18, 1), (1, 1)]
    pieces = [placed(c, xy) for c, xy in enumerate(corners)]
    pieces += [placed(c, (x, y), (x + (1 if x < 9 else -1), y)) for c, (x, y) in enumerate(inner)]
    (problem,) = verify(row, pieces)
    assert (problem.number, problem.code) == (5, "not_falling")
    assert verify(puzzle("1", bag={"1": 1, "2": 1}), pieces) == []
    assert verify(puzzle("2"), game) == []


def test_faults_of_rectangles(tiling: list[Placed]) -> None:
    row = puzzle("3")
    assert verify(row, tiling) == []
    moved = [one._replace(cells=tuple((x + 7, y + 3) for x, y in one.cells)) for one in tiling]
    turned = [one._replace(cells=tuple((y, x) for x, y in one.cells)) for one in tiling]
    assert verify(row, moved) == verify(row, turned) == verify(row, tiling[::-1]) == []
    assert verify(row, on_board(row, moved)) == []
    assert {xy for one in on_board(row, turned) for xy in one.cells} == set(row.board.cells)
    last = tiling[-1].piece
    assert verify(row, tiling[:-1])[0].message == f"19 pieces, the puzzle has 20; 1 missing: {last}"
    twice = verify(row, [*tiling[:-1], tiling[0]])
    assert "occupied" in {problem.code for problem in twice}
    away = [*tiling[:-1], tiling[-1]._replace(cells=tuple((x + 20, y) for x, y in tiling[-1].cells))]
    (problem,) = verify(row, away)
    assert (problem.code, "the board is 8x10" in problem.message) == ("off_board", True)
    assert {problem.code for problem in verify(puzzle("4"), tiling)} == {"piece_used", "wrong_number"}


def test_a_piece_too_many_in_a_rectangle(tiling: list[Placed]) -> None:
    spare = Placed(0, "", tuple((x, y + 30) for x, y in tiling[0].cells))
    codes = [problem.code for problem in verify(puzzle("3"), [*tiling, spare])]
    assert codes == ["piece_used", "off_board", "wrong_number"]
