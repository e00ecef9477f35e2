"""The board in the terminal: coordinates, triangles, the last move, with and without colours."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from dashboards.board_text import BoardView, board_string, coloured_board
from engine.boards import BOARDS, cell_names, cells_by_name
from engine.variants import VARIANTS, variant
from pipeline.palettes import PALETTES


def board_with(variant_id: str, colours: dict[str, int]) -> np.ndarray:  # type: ignore[type-arg]
    board_id = variant(variant_id).board
    board = np.full(len(cell_names(board_id)), -1, np.int8)
    for name, colour in colours.items():
        board[cells_by_name(board_id)[name]] = colour
    return board


def cells_of(variant_id: str, *names: str) -> list[int]:
    return [cells_by_name(variant(variant_id).board)[name] for name in names]


def printed(view: object, **options: object) -> str:
    file = io.StringIO()
    Console(file=file, width=100, **options).print(view)  # type: ignore[arg-type]
    return file.getvalue()


def test_letters_stand_at_their_coordinates() -> None:
    board = board_with("duo", {"a1": 0, "n14": 1, "e10": 0, "e9": 0})
    lines = board_string("duo", board, cells_of("duo", "e9", "e10")).splitlines()
    assert lines[0] == "    a b c d e f g h i j k l m n" == lines[15]
    assert lines[1] == " 14 . . . . . . . . . . . . . S  14"
    assert lines[5] == " 10 . . . . f . . . . . . . . .  10"
    assert lines[14] == "  1 F . . . . . . . . . . . . .  1"
    assert lines[16] == "    F first (violet) 3   S second (orange) 1"
    assert lines[17] == "    last move: first e9,e10 (small letters)"


def test_letters_of_a_hexagon_stand_between_slashes() -> None:
    board = board_with("trigon", {"r15": 2, "a10": 0, "ai9": 3, "i1": 1})
    lines = board_string("trigon", board, cells_of("trigon", "i1")).splitlines()
    labels = lines[1]
    for name, row, letter, slashes in (
        ("r", 15, "R", "/\\"), ("a", 10, "B", "/\\"), ("ai", 9, "G", "\\/"), ("i", 1, "y", "\\/")
    ):  # fmt: skip
        line = lines[2 + 18 - row]
        at = line.index(letter)
        assert labels[at] == name[-1]
        assert (lines[0].ljust(99)[at] == "a") == (len(name) == 2)
        assert line[at - 1] + line[at + 1] == slashes
        assert line.startswith(f"{row:>3} ")
    assert lines[2] == f" 18 {' ' * 16}{'/.' + chr(92) + '.'}" + "/.\\." * 8 + "/.\\  18"


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_every_cell_is_drawn_once_in_letters(variant_id: str) -> None:
    row = variant(variant_id)
    shape, names = BOARDS[row.board], cell_names(row.board)
    for cell in range(0, len(names), 7):
        board = np.full(len(names), -1, np.int8)
        board[cell] = 1
        text = board_string(variant_id, board)
        body = text.splitlines()[shape.lattice.triangular + 1 :][: shape.height]
        letter = PALETTES["online"].ink(row.colours[1]).letter
        assert sum(line.count(letter) for line in body) == 1
        assert sum(line.count(".") for line in body) == len(names) - 1
        line = next(line for line in body if letter in line)
        assert names[cell].endswith(line.split()[-1])


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_colours_show_where_the_letters_are(variant_id: str) -> None:
    row = variant(variant_id)
    rng = np.random.default_rng(1)
    board = rng.integers(-1, len(row.colours), len(cell_names(row.board))).astype(np.int8)
    letters = board_string(variant_id, board).splitlines()
    text = coloured_board(variant_id, board)
    fills = {ink.fill: ink.letter for colour in row.colours for ink in [PALETTES["online"].ink(colour)]}
    lines = text.split("\n")
    labels = 2 if BOARDS[row.board].lattice.triangular else 1
    for i in range(labels, labels + BOARDS[row.board].height):
        shown = {}
        for span in lines[i].spans:
            back = getattr(span.style, "bgcolor", None)
            if back is not None and back.name in fills:
                shown |= dict.fromkeys(range(span.start, span.end), fills[back.name])
        for at, letter in enumerate(letters[i]):
            if letter in fills.values() or letter == ".":
                assert shown.get(at, ".") == letter


def test_triangles_point_up_and_down() -> None:
    lines = coloured_board("trigon_3", board_with("trigon_3", {})).plain.splitlines()
    assert lines[2].strip("0123456789 ") == "◢▲◣▼" * 8 + "◢▲◣"
    assert lines[17].strip("0123456789 ") == "◥▼◢▲◣▼◢▲◣▼◢▲◣▼◢▲◣▼◢▲◣▼◢▲◣▼◢▲◣▼◢▲◣▼◤"
    assert max(map(len, lines)) <= 80


def test_a_last_move_stands_out_in_its_own_colour() -> None:
    board = board_with("duo", {"e10": 0, "e9": 0, "a1": 1})
    text = coloured_board("duo", board, cells_of("duo", "e9", "e10"))
    assert text.plain.count("[]") == 2
    bright = PALETTES["online"].ink("first").bright
    assert sum(bright in str(span.style) for span in text.spans) == 3  # two cells and the legend
    assert "last move: first e9,e10" in text.plain


def test_palettes_name_the_two_colours_of_duo_either_way() -> None:
    board = board_with("duo", {})
    assert "first (violet) 0" in board_string("duo", board)
    assert "first (orange) 0" in board_string("duo", board, palette="publisher")
    assert PALETTES["online"].ink("first").fill == PALETTES["publisher"].ink("second").fill


def test_a_console_without_colours_gets_letters() -> None:
    view = BoardView("trigon", board_with("trigon", {"r15": 0}), cells_of("trigon", "r15"))
    letters = board_string("trigon", view.board, view.last) + "\n"
    assert printed(view) == letters
    assert printed(view, force_terminal=True, color_system="truecolor", no_color=True) == letters
    coloured = printed(view, force_terminal=True, color_system="truecolor")
    assert "\x1b[" in coloured
    assert "▲" in coloured


def test_all_drawings_fit_80_columns() -> None:
    for variant_id, row in VARIANTS.items():
        board = np.zeros(len(cell_names(row.board)), np.int8)
        assert max(map(len, board_string(variant_id, board).splitlines())) <= 80
        assert max(map(len, coloured_board(variant_id, board).plain.splitlines())) <= 80
