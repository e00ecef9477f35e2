"""Boards as SVG: valid XML on every variant, everything on the board drawn, readable without colour."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from engine.boards import BOARDS, cells, cells_by_name
from engine.pieces import PIECE_SETS
from engine.variants import VARIANTS, variant
from pipeline.board_svg import Marks, board_svg
from pipeline.pieces_svg import pieces_svg
from pipeline.svg_cells import Plane, grid_lines, joined, outline
from pipeline.svg_heat import Heat
from pipeline.svg_inks import STEPS, brightness, shade

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> Element:
    root = fromstring(text)
    assert root.tag == SVG + "svg"
    return root


def words(root: Element) -> list[str]:
    return [element.text or "" for element in root.iter(SVG + "text")]


def area(path: str) -> float:
    """What closed lines enclose; holes, which run the other way round, are taken off."""
    whole = 0.0
    for loop in path.split("Z")[:-1]:
        points = [tuple(map(float, pair.split())) for pair in loop.removeprefix("M").split("L")]
        whole += (
            sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1], strict=True)) / 2
        )
    return abs(whole)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_cell_of_a_colour_is_inside_its_outline(name: str) -> None:
    row = variant(name)
    board = np.full(len(cells(row.board)), -1)
    rng = np.random.default_rng(1)
    board[rng.choice(len(board), 60, replace=False)] = 1
    root = drawn(board_svg(name, board, title="a board"))
    (path,) = [e.get("d") or "" for e in root.iter(SVG + "path") if "url(#board-c1)" in (e.get("fill") or "")]
    shape = BOARDS[row.board]
    one = area(
        Plane(shape.lattice, 23.0 if shape.lattice.triangular else 20.0, shape.height).path(
            outline(shape.lattice, [(0, 0)])
        )
    )
    assert area(path) == pytest.approx(60 * one, rel=1e-3)


@pytest.mark.parametrize("name", VARIANTS)
def test_coordinates_name_all_rows_and_columns(name: str) -> None:
    shape = BOARDS[variant(name).board]
    said = words(drawn(board_svg(name, title="t")))
    assert [w for w in said if w.isdigit()] == [str(y + 1) for y in range(shape.height)]
    assert len([w for w in said if w.isalpha()]) == shape.width
    assert words(drawn(board_svg(name, title="t", small=True))) == []


def test_colours_differ_without_colour() -> None:
    board = np.full(400, -1)
    board[[0, 2, 4, 6]] = [0, 1, 2, 3]
    root = drawn(board_svg("classic", board, title="t", uid="x"))
    looks = {
        re.sub("#[0-9a-f]{6}", "", "".join(part.get(k) or "" for part in e for k in ("d", "r")))
        for e in root.iter(SVG + "pattern")
    }
    assert len(looks) == 4
    lettered = words(
        drawn(board_svg("classic", board, title="t", distinction="letters", legend=list("wxyz")))
    )
    assert [w for w in lettered if w in tuple("BYRG")] == ["B", "Y", "R", "G", "B", "Y", "R", "G"] or sorted(
        w for w in lettered if w in tuple("BYRG")
    ) == ["B", "B", "G", "G", "R", "R", "Y", "Y"]


def test_marks_are_all_there_and_all_different() -> None:
    bare = board_svg("duo", title="t")
    seen = set()
    for field in ("last", "suggested", "dead", "contested", "starts"):
        text = board_svg("duo", title="t", marks=Marks(**{field: [cells_by_name("square14")["e10"]]}))
        drawn(text)
        assert text != bare
        seen.add(text)
    assert len(seen) == 5
    assert "17" in words(drawn(board_svg("duo", title="t", marks=Marks(labels={5: "17"}), small=False)))


def test_words_from_records_are_escaped_and_ids_are_apart() -> None:
    hostile = "<script>&\"'\x00\ud800 ]]>"
    one = board_svg("duo", title=hostile, description=hostile, uid="a", legend=[hostile, hostile])
    two = pieces_svg("duo", 0, {"1": 1}, title=hostile, uid="b")
    root = drawn(one)
    assert root.find(SVG + "title").text == "<script>&\"'\ufffd\ufffd ]]>"  # type: ignore[union-attr]
    ids = re.findall(r'\bid="([^"]+)"', one + two)
    assert len(ids) == len(set(ids))
    for reference in re.findall(r"url\(#([^)]+)\)", one + two):
        assert reference in ids
    assert root.get("aria-labelledby") == "a-title a-about"


def test_heat_has_a_shade_by_value_and_none_for_what_is_no_number() -> None:
    values: list[float | None] = [None] * 196
    values[0], values[1], values[2], values[3] = 0.0, 1.0, float("nan"), 7.0
    root = drawn(board_svg("duo", title="t", heat=Heat(values, "0 %", "100 %", "how often")))
    fills = [e.get("fill") for e in root.iter(SVG + "path")]
    assert shade(0) in fills and shade(STEPS) in fills
    assert "how often" in words(root)
    grey = [brightness(shade(step)) for step in range(STEPS + 1)]
    assert grey == sorted(grey, reverse=True), "a black-and-white print keeps the order"


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="duo has 196 cells"):
        board_svg("duo", np.zeros(400, int), title="t")
    with pytest.raises(ValueError, match="duo has 196 cells"):
        board_svg("duo", title="t", heat=Heat([0.5]))


@pytest.mark.parametrize("name", ["duo", "junior", "trigon"])
def test_pieces_left_are_shapes_with_names(name: str) -> None:
    pieces = PIECE_SETS[variant(name).pieces]
    left = dict.fromkeys(pieces.names, pieces.copies)
    said = words(drawn(pieces_svg(name, 1, left, title="t")))
    assert said == [n if pieces.copies == 1 else f"{n} ×2" for n in pieces.names]
    assert words(drawn(pieces_svg(name, 1, {}, title="nothing"))) == []


def test_a_ring_has_a_hole() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    lattice = BOARDS["square14"].lattice
    assert sorted(map(len, outline(lattice, ring))) == [4, 4]
    assert area(Plane(lattice, 1.0, 3).path(outline(lattice, ring))) == 8


@pytest.mark.parametrize(
    ("board", "lines"), [("square14", 30), ("square20", 42), ("hexagon9", 57), ("hexagon8", 51)]
)
def test_a_grid_is_few_long_lines(board: str, lines: int) -> None:
    assert len(grid_lines(board)) == lines


def test_pieces_of_a_colour_come_apart() -> None:
    by_name = cells_by_name("square14")
    group = [by_name[name] for name in ("a1", "b1", "c2", "c3", "e5")]
    assert joined("square14", group) == [
        [by_name["a1"], by_name["b1"]],
        [by_name["c2"], by_name["c3"]],
        [by_name["e5"]],
    ]


def test_cells_that_belong_to_a_colour_have_its_pattern_and_cells_pointed_at_a_dot() -> None:
    root = drawn(board_svg("duo", title="t", marks=Marks(tints={1: [0, 1, 5]}, spots=[7, 9])))
    (tint,) = [e for e in root.iter(SVG + "path") if e.get("fill") == "url(#board-c1)"]
    assert area(tint.get("d") or "") == pytest.approx(3 * 20 * 20) and tint.get("fill-opacity") == "0.42"
    assert len(list(root.iter(SVG + "circle"))) - 1 == 2  # one is of the second colour's pattern
