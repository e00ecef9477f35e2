"""A format is one row: whoever writes games takes from it what a file holds and whether colours are needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from notation import jsonl
from notation.formats import FORMATS, Format
from notation.record import ANY_COLOUR, GameRecord, Move
from pipeline.errors import PipelineError
from pipeline.export import export_games
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.output_paths import format_of_path, written_format
from pipeline.store import open_reader

NO_COLOURS = (
    '{"format":"cornerwise","version":1,"variant":"duo","events":[{"cells":"e10"},{"cells":"j5"}],'
    '"notes":[{"event":1,"comment":"a good start"}]}\n'
)


@pytest.fixture
def single(monkeypatch: pytest.MonkeyPatch) -> Format:
    """A format with one game a file, of which there was no talk before."""
    row = replace(FORMATS["jsonl"], name="single", suffixes=(".single",), one_game_a_file=True)
    monkeypatch.setitem(FORMATS, row.name, row)
    return row


def test_one_game_a_file(tmp_path: Path, single: Format) -> None:
    with pytest.raises(PipelineError, match="holds one game: name a folder for 2"):
        write_archive(tmp_path / "two.single", "duo", 2, 1, {})
    assert write_archive(tmp_path / "one.single", "duo", 1, 1, {}) == 1
    assert write_archive(tmp_path / "two", "duo", 2, 1, {}, "single") == 2
    assert len(list((tmp_path / "two").rglob("*.single"))) == 2
    write_archive(tmp_path / "two.jsonl", "duo", 2, 1, {})
    import_paths(tmp_path / "L", [str(tmp_path / "two.jsonl")], jobs=1)
    with open_reader(tmp_path / "L") as reader, pytest.raises(PipelineError, match="holds one game"):
        export_games(reader, None, "single", tmp_path / "all.single")


@pytest.mark.parametrize("names_colours", [False, True])
def test_colours_are_named_for_formats_that_need_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names_colours: bool
) -> None:
    written: list[GameRecord] = []

    def write(record: GameRecord) -> str:
        written.append(record)
        return jsonl.write(record)

    row = replace(FORMATS["jsonl"], name="other", names_colours=names_colours, write=write)
    monkeypatch.setitem(FORMATS, row.name, row)
    (tmp_path / "game.jsonl").write_text(NO_COLOURS)
    import_paths(tmp_path / "L", [str(tmp_path / "game.jsonl")], jobs=1)
    with open_reader(tmp_path / "L") as reader:
        export_games(reader, None, "other", tmp_path / "out.jsonl")
    colours = [event.colour for event in written[0].events if isinstance(event, Move)]
    assert colours == ([0, 1] if names_colours else [ANY_COLOUR] * 2)


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    found = [format_of_path(tmp_path / name) for name in ("a.SGF", "a.jsonl", "a", "a.png", "folder.jsonl")]
    assert [row and row.name for row in found] == ["blksgf", "jsonl", None, None, None]


def test_formats_that_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "read", replace(FORMATS["jsonl"], name="read", write=None))
    for name in ("read", "nix"):
        with pytest.raises(
            PipelineError, match=f"unknown format '{name}': choose one of blksgf, jsonl, fourcode"
        ):
            written_format(name)
