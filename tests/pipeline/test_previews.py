"""What dropped files hold, before anything is imported."""

from __future__ import annotations

import io
import zipfile

from pipeline.previews import preview
from pipeline.unit import Reading
from tests import records
from tests.places import REPOSITORY

FAULTY = REPOSITORY / "data" / "faulty"


def test_games_and_problems() -> None:
    content = (FAULTY / "bad_line.jsonl").read_bytes()
    found = preview("../evil/bad_line.jsonl", content)
    assert dict(found.statuses) == {"unfinished": 2, "refused": 2}
    assert (found.games, found.beside, dict(found.variants), dict(found.formats)) == (
        2,
        0,
        {"duo": 2},
        {"jsonl": 4},
    )
    assert [(row.source, row.record, row.line) for row in found.problems] == [
        ("bad_line.jsonl", 2, 2),
        ("bad_line.jsonl", 3, 3),
    ]
    assert found.whole
    assert found.holds_something
    assert preview("bad_line.jsonl", content) == found


def test_an_archive() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("a.blksgf", records.O_A7)
        out.writestr("side.blksgf", (FAULTY / "side_contact.blksgf").read_bytes())
        out.writestr("no.txt", "hello")
        out.writestr("inner.zip", b"PK")
    found = preview("all.zip", archive.getvalue())
    assert found.files == 2
    assert [row.source for row in found.problems] == ["all.zip!side.blksgf"]
    assert [name for name, _ in found.other_files] == ["all.zip!no.txt"]
    assert [name for name, _ in found.unreadable] == ["all.zip!inner.zip"]
    assert (found.problems[0].status, found.problems[0].ply) == ("illegal", 10)


def test_what_cannot_be_taken() -> None:
    refused = preview("a.xml", b"<?xml version='1.0'?><!DOCTYPE a []><a/>")
    assert "document type" in refused.refused
    assert not refused.holds_something
    nothing = preview("a.txt", b"hello")
    assert [name for name, _ in nothing.other_files] == ["a.txt"]
    assert not nothing.holds_something
    broken = preview("a.zip", b"PK\3\4 no archive")
    assert [name for name, _ in broken.unreadable] == ["a.zip"]


def test_only_the_beginning() -> None:
    found = preview("a.jsonl", (FAULTY / "bad_line.jsonl").read_bytes(), most=1)
    assert not found.whole
    assert found.statuses.total() == 1


def test_how_records_are_read() -> None:
    assert preview("a.blksgf", records.O_A7.encode(), Reading("jsonl")).games == 0
    assert preview("a.blksgf", records.O_A7.encode(), Reading(None, "junior")).statuses["refused"] == 1
