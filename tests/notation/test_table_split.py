"""Where tables are cut: between games, whatever their order, and never two halves without a word."""

from __future__ import annotations

import io
import random

import pytest

from notation import stream, table_split
from notation.errors import BadRecord
from notation.formats import FORMATS
from notation.record import GameRecord
from tests.notation.reading import codes, moves, read_all

CELLS = [f"{column}{row}" for column in "abcdefghijklmn" for row in range(1, 15)]


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 200)
    monkeypatch.setattr(stream, "HEAD", 100)
    monkeypatch.setattr(table_split, "WINDOW", 4000)
    monkeypatch.setattr(table_split, "APART", 1000)


def rows_of(games: int, plies: int = 5) -> list[str]:
    return [f"g{g},{p + 1},,{CELLS[(g * 7 + p) % 196]}" for g in range(games) for p in range(plies)]


def table(rows: list[str]) -> str:
    return "game,ply,colour,move\n" + "\n".join(rows) + "\n"


def chunks(text: str) -> int:
    return len(list(FORMATS["csv"].split(io.BytesIO(text.encode()).read)))


@pytest.mark.parametrize("step", [None, 1, 37])
def test_where_a_table_is_cut_changes_nothing(small, step):
    text = table(rows_of(200)).replace("\ng50,3", '\n"g50","3"')
    found = read_all(text, "csv", "duo", step=step)
    assert chunks(text) >= 50
    assert [record.headers["game_number"] for record in found] == [f"g{g}" for g in range(200)]
    assert all(len(record.events) == 5 and not record.problems for record in found)
    assert [record.line for record in found] == [2 + 5 * g for g in range(200)]


def test_rows_of_games_may_be_mixed_within_a_window(small):
    rows = rows_of(200)
    order = random.Random(3)
    mixed = [
        row
        for at in range(0, len(rows), 30)
        for row in order.sample(rows[at : at + 30], len(rows[at : at + 30]))
    ]
    found = read_all(table(mixed), "csv", "duo")
    assert len(found) == 200 and chunks(table(mixed)) > 10
    assert all(len(record.events) == 5 and set(codes(record)) <= {"row_order"} for record in found)


def test_rows_that_come_back_too_late_are_refused_in_the_name_of_their_game(small):
    rows = rows_of(300)
    late, kept = rows[2:5] + rows[7:10], rows[:2] + rows[5:7] + rows[10:]
    found = read_all(table(kept + late), "csv", "duo")
    games = [item for item in found if isinstance(item, GameRecord)]
    errors = [item for item in found if isinstance(item, BadRecord)]
    assert len(games) == 300 and [len(record.events) for record in games[:3]] == [2, 2, 5]
    assert sorted(error.message.split("'")[1] for error in errors) == ["g0", "g1"]
    assert [error.where.line for error in errors] == [1496, 1499]
    assert all("sort the table" in error.message for error in errors)


def test_a_table_sorted_by_ply_is_too_wide_for_the_window_and_says_so(small):
    rows = sorted(rows_of(300), key=lambda row: row.split(",")[1])
    found = read_all(table(rows), "csv", "duo")
    assert sum(isinstance(item, GameRecord) for item in found) == 300
    assert len({item.message for item in found if isinstance(item, BadRecord)}) == 300
    assert len(read_all(table(rows_of(300)), "csv", "duo")) == 300


def test_a_long_game_among_short_ones_is_no_reason_to_cut_the_next_one(small):
    rows = rows_of(3) + [f"long,{p + 1},,{CELLS[p % 196]}" for p in range(240)] + rows_of(50)[15:]
    found = read_all(table(rows), "csv", "duo")
    assert [len(record.events) for record in found] == [5, 5, 5, 240, *[5] * 47]


def test_a_game_without_an_end_is_refused(small):
    text = "ply,colour,move\n" + "1,B,e10\n" * 1000
    (error,) = read_all(text, "csv", "duo")
    assert isinstance(error, BadRecord) and "no end of a record" in error.message


def test_one_game_a_row_is_cut_anywhere(small):
    text = "moves\tvariant\n" + 'e10;"j5"\tduo\n' * 0 + "e10;j5\tduo\n" * 3000
    found = read_all(text, "tsv")
    assert len(found) == 3000 and all(moves(record) == ["0:e10", "0:j5"] for record in found)
    assert found[-1].line == 3001


def test_an_empty_cell_of_a_game_is_that_of_the_row_above():
    text = "game,colour,move\nx,B,e10\n,W,j5\ny,B,e10\n,W,j5\n"
    assert [moves(record) for record in read_all(text, "csv", "duo")] == [["1:e10", "2:j5"]] * 2


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_the_last_game_of_a_damaged_source_is_refused_and_the_others_stay(form):
    mark = "," if form == "csv" else "\t"
    text = table(rows_of(3)).replace(",", mark)[:-4]
    (chunk,) = FORMATS[form].split(io.BytesIO(text.encode()).read)
    parts = list(FORMATS[form].break_off(chunk))
    found = [item for part in parts for item in FORMATS[form].read(part, stream.ReadOptions("x", "duo"))]
    assert [len(item.events) if isinstance(item, GameRecord) else item.where.line for item in found] == [
        5,
        5,
        12,
    ]
    assert "damaged" in str(found[2])
    single = "variant,moves\nduo,e10;j5\nduo,e1".replace(",", mark)
    (chunk,) = FORMATS[form].split(io.BytesIO(single.encode()).read)
    assert [bool(part.refused) for part in FORMATS[form].break_off(chunk)] == [False, True]
