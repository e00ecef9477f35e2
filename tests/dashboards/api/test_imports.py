"""Uploads and import jobs: counted, bounded, told game by game, and whole or not at all."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from dashboards.client import Client, Refused
from pipeline.service.jobs import Job, JobStore
from pipeline.service.uploads import harmless
from pipeline.service.worker import work
from pipeline.store import open_reader, open_writer
from tests import records
from tests.dashboards.api.serving import serving

GAME = records.O_A7.encode()
OTHER = records.O_A2_A.encode()


def finish(library: Path, kind: str = "import") -> JobStore:
    """Do what waits, as the worker does it, in this process."""
    store = JobStore(library / "service")
    work(store, kind, library)
    return store


def uploaded(client: Client, library: Path, *files: Any, **question: Any) -> Job:
    job = client.upload(*files, **question)
    assert job["state"] == "queued"
    return finish(library).get(job["id"])


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


def test_every_record_is_told(library: Path) -> None:
    with serving(library) as client:
        bad = b"(;GM[Blokus Duo];B[e10];W[j5];B[e9])"
        nexos = b"(;GM[Nexos];1[a1])"
        job = uploaded(
            client,
            library,
            ("a.blksgf", GAME),
            ("b.blksgf", OTHER + bad),
            ("c.blksgf", nexos),
            ("d.txt", b"hello"),
        )
        assert job.state == "done" and job.outcome is not None
        counts = {name: job.outcome[name] for name in ("games", "stored", "refused", "illegal", "duplicates")}
        assert counts == {"games": 4, "stored": 3, "refused": 1, "illegal": 1, "duplicates": 0}
        assert [row["file"] for row in job.outcome["other_files"]] == ["d.txt"]
        rows = list(client.imported(job.id))
        assert [(row["source"], row["outcome"], row["code"]) for row in rows] == [
            ("a.blksgf", "stored", None),
            ("b.blksgf", "stored", None),
            ("b.blksgf", "stored", "piece_used"),
            ("c.blksgf", "refused", "other_game"),
        ]
        assert client.game(rows[0]["id"])["id"] == rows[0]["id"]
        again = uploaded(client, library, ("a.blksgf", GAME))
        assert again.outcome is not None
        assert (again.outcome["games"], again.outcome["duplicates"]) == (1, 1)
    assert not (library / "service" / "uploads").exists() or not list(
        (library / "service" / "uploads").iterdir()
    )


def test_archives(library: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x/a.blksgf", GAME)
        archive.writestr("b.blksgf", OTHER)
    with serving(library) as client:
        job = uploaded(client, library, ("games.zip", packed.getvalue()))
        assert job.outcome is not None and job.outcome["stored"] == 2
        assert [row["source"] for row in client.imported(job.id)] == [
            "games.zip!b.blksgf",
            "games.zip!x/a.blksgf",
        ]


def bomb(members: int, size: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for number in range(members):
            info = tarfile.TarInfo(f"{number}.txt")
            info.size = size
            archive.addfile(info, io.BytesIO(bytes(size)))
    return packed.getvalue()


@pytest.mark.parametrize(("members", "size"), [(3, 2_000_000), (60, 10)])
def test_what_unpacks_to_too_much(library: Path, members: int, size: int) -> None:
    content = bomb(members, size)
    assert len(content) < 20_000
    with serving(library, expanded_bytes=1_000_000, members=50) as client:
        job = uploaded(client, library, ("a.blksgf", GAME), ("bomb.tar.gz", content))
        assert (job.state, job.code) == ("failed", "too_large")
        with pytest.raises(Refused) as refused:
            client.check(("bomb.tar.gz", content))
        assert (refused.value.status, refused.value.code) == (413, "too_large")
        with pytest.raises(Refused) as refused:
            list(client.imported(job.id))
        assert refused.value.status == 409
    with open_reader(library) as reader:
        assert reader.table("SELECT count(*) AS n FROM games")["n"].to_pylist() == [0]


XML = b'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">%s]><protocol>&b;</protocol>'
ENTITIES = [
    XML % b"".join(b'<!ENTITY b%d "%s">' % (n, b"&b%d;" % (n - 1) * 10) for n in range(1, 10)),
    XML % b'<!ENTITY c SYSTEM "file:///etc/passwd">',
]


@pytest.mark.parametrize("content", ENTITIES)
def test_document_types_are_refused(library: Path, content: bytes) -> None:
    with serving(library) as client:
        for send in (client.upload, client.check):
            with pytest.raises(Refused, match="document type") as refused:
                send(("game.xml", content))
            assert (refused.value.status, refused.value.code) == (422, "doctype")
            assert "root:" not in str(refused.value.problem)
    assert not list((library / "service" / "uploads").iterdir())


def test_uploads_are_counted_while_they_come_in(library: Path) -> None:
    """Without a length: refused before the body is complete."""
    sent = 0

    def endless() -> Any:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.blksgf"\r\n\r\n'
        for _ in range(10_000):
            sent += 65536
            yield bytes(65536)

    with serving(library, upload_bytes=1_000_000) as client:
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        try:
            response = httpx.post(client.base_url + "/v1/imports", content=endless(), headers=headers)
            assert response.status_code == 413
        except httpx.WriteError:
            pass  # the service has answered and gone; not every client looks at that
        assert sent < 100_000_000
        with pytest.raises(Refused) as refused:
            client.upload(("a.blksgf", bytes(2_000_000)))
        assert refused.value.status == 413


def test_forms_that_are_none(library: Path) -> None:
    with serving(library, upload_files=3) as client:
        url = client.base_url + "/v1/imports"
        assert httpx.post(url, content=GAME).status_code == 415
        assert httpx.post(url, files=[("other", ("a", GAME))]).status_code == 422
        assert httpx.post(url, data={"files": "x"}, files=[("files", ("a", GAME))]).status_code == 422
        broken = {"Content-Type": "multipart/form-data; boundary=x"}
        assert httpx.post(url, content=b"--y\r\n", headers=broken).status_code in (400, 422)
        with pytest.raises(Refused) as refused:
            client.upload(*[(f"{n}.blksgf", GAME) for n in range(4)])
        assert refused.value.status == 413
        with pytest.raises(Refused):
            client.upload(("a.blksgf", GAME), rule="teams=perhaps")
        with pytest.raises(Refused):
            client.upload(("a.blksgf", GAME), format="pgn")
        assert client.jobs()["rows"] == []


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\games\\a.blksgf", "a.blksgf"),
        ("-", "upload"),
        ("", "upload"),
        (".hidden.zip", "hidden.zip"),
        ("a\n\x1b[2J.txt", "a__[2J.txt".replace("[", "_")),
        ("Größe Ω.blksgf", "Größe Ω.blksgf"),
        ("x" * 300 + ".tar.gz", "x" * 117 + ".gz"),
    ],
)
def test_names_are_harmless(name: str, kept: str) -> None:
    assert harmless(name) == kept


def test_two_files_of_one_name(library: Path) -> None:
    with serving(library) as client:
        job = uploaded(client, library, ("a.blksgf", GAME), ("a.blksgf", OTHER))
        assert [row["source"] for row in client.imported(job.id)] == ["2/a.blksgf", "a.blksgf"]


def test_another_writer(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job waits for its turn and says why; readers see the library all the time."""
    monkeypatch.setattr("pipeline.service.worker.WAIT", 0.0)
    with serving(library) as client:
        with open_writer(library):
            job = uploaded(client, library, ("a.blksgf", GAME))
            assert (job.state, job.attempts) == ("queued", 0)
            assert "process" in str(job.message)
            assert client.info()["games"] == 0
        done = finish(library).get(job.id)
        assert (done.state, done.message) == ("done", None)
        assert client.info()["games"] == 1


def test_cancelled_before_it_begins(library: Path) -> None:
    with serving(library) as client:
        job = client.upload(("a.blksgf", GAME))
        assert client.cancel(job["id"])["state"] == "cancelled"
        assert finish(library).get(job["id"]).state == "cancelled"
        with pytest.raises(Refused) as refused:
            client.cancel(job["id"])
        assert refused.value.status == 409


def test_a_full_disk(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with serving(library) as client:
        with monkeypatch.context() as patch:
            patch.setattr("dashboards.api.uploads.shutil.copyfileobj", full)
            with pytest.raises(Refused) as refused:
                client.upload(("a.blksgf", GAME))
            assert (refused.value.status, refused.value.code) == (507, "disk_full")
        assert client.jobs()["rows"] == []
        assert not list((library / "service" / "uploads").iterdir())
