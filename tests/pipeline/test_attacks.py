"""What people feed on purpose: bombs, tricks with names, texts without an end; small, and counted in bytes."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from notation.errors import NotARecord, NotationError
from notation.formats import FORMATS
from notation.fragments import Item
from notation.stream import BLOCK, RECORD_LIMIT, ReadOptions
from pipeline.ingest import import_paths
from pipeline.portions import Inventory, portions_of
from pipeline.store import open_reader
from pipeline.unit import Portion, Reading
from tests.samples import files

GAME = b"(;GM[Blokus Duo];B[e10,e11];W[j5,j4])\n"
MIB = 1024 * 1024


def zipped(path: Path, members: dict[str, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return str(path)


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of everything that is taken out of zip archives."""
    sizes: list[int] = []
    read1 = zipfile.ZipExtFile.read1

    def counted(self: zipfile.ZipExtFile, n: Any = -1) -> bytes:
        data: bytes = read1(self, n)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(zipfile.ZipExtFile, "read1", counted)
    return sizes


@pytest.mark.parametrize("begins", [b"", b"(;GM[Blokus Duo]C["], ids=["zeros", "record"])
def test_a_bomb_is_left_where_it_is_known(tmp_path, unpacked, begins):
    filler = bytes(100 * MIB) if not begins else b"a" * (100 * MIB)
    path = zipped(tmp_path / "bomb.zip", {"bomb.sgf": begins + filler, "good.sgf": GAME})
    assert os.path.getsize(path) < MIB
    inventory = Inventory()
    portions = [p for p in portions_of([path], Reading(), inventory) if isinstance(p, Portion)]
    good = [p for p in portions if p.source.endswith("good.sgf")]
    refused = [p.chunk.refused for p in portions if not p.source.endswith("good.sgf")]
    assert [p.chunk.data for p in good] == [GAME]
    assert "no end of a record" in refused[0] if begins else "binary" in inventory.other_files[0][1]
    assert sum(unpacked) < 20 * MIB


def test_a_bomb_in_a_bomb_and_thousands_of_members(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"a.sgf": bytes(10 * MIB)})
    members = {f"{n}/empty.sgf": b"" for n in range(2000)} | {
        "deep/inner.zip": Path(inner).read_bytes(),
        "z.sgf": GAME,
    }
    summary = import_paths(tmp_path / "library", [zipped(tmp_path / "outer.zip", members)], jobs=1)
    assert summary.counts.stored == 1
    assert len(summary.inventory.other_files) == 2000
    assert [name.rpartition("!")[2] for name, _ in summary.inventory.unreadable] == ["deep/inner.zip"]


TRICKS = (
    "../../up.sgf",
    "/tmp/cornerwise-abs.sgf",
    "C:\\up.sgf",
    "a/../../../up.sgf",
    "-rf.sgf",
    "nul\tl\x1b[2J.sgf",
)


def _as_tar(path: Path, members: dict[str, bytes]) -> str:
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, kind in (
            ("link.sgf", tarfile.SYMTYPE),
            ("hard.sgf", tarfile.LNKTYPE),
            ("dev.sgf", tarfile.CHRTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    return str(path)


@pytest.mark.parametrize(("name", "pack"), [("a.zip", zipped), ("a.tar", _as_tar)])
def test_names_in_archives_are_only_names(tmp_path, name, pack: Callable[[Path, dict[str, bytes]], str]):
    inside = tmp_path / "in" / "side"
    inside.mkdir(parents=True)
    path = pack(inside / name, dict.fromkeys(TRICKS, GAME))
    before = set(tmp_path.rglob("*"))
    summary = import_paths(tmp_path / "library", [path], jobs=1)
    after = {found for found in tmp_path.rglob("*") if "library" not in found.parts}
    assert (after, summary.counts.games, summary.counts.stored) == (before, len(TRICKS), 1)
    assert not os.path.exists("/tmp/cornerwise-abs.sgf")
    with open_reader(tmp_path / "library") as library:
        sources = library.table("SELECT source FROM sightings")["source"].to_pylist()
    assert [source.partition("!")[2] for source in sources] == [TRICKS[0]]


@pytest.mark.parametrize("keep", [0, 1, 5, 10, 11, 18, 40, -1])
def test_gzip_that_is_cut_anywhere(tmp_path, keep):
    path = tmp_path / "a.sgf.gz"
    path.write_bytes(gzip.compress(GAME * 50)[:keep])
    inventory = Inventory()
    list(portions_of([str(path)], Reading(), inventory))
    assert len(inventory.unreadable) + len(inventory.other_files) == 1


class Endless:
    """A source that begins like a file and never ends a line."""

    def __init__(self, head: bytes, unit: bytes, size: int) -> None:
        self._ready, self._unit, self.left = head, unit, size

    def read(self, size: int) -> bytes:
        self._ready = self._ready or self._unit
        block = self._ready[: min(size, self.left)]
        self._ready = self._ready[len(block) :]
        self.left -= len(block)
        return block


def without_lines(form: str, again: bool) -> Endless:
    text = files(form, 3)[0]
    line = text.replace(b"\n", b" ").replace(b"\r", b" ")
    unit = line * (1 + 65536 // len(line)) if again else b"1" * 65536
    return Endless(line if again else text[: len(text) // 2], unit, 24 * MIB)


LONGEST = {"parquet": 256, "software_challenge": 24 * MIB}
"""Bytes of the largest chunk of formats that are not cut by lines or objects of a few MiB."""


@pytest.mark.parametrize("again", [False, True], ids=["ones", "games"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_text_without_line_ends_is_never_held_whole(form, again):
    source, found = without_lines(form, again), 0
    limit = LONGEST.get(form, RECORD_LIMIT + 2 * BLOCK)
    try:
        for chunk in FORMATS[form].split(source.read):
            assert len(chunk.data) <= limit
            if chunk.refused:
                (item,) = FORMATS[form].read(chunk, ReadOptions("test"))
                assert isinstance(item, NotationError)
            found += 1
    except NotARecord:
        found = 1
    assert found


@pytest.mark.parametrize("form", FORMATS)
def test_nul_bytes_and_half_characters_are_items_or_nothing(form):
    for text in files(form, 1):
        for data in (text[:200].replace(b"\n", b"\0"), text.replace(b" ", b"\0"), b"\0" * 5000 + text):
            assert all(isinstance(item, Item) for item in read(form, data))
        for encoding in ("utf-16", "utf-32", "utf-16-be"):
            wide = text.decode("latin-1").encode(encoding)
            assert all(isinstance(item, Item) for item in read(form, wide[: len(wide) // 2 - 1]))


def read(form: str, data: bytes) -> list[Item]:
    row = FORMATS[form]
    try:
        return [
            item
            for chunk in row.split(io.BytesIO(data).read)
            for item in row.read(chunk, ReadOptions("test"))
        ]
    except NotARecord:
        return []


def test_a_line_of_200_000_nodes_and_20_000_branches(tmp_path):
    long = b"(;GM[Blokus Duo]" + b";B[e10,e11];W[j5,j4]" * 100_000 + b")\n"
    deep = b"(;GM[Blokus Duo]" + b"(;B[e10]" * 20_000 + b")" * 20_001 + b"\n"
    (tmp_path / "a.sgf").write_bytes(GAME + long + deep + GAME.replace(b"e11", b"f10"))
    summary = import_paths(tmp_path / "library", [str(tmp_path / "a.sgf")], jobs=1)
    assert (summary.counts.games, summary.counts.stored, summary.counts.refused) == (4, 3, 1)
