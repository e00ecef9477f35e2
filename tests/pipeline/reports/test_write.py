"""Reports as files: the form follows the suffix, data files have every row, and nothing is half written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.errors import BadReport
from pipeline.reports import Report, write_report
from pipeline.reports.document import Column, Facts, Remark, Section, Table

ROWS = [
    {
        "player": 'Ada, "A"\n',
        "games": 3,
        "share": 0.5,
        "share_low": 0.1,
        "share_high": float("nan"),
        "cells": ["a1", "b1"],
    },
    {"player": "\ud800", "games": None, "share": None, "cells": None},
]
COLUMNS = (
    Column("player"),
    Column("games", "whole"),
    Column("share", "share", interval=True),
    Column("cells", "list", page=False),
)


def report(*tables: Table) -> Report:
    blocks = [Facts({"games": "3"}), *tables, Remark("no more")]
    return Report("test", "A test", "", {"made": "2026-01-02"}, [Section("one", "One", blocks)], "opponents")


BOTH = report(Table("seats", COLUMNS, ROWS, most=1), Table("opponents", COLUMNS[:2], ROWS))


def test_json_has_all_tables_and_no_nan(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    assert write_report(BOTH, path) is None

    def refuse(name: str) -> None:
        raise AssertionError(name)

    found = json.loads(path.read_text(), parse_constant=refuse)
    assert list(found["tables"]) == ["seats", "opponents"] and found["facts"] == {"games": "3"}
    assert found["tables"]["seats"][0]["share_high"] is None
    assert found["tables"]["seats"][0]["cells"] == ["a1", "b1"]
    assert len(found["tables"]["seats"]) == 2


def test_csv_and_parquet_hold_one_table(tmp_path: Path) -> None:
    assert write_report(BOTH, tmp_path / "r.csv") == "opponents"
    assert write_report(BOTH, tmp_path / "s.CSV", "seats") == "seats"
    with (tmp_path / "s.CSV").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert first["player"] == ROWS[0]["player"] and first["cells"] == "a1 b1" and second["games"] == ""
    assert write_report(BOTH, tmp_path / "r.parquet", "seats") == "seats"
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.column_names == ["player", "games", "share", "share_low", "share_high", "cells"]
    assert table["games"].to_pylist() == [3, None] and table["share_high"].to_pylist() == [None, None]
    empty = report(Table("opponents", COLUMNS, []))
    write_report(empty, tmp_path / "e.parquet")
    assert pq.read_table(tmp_path / "e.parquet").num_rows == 0


def test_html_shows_what_there_is_room_for(tmp_path: Path) -> None:
    write_report(BOTH, tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "1 more" in text and "a1, b1" not in text and "50\u00a0%" in text


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    for path in (tmp_path / "r.pdf", tmp_path / "r", tmp_path):
        with pytest.raises(BadReport, match=r"\.html, \.json, \.csv, \.parquet"):
            write_report(BOTH, path)
    with pytest.raises(BadReport, match="there is no folder"):
        write_report(BOTH, tmp_path / "nowhere" / "r.html")
    with pytest.raises(BadReport, match="choose one of seats, opponents"):
        write_report(BOTH, tmp_path / "r.csv", "cells")
    with pytest.raises(BadReport, match="--table is for"):
        write_report(BOTH, tmp_path / "r.html", "seats")
    with pytest.raises(BadReport, match="has no table"):
        write_report(report(), tmp_path / "r.csv")
    assert list(tmp_path.iterdir()) == []
