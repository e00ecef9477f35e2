"""Tables in Parquet: types, damage, files of something else."""

from __future__ import annotations

import io
from datetime import date

import polars as pl
import pytest

from notation import parquet_text, stream, table_parquet
from notation.errors import BadRecord, NotARecord
from notation.formats import FORMATS, Format
from notation.record import Pass
from notation.sniff import sniff
from tests.notation.reading import game, moves, read_all, refusal

COLUMNS = {"ply": [1, 2], "colour": ["B", "W"], "move": ["e10,e11", "j5"]}


def parquet(columns: object, **options: object) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(columns).write_parquet(out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def test_it_is_recognised_by_its_first_bytes():
    found = sniff(parquet(COLUMNS)[:64], "games.bin")
    assert isinstance(found, Format) and found.name == "parquet"
    assert isinstance(sniff(b"PAR", "x.parquet"), NotARecord)


def test_values_of_all_types_are_text_digit_for_digit():
    columns = COLUMNS | {
        "date": [date(2020, 12, 30)] * 2,
        "hash": pl.Series([18446744073709551615] * 2, dtype=pl.UInt64),
        "more": pl.Series(["18446744073709551615"] * 2).cast(pl.Decimal(38, 0)),
        "flag": [True, True],
        "kind": pl.Series(["a", "a"], dtype=pl.Categorical),
        "tags": [["x", "y"]] * 2,
        "box": [{"a": 9223372036854775808}] * 2,
        "raw": [b"\xff", b"\xff"],
        "bytes": [b"text", b"text"],
        "none": [None, None],
    }
    record = game(parquet(columns), "parquet", "duo")
    assert moves(record) == ["1:e10,e11", "2:j5"] and not record.problems
    assert record.headers == {
        "date": "2020-12-30",
        "hash": "18446744073709551615",
        "more": "18446744073709551615",
        "flag": "true",
        "kind": "a",
        "tags": "x,y",
        "box": '{"a":9223372036854775808}',
        "raw": "ff",
        "bytes": "text",
    }


def test_lists_of_cells_and_of_moves():
    record = game(parquet({"ply": [1, 2], "move": [["e10", "e11"], []]}), "parquet", "duo")
    assert record.events[1] == Pass() and moves(record) == ["0:e10,e11"]
    whole = parquet({"variant": ["duo"], "moves": [["B:e10,e11", "W:j5"]]})
    assert moves(game(whole, "parquet")) == ["1:e10,e11", "2:j5"]


def test_rows_are_turned_into_text_in_parts(monkeypatch):
    monkeypatch.setattr(parquet_text, "ROWS", 7)
    monkeypatch.setattr(parquet_text, "TEXT_LIMIT", 20)
    data = parquet({"move": ["e10"] * 20, "ply": range(1, 21)}, row_group_size=6)
    header, *texts = parquet_text._texts(data)
    assert header == b'"move","ply"\n' and len(texts) > 5
    assert b"".join(texts) == b"".join(b"e10,%d\n" % ply for ply in range(1, 21))


def test_games_over_several_row_groups_and_chunks(monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 100)
    columns = {
        "game": [n // 5 for n in range(100)],
        "ply": [n % 5 + 1 for n in range(100)],
        "move": ["e10"] * 100,
    }
    found = read_all(parquet(columns, row_group_size=13), "parquet", "duo")
    assert [len(record.events) for record in found] == [5] * 20
    assert [record.line for record in found] == [2 + 5 * n for n in range(20)]


def test_a_game_is_written_in_portions(monkeypatch):
    monkeypatch.setattr(table_parquet, "ROWS_PACKED", 3)
    row = FORMATS["parquet"]
    texts = [row.write(game(f"(;GM[Blokus Duo];B[e10];W[j5];B[{cell}])")) for cell in ("d9", "f9", "f11")]
    data = b"".join(row.pack(texts))
    assert pl.read_parquet(io.BytesIO(data)).schema["ply"] == pl.Int32
    assert [moves(record)[2] for record in read_all(data, "parquet")] == ["1:d9", "1:f9", "1:f11"]
    assert read_all(b"".join(row.pack([])), "parquet") == []


@pytest.mark.parametrize("place", ["end", "middle", "footer", "only the mark"])
def test_a_damaged_file_is_one_clear_error(place):
    data = parquet(COLUMNS | {"x": ["y" * 5000] * 2}, compression="uncompressed")
    data = {
        "end": data[:-20],
        "middle": data[:30] + b"\xff" * 60 + data[90:],
        "footer": data[:-40] + b"\xff" * 20 + data[-20:],
        "only the mark": b"PAR1",
    }[place]
    error = refusal(data, "parquet", "duo")
    assert isinstance(error, BadRecord) and "damaged" in error.message


def test_what_is_too_large_is_refused(monkeypatch):
    huge = parquet(COLUMNS | {"x": ["y" * 200_000] * 2})
    assert "a cell of 200000 bytes" in refusal(huge, "parquet", "duo").message
    monkeypatch.setattr(table_parquet, "FILE_LIMIT", 1000)
    assert "several files" in refusal(huge * 100, "parquet", "duo").message


def test_a_file_of_something_else_is_no_record():
    with pytest.raises(NotARecord, match="neither a column"):
        read_all(parquet({"a": [1], "b": [2]}), "parquet")


def test_a_file_that_ends_the_process_of_its_reader_is_refused_and_the_next_one_is_read():
    helper = parquet_text._Helper()
    parquet_text._idle.append(helper)
    helper._process.kill()
    helper._process.join()
    assert "ended the process" in refusal(parquet(COLUMNS), "parquet", "duo").message
    assert moves(game(parquet(COLUMNS), "parquet", "duo")) == ["1:e10,e11", "2:j5"]


def test_a_reader_waits_for_the_next_file_and_one_that_is_left_in_the_middle_does_not():
    read_all(parquet(COLUMNS), "parquet", "duo")
    (helper,) = parquet_text._idle
    texts = parquet_text.texts_of(parquet({"a": [1]}))
    assert next(texts) == b'"a"\n'
    texts.close()
    assert parquet_text._idle == [helper]
    texts = parquet_text.texts_of(parquet({"a": [1]}))
    assert [next(texts), next(texts)] == [b'"a"\n', b"1\n"]
    texts.close()
    assert parquet_text._idle == []
