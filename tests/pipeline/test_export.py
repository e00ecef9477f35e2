"""Games back out: what comes in again is the same games, in every format that can hold them."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from notation import jsonl
from pipeline.errors import PipelineError
from pipeline.export import CHUNK, export_games
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.judged import RuleChoice
from pipeline.store import open_reader
from pipeline.unit import Reading
from tests import records
from tests.places import REPOSITORY

DATA = REPOSITORY / "data"

EVERYTHING = """\
(;GM[Blokus Duo]CA[UTF-8]DT[2020-12-30]EV[Cup]XY[raw]PB[Ren\u00e9 \u014cta]RE[W+T]C[root]\
;B[e10,f10]C[a note\\]]BL[12.5];W[j5](;B[d9]TE[1];W[k6,k7];CWPASS[B])(;B[g11];W[i4]))
"""


def import_text(folder: Path, name: str, text: str, rules: dict[str, str] | None = None) -> Path:
    path = folder / name
    path.write_text(text)
    import_paths(folder / "L", [str(path)], Reading(rules=RuleChoice(rules or {})), jobs=1)
    return folder / "L"


def rows(library: Path, question: str) -> list[dict[str, Any]]:
    with open_reader(library) as reader:
        return reader.table(question).to_pylist()


def games_of(library: Path) -> list[dict[str, Any]]:
    """What must survive the way out and in: identity, verdict, result, names, and how they were judged."""
    return rows(
        library,
        "SELECT v.* EXCLUDE (game_no, flags, sightings, scoring), list_sort(v.flags) AS flags, g.rules "
        "FROM games_view v JOIN games g USING (id) ORDER BY v.id",
    )


def export(library: Path, form: str, out: Path, ids: list[str] | None = None) -> list[tuple[str, str]]:
    with open_reader(library) as reader:
        report = export_games(reader, ids, form, out)
        assert report.games + len(report.refused) == (
            len(ids) if ids is not None else len(reader.table("SELECT id FROM games"))
        )
    return report.refused


def again(library: Path, out: Path) -> Path:
    fresh = library.with_name("again")
    import_paths(fresh, [str(out)], jobs=1)
    return fresh


@pytest.mark.parametrize(
    ("form", "out"), [("blksgf", "all.blksgf"), ("jsonl", "all.jsonl"), ("jsonl", "folder")]
)
def test_the_sample_archive_comes_back_the_same(tmp_path: Path, form: str, out: str) -> None:
    import_paths(tmp_path / "L", [str(DATA / "games"), str(DATA / "faulty")], jobs=1)
    before = games_of(tmp_path / "L")
    refused = dict(export(tmp_path / "L", form, tmp_path / out))
    after = {row["id"]: row for row in games_of(again(tmp_path / "L", tmp_path / out))}
    assert after == {row["id"]: row for row in before if row["id"] not in refused}
    # Blokus SGF has no place for a move that could not be read; nothing else is missing.
    assert len(refused) == (1 if form == "blksgf" else 0)
    assert all("not" in reason or "no" in reason for reason in refused.values())


def test_the_duo_games_come_back_through_the_four_character_code(tmp_path: Path) -> None:
    import_paths(tmp_path / "L", [str(DATA / "games")], jobs=1)
    refused = dict(export(tmp_path / "L", "fourcode", tmp_path / "four"))
    before = {row["id"]: row for row in games_of(tmp_path / "L")}
    after = {row["id"]: row for row in games_of(again(tmp_path / "L", tmp_path / "four"))}
    assert set(after) == {i for i, row in before.items() if row["variant"] == "duo"}
    assert set(refused) == set(before) - set(after)
    assert {reason.split(" is for ")[0] for reason in refused.values()} == {"the four-character code"}
    for identity, row in after.items():
        for column in ("points", "outcome", "plies", "passes", "flags"):
            assert row[column] == before[identity][column]
    assert {path.name for path in (tmp_path / "four").iterdir()} == {f"{i}.txt" for i in after}


@pytest.mark.parametrize("form", ["blksgf", "jsonl"])
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (EVERYTHING, {}),
        (records.O_A4_P, {}),
        (records.O_B4, {}),
        (records.O_A6_PASS, {}),
        (records.O_A9_SKIP, {}),
        (records.O_A9_CORNER, {"start": "any_corner", "teams": "yes"}),
        (records.O_A2_A, {"end": "rounds:5", "scoring": "online"}),
        ("(;GM[Blokus Duo])", {}),
        ("(;GM[Blokus Duo]AB[e10,f10]AW[j5]PL[W];W[k6,k7])", {}),
        ("(;GM[Blokus Three-Player];1[a20];2[t20];CWOUT[3:resigned];4[a1])", {}),
        ("(;GM[Blokus Duo]CWEND[abandoned]CWPENALTY[no];B[e10];W[j5];CWOUT[1:abandoned])", {}),
        ("(;GM[Blokus Duo];B[e10];W[j5];AB[a1];B[d9])", {}),
    ],
)
def test_all_that_a_record_says_survives(tmp_path: Path, form: str, text: str, rules: dict[str, str]) -> None:
    library = import_text(tmp_path, "game.blksgf", text, rules)
    assert export(library, form, tmp_path / f"out.{form}") == []
    fresh = again(library, tmp_path / f"out.{form}")
    assert games_of(fresh) == games_of(library)
    question = "SELECT players, headers, declared, mismatch, whole FROM sightings"
    (was,), (now,) = rows(library, question), rows(fresh, question)
    for row in (was, now):
        whole = json.loads(row.pop("whole") or "{}")
        row["parts"] = {
            key: whole.get(key) for key in ("notes", "branches", "clocks", "setup", "declared", "broken")
        }
    assert now == was


def test_moves_without_a_colour_get_it_where_the_format_names_it(tmp_path: Path) -> None:
    codes = "55a0\naaa0\n44b0\n** Game ended in a draw\n"
    library = import_text(tmp_path, "game.txt", codes)
    before = games_of(library)
    for form in ("blksgf", "jsonl"):
        export(library, form, tmp_path / f"out.{form}")
    export(library, "fourcode", tmp_path / "out.txt")
    assert games_of(again(library, tmp_path / "out.blksgf")) == before
    assert games_of(again(library, tmp_path / "out.jsonl")) == before
    assert ";B[e10];W[j5]" in (tmp_path / "out.blksgf").read_text()
    events = jsonl.record_of((tmp_path / "out.jsonl").read_text()).events
    assert [event[0] for event in events] == [-1, -1, -1]  # the lossless form adds nothing
    assert (tmp_path / "out.txt").read_text().startswith("55a0\naaa0\n")


def test_more_games_than_are_rebuilt_at_a_time(tmp_path: Path) -> None:
    write_archive(tmp_path / "many.blksgf", "duo", CHUNK + 50, 3, {})
    library = import_text(tmp_path, "none.blksgf", records.O_A1)
    import_paths(library, [str(tmp_path / "many.blksgf")], jobs=1)
    told: list[int] = []
    with open_reader(library) as reader:
        total = reader.table("SELECT count(*) AS n FROM games")["n"][0].as_py()
        report = export_games(reader, None, "blksgf", tmp_path / "out.blksgf", told.append)
    assert report.games == total == told[-1]
    assert games_of(again(library, tmp_path / "out.blksgf")) == games_of(library)


def test_some_games_by_their_identity(tmp_path: Path) -> None:
    library = import_text(tmp_path, "two.blksgf", records.O_A1 + records.O_A8)
    (duo,) = (row["id"] for row in games_of(library) if row["variant"] == "duo")
    assert export(library, "fourcode", tmp_path / "one.txt", [duo]) == []
    assert [row["id"] for row in games_of(again(library, tmp_path / "one.txt"))] == [duo]


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    library = import_text(tmp_path, "two.blksgf", records.O_A1 + records.O_A8)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("mine")
    for form, out, part in (
        ("nix", "out.jsonl", "unknown format"),
        ("fourcode", "one.txt", "holds one game"),
        ("jsonl", "full", "no empty folder"),
    ):
        with open_reader(library) as reader, pytest.raises(PipelineError, match=part):
            export_games(reader, None, form, tmp_path / out)
    with open_reader(library) as reader, pytest.raises(PipelineError, match="no games"):
        export_games(reader, [], "jsonl", tmp_path / "out.jsonl")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["L", "full", "two.blksgf"]
    assert (tmp_path / "full/file").read_text() == "mine"


@pytest.mark.parametrize("out", ["out.jsonl", "folder"])
def test_nothing_appears_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    library = import_text(tmp_path, "one.blksgf", records.O_A1)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", refuse)
    with open_reader(library) as reader, pytest.raises(PipelineError, match="No space left"):
        export_games(reader, None, "jsonl", tmp_path / out)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["L", "one.blksgf"]


def test_an_older_file_is_replaced_whole(tmp_path: Path) -> None:
    library = import_text(tmp_path, "one.blksgf", records.O_A1)
    (tmp_path / "out.jsonl").write_text("older")
    export(library, "jsonl", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text().startswith('{"format":"cornerwise"')


def test_games_go_to_standard_output_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = import_text(tmp_path, "one.blksgf", records.O_A1)
    export(library, "jsonl", Path("-"))
    assert jsonl.record_of(capsys.readouterr().out).variant == "duo"
