"""Files, folders and archives as streams."""

import gzip
import io
import os
import tarfile
import zipfile

import pytest

from pipeline.errors import PipelineError
from pipeline.portions import Digest, Inventory, portions_of
from pipeline.sources import Source, Unreadable, files_below, open_sources
from pipeline.unit import Reading

GAME = b"(;GM[Blokus Duo];B[e10,e11];W[j5,j4])\n"


def contents(path) -> dict[str, bytes | str]:
    out: dict[str, bytes | str] = {}
    for source in open_sources(str(path)):
        out[source.name] = source.stream.read() if isinstance(source, Source) else source.message
    return out


def tar_with(path, mode, members) -> None:
    with tarfile.open(path, mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def test_folders_are_read_recursively_in_order_without_hidden_files(tmp_path):
    for name in ("b/2.sgf", "b/.hidden.sgf", ".git/x.sgf", "a.sgf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(GAME)
    found = [os.path.relpath(p, tmp_path) for p in files_below([str(tmp_path)])]
    assert found == ["a.sgf", "b/2.sgf"]


def test_a_missing_path_is_an_error():
    with pytest.raises(PipelineError, match="no such file"):
        list(files_below(["nowhere/at/all"]))


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
def test_members_of_tar_archives(tmp_path, suffix):
    mode = {".tar": "w", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}.get(suffix, "w:gz")
    path = tmp_path / f"games{suffix}"
    tar_with(path, mode, {"one.sgf": GAME, "../two.sgf": GAME * 2, "three.sgf.gz": gzip.compress(GAME)})
    assert contents(path) == {
        f"{path}!one.sgf": GAME,
        f"{path}!../two.sgf": GAME * 2,
        f"{path}!three.sgf.gz": GAME,
    }


def test_members_of_zip_archives_and_one_that_is_damaged(tmp_path):
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.sgf", GAME)
        archive.writestr("two.sgf", GAME * 3)
        archive.writestr("inner.zip", b"PK")
    data = bytearray(path.read_bytes())
    data[data.index(GAME) + 5] ^= 0xFF
    path.write_bytes(bytes(data))
    inventory = Inventory()
    portions = list(portions_of([str(path)], Reading(), inventory))
    assert {p.source for p in portions} == {f"{path}!two.sgf"}
    assert [name for name, _ in inventory.unreadable] == [f"{path}!one.sgf", f"{path}!inner.zip"]


def test_gzip_and_a_truncated_one(tmp_path):
    whole, cut = tmp_path / "a.sgf.gz", tmp_path / "b.sgf.gz"
    whole.write_bytes(gzip.compress(GAME))
    cut.write_bytes(gzip.compress(GAME)[:-12])
    inventory = Inventory()
    assert {p.source for p in portions_of([str(whole), str(cut)], Reading(), inventory)} == {str(whole)}
    assert inventory.files == 1
    assert [name for name, _ in inventory.unreadable] == [str(cut)]


def test_a_dangling_link_is_reported_and_stops_nothing(tmp_path):
    (tmp_path / "a.sgf").symlink_to(tmp_path / "gone")
    (tmp_path / "b.sgf").write_bytes(GAME)
    inventory = Inventory()
    portions = list(portions_of([str(tmp_path)], Reading(), inventory))
    assert len(portions) == 1
    assert inventory.unreadable[0][0].endswith("a.sgf")


def test_a_socket_is_no_file(tmp_path):
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        found = list(open_sources(str(tmp_path / "s")))
    assert isinstance(found[0], Unreadable)


def test_a_large_source_is_named_by_its_digest_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.portions.SMALL", 100)
    small, large = tmp_path / "a.sgf", tmp_path / "b.sgf"
    small.write_bytes(GAME)
    large.write_bytes(GAME * 50)
    found = list(portions_of([str(small), str(large)], Reading(), Inventory()))
    assert len(found[0].digest) == 32
    assert isinstance(found[-1], Digest)
    assert {p.digest for p in found[1:-1]} == {found[-1].stand_in}
    monkeypatch.undo()
    again = list(portions_of([str(large)], Reading(), Inventory()))
    assert again[0].digest == found[-1].digest


def test_bytes_of_a_name_that_are_no_text_are_shown(tmp_path):
    folder = os.fsencode(tmp_path)
    with open(folder + b"/\xff.sgf", "wb") as file:
        file.write(GAME)
    (path,) = files_below([str(tmp_path)])
    assert contents(path) == {f"{tmp_path}/\\udcff.sgf": GAME}
    tar_with(tmp_path / "a.tar", "w", {"\udcfe.sgf": GAME})
    assert contents(tmp_path / "a.tar") == {f"{tmp_path}/a.tar!\\udcfe.sgf": GAME}
