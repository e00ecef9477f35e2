"""The command as a process: its help, what it loads, and an output that ends early or is full."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.dashboards.running import Cli

COMMANDS = (
    *("import", "info", "games", "show", "quarantine", "legal", "check", "export", "sql", "undo"),
    *("generate", "demo", "formats", "results", "positions", "piece-lists"),
)
REPOSITORY = Path(__file__).resolve().parents[2]


def _process(*args: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *args],
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        **options,
    )


def test_help_names_every_command_and_loads_nothing_heavy(cli: Cli) -> None:
    text = cli.ok("--help").out
    for name in COMMANDS:
        assert f"\n  {name} " in text
        assert "--json" in cli.ok(name, "--help").out
    heavy = {"numba", "polars", "duckdb", "pyarrow", "numpy", "pydantic", "rich"}
    script = (
        "import sys; from dashboards.cli import main; code = main(['--help']);"
        f"loaded = {heavy} & set(sys.modules); sys.exit(code or str(loaded) * bool(loaded) or 0)"
    )
    done = _process("-c", script)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_has_seen_enough(some: Cli) -> None:
    script = f"{sys.executable} -m dashboards.cli sql 'FROM range(1000000)' --csv --library {some.library} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], cwd=REPOSITORY, capture_output=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == (b"range\n", b"", 0)


def test_a_full_disk_under_the_output(some: Cli) -> None:
    script = f"{sys.executable} -m dashboards.cli games --library {some.library} > /dev/full"
    done = subprocess.run(["bash", "-c", script], cwd=REPOSITORY, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("cornerwise: the disk is full")
