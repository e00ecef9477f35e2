"""Searches for puzzles: solutions are judged by the naive judge, and what cannot be is proven."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.errors import BadPuzzle
from engine.puzzle_boards import rotations
from engine.puzzles import (
    ENDED,
    IMPOSSIBLE,
    PUZZLES,
    SOLVED,
    Clock,
    Placed,
    count_tilings,
    puzzle,
    solve,
    verify,
)
from tests import naive_puzzles as naive

LONG = 3600.0
"""Seconds: no test hangs on the speed of the machine."""

SEEDS = range(1, 6)

TETROMINOES = {"I4": 1, "L4": 1, "O": 1, "T4": 1, "Z4": 1}


def plain(placed: Sequence[Placed]) -> list[tuple[int, frozenset[tuple[int, int]]]]:
    return [(one.colour, frozenset(one.cells)) for one in placed]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["1", "2"])
def test_all_pieces_of_classic(kind: str, seed: int) -> None:
    row = puzzle(kind)
    found = solve(row, seed, Clock(LONG))
    assert found.status == SOLVED
    assert naive.classic_fault(plain(found.pieces), kind == "2") == ""
    assert verify(row, found.pieces) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["3", "4"])
def test_rectangles(kind: str, seed: int) -> None:
    row = puzzle(kind)
    found = solve(row, seed, Clock(LONG))
    size, width, height = {"3": (4, 8, 10), "4": (5, 15, 16)}[kind]
    assert found.status == SOLVED
    assert naive.tiling_fault(plain(found.pieces), size, 4, width, height) == ""
    assert verify(row, found.pieces) == []
    # Every colour has its own set, so that the solution is a position of the game.
    assert len({(one.colour, one.piece) for one in found.pieces}) == row.pieces


@pytest.mark.parametrize(
    ("kind", "seed", "copies"), [("duo", 3, 1), ("junior", 1, 2), ("trigon", 3, 1), ("trigon_3", 1, 1)]
)
def test_other_variants(kind: str, seed: int, copies: int) -> None:
    found = solve(puzzle(kind), seed, Clock(LONG))
    assert found.status == SOLVED
    assert naive.variant_fault(kind, plain(found.pieces), copies) == ""
    assert verify(puzzle(kind), found.pieces) == []


def test_the_same_seed_finds_the_same_and_another_seed_another() -> None:
    first, again, other = (solve(puzzle("1"), seed, Clock(LONG)).pieces for seed in (1, 1, 2))
    assert first == again != other


def test_colours_are_turns_of_the_first() -> None:
    found = solve(puzzle("1"), 1, Clock(LONG), symmetry="quarter").pieces
    turns = rotations(puzzle("1").board)
    for at, one in enumerate(found):
        assert {turns[at % 4][xy] for xy in found[at - at % 4].cells} == set(one.cells)


def test_beginnings_are_completed() -> None:
    row = puzzle("2")
    whole = solve(row, 1, Clock(LONG)).pieces
    for kept, symmetry in ((40, None), (74, "none")):
        found = solve(row, 5, Clock(LONG), whole[:kept], symmetry)
        assert found.status == SOLVED
        assert found.pieces[:kept] == whole[:kept]
        assert naive.classic_fault(plain(found.pieces), True) == ""
    tiling = solve(puzzle("4"), 1, Clock(LONG)).pieces
    kept_pieces = set(tiling[:30])
    found = solve(puzzle("4"), 9, Clock(LONG), tiling[:30])
    assert found.status == SOLVED
    assert kept_pieces <= set(found.pieces)
    assert naive.tiling_fault(plain(found.pieces), 5, 4, 15, 16) == ""


def test_no_solution_is_proven_or_said_to_be_unknown() -> None:
    parity = solve(puzzle("tiling", "4x5", TETROMINOES), 1, Clock(LONG))
    assert (parity.status, "chess-board" in parity.note, "T4 alone" in parity.note) == (
        IMPOSSIBLE,
        True,
        True,
    )
    tried = solve(puzzle("tiling", "3x5", {"X": 1, "P": 2}), 1, Clock(LONG))
    assert (tried.status, "every arrangement" in tried.note) == (IMPOSSIBLE, True)
    area = solve(puzzle("1", "10x10"), 1, Clock(LONG))
    assert area.note == "the pieces have 356 cells, the board 10x10 has 100"
    corner = solve(puzzle("1", "6x6", {"X": 1}), 1, Clock(LONG), symmetry="none")
    assert (corner.status, "every continuation" in corner.note) == (IMPOSSIBLE, True)
    ended = solve(puzzle("1", "19x19"), 1, Clock(0))
    assert (ended.status, "proves nothing" in ended.note) == (ENDED, True)


def test_a_beginning_without_solution() -> None:
    # A hole of one cell in the corner, which no four-cell piece fills.
    begin = [Placed(0, "L4", ((1, 0), (1, 1), (0, 1), (0, 2)))]
    assert solve(puzzle("3"), 1, Clock(LONG), begin[:0]).status == SOLVED
    begin = [Placed(0, "Z4", ((0, 1), (1, 0), (1, 1), (0, 2)))]
    found = solve(puzzle("3"), 1, Clock(LONG), begin)
    assert (found.status, found.note.startswith("with these 1 pieces there is no solution")) == (
        IMPOSSIBLE,
        True,
    )


def test_what_makes_no_sense_is_refused() -> None:
    whole = solve(puzzle("1"), 1, Clock(LONG)).pieces
    for row, given, symmetry, words in (
        (puzzle("1"), whole[1:3], None, "number 1"),
        (puzzle("1"), whole[:3], "quarter", "not symmetric"),
        (puzzle("1", "18x20"), (), "quarter", "18x20 is not symmetric"),
        (puzzle("1"), (), "fifth", "choose one of none, half"),
        (puzzle("3"), (), "half", "rules of play"),
        (puzzle("3"), [Placed(0, "O", ((0, 0), (1, 0), (0, 1), (1, 1)))] * 2, None, "is covered by number 1"),
    ):
        with pytest.raises(BadPuzzle, match=words):
            solve(row, 1, Clock(LONG), given, symmetry)
    for arguments, words in (
        (("5",), "unknown kind"),
        (("3", "8by10"), "WIDTHxHEIGHT"),
        (("3", "0x10"), "1 to 40"),
        (("duo", "15x15"), "its own board"),
        (("3", None, {"Q": 1}), "no piece 'Q'"),
        (("3", None, {"I4": 0}), "once or more"),
        (("3", None, {}), "one piece or more"),
        (("3", None, {"I4": 401}), "at most 400"),
    ):
        with pytest.raises(BadPuzzle, match=words):
            puzzle(*arguments)


def test_holes_stay_empty() -> None:
    row = puzzle("tiling", "7x9", {"X": 2, "W": 3, "F": 3, "T4": 5})
    found = solve(row, 1, Clock(LONG))
    assert (row.holes, found.status) == (3, SOLVED)
    assert verify(row, found.pieces) == []


@pytest.mark.parametrize(
    ("width", "height", "bag", "holes"),
    [
        (3, 5, {"P": 2, "V5": 1}, 0),
        (4, 4, {"L4": 4}, 0),
        (4, 4, {"I4": 2, "O": 2}, 0),
        (5, 4, {"L4": 2, "P": 2}, 2),
        (3, 3, {"2": 4}, 1),
        (2, 3, {"V3": 1}, 3),
    ],
)
def test_counts_are_those_of_the_slow_twin(width: int, height: int, bag: dict[str, int], holes: int) -> None:
    expected = naive.tilings(width, height, bag, holes)
    found = count_tilings(puzzle("tiling", f"{width}x{height}", bag), Clock(LONG))
    assert found.tilings == len(expected) > 0
    assert found.different == naive.different(width, height, expected)
    assert found.complete


@pytest.mark.parametrize(("board", "different"), [("3x20", 2), ("20x3", 2), ("4x15", 368)])
def test_known_numbers_of_pentomino_tilings(board: str, different: int) -> None:
    """Those of 5x12 and 6x10 are counted by `make bench`."""
    found = count_tilings(puzzle("tiling", board), Clock(LONG))
    assert (found.different, found.tilings, found.symmetries) == (different, 4 * different, 4)


def test_a_count_that_is_stopped_says_so() -> None:
    found = count_tilings(puzzle("tiling", "6x10"), Clock(0))
    assert (found.complete, found.different, found.tilings) == (False, None, 0)
    assert count_tilings(puzzle("tiling", "4x5", TETROMINOES), Clock(LONG)).note.startswith(
        "on a chess-board"
    )


def test_every_puzzle_has_room() -> None:
    for row in PUZZLES.values():
        assert row.holes >= 0
        assert row.pieces > 0
