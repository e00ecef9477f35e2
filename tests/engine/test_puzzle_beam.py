"""The kernel of the beam search against sets: successors, what they are worth, symmetric and not."""

from __future__ import annotations

import numpy as np
import pytest

from engine.kernels.beam import (
    ANY_SIZE,
    FEWEST,
    FREE,
    LEAST,
    LIBERTY,
    ORBIT,
    Turn,
    expand,
)
from engine.position import Position
from engine.puzzle_beam import BeamSearch, _children
from engine.puzzle_boards import rotations, touching
from engine.puzzle_kinds import Placed, Puzzle, puzzle
from engine.puzzles import Clock, solve
from engine.replay import Script
from tests.naive import Cells, board_of


def successors(beams: BeamSearch, colour: int, size: int = ANY_SIZE) -> dict[Cells, int]:
    """Cells of every successor -> its score."""
    out = _children()
    count = expand(beams.shapes, beams.begin(), Turn(colour, size, np.uint64(1), 0), out)
    place = {cell: xy for xy, cell in beams.cells.number.items()}
    found = {}
    for i in range(count):
        bits = beams.shapes.cells[out.placement[i]].view(np.uint8)
        cells = frozenset(place[int(bit)] for bit in np.flatnonzero(np.unpackbits(bits, bitorder="little")))
        assert cells not in found
        found[cells] = int(out.score[i])
    return found


def worth(row: Puzzle, given: list[Placed], order: int) -> int:
    """The score of a position by sets, from the formula in `engine.kernels.beam`."""
    around, colours = touching(row.board), len(row.colours)
    covered = {xy for one in given for xy in one.cells}
    every = rotations(row.board)
    images = every[:: len(every) // order]
    middle = {xy for xy in row.board.cells if order > 1 and images[1][xy] == xy}
    liberties, free = [], []
    for colour in range(colours // order):
        own = {xy for one in given if one.colour == colour for xy in one.cells}
        beside = {other for xy in own for other in around[xy][0]}
        corners = {other for xy in own for other in around[xy][1]} | (
            set() if own else set(row.starts[colour])
        )
        open_cells = set(row.board.cells) - covered - beside - middle
        free.append(open_cells)
        liberties.append(len(open_cells & corners))
    orbits = {frozenset(image[xy] for image in images) for cells in free for xy in cells}
    sizes = [len(cells) for cells in free]
    total = ORBIT * len(orbits) + LIBERTY * sum(liberties) + FREE * sum(sizes)
    return total + FEWEST * min(liberties) + LEAST * min(sizes)


@pytest.fixture(scope="module")
def game() -> list[Placed]:
    return list(solve(puzzle("1"), 1, Clock(3600)).pieces)


@pytest.mark.parametrize("plies", [0, 1, 6, 23, 50, 81])
def test_successors_are_the_legal_moves(game: list[Placed], plies: int) -> None:
    row, board = puzzle("1"), board_of("classic")
    number = {xy: i for i, xy in enumerate(board.cells)}
    position = Position("classic")
    for one in game[:plies]:
        position.play(one.colour, [number[xy] for xy in one.cells])
    beams = BeamSearch(row, game[:plies], 1, np.random.default_rng(1))
    colour = plies % 4
    expected = {frozenset(board.cells[c] for c in cells) for _, cells in position.legal_moves(colour)}
    found = successors(beams, colour)
    assert set(found) == expected
    assert set(successors(beams, colour, 3)) == {cells for cells in expected if len(cells) == 3}
    for cells in sorted(map(sorted, found))[:: max(1, len(found) // 10)]:
        after = [*game[:plies], Placed(colour, "", tuple(cells))]
        assert found[frozenset(cells)] == worth(row, after, 1)


@pytest.mark.parametrize(("kind", "board", "order"), [("1", None, 4), ("1", "19x19", 4), ("trigon", None, 2)])
def test_symmetric_successors_leave_room_for_their_images(kind: str, board: str | None, order: int) -> None:
    row = puzzle(kind, board)
    beams = BeamSearch(row, (), order, np.random.default_rng(1))
    every = rotations(row.board)
    images = every[:: len(every) // order]
    start = beams.first[0]
    found = successors(beams, 0)
    assert found
    for cells in found:
        turned = [{image[xy] for xy in cells} for image in images]
        assert start in cells
        assert len(set().union(*turned)) == order * len(cells)
    lone = {xy: images[1][xy] for xy in row.board.cells}
    assert not any(lone[xy] == xy for cells in found for xy in cells)
    if kind == "1":
        for some in sorted(map(sorted, found))[::15]:
            given = [Placed(k, "", tuple(sorted(image[xy] for xy in some))) for k, image in enumerate(images)]
            assert found[frozenset(some)] == worth(row, given, order)


def test_scripts_of_solutions_replay(game: list[Placed]) -> None:
    from engine.geometry import placements_by_cells
    from engine.rulesets import default_rules
    from tests.engine.games import played

    number = {xy: i for i, xy in enumerate(board_of("classic").cells)}
    codes = placements_by_cells("classic")
    events = [(one.colour, codes[tuple(sorted(number[xy] for xy in one.cells))]) for one in game]
    seen = played(Script(events), "classic", default_rules("classic"), strict=True)
    assert set(seen.reasons) == {"legal"}
    assert all(facts.all_placed and facts.single_last for facts in seen.facts)
