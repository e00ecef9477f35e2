"""Bad input: a message that names file, game, ply and reason; the other games are stored; whole batches only."""

from __future__ import annotations

import errno
import gzip
import io
import os
import shlex
import signal
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import compiling
from pipeline.store import open_reader, open_writer
from tests.dashboards.running import Cli

GOOD = "(;GM[Blokus Duo];B[e10];W[j5])"
OTHER = "(;GM[Blokus Duo];B[e10,f10];W[j5])"


class Endless(io.RawIOBase):
    """A stream that begins with some bytes and goes on with others for ever."""

    def __init__(self, begins: bytes, then: bytes) -> None:
        self._begins, self._then = begins, then

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        block, self._begins = self._begins[:size], self._begins[size:]
        if not block:
            block = (self._then * (size // len(self._then) + 1))[:size]
        buffer[: len(block)] = block
        return len(block)


def stored(cli: Cli) -> int:
    return len(cli.games())


def test_an_unreadable_file_is_named_and_the_others_are_stored(cli: Cli) -> None:
    good = cli.put("good.blksgf", GOOD)
    gone = cli.folder / "gone.blksgf"
    gone.symlink_to(cli.folder / "nowhere")
    result = cli("import", gone, good)
    assert result.code == 0
    assert f"{gone}: cannot be read: No such file or directory" in result.out
    assert stored(cli) == 1
    assert cli("import", gone).code == 1
    assert cli("import", gone, good, "--strict").code == 3
    assert cli("check", gone).code == 3


def test_a_file_without_permission(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, good = cli.put("secret.blksgf", OTHER), cli.put("good.blksgf", GOOD)
    opened = Path.open

    def guarded(path: Path, *args: Any, **options: Any) -> Any:
        # Simulated: the superuser, who may run the tests, may read everything.
        if path == secret:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, *args, **options)

    monkeypatch.setattr(Path, "open", guarded)
    assert f"{secret}: cannot be read: Permission denied" in cli.ok("import", secret, good).out
    assert stored(cli) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\t ", "the file holds only blanks"),
        (b"\x7fELF\0\0\0", "the file is binary (program)"),
        (os.urandom(0) + bytes(range(256)) * 8, "the file is binary"),
        (b"variant\tgame\tscore\nduo\t1\tB+3\n", "a table of final scores"),
        (b"hello\n", "no game records in a known format"),
    ],
)
def test_files_without_records_are_listed(cli: Cli, content: bytes, reason: str) -> None:
    bad, good = cli.put("bad.dat", content), cli.put("good.blksgf", GOOD)
    result = cli.ok("import", bad, good, "--json")
    (other,) = result.json["details"]["other_files"]
    assert other["file"] == str(bad) and reason in other["reason"]
    assert (result.json["files"], result.json["stored"]) == (1, 1)
    assert reason in cli.ok("import", bad, "--verbose").out
    assert cli("check", bad).code == 3


def test_truncated_inputs(cli: Cli) -> None:
    cli.put("in/cut.blksgf", GOOD[:-10])
    cli.put("in/cut.blksgf.gz", gzip.compress((OTHER * 50).encode())[:-30])
    with zipfile.ZipFile(cli.folder / "in/whole.zip", "w") as archive:
        archive.writestr("a/inside.blksgf", GOOD)
    cli.put("in/cut.zip", (cli.folder / "in/whole.zip").read_bytes()[:-30])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        info = tarfile.TarInfo("inside.blksgf")
        info.size = len(GOOD)
        tar.addfile(info, io.BytesIO(GOOD.encode()))
    cli.put("in/cut.tar.gz", packed.getvalue()[:-20])

    summary = cli.json("import", cli.folder / "in")

    named = {row["file"].rsplit("/", 1)[-1] for row in summary["details"]["unreadable_files"]}
    assert {"cut.zip", "cut.blksgf.gz"} <= named
    sources = [row["source"] for row in cli.json("sql", "SELECT source FROM sightings")["rows"]]
    for ending in ("/cut.blksgf", "inside.blksgf"):
        assert any(source.endswith(ending) for source in sources)


def test_an_endless_device(cli: Cli) -> None:
    summary = cli.json("import", "/dev/zero", cli.put("good.blksgf", GOOD))
    assert summary["details"]["other_files"] == [{"file": "/dev/zero", "reason": "the file is binary"}]
    assert stored(cli) == 1


@pytest.mark.parametrize(
    ("begins", "then", "reason"),
    [
        (b"", b"hello ", "no game records in a known format"),
        (b"(;GM[Blokus Duo]C[", b"a", "no end of a record within"),
        (b'{"format":"cornerwise","variant":"', b"a", "no end of a record within"),
        (b"55a0\naa a0\n", b"55a0\n", "more than 1 MiB"),
    ],
)
def test_an_endless_text(cli: Cli, begins: bytes, then: bytes, reason: str) -> None:
    result = cli("import", "-", "--json", stdin=Endless(begins, then))
    assert result.code == 0
    said = [row["reason"] for row in result.json["details"]["other_files"]]
    said += [row["message"] for row in cli.json("quarantine")["quarantine"]]
    assert len(said) == 1 and reason in said[0]


def test_an_endless_pipe_with_a_name(cli: Cli) -> None:
    pipe = cli.folder / "pipe.blksgf"
    os.mkfifo(pipe)

    def feed() -> None:
        try:
            with pipe.open("wb", buffering=0) as end:
                end.write(f"{GOOD}\n(;GM[Blokus Duo]C[".encode())
                while True:
                    end.write(b"a" * 65536)
        except BrokenPipeError:
            pass

    feeder = threading.Thread(target=feed)
    feeder.start()
    summary = cli.json("import", pipe)
    feeder.join()
    assert (summary["stored"], summary["refused"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "options", "part"),
    [
        (GOOD, ("--variant", "classic"), "the record is of duo, not of classic"),
        ("(;GM[Nexos];1[h17])", (), "Nexos"),
        ("(;GM[Blokus];B[a20])", (), "B"),
        ("(;GM[Blokus Duo];B[e10];W[j5];B[o3])", (), "ply 3: first plays o3: a cell is not on the board"),
        (
            "(;GM[Blokus Duo];B[e10];W[j5];B[f11,f12];W[j4];B[d9])",
            (),
            "ply 4: second plays j4: the piece was used",
        ),
        ("(;GM[Blokus Duo];B[e10];W[j5];B[a1])", (), "ply 3: first plays a1: the piece was used before"),
        (
            "(;GM[Blokus Duo];B[e10];W[j5];B[e11,e12])",
            (),
            "it touches a piece of its own colour side to side",
        ),
        ("(;GM[Blokus Duo];B[e10];W[j5];B[a1,c3])", (), "the cells are not a piece of the set"),
        ("(;GM[Blokus Duo]AB[a1]AW[a1];B[e10])", (), "setup: "),
    ],
)
def test_wrong_records_are_told_by_file_game_ply_and_reason(
    cli: Cli, text: str, options: tuple[str, ...], part: str
) -> None:
    path = cli.put("wrong.blksgf", text)
    assert cli("import", path, *options).code == 0
    (row,) = cli.json("quarantine")["quarantine"]
    assert row["source"] == str(path) and row["record"] == 1 and part in row["message"]
    result = cli("check", path, *options)
    assert result.code == 3
    assert result.out.startswith(f"{path}, game 1: ") and part in result.out
    assert cli("import", path, *options, "--strict", "--library", "fresh").code == 3


def test_a_game_without_moves_is_stored_and_flagged(cli: Cli) -> None:
    path = cli.put("empty.blksgf", "(;GM[Blokus Duo])")
    summary = cli.json("import", path)
    assert (summary["stored"], summary["empty"], summary["quarantined"]) == (1, 1, 0)
    game = cli.only_game()
    assert "empty" in game["flags"] and game["points"] == [-89, -89] and game["outcome"] is None
    result = cli("check", path)
    assert (result.code, "empty" in result.out) == (0, True)
    cli.ok("show", game["id"])


def test_a_pass_behind_the_last_placement_counts_for_the_strict(cli: Cli) -> None:
    path = cli.put("passes.blksgf", "(;GM[Blokus Duo];B[e10];W[j5];B[])")
    assert cli("import", path).code == 0
    assert cli("import", path, "--strict", "--library", "fresh").code == 3
    assert cli("import", path, "--strict", "--rule", "pass=voluntary", "--library", "third").code == 0


def test_a_record_of_passes_only_is_called_empty_and_irregular(cli: Cli) -> None:
    path = cli.put("passes.blksgf", "(;GM[Blokus Duo];B[])")
    assert "duo: irregular, empty: ply 1: first skipped" in cli("check", path).out
    cli("import", path)
    assert {"irregular", "empty"} <= set(cli.only_game()["flags"])


def test_the_same_file_twice_in_one_call(cli: Cli) -> None:
    path = cli.put("good.blksgf", GOOD)
    summary = cli.json("import", path, path, cli.folder)
    assert (summary["games"], summary["stored"], summary["duplicates"], summary["sightings"]) == (3, 1, 2, 1)


def test_a_library_that_somebody_writes(cli: Cli) -> None:
    path = cli.put("good.blksgf", GOOD)
    cli.ok("import", path)
    with open_writer(cli.library, command="something long"):
        result = cli("import", path, "--wait", 0)
        assert result.code == 1
        assert "something long" in result.message and str(os.getpid()) in result.message
        assert "--wait" in result.message
        assert cli("undo", 1, "--wait", 0).code == 1
        assert stored(cli) == 1  # readers do not mind
        waited = cli("import", path, "--wait", 0.2)
        assert "waiting up to 0.2 s" in waited.err


FullDisk = Callable[[pytest.MonkeyPatch], None]


def full_partition(patch: pytest.MonkeyPatch) -> None:
    def write(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    patch.setattr("pyarrow.parquet.ParquetWriter.write_table", write)


def full_on_sync(patch: pytest.MonkeyPatch) -> None:
    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    patch.setattr(os, "fsync", fsync)


@pytest.mark.parametrize("fill", [full_partition, full_on_sync])
def test_a_full_disk_stores_nothing_and_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, fill: FullDisk
) -> None:
    cli.ok("import", cli.put("good.blksgf", GOOD))
    with monkeypatch.context() as patch:
        fill(patch)
        result = cli("import", cli.put("other.blksgf", OTHER))
    assert result.code == 1
    assert "the disk is full" in result.message
    assert stored(cli) == 1
    assert cli.json("import", cli.folder / "other.blksgf")["stored"] == 1


def test_a_full_disk_under_an_export(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.ok("import", cli.put("good.blksgf", GOOD))
    with monkeypatch.context() as patch:
        full_on_sync(patch)
        result = cli("export", "--to", "jsonl", "--out", "out.jsonl")
    assert result.code == 1 and "No space left" in result.message
    assert {p.name for p in cli.folder.iterdir()} == {"good.blksgf", "library"}


def test_ctrl_c_leaves_whole_batches_only(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.ok("import", cli.put("good.blksgf", GOOD))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.store.batch.Batch.commit", interrupted)
        result = cli("import", cli.put("other.blksgf", OTHER))
    assert result.code == 1
    assert result.message.splitlines()[-1] == "cornerwise: stopped: nothing of this batch is stored"
    assert stored(cli) == 1
    assert cli.json("info")["batches"] == 1
    with open_reader(cli.library) as reader:
        assert reader.table("SELECT count(*) FROM moves").to_pydict() == {"count_star()": [2]}


def test_ctrl_c_in_a_process_of_its_own(cli: Cli, tmp_path: Path) -> None:
    """A signal to the whole group, as a terminal sends it, while workers start: one line, no half batch."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dashboards.cli", "import", "-", "--library", str(tmp_path / "L")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).resolve().parents[2],
        start_new_session=True,
    )
    assert process.stdin is not None
    # More than the first look at an input takes and than a pipe holds: when it is written the import is at work.
    record = f"(;GM[Blokus Duo]C[{'a' * 100_000}];B[e10];W[j5])\n"
    process.stdin.write(record.encode() * 100)
    process.stdin.flush()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 1
    said = [line for line in err.decode().splitlines() if line != compiling.MESSAGE]
    assert said == ["cornerwise: stopped: nothing of this batch is stored"]
    again = cli("games", "--library", tmp_path / "L")
    assert again.code in (0, 1) and "Traceback" not in again.err
    cli.ok("import", cli.put("good.blksgf", GOOD), "--library", tmp_path / "L")


def test_a_fault_of_the_program_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise TypeError("what is this?")

    monkeypatch.setattr("pipeline.queries.info", broken)
    cli.ok("import", cli.put("good.blksgf", GOOD))
    result = cli("info")
    assert result.code == 1
    assert result.message == (
        "cornerwise: a fault in the program itself (TypeError: what is this?); CORNERWISE_DEBUG=1 shows where"
    )


def test_a_name_cannot_steer_the_terminal_through_a_failure(cli: Cli) -> None:
    result = cli("import", "nowhere\x1b[31m")
    assert result.message == "cornerwise: no such file or folder: nowhere\\x1b[31m"


@pytest.mark.parametrize(
    ("closed", "command"), [("<&-", "check -"), (">&-", "check game.sgf"), ("2>&-", "check -")]
)
def test_a_closed_stream_is_an_empty_one(cli: Cli, closed: str, command: str) -> None:
    cli.put("game.sgf", GOOD)
    line = f"exec {shlex.quote(sys.executable)} -m dashboards.cli {command} {closed}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.run(
        ["sh", "-c", line], cwd=cli.folder, env=environment, capture_output=True, input=b""
    )
    assert process.returncode == (0 if "game" in command else 3)
    assert b"fault" not in process.stderr
