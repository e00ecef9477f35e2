"""Positions of a library as a table for training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from engine.position import Position
from engine.variants import variant
from notation.moves import move_from_text
from pipeline import training_export
from pipeline.errors import PipelineError
from pipeline.store import open_reader
from pipeline.training_export import COLUMNS, export_training
from tests import records
from tests.dashboards.running import Cli


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished game of four colours, one of two seats, an illegal one, an empty one, and random ones."""
    cli = Cli(tmp_path, monkeypatch)
    for name, text in (("a2", records.O_A2_A), ("a7", records.O_A7), ("b4", records.O_B4)):
        cli.put(f"in/{name}.blksgf", text)
    cli.put("in/empty.blksgf", "(;GM[Blokus Duo]DT[2020-01-01])\n")
    for name in ("classic_3", "junior", "trigon_3"):
        cli.ok("generate", "--variant", name, "--games", 2, "--out", tmp_path / "in" / f"{name}.blksgf")
    cli.ok("import", tmp_path / "in")
    return cli.library


def test_rows_replay_to_what_they_say(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_export, "CHUNK", 3)
    out = tmp_path / "t.parquet"
    with open_reader(library) as reader:
        report = export_training(reader, None, out)
    table = pq.read_table(out)
    assert table.schema.names == [column.name for column in COLUMNS]
    assert pq.ParquetFile(out).num_row_groups > 1
    rows = table.to_pylist()
    assert (report.games, report.empty, report.positions) == (9, 1, len(rows))
    assert len({row["game"] for row in rows}) == 9
    games: dict[str, Position] = {}
    for row in rows:
        position = games.setdefault(row["game"], Position(row["variant"]))
        assert bytes((position.board + 1).astype(np.uint8)) == row["board"]
        assert position.mobility(row["colour"] - 1) == row["legal_moves"] > 0
        left = [position.pieces_left(c) for c in range(len(variant(row["variant"]).colours))]
        assert sum(row["pieces_left"]) == sum(sum(of.values()) for of in left)
        move = move_from_text(row["variant"], 0, row["move"])
        assert move.placement == row["placement"]
        position.play(row["colour"] - 1, move.cells)
        assert (row["seat"] is None) == (row["variant"] == "classic_3" and row["colour"] == 4)
    for row in rows:
        assert [facts.cells_placed for facts in games[row["game"]].facts] == row["final_cells"]
        assert row["finished"] == (row["places"][0] is not None)
        assert row["finished"] == games[row["game"]].is_over
    assert {row["finished"] for row in rows if row["variant"] == "duo"} == {False}
    assert {len(row["shares"]) for row in rows} == {2, 3, 4}


def test_some_games_and_paths_that_cannot_be(library: Path, tmp_path: Path) -> None:
    with open_reader(library) as reader:
        (identity,) = reader.table("SELECT id FROM games WHERE variant = 'duo' AND plies > 0")[
            "id"
        ].to_pylist()
        assert export_training(reader, [identity], tmp_path / "t.parquet").games == 1
        for name, why in (("t.csv", r"name a .parquet file"), ("", "name a .parquet file")):
            with pytest.raises(PipelineError, match=why):
                export_training(reader, None, tmp_path / name)
        with pytest.raises(PipelineError, match="there are no games"):
            export_training(reader, ["0" * 32], tmp_path / "none.parquet")
    assert not (tmp_path / "none.parquet").exists()


def test_the_page_names_every_column() -> None:
    page = (Path(training_export.__file__).parent / "training.md").read_text(encoding="utf-8")
    assert all(f"| `{column.name}` | {column.type} | {column.about} |" in page for column in COLUMNS)
