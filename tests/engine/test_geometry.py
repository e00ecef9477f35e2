"""Boards, neighbours, pieces and placements against the gold values."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.boards import BOARDS, border_cells, cell_names, cells_by_name, corner_groups, neighbours
from engine.geometry import COPIES, SIZE, geometry, placement_cells, placements_by_cells
from engine.pieces import PIECE_SETS, orientations
from engine.variants import VARIANTS
from tests.oracle import gold

BOARD_OF = {"classic": "square20", "duo": "square14", "trigon": "hexagon9", "trigon_3": "hexagon8"}


def _names(board: str, cells: tuple[int, ...]) -> list[str]:
    return sorted(cell_names(board)[c] for c in cells)


@pytest.mark.parametrize("variant_id", BOARD_OF)
def test_cells_and_neighbours_are_those_of_the_reference(variant_id: str) -> None:
    board, known = BOARD_OF[variant_id], gold("geometry")[variant_id]
    assert (BOARDS[board].width, BOARDS[board].height) == (known["width"], known["height"])
    assert sorted(cell_names(board)) == sorted(known["cells"])
    number = cells_by_name(board)
    for name, edges, corners in zip(known["cells"], known["edges"], known["corners"], strict=True):
        ours = neighbours(board)[number[name]]
        assert _names(board, ours[0]) == sorted(edges), name
        assert _names(board, ours[1]) == sorted(corners), name


@pytest.mark.parametrize("variant_id", ["trigon", "trigon_3"])
def test_triangles_point_where_the_reference_says(variant_id: str) -> None:
    # A triangle that points up has its flat side below: an edge neighbour straight below, none above.
    known = gold("geometry")[variant_id]
    board = BOARDS[BOARD_OF[variant_id]]
    names, number = cell_names(board.id), cells_by_name(board.id)
    for name, up in zip(known["cells"], known["up"], strict=True):
        column = name.rstrip("0123456789")
        row = int(name[len(column) :])
        above = number.get(f"{column}{row + 1}")
        edges = neighbours(board.id)[number[name]][0]
        assert (above in edges) <= (not up), f"{name} touches {names[above] if above else above}"
        below = number.get(f"{column}{row - 1}")
        assert (below in edges) <= bool(up), name


def test_cells_are_numbered_row_by_row_from_the_bottom() -> None:
    assert cell_names("square20")[:2] == ("a1", "b1")
    assert cell_names("square20")[20] == "a2"
    assert cell_names("square20")[-1] == "t20"
    # Row 1 of the hexagon has 19 cells, i1 to aa1, row 2 begins one column further left.
    assert cell_names("hexagon9")[0] == "i1"
    assert cell_names("hexagon9")[18] == "aa1"
    assert cell_names("hexagon9")[19] == "h2"


@pytest.mark.parametrize(
    ("board", "edge", "rows"),
    [
        ("hexagon9", 9, [*range(19, 36, 2), *range(35, 18, -2)]),
        ("hexagon8", 8, [*range(17, 32, 2), *range(31, 16, -2)]),
    ],
)
def test_rows_of_the_hexagon(board: str, edge: int, rows: list[int]) -> None:
    found = Counter(int(name.lstrip("abcdefghijklmnopqrstuvwxyz")) for name in cell_names(board))
    assert [found[y + 1] for y in range(2 * edge)] == rows
    assert sum(rows) == 6 * edge * edge


def test_corners_and_border_of_the_boards() -> None:
    def named(board: str) -> set[frozenset[str]]:
        return {frozenset(_names(board, group)) for group in corner_groups(board)}

    assert named("square20") == {frozenset([name]) for name in ("a1", "t1", "a20", "t20")}
    assert named("square14") == {frozenset([name]) for name in ("a1", "n1", "a14", "n14")}
    # Two triangles meet at each outer corner of the hexagon: those of the end of a row and of the row beside it.
    assert named("hexagon9") == {
        frozenset(pair)
        for pair in (
            ("i1", "j1"),
            ("z1", "aa1"),
            ("a9", "a10"),
            ("ai9", "ai10"),
            ("i18", "j18"),
            ("z18", "aa18"),
        )
    }
    # 4 x 20 less the four corners counted twice; a hexagon of edge 9 has 6 x 9 triangles with a side on the border.
    assert [len(border_cells(board)) for board in BOARDS] == [76, 52, 54, 48]


@pytest.mark.parametrize("set_id", PIECE_SETS)
def test_pieces_have_the_names_and_orientations_of_the_reference(set_id: str) -> None:
    known = gold("pieces")["sets"][set_id]
    piece_set = PIECE_SETS[set_id]
    assert sorted(piece_set.names) == sorted(known)
    for name in piece_set.names:
        assert piece_set.copies == known[name]["copies"]
        ours = set()
        for image in orientations(set_id)[name]:
            left = min(x for x, _ in image.offsets)
            low = min(y for _, y in image.offsets)
            # The direction of the anchor, taken to the lower left corner of the bounding box.
            parity = (image.parity + left + low) % 2 if piece_set.lattice.triangular else None
            ours.add((parity, frozenset((x - left, y - low) for x, y in image.offsets)))
        theirs = {(o["parity"], frozenset(map(tuple, o["cells"]))) for o in known[name]["orientations"]}
        assert ours == theirs, name


@pytest.mark.parametrize(
    ("set_id", "pieces", "by_size", "fixed", "cells"),
    [
        ("polyominoes", 21, [1, 1, 2, 5, 12], [1, 2, 6, 19, 63], 89),
        ("junior", 12, [1, 1, 2, 5, 3], [1, 2, 6, 19, 18], 88),
        ("polyiamonds", 22, [1, 1, 1, 3, 4, 12], [2, 3, 6, 14, 36, 94], 110),
    ],
)
def test_catalogue(set_id: str, pieces: int, by_size: list[int], fixed: list[int], cells: int) -> None:
    """Counts known from mathematics: free and fixed polyominoes and polyiamonds (junior: three of the twelve fives)."""
    piece_set = PIECE_SETS[set_id]
    sizes = Counter(len(shape) for shape in piece_set.shapes.values())
    assert len(piece_set.names) == pieces
    assert [sizes[n + 1] for n in range(len(by_size))] == by_size
    images = orientations(set_id)
    split = Counter(len(o.offsets) for found in images.values() for o in found)
    assert [split[n + 1] for n in range(len(fixed))] == fixed
    assert piece_set.cells == cells
    # No two pieces share an orientation: a piece typed twice would.
    assert len({o for found in images.values() for o in found}) == sum(fixed)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_placements(variant_id: str) -> None:
    known = gold("pieces")
    row, tables = VARIANTS[variant_id], geometry(variant_id)
    assert len(tables.placement_piece) == known["variants"][variant_id]["placements"]
    assert len(placements_by_cells(variant_id)) == len(tables.placement_piece)
    names = PIECE_SETS[row.pieces].names
    assert tables.pieces[:, SIZE].tolist() == [len(s) for s in PIECE_SETS[row.pieces].shapes.values()]
    assert set(tables.pieces[:, COPIES].tolist()) == {2 if variant_id == "junior" else 1}
    if variant_id in known["placements"]:
        found = Counter(names[i] for i in tables.placement_piece)
        assert found == known["placements"][variant_id]


@pytest.mark.parametrize(
    ("variant_id", "placements"),
    [("classic", 30_433), ("duo", 13_729), ("junior", 7_217), ("trigon", 32_131), ("trigon_3", 24_859)],
)
def test_number_of_placements(variant_id: str, placements: int) -> None:
    assert len(geometry(variant_id).placement_piece) == placements


@pytest.mark.parametrize("variant_id", ["duo", "trigon_3"])
def test_what_a_placement_touches(variant_id: str) -> None:
    """Sides and corners of a placement: every cell around it once, those side by side never as corners."""
    tables, board = geometry(variant_id), VARIANTS[variant_id].board
    around = neighbours(board)
    for placement in range(0, len(tables.placement_piece), 97):
        start, cells_end, edges_end, corners_end = tables.span[placement].tolist()
        cells = set(placement_cells(tables, placement))
        side = {n for c in cells for n in around[c][0]} - cells
        corner = {n for c in cells for n in around[c][1]} - cells - side
        assert set(tables.touched[cells_end:edges_end].tolist()) == side
        assert set(tables.touched[edges_end:corners_end].tolist()) == corner
        assert corners_end - start == len(cells) + len(side) + len(corner)


def test_tables_are_read_only_and_shared_by_variants_with_the_same_board() -> None:
    with pytest.raises(ValueError, match="read-only"):
        geometry("duo").cell_bit[0] = 1
    assert geometry("classic") is geometry("classic_2") is geometry("classic_3")
    assert geometry("trigon") is geometry("trigon_2")
    # Same board and pieces, three colours or four: not the same tables of keys.
    assert geometry("trigon") is not geometry("trigon_3")
