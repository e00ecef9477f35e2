"""Symmetries of boards, and keys of positions without a replay."""

from __future__ import annotations

import numpy as np
import pytest

from engine.boards import cells, cells_by_name, neighbours
from engine.geometry import placement_cells, placements_by_cells
from engine.position import Position
from engine.position_keys import board_key, cells_key, combined, key_of_text, key_text, start_key
from engine.rulesets import parse_rules
from engine.symmetries import automorphisms, board_symmetries, own_symmetries
from engine.variants import VARIANTS


@pytest.mark.parametrize("board", ["square14", "square20", "hexagon8", "hexagon9"])
def test_board_symmetries_keep_sides_and_corners(board: str) -> None:
    images = board_symmetries(board)
    around = neighbours(board)
    assert len(images) == (8 if board.startswith("square") else 12)
    assert len({tuple(image) for image in images.tolist()}) == len(images)
    assert images[0].tolist() == list(range(len(cells(board))))
    for image in images.tolist():
        for cell, (sides, corners) in enumerate(around):
            assert sorted(image[c] for c in sides) == list(around[image[cell]][0])
            assert sorted(image[c] for c in corners) == list(around[image[cell]][1])


@pytest.mark.parametrize(
    ("variant", "start", "number"),
    [
        ("classic", "assigned", 1),
        ("classic", "any_corner", 8),
        ("duo", "assigned", 2),
        ("duo", "marked", 4),
        ("duo", "any_corner", 8),
        ("junior", "assigned", 2),
        ("junior", "marked", 4),
        ("trigon", "marked", 12),
        ("trigon_3", "marked", 12),
        ("trigon", "any_corner", 12),
    ],
)
def test_automorphisms_by_variant_and_start_rule(variant: str, start: str, number: int) -> None:
    assert len(automorphisms(variant, start)) == number


def test_the_reflection_of_duo_is_that_of_the_report() -> None:
    places = cells("square14")
    (mirror,) = automorphisms("duo", "assigned")[1:].tolist()
    assert all(places[mirror[i]] == (13 - y, 13 - x) for i, (x, y) in enumerate(places))


def test_212_first_moves_of_duo_are_different() -> None:
    (mirror,) = automorphisms("duo", "assigned")[1:].tolist()
    moves = [c for _, c in Position("duo").legal_moves(0)]
    images = {frozenset([move, tuple(sorted(mirror[c] for c in move))]) for move in moves}
    assert len(moves) == 414 and len(images) == 212
    assert sum(len(image) == 1 for image in images) == 10


def test_classic_first_pieces_by_shape() -> None:
    for colour in range(4):
        images = own_symmetries("classic", "assigned", colour).tolist()
        assert len(images) == 2
        moves = [c for _, c in Position("classic").legal_moves(colour)]
        shapes = {min(tuple(sorted(image[c] for c in move)) for image in images) for move in moves}
        assert (len(moves), len(shapes)) == (58, 31)


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_images_of_a_position_have_the_keys_that_playing_them_gives(variant: str) -> None:
    rules = parse_rules(variant, {})
    rng = np.random.default_rng(5)
    images = automorphisms(variant, rules.start).tolist()
    positions = [Position(variant) for _ in images]
    assert key_of_text(positions[0].key) == start_key(variant)
    placed: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(9):
        colour = positions[0].to_move
        assert colour is not None
        moves = positions[0].legal_moves(colour)
        move = moves[int(rng.integers(len(moves)))][1]
        placed.append((colour, move))
        for image, position in zip(images, positions, strict=True):
            position.play(colour, [image[c] for c in move])
    board = positions[0].board
    rest = combined(key_of_text(positions[0].key), board_key(variant, board))
    for permutation, position in zip(automorphisms(variant, rules.start), positions, strict=True):
        key = combined(rest, board_key(variant, board, permutation))
        assert key_text(key) == position.key
    parts = (0, 0)
    for colour, move in placed:
        parts = combined(parts, cells_key(variant, colour, move))
    assert parts == board_key(variant, board)


def test_images_of_placements_are_placements() -> None:
    known = placements_by_cells("trigon_3")
    from engine.geometry import geometry

    tables = geometry("trigon_3")
    for image in automorphisms("trigon_3", "marked").tolist():
        for placement in range(0, len(tables.placement_piece), 97):
            there = tuple(sorted(image[c] for c in placement_cells(tables, placement)))
            assert tables.placement_piece[known[there]] == tables.placement_piece[placement]


def test_a_text_that_is_no_key() -> None:
    assert key_of_text("0" * 31 + "a") == (0, 10)
    for text in ("", "0" * 31, "0" * 33, "g" * 32):
        with pytest.raises(ValueError, match="no position key"):
            key_of_text(text)
    assert cells_by_name("square14")["a1"] == 0
