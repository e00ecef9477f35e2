"""Our JSON of puzzles and the words for pieces."""

from __future__ import annotations

import json

import pytest

from engine.errors import BadPuzzle
from engine.puzzles import Placed, puzzle
from notation import puzzle_json
from notation.errors import BadRecord
from notation.piece_bags import bag_words, parse_bag


@pytest.mark.parametrize(
    ("text", "bag"),
    [
        ("tetrominoes", {"I4": 1, "L4": 1, "O": 1, "T4": 1, "Z4": 1}),
        ("dominoes*3, 2*1,1*2", {"2": 4, "1": 2}),
        ("f5+O4, I1*2", {"F": 1, "O": 1, "1": 2}),
        ("T4*3,2T4", {"T4": 5}),
    ],
)
def test_bags(text: str, bag: dict[str, int]) -> None:
    assert parse_bag(text) == bag
    assert parse_bag(bag_words(bag)) == bag


def test_all_pieces_of_a_set() -> None:
    assert sum(parse_bag("all").values()) == 21
    assert set(parse_bag("all*2", "polyiamonds").values()) == {2}


@pytest.mark.parametrize("text", ["", "Q", "F*", "F,,X", "hexominoes", "-1F", "F*9999"])
def test_what_is_no_bag(text: str) -> None:
    with pytest.raises(BadPuzzle, match="write all, monominoes"):
        parse_bag(text)


def test_a_solution_goes_there_and_back() -> None:
    row = puzzle("3")
    placed = [
        Placed(2, "I4", ((0, 0), (1, 0), (2, 0), (3, 0))),
        Placed(0, "O", ((0, 8), (1, 8), (0, 9), (1, 9))),
    ]
    content = json.dumps(puzzle_json.document(row, placed)).encode()
    assert puzzle_json.looks_like(content)
    back = puzzle_json.read(content, row, "file.json")
    assert [(one.colour, one.cells) for one in back] == [(one.colour, one.cells) for one in placed]


def test_names_of_colours_and_none_at_all() -> None:
    content = b'[{"colour": "red", "cells": [[19, 19]]}, {"cells": [[0, 0]]}]'
    assert puzzle_json.read(content, puzzle("1"), "f") == [
        Placed(2, "", ((19, 0),)), Placed(1, "", ((0, 19),))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"cells": [[0, 0]], "colour": "pink"}, "piece 2: no colour"),
        ({"cells": [[0, 0]], "colour": 4}, "piece 2: no colour"),
        ({"cells": [[0, 0]], "colour": True}, "piece 2: no colour"),
        ({"cells": "a1"}, "piece 2: the cells are no list"),
        ({"cells": []}, "piece 2: the cells are no list"),
        ({"cells": [[0]]}, r"piece 2: \[0\] is no cell"),
        ({"cells": [[0, -1]]}, "is no cell"),
        ({"cells": [[0, 1e9]]}, "is no cell"),
        ({"cells": [[0, True]]}, "is no cell"),
    ],
)
def test_broken_entries_are_named(entry: dict[str, object], words: str) -> None:
    content = json.dumps([{"cells": [[0, 0]]}, entry]).encode()
    assert puzzle_json.looks_like(content)
    with pytest.raises(BadRecord, match=words):
        puzzle_json.read(content, puzzle("1"), "f")


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b"[1]", b"(;GM[Blokus])", b'{"moves": [{"cells": [[0,0]]}]}', b"[" * 5000, b"{"],
)
def test_what_is_something_else(content: bytes) -> None:
    assert not puzzle_json.looks_like(content)
