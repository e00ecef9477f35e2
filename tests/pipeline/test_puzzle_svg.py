from xml.etree import ElementTree

from engine.puzzle_kinds import Placed, puzzle
from pipeline.puzzle_svg import puzzle_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_every_cell_of_any_board_can_be_clicked() -> None:
    for kind in ("3", "trigon"):
        row = puzzle(kind)
        root = ElementTree.fromstring(puzzle_svg(row, [], "t", picks=True))
        picked = [path.get("data-pick") for path in root.iter(f"{SVG}path") if path.get("data-cell")]
        assert picked == [f"cell:{number}" for number in range(len(row.board.cells))]
    assert "data-pick" not in puzzle_svg(puzzle("3"), [], "t")


def test_starting_cells_are_seen_until_they_are_covered() -> None:
    row = puzzle("1")
    first = Placed(0, "1", (min(row.starts[0]),))
    circles = [puzzle_svg(row, placed, "t").count("<circle") for placed in ([], [first])]
    # The dots of a pattern are circles, too.
    assert circles[0] - circles[1] == 1


def test_the_last_piece_and_a_proposed_one_are_marked() -> None:
    row = puzzle("3")
    cells = ((0, 0), (1, 0), (2, 0), (3, 0))
    plain = puzzle_svg(row, [Placed(0, "I4", cells)], "t")
    assert (
        puzzle_svg(row, [Placed(0, "I4", cells)], "t", last=cells).count("<circle")
        == plain.count("<circle") + 4
    )
    assert "stroke-dasharray" in puzzle_svg(row, [], "t", suggested=cells)


def test_what_it_says_is_escaped() -> None:
    said = puzzle_svg(puzzle("3"), [], "<b>&", about="<i>")
    assert "<b>" not in said
    assert "<i>" not in said
