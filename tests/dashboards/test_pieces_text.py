"""The remaining pieces in the terminal."""

from __future__ import annotations

import io

from rich.console import Console

from dashboards.pieces_text import PiecesView, pieces_string
from engine.position import Position
from engine.variants import VARIANTS


def printed(view: object, width: int = 80) -> str:
    file = io.StringIO()
    Console(file=file, width=width).print(view)
    return file.getvalue()


def test_squares_are_half_blocks_above_their_names() -> None:
    view = PiecesView("duo", [{"1": 1, "L4": 1, "X": 1}, {}])
    assert [line.rstrip() for line in printed(view).splitlines()] == [
        "first: 3 pieces, 10 cells left",
        "          ▄█▄",
        "  ▀  █▀▀   ▀",
        "  1  L4   X",
        "second: everything placed",
    ]


def test_triangles_are_cut_along_their_sides_and_filled_inside() -> None:
    view = PiecesView("trigon_3", [{"O": 1, "2": 1}, {}, {"1": 1}])
    assert [line.rstrip() for line in printed(view).splitlines()] == [
        "blue: 2 pieces, 8 cells left",
        "  ◢██◣",
        "  ◥██◤  ◢█◤",
        "  O     2",
        "yellow: everything placed",
        "red: 1 piece, 1 cell left",
        "  ◢◣",
        "  1",
    ]


def test_all_pieces_of_every_variant_fit_the_terminal() -> None:
    for variant_id in VARIANTS:
        position = Position(variant_id)
        left = [position.pieces_left(colour) for colour in range(len(position.variant.colours))]
        for width in (40, 80):
            text = printed(PiecesView(variant_id, left), width)
            assert max(map(len, text.splitlines())) <= width
            for name in left[0]:
                assert f"  {name}" in text


def test_copies_and_names_without_shapes() -> None:
    assert pieces_string("junior", [{"1": 2, "O": 1}, {"P": 2}]) == (
        "first: 3 pieces, 6 cells left: 1x2 O\nsecond: 2 pieces, 10 cells left: Px2"
    )
    assert "1x2" in printed(PiecesView("junior", [{"1": 2}, {}]))
