"""Results, positions and lists of pieces in the library: found, kept once, repeated, taken back."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from notation.fragments import PieceList, PositionRecord, ResultRecord
from notation.moves import move_from_names
from notation.position_text import PositionText
from pipeline import ingest, portions
from pipeline.fragment_queries import list_fragments
from pipeline.fragment_rows import fragment_id
from pipeline.ingest import Summary, import_paths
from pipeline.rows import Origin
from pipeline.store import catalogue, check_library, open_reader, open_writer
from pipeline.unit import Reading
from tests import records
from tests.pipeline import beside
from tests.pipeline.factory import Found, add

POSITION = "cw1.duo.____4AA_____9B.1"
SOME = f"R 1|Ada Ben|-3 -9|1 2\nR 2|Ben Ada|-8 -2|2 1\nP {POSITION}\nL duo|0:F,1:X,0:W\n"
ORIGIN = Origin("test", "", 1, 1)


@pytest.fixture(autouse=True)
def _format(monkeypatch: pytest.MonkeyPatch) -> None:
    beside.install(monkeypatch)


def put(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def load(folder: Path, *paths: str) -> Summary:
    return import_paths(folder / "L", list(paths), jobs=1)


def rows(folder: Path, question: str) -> list[tuple[Any, ...]]:
    with open_reader(folder / "L") as reader:
        assert check_library(reader) == []
        return [tuple(row.values()) for row in reader.table(question).to_pylist()]


def found(summary: Summary) -> tuple[int, int, int, int]:
    counts = summary.counts
    return counts.results, counts.positions, counts.piece_lists, counts.known_fragments


def test_an_archive_without_games_gives_its_rows(tmp_path: Path) -> None:
    summary = load(tmp_path, put(tmp_path, "a.beside", SOME + "what is this\n"))
    assert found(summary) == (2, 1, 1, 0)
    counts = summary.counts
    assert (counts.games, counts.stored, counts.refused, counts.quarantined) == (1, 0, 1, 1)
    columns = "key, players, scores, places, variant, record, line, sightings"
    assert rows(tmp_path, f"SELECT {columns} FROM results ORDER BY key") == [
        ("1", ["Ada", "Ben"], [-3, -9], [1, 2], None, 1, 1, 1),
        ("2", ["Ben", "Ada"], [-8, -2], [2, 1], None, 2, 1, 1),
    ]
    assert rows(tmp_path, "SELECT variant, position, record FROM positions") == [("duo", POSITION, 3)]
    assert rows(tmp_path, "SELECT pieces, variant FROM piece_lists") == [
        (["first:F", "second:X", "first:W"], "duo")
    ]
    assert rows(tmp_path, "SELECT results, positions, piece_lists, known_fragments FROM batches") == [
        (2, 1, 1, 0)
    ]


def test_the_same_bytes_again_add_nothing(tmp_path: Path) -> None:
    first = put(tmp_path, "a.beside", SOME)
    again = put(tmp_path, "b.beside", SOME)
    assert found(load(tmp_path, first, again)) == (4, 2, 2, 4)
    assert found(load(tmp_path, first)) == (2, 1, 1, 4)
    assert rows(tmp_path, "SELECT count(*) FROM result_sightings") == [(2,)]
    assert rows(tmp_path, "SELECT batch FROM repeats") == [(2,)]


def test_the_same_content_from_other_bytes_is_kept_and_shown_once(tmp_path: Path) -> None:
    load(tmp_path, put(tmp_path, "a.beside", SOME))
    other = put(
        tmp_path,
        "b.beside",
        "L duo|0:F,1:X,0:W\n\nR 9|Ada Ben|1 2|2 1\nR 1|Ada Ben|-3 -9|1 2\n" + f"P {POSITION}\n",
    )
    assert found(load(tmp_path, other)) == (2, 1, 1, 3)
    assert rows(tmp_path, "SELECT key, batch, sightings FROM results ORDER BY seen_no") == [
        ("1", 1, 2),
        ("2", 1, 1),
        ("9", 2, 1),
    ]
    assert rows(tmp_path, "SELECT sightings FROM positions UNION ALL SELECT sightings FROM piece_lists") == [
        (2,),
        (2,),
    ]
    with open_writer(tmp_path / "L") as writer:
        assert writer.undo(1).fragments_removed == 4
    assert rows(tmp_path, "SELECT key, batch, sightings FROM results ORDER BY seen_no") == [
        ("9", 2, 1),
        ("1", 2, 1),
    ]


def test_results_without_a_name_are_told_apart_by_their_place(tmp_path: Path) -> None:
    """Ada has beaten Ben twice by the same score: that are two results, and no copy of the file makes it more."""
    twice = "R |Ada Ben|3 2|1 2\n" * 2
    assert found(load(tmp_path, put(tmp_path, "a.beside", twice))) == (2, 0, 0, 0)
    copy = put(tmp_path, "copy.beside", "R |Ada Cid|5 2|1 2\n" + twice + "R |Ada Ben|3 2|1 2\n")
    assert found(load(tmp_path, copy)) == (4, 0, 0, 2)
    assert rows(tmp_path, "SELECT players[2], sightings FROM results ORDER BY seen_no") == [
        ("Ben", 2),
        ("Ben", 2),
        ("Cid", 1),
        ("Ben", 1),
    ]


def test_a_name_tells_one_result_however_often_it_stands_there(tmp_path: Path) -> None:
    assert found(load(tmp_path, put(tmp_path, "a.beside", "R 7|Ada Ben|3 2|1 2\n" * 3))) == (3, 0, 0, 2)
    assert rows(tmp_path, "SELECT key, sightings FROM results") == [("7", 3)]


def test_undo_takes_them_away_and_lets_them_come_again(tmp_path: Path) -> None:
    path = put(tmp_path, "a.beside", SOME)
    load(tmp_path, path)
    with open_writer(tmp_path / "L") as writer:
        undone = writer.undo(1)
    assert (undone.fragments_removed, undone.games_removed) == (4, 0)
    assert (
        rows(
            tmp_path, "SELECT id FROM results UNION SELECT id FROM positions UNION SELECT id FROM piece_lists"
        )
        == []
    )
    assert found(load(tmp_path, path)) == (2, 1, 1, 0)


def test_rows_of_repeated_bytes_are_handed_on(tmp_path: Path) -> None:
    path = put(tmp_path, "a.beside", SOME)
    load(tmp_path, path, put(tmp_path, "mine.beside", "R 3|Ada Ben|1 1|1 1\n"))
    load(tmp_path, path)
    with open_writer(tmp_path / "L") as writer:
        assert writer.undo(1).fragments_removed == 1
    assert rows(tmp_path, "SELECT key, batch FROM results ORDER BY key") == [("1", 2), ("2", 2)]
    assert (
        rows(tmp_path, "SELECT batch FROM positions")
        == rows(tmp_path, "SELECT batch FROM piece_lists")
        == [(2,)]
    )
    with open_writer(tmp_path / "L") as writer:
        assert writer.undo(2).fragments_removed == 4


def test_a_stream_whose_bytes_were_there_adds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, "a.beside", SOME)
    load(tmp_path, path)
    monkeypatch.setattr(portions, "SMALL", 10)
    summary = load(tmp_path, put(tmp_path, "b.beside", SOME))
    assert found(summary) == (2, 1, 1, 4)
    assert rows(tmp_path, "SELECT source, digest <> 'unread-1' FROM result_sightings") == [(path, True)] * 2
    longer = put(tmp_path, "c.beside", SOME + "R 3|Ada Ben|1 1|1 1\n")
    assert found(load(tmp_path, longer)) == (3, 1, 1, 4)
    with open_writer(tmp_path / "L") as writer:
        writer.undo(1)
    # The second batch had the same bytes: what the first one brought is now its own.
    assert rows(tmp_path, "SELECT key, batch, sightings FROM results ORDER BY key") == [
        ("1", 2, 2),
        ("2", 2, 2),
        ("3", 3, 1),
    ]


def test_any_division_into_units_gives_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [put(tmp_path, f"{n}.beside", SOME + f"R {n}|Ada Ben|{n} 1|1 2\n") for n in range(3, 6)]
    question = "SELECT key, scores, source, record, sightings FROM results ORDER BY seen_no"
    load(tmp_path, *paths)
    whole = rows(tmp_path, question)
    monkeypatch.setattr(ingest, "UNIT_PORTIONS", 1)
    (tmp_path / "parts").mkdir()
    assert found(load(tmp_path / "parts", *paths)) == (9, 3, 3, 8)
    assert rows(tmp_path / "parts", question) == whole


def test_what_no_column_holds_is_a_warning(tmp_path: Path) -> None:
    huge = "9" * 30
    text = f"R odd|Ada Ben|{huge} 1|1 2\nR b|Ada \udcff|1 2|1 2000\n"
    path = tmp_path / "a.beside"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    load(tmp_path, str(path))
    assert rows(tmp_path, "SELECT players, scores, places, warning_codes FROM results ORDER BY record") == [
        (["Ada", "Ben"], [], [1, 2], ["odd", "number"]),
        (["Ada", "\\udcff"], [1, 2], [], ["number"]),
    ]


def test_a_position_that_cannot_be_is_refused(tmp_path: Path) -> None:
    piece = move_from_names("duo", 0, ["e10"])
    twice = PositionRecord("test", PositionText("duo", (piece, piece)))
    with pytest.raises(ValueError, match="two pieces on e10"):
        fragment_id(twice, ORIGIN)
    with pytest.raises(ValueError, match="unknown variant"):
        fragment_id(ResultRecord("chess", "test"), ORIGIN)


def test_identity_is_of_the_content() -> None:
    def identity(**values: Any) -> str:
        return fragment_id(
            ResultRecord(**{"variant": "duo", "format": "test", "key": "1", "margin": 3} | values), ORIGIN
        )

    same = identity()
    assert len(same) == 32 and identity(format="other", line=7) == same
    changes: list[dict[str, Any]] = [
        {"key": "2"},
        {"margin": 4},
        {"variant": ""},
        {"players": ["Ada"]},
        {"plies": 9},
    ]
    assert len({same, *(identity(**change) for change in changes)}) == 6
    lists = [
        fragment_id(PieceList(variant, "test", [(0, "F"), (-1, "X")]), ORIGIN) for variant in ("duo", "")
    ]
    assert lists[0] != lists[1]


def test_lists_by_variant_player_and_page(tmp_path: Path) -> None:
    path = put(tmp_path, "a.beside", SOME)
    import_paths(tmp_path / "L", [path], Reading(variant="duo"), jobs=1)
    with open_reader(tmp_path / "L") as reader:
        page = list_fragments(reader, "results", "duo", "bEN", 1, 1)
        assert (page.total, [row["key"] for row in page.rows]) == (2, ["2"])
        assert list_fragments(reader, "results", "classic").total == 0
        assert list_fragments(reader, "results", None, "Zoe").total == 0
        (position,) = list_fragments(reader, "positions").rows
        assert (position["position"], position["headers"]) == (POSITION, {})


def test_games_of_another_set_of_pieces_are_flagged(tmp_path: Path) -> None:
    text = '{"format":"cornerwise","version":1,"variant":"duo","headers":{"piece_set":"without Z5"},"events":[]}\n'
    summary = load(tmp_path, put(tmp_path, "a.jsonl", text))
    assert (summary.counts.stored, summary.counts.foreign_pieces) == (1, 1)
    assert rows(tmp_path, "SELECT flags FROM games_view") == [(["unfinished", "empty", "foreign_pieces"],)]


def test_warnings_have_their_codes(tmp_path: Path) -> None:
    load(tmp_path, put(tmp_path, "a.blksgf", records.O_A1 + " junk " + records.O_B4))
    for warnings, codes in rows(
        tmp_path, "SELECT warnings, warning_codes FROM sightings WHERE len(warnings) > 0"
    ):
        assert len(codes) == len(warnings) and all(code.isidentifier() for code in codes)


def test_a_library_of_version_1_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the program of that version has left it: its script, and rows with the columns of its tables."""
    with open_writer(tmp_path / "L") as writer:
        add(writer, Found("a"), Found("b", record=2, illegal=True), Found(None, record=3))
    file = tmp_path / "L" / "library.duckdb"
    old = tmp_path / "old.duckdb"
    with duckdb.connect(str(old)) as connection:
        connection.execute(catalogue.script("schema_1.sql"))
        connection.execute("INSERT INTO library_version VALUES (1, '0.1', now()::TIMESTAMP)")
        connection.execute(f"ATTACH '{file}' AS new (READ_ONLY)")
        for name in ("batches", "games", "seats", "colours", "sightings", "quarantine", "partitions"):
            columns = [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
            connection.execute(f"INSERT INTO {name} SELECT {', '.join(columns)} FROM new.{name}")
        connection.execute("UPDATE sightings SET warnings = ['odd', 'odder'] WHERE record = 1")
        connection.execute("UPDATE library_state SET revision = 7, next_unit = 9, next_file = 9")
        connection.execute("DETACH new")
    os.replace(old, file)
    load(tmp_path, put(tmp_path, "a.beside", SOME))
    assert rows(tmp_path, "SELECT version FROM library_version ORDER BY 1") == [(1,), (2,)]
    assert rows(tmp_path, "SELECT warning_codes FROM sightings WHERE record = 1") == [
        (["unknown", "unknown"],)
    ]
    assert rows(tmp_path, "SELECT results, foreign_pieces FROM batches ORDER BY batch") == [(0, 0), (2, 0)]
    assert rows(tmp_path, "SELECT count(*) FROM games WHERE NOT foreign_pieces") == [(2,)]
    with open_writer(tmp_path / "L") as writer:
        assert writer.undo(1).games_removed == 2


def test_a_stream_can_be_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = "0\t1\t27\t0\t1.5\t2.5\t0\n"
    text = "# Game\tResult\tLength\tPlayerB\tCpuB\tCpuW\tFast\n" + row
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert load(tmp_path, "-").counts.results == 1
