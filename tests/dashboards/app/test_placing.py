import pytest

from dashboards.app.placing import Ground, as_drawn, flipped, ghost_map, pointed_at, shape, turned
from engine.pieces import PIECE_SETS, orientations

SQUARE = Ground.of("square14")
EVERY = [(set_id, piece) for set_id, pieces in PIECE_SETS.items() for piece in pieces.names]


def drawing(cells: tuple[tuple[int, int], ...]) -> list[str]:
    left, top = min(x for x, _ in cells), max(y for _, y in cells)
    width = max(x for x, _ in cells) - left + 1
    rows = [["."] * width for _ in range(top - min(y for _, y in cells) + 1)]
    for x, y in cells:
        rows[top - y][x - left] = "#"
    return ["".join(row) for row in rows]


def test_a_piece_turns_clockwise_and_flips_left_for_right() -> None:
    image = as_drawn("polyominoes", "L4")
    assert drawing(shape("polyominoes", "L4", image)) == ["###", "#.."]
    assert drawing(shape("polyominoes", "L4", turned("polyominoes", "L4", image))) == ["##", ".#", ".#"]
    assert drawing(shape("polyominoes", "L4", turned("polyominoes", "L4", image, -1))) == ["#.", "#.", "##"]
    assert drawing(shape("polyominoes", "L4", flipped("polyominoes", "L4", image))) == ["###", "..#"]


@pytest.mark.parametrize(("set_id", "piece"), EVERY)
def test_turning_and_flipping_reach_every_image(set_id: str, piece: str) -> None:
    reached = [as_drawn(set_id, piece)]
    for image in reached:
        assert turned(set_id, piece, turned(set_id, piece, image), -1) == image
        assert flipped(set_id, piece, flipped(set_id, piece, image)) == image
        near = {turned(set_id, piece, image), flipped(set_id, piece, image)}
        reached += sorted(near - set(reached))
    assert sorted(reached) == list(range(len(orientations(set_id)[piece])))


def test_the_piece_lies_with_its_middle_where_one_points() -> None:
    image = as_drawn("polyominoes", "I3")
    ghosts = ghost_map(SQUARE, "polyominoes", "I3", image, lambda cells: True)
    assert ghosts[14 + 5] == ((14 + 4, 14 + 5, 14 + 6), True)


def test_near_a_border_it_moves_inside_where_it_may_lie() -> None:
    image = as_drawn("polyominoes", "I3")
    assert ghost_map(SQUARE, "polyominoes", "I3", image, lambda cells: True)[0] == ((0, 1, 2), True)
    assert ghost_map(SQUARE, "polyominoes", "I3", image, [])[0] == ((0, 1), False)
    assert pointed_at(SQUARE, "polyominoes", "I3", image, 0) == ((-1, 0), (0, 0), (1, 0))


def test_of_the_places_that_cover_the_cell_it_takes_a_legal_one() -> None:
    image = as_drawn("polyominoes", "I3")
    ghosts = ghost_map(SQUARE, "polyominoes", "I3", image, [(5, 6, 7)])
    assert [ghosts[cell] for cell in (4, 5, 6, 7, 8)] == [
        ((3, 4, 5), False),
        ((5, 6, 7), True),
        ((5, 6, 7), True),
        ((5, 6, 7), True),
        ((7, 8, 9), False),
    ]


def test_every_cell_of_a_hexagon_has_a_place_for_every_image() -> None:
    ground = Ground.of("hexagon8")
    for piece in ("1", "F", "Y"):
        for image in range(len(orientations("polyiamonds")[piece])):
            ghosts = ghost_map(ground, "polyiamonds", piece, image, lambda cells: True)
            assert set(ghosts) == set(range(len(ground.cells)))
            assert all(
                len(cells) == len(PIECE_SETS["polyiamonds"].shapes[piece])
                for cells, ok in ghosts.values()
                if ok
            )
