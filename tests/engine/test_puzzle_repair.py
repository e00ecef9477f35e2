"""Destroy and repair: what is left can be played, what is given stays, and solutions without symmetry are found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.puzzle_beam import BeamSearch, Row
from engine.puzzle_boards import rotations
from engine.puzzle_repair import Repair
from engine.puzzles import SOLVED, Clock, Placed, puzzle, solve, verify
from tests import naive_puzzles as naive

LONG = 3600.0
"""Seconds: no test hangs on the speed of the machine."""


def plain(placed: Sequence[Placed]) -> list[tuple[int, frozenset[tuple[int, int]]]]:
    return [(one.colour, frozenset(one.cells)) for one in placed]


def rows_of(beams: BeamSearch, placed: Sequence[Placed]) -> list[Row]:
    """Rows of the tables that place these pieces."""
    bits = np.unpackbits(beams.shapes.cells.view(np.uint8), axis=1, bitorder="little")
    at = {tuple(np.flatnonzero(row).tolist()): i for i, row in enumerate(bits)}
    return [(one.colour, at[tuple(sorted(beams.cells.number[xy] for xy in one.cells))]) for one in placed]


@pytest.mark.parametrize(("kind", "seed"), [("1", 2), ("2", 4)])
def test_solutions_without_symmetry(kind: str, seed: int) -> None:
    """Seeds that need few repairs; `make bench` has five of each kind."""
    row = puzzle(kind)
    found = solve(row, seed, Clock(LONG), symmetry="none")
    assert found.status == SOLVED
    assert naive.classic_fault(plain(found.pieces), kind == "2") == ""
    here = {frozenset(one.cells) for one in found.pieces}
    for turn in rotations(row.board)[1:]:
        assert len({frozenset(turn[xy] for xy in cells) for cells in here} & here) < len(here) / 2


def test_only_half_a_turn() -> None:
    row = puzzle("2")
    found = solve(row, 1, Clock(LONG), symmetry="half")
    assert naive.classic_fault(plain(found.pieces), True) == ""
    here = {frozenset(one.cells) for one in found.pieces}
    quarter, half = rotations(row.board)[1:3]
    assert {frozenset(half[xy] for xy in cells) for cells in here} == here
    assert {frozenset(quarter[xy] for xy in cells) for cells in here} != here


@pytest.mark.parametrize("kind", ["1", "2"])
def test_what_is_destroyed_leaves_a_position_of_a_game(kind: str) -> None:
    row = puzzle(kind)
    game = solve(row, 1, Clock(LONG)).pieces
    beams = BeamSearch(row, game[:8], 1, np.random.default_rng(5))
    rows = rows_of(beams, game[8:])
    assert sorted(beams.in_order(reversed(rows))) == sorted(rows)
    repair = Repair(beams, rows)
    for _ in range(20):
        kept = repair._destroyed()
        assert set(kept) < set(rows)
        assert beams.in_order(kept) == kept
        placed = [Placed(c, "", tuple(_cells(beams, row))) for c, row in kept]
        for colour in range(4):
            # A colour by itself, as if the others had passed: corners, sides and, in puzzle 2, falling sizes.
            mine = [one for one in [*game[:8], *placed] if one.colour == colour]
            assert _fault(mine, kind == "2") == ""


def _cells(beams: BeamSearch, row: int) -> list[tuple[int, int]]:
    place = {number: xy for xy, number in beams.cells.number.items()}
    bits = np.unpackbits(beams.shapes.cells[row].view(np.uint8), bitorder="little")
    return [place[int(bit)] for bit in np.flatnonzero(bits)]


def _fault(mine: Sequence[Placed], falling: bool) -> str:
    """What is wrong with one colour's pieces after its first."""
    covered: set[tuple[int, int]] = set()
    last = 99
    for number, one in enumerate(mine, 1):
        cells = set(one.cells)
        sides = {(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        corners = {(x + dx, y + dy) for x, y in cells for dx in (-1, 1) for dy in (-1, 1)}
        if number > 1 and (sides & covered or not corners & covered):
            return f"number {number}: contact"
        if falling and len(cells) > last:
            return f"number {number}: size"
        covered, last = covered | cells, len(cells)
    return ""


def test_a_small_piece_may_have_to_come_first() -> None:
    """X covers no corner of the board: a search that prescribes big pieces first may not call that a proof."""
    row = puzzle("1", "9x9", {"X": 1, "1": 1, "2": 1})
    found = solve(row, 1, Clock(LONG), symmetry="none")
    assert found.status == SOLVED
    assert verify(row, found.pieces) == []
    begun = solve(row, 2, Clock(LONG), found.pieces[:5], "none").pieces
    assert begun[:5] == found.pieces[:5]
    assert verify(row, begun) == []
