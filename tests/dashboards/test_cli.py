"""The entry of the command line, before anything else is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

INTERRUPTED = """
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
from dashboards.cli import main
sys.exit(main(["--help"]))
"""


def test_ctrl_c_while_the_program_is_being_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=REPOSITORY, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"cornerwise: stopped\n")


def test_the_entry_loads_next_to_nothing() -> None:
    script = "import sys; before = set(sys.modules); import dashboards.cli; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, check=True)
    assert set(done.stdout.decode().split()) <= {"dashboards", "dashboards.cli", "__future__"}
