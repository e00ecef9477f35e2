"""Files, folders and archives as streams."""

import errno
import gzip
import io
import os
import tarfile
import zipfile

import pytest

from notation.record import GameRecord
from pipeline.errors import PipelineError
from pipeline.portions import Digest, Inventory, portions_of
from pipeline.sources import Source, Unreadable, files_below, open_sources
from pipeline.unit import Reading, read_portion

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
    found = list(portions_of([str(whole), str(cut)], Reading(), inventory))
    assert [(p.source, bool(p.chunk.refused)) for p in found] == [(str(whole), False), (str(cut), True)]
    assert inventory.files == 2
    assert [name for name, _ in inventory.unreadable] == [str(cut)]


GAMES = [
    f"(;GM[Blokus Duo]GN[{n}]C[{hash(n)} {n * n} {n**7}];B[e10,e11];W[j5,j4])\n".encode() for n in range(4000)
]
LINES = [
    b'{"format":"cornerwise","version":1,"variant":"duo","players":["%d %d"]}\n' % (n, n**7)
    for n in range(4000)
]


def _cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def _spoilt(data: bytes) -> bytes:
    """Damaged two thirds of the way, and as long as before."""
    at = len(data) * 2 // 3
    return data[:at] + bytes(byte ^ 0xA5 for byte in data[at : at + 64]) + data[at + 64 :]


def _gz(path, data, damage):
    path.write_bytes(damage(gzip.compress(data)))


def _tar(path, data, damage):
    mode = {".tar": "w", ".xz": "w:xz"}.get(path.suffix, "w:gz")
    tar_with(path, mode, {"a.sgf": data})
    path.write_bytes(damage(path.read_bytes()))


def _zip(path, data, damage):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sgf", data)
    whole = path.read_bytes()
    end = whole.rindex(b"PK\x01\x02")
    start = 30 + len("a.sgf")
    kept = damage(whole[start:end])
    path.write_bytes(whole[:start] + kept + bytes(end - start - len(kept)) + whole[end:])


@pytest.mark.parametrize("records", [GAMES, LINES], ids=["blksgf", "jsonl"])
@pytest.mark.parametrize(
    ("name", "pack", "damage"),
    [
        ("a.sgf.gz", _gz, _cut),
        ("a.sgf.gz", _gz, _spoilt),
        ("a.tar", _tar, _cut),
        ("a.tar.gz", _tar, _cut),
        ("a.tar.xz", _tar, _cut),
        ("a.zip", _zip, _cut),
    ],
)
@pytest.mark.parametrize("small", [1000, 8 * 1024 * 1024], ids=["large", "small"])
def test_the_whole_records_before_a_damage_are_kept(
    tmp_path, monkeypatch, records, name, pack, damage, small
):
    monkeypatch.setattr("pipeline.portions.SMALL", small)
    path = tmp_path / name
    pack(path, b"".join(records), damage)
    inventory = Inventory()
    found = list(portions_of([str(path)], Reading(), inventory))
    portions = [p for p in found if not isinstance(p, Digest)]
    assert ("cannot be read to its end" in inventory.unreadable[0][1], inventory.files) == (True, 1)
    read = [f.item for p in portions for f in read_portion(p, Reading())]
    games = [item for item in read if isinstance(item, GameRecord)]
    assert 1000 < len(games) < 4000
    if (
        damage is _cut and pack is not _zip
    ):  # the others go on for a while with bytes that are not the author's
        assert not any(problem.code == "unclosed" for game in games for problem in game.problems)
        assert len(read) - len(games) == 1 and read[-1].where.record == len(read)
    digests = {p.digest for p in portions}
    assert len(digests) == 1 and (small > 1000 or found[-1].stand_in in digests)


def test_a_code_file_that_is_cut_is_no_game(tmp_path):
    path = tmp_path / "a.txt.gz"
    codes = b"55a0\naa a0\n" * 2000
    path.write_bytes(gzip.compress(codes)[:-8])
    (portion,) = portions_of([str(path)], Reading(format="fourcode"), Inventory())
    assert portion.chunk.refused == "the source is damaged or cut off within this record"


def test_a_damage_before_the_first_record_is_no_other_file(tmp_path):
    path = tmp_path / "a.sgf.gz"
    path.write_bytes(gzip.compress(GAME)[:10])
    inventory = Inventory()
    assert list(portions_of([str(path)], Reading(), inventory)) == []
    assert (len(inventory.unreadable), inventory.other_files, inventory.files) == (1, [], 0)


def test_a_pipe_in_a_folder_is_not_opened_but_told(tmp_path):
    (tmp_path / "b.sgf").write_bytes(GAME)
    os.mkfifo(tmp_path / "a.sgf")
    (tmp_path / "zero").symlink_to("/dev/zero")
    inventory = Inventory()
    (portion,) = portions_of([str(tmp_path)], Reading(), inventory)
    assert portion.source.endswith("b.sgf")
    assert [
        (os.path.basename(name), "only where it is named" in why) for name, why in inventory.unreadable
    ] == [
        ("a.sgf", True),
        ("zero", True),
    ]


def test_folders_that_are_not_entered_are_told(tmp_path, monkeypatch):
    for folder in ("open", "shut", ".hidden"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.sgf").write_bytes(GAME)
    (tmp_path / "open" / "up").symlink_to(tmp_path)
    listing = os.scandir

    def guarded(path):
        # Simulated: the superuser, who may run the tests, may read everything.
        if os.path.basename(path) == "shut":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listing(path)

    monkeypatch.setattr(os, "scandir", guarded)
    inventory = Inventory()
    (portion,) = portions_of([str(tmp_path)], Reading(), inventory)
    assert portion.source == str(tmp_path / "open" / "a.sgf")
    assert inventory.unreadable == [
        (str(tmp_path / "open" / "up"), "a link to a folder is not followed"),
        (str(tmp_path / "shut"), "the folder cannot be read: Permission denied"),
    ]


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
