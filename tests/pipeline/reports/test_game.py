"""The report of a game: what happened is on it, for whole, broken and empty games of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.variants import VARIANTS, variant
from notation.blksgf_write import write
from pipeline.features.compute import compute_features
from pipeline.generate import generate_records
from pipeline.reports import Report, texts
from pipeline.reports.game import game_report
from pipeline.store import open_reader
from tests import records
from tests.pipeline.reports.pages import MADE, library, page

HEAD = "CA[UTF-8]DT[2020-01-02]EV[Cup]PB[Ada]PW[Ben]RE[W+3]"


def report(where: Path, number: int = 0) -> Report:
    with open_reader(where) as reader:
        ids = reader.table("SELECT id FROM games ORDER BY game_no")["id"].to_pylist()
        return game_report(reader, ids[number], texts(), MADE)


def test_a_whole_game(tmp_path: Path) -> None:
    found = report(library(tmp_path, records.O_A7.replace("CA[UTF-8]", HEAD)))
    shown = page(found)
    assert shown.sections == ["result", "board", "course", "measures", "left", "moves", "record"]
    for words in ("Ada – Ben", "Blokus Two-Player, 2020-01-02", "Cup", "the declared result is another"):
        assert words in shown.said
    assert len(found.tables["moves"].rows) > 60
    assert found.tables["seats"].rows[0]["colours"] == ["blue", "red"]
    placed = {row["colour"]: row["placed"] for row in found.tables["moves"].rows if row.get("ply")}
    last = found.tables["scores"].rows[-1]
    assert placed == {name: last[name] for name in placed}
    assert found.facts["result"].endswith("won")


def test_a_finishing_bonus_is_told(tmp_path: Path) -> None:
    found = report(library(tmp_path, records.O_A2_A))
    assert "blue: everything placed" in page(found).said
    assert found.tables["scores"].rows[0]["blue"] == 20
    assert "pass" in {row["piece"] for row in found.tables["moves"].rows}


def test_an_illegal_game_ends_at_its_last_legal_ply(tmp_path: Path) -> None:
    found = report(library(tmp_path, records.O_B4))
    shown = page(found)
    assert "The replay stops" in shown.said and "none" in shown.said
    assert [row["ply"] for row in found.tables["moves"].rows] == list(
        range(1, len(found.tables["moves"].rows) + 1)
    )


def test_games_without_moves_and_with_one(tmp_path: Path) -> None:
    where = library(tmp_path, "(;GM[Blokus Duo])", "(;GM[Blokus Duo];B[e10])")
    assert "The record has no legal move" in page(report(where, 0)).said
    assert "not decided" in page(report(where, 1)).said


def test_hostile_names(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>" + "x" * 100_000 + "\u202e\x01"
    text = records.O_A7.replace("CA[UTF-8]", f"CA[UTF-8]PB[{name}]EV[{{{{ 7*7 }}}} <b>]")
    shown = page(report(library(tmp_path, text)))
    assert "<script>alert(1)</script>x" in shown.said
    assert "{{ 7*7 }} <b>" in shown.said
    assert len(shown.text) < 200_000


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant(tmp_path: Path, name: str) -> None:
    (record,) = generate_records(name, 1, 7, {})
    found = report(library(tmp_path, write(record)))
    shown = page(found)
    assert len(found.tables["moves"].rows) > 10
    for colour in variant(name).colours:
        assert f"{colour}" in shown.said


def test_measures_appear_with_features(tmp_path: Path) -> None:
    where = library(tmp_path, records.O_A4_P)
    assert "the game has no features yet" in page(report(where)).said
    compute_features(where, jobs=1)
    found = report(where)
    assert "Mobility: legal placements" in page(found).said
    rows = found.tables["measures"].rows
    assert len(rows) == 2 * (1 + len([row for row in found.tables["moves"].rows if row.get("ply")]))
    assert rows[0]["mobility"] == 414
