"""`cornerwise dashboard` as a process: it starts, answers, and ends on Ctrl-C with all that it started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.places import REPOSITORY

SECONDS = 120


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def answer(address: str, process: subprocess.Popen[str]) -> str:
    until = time.monotonic() + SECONDS
    while True:
        assert process.poll() is None, "it has ended by itself"
        try:
            with urlopen(address, timeout=SECONDS) as response:
                return str(response.read().decode())
        except (URLError, ConnectionError):
            assert time.monotonic() < until
            time.sleep(0.1)


def test_it_starts_answers_and_ends(tmp_path: Path) -> None:
    port = free_port()
    library = tmp_path / "library"
    command = [
        sys.executable,
        "-m",
        "dashboards.cli",
        "dashboard",
        "--library",
        str(library),
        "--port",
        str(port),
    ]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert answer(f"http://127.0.0.1:{port}/_stcore/health", process) == "ok"
        assert "<html" in answer(f"http://127.0.0.1:{port}/", process)
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert process.returncode == 0
    assert f"http://127.0.0.1:{port}" in out
    assert "Traceback" not in errors
    assert not library.exists()
    # Nobody of its group is left: workers, for example.
    assert subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True, check=False).stdout == b""
