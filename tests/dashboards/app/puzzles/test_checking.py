from dashboards.app.puzzles.checking import DeadEnd, allowed, dead_end, left, numbers, on_turn, refused
from dashboards.app.puzzles.hinting import following
from engine.puzzle_boards import PuzzleBoard
from engine.puzzle_kinds import Placed, Puzzle, puzzle
from engine.puzzle_verify import verify
from engine.puzzles import solve
from tests.dashboards.app.puzzles.beginnings import FOUR, at

PLAY, FALLING, TETROMINOES = puzzle("1"), puzzle("2"), puzzle("3")


def cells_of(board: PuzzleBoard, one: Placed) -> tuple[int, ...]:
    return tuple(sorted(numbers(board)[xy] for xy in one.cells))


def agree(row: Puzzle, placed: tuple[Placed, ...], candidate: Placed) -> None:
    """What the ghost shows, what a click does, and what the judge says are the same."""
    legal = allowed(row, placed, candidate.colour, candidate.piece)(cells_of(row.board, candidate))
    assert legal == (refused(row, placed, candidate) is None)
    assert legal == (not verify(row, [*placed, candidate], partial=True))


def test_the_ghost_agrees_with_the_judge_on_every_cell() -> None:
    for placed in (FOUR[:2], FOUR):
        for x in range(19):
            for y in range(20):
                agree(PLAY, placed, Placed(len(placed) % 4, "2", ((x, y), (x + 1, y))))


def test_refusals_say_what_is_wrong_where() -> None:
    placed = FOUR
    beside = refused(PLAY, placed, at("1", 0, "2", "a19 b19"))
    assert beside is not None and (beside.reason, beside.cell, beside.by) == (
        "side_contact",
        (0, 19),
        placed[0],
    )
    covered = refused(PLAY, placed, at("1", 0, "2", "p20 o20"))
    assert covered is not None and (covered.reason, covered.by) == ("occupied", placed[1])
    far = refused(PLAY, placed, at("1", 0, "2", "k10 k11"))
    assert far is not None and far.reason == "no_corner_contact"
    out = refused(PLAY, placed, Placed(0, "2", ((-1, 5), (0, 5))))
    assert out is not None and out.reason == "off_board"
    start = refused(PLAY, (), at("1", 0, "2", "k10 k11"))
    assert start is not None and start.reason == "start_rule"
    assert refused(PLAY, placed, at("1", 0, "2", "f19 f18")) is None


def test_in_the_second_puzzle_no_piece_is_bigger_than_the_one_before() -> None:
    placed = (at("2", 0, "I4", "a20 b20 c20 d20"),)
    bigger = refused(FALLING, placed, at("2", 1, "I5", "p20 q20 r20 s20 t20"))
    assert bigger is not None and bigger.reason == "not_falling"
    assert not allowed(FALLING, placed, 1, "I5")(
        cells_of(FALLING.board, at("2", 1, "I5", "p20 q20 r20 s20 t20"))
    )
    assert dead_end(FALLING, placed) == DeadEnd("bigger", 0, "Z5")
    assert dead_end(FALLING, FOUR[:1]) is None


def test_a_colour_without_a_place_is_stuck() -> None:
    row = puzzle("1", board="2x2")
    placed = (Placed(0, "1", ((0, 1),)), Placed(1, "1", ((1, 1),)), Placed(2, "1", ((1, 0),)))
    assert dead_end(row, placed[:2]) is None
    stuck = (Placed(0, "1", ((0, 1),)), Placed(1, "2", ((1, 0), (1, 1))))
    assert dead_end(row, stuck) == DeadEnd("nowhere", 2)


def test_a_patch_that_no_pieces_fill_is_a_dead_end() -> None:
    column, corner = at("3", 0, "I4", "b1 b2 b3 b4"), at("3", 1, "O", "a5 b5 a6 b6")
    assert dead_end(TETROMINOES, (column,)) is None
    assert dead_end(TETROMINOES, (column, corner)) is None
    longer = at("3", 2, "L4", "b5 c5 d5 d6"), at("3", 3, "O", "a6 b6 a7 b7")
    assert dead_end(TETROMINOES, (column, *longer)) == DeadEnd("patch", cells=5)


def test_pieces_left_are_those_of_a_colour() -> None:
    placed = (at("3", 1, "O", "a1 b1 a2 b2"),)
    assert left(TETROMINOES, placed, 1) == {"I4": 1, "L4": 1, "T4": 1, "Z4": 1}
    assert len(left(TETROMINOES, placed, 0)) == 5
    assert on_turn(TETROMINOES, placed) is None
    pentominoes = puzzle("tiling")
    assert len(left(pentominoes, (at("tiling", 3, "I5", "a1 b1 c1 d1 e1"),), 0)) == 11
    assert on_turn(PLAY, FOUR[:1]) == 1


def test_a_hint_is_the_next_piece_of_a_solution_that_begins_so() -> None:
    way = solve(TETROMINOES, 1).pieces
    assert following(TETROMINOES, way[3:9], way) == way[0]
    assert following(TETROMINOES, way, way) is None
    other = Placed(0, "I4", ((0, 0), (1, 0), (2, 0), (3, 0)))
    assert other.cells in [one.cells for one in way] or following(TETROMINOES, [other], way) is None
    assert following(PLAY, FOUR[:1], FOUR) == FOUR[1]
    assert following(PLAY, FOUR[1:], FOUR) is None
