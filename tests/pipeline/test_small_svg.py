"""Pictures in the cells of tables: moves on a small board, pieces, values with whiskers."""

import re
from xml.etree import ElementTree

import pytest

from engine.pieces import PIECE_SETS
from engine.variants import VARIANTS, variant
from pipeline.interval_svg import WIDTH, interval_svg
from pipeline.move_svg import ground_svg, move_svg, piece_svg
from pipeline.openings.positions import empty_board


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_move_refers_to_its_board_and_lies_on_it(variant_id: str) -> None:
    board = empty_board(variant_id)
    board[:2] = 0
    ground, move = ground_svg(variant_id, board, "g"), move_svg(variant_id, 1, [4, 5], "g")
    for picture in (ground, move):
        ElementTree.fromstring(picture)
    assert 'id="g"' in ground and 'href="#g"' in move and 'aria-hidden="true"' in move
    assert len(re.findall("<path", ground)) == 2
    _, _, right, bottom = map(float, re.search(r'viewBox="([^"]*)"', move)[1].split())  # type: ignore[index]
    places = [tuple(map(float, at.split())) for at in re.findall(r"[ML]([\d.]+ [\d.]+)", move)]
    assert places and all(0 <= x <= right and 0 <= y <= bottom for x, y in places)


@pytest.mark.parametrize("variant_id", ["duo", "trigon"])
def test_every_piece_is_drawn_cell_by_cell(variant_id: str) -> None:
    for name, shape in PIECE_SETS[variant(variant_id).pieces].shapes.items():
        picture = piece_svg(variant_id, name)
        ElementTree.fromstring(picture)
        assert picture.count("<path") == len(shape)


def test_a_value_stands_between_its_whiskers() -> None:
    picture = interval_svg(0.5, 0.25, 0.75, reach=(0.0, 1.0), level=0.5, title="a < b")
    ElementTree.fromstring(picture)
    assert "a &lt; b" in picture and f'cx="{WIDTH / 2:g}"' in picture
    low, high = re.findall(r"M([\d.]+) 4\.0v8", picture)
    assert float(low) + float(high) == pytest.approx(WIDTH) and float(low) < WIDTH / 2


def test_what_is_not_known_is_not_drawn() -> None:
    assert "<circle" not in interval_svg(None, None, None, reach=(0.0, 0.0), title="–")
    assert "v8" not in interval_svg(3.0, None, None, reach=(3.0, 3.0), title="3")
