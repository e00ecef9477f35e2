"""The README's tour on the sample archive: its commands run, and print what the README says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipeline.compiling import MESSAGE
from tests.dashboards.running import Cli

REPOSITORY = Path(__file__).resolve().parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_SECONDS = re.compile(r"\b\d+\.\d s$", re.M)


@dataclass
class Step:
    """A command of the tour; `shown` is what the README prints below it, nothing where it does not."""

    line: str
    shown: list[str] = field(default_factory=list)


def _tour() -> list[Step]:
    steps: list[Step] = []
    for language, block in _BLOCK.findall(README):
        for line in block.splitlines() if not language and block.startswith("$ ") else ():
            if line.startswith("$ "):
                steps.append(Step(line[2:]))
            else:
                steps[-1].shown.append(line)
    return steps


def _without_seconds(lines: list[str]) -> str:
    kept = [line.rstrip() for line in lines if line != MESSAGE]
    return _SECONDS.sub("? s", "\n".join(kept).strip())


@pytest.fixture
def sample(cli: Cli) -> Cli:
    """The folder of the tour: the sample archive, and the library where it lies by default."""
    shutil.copytree(REPOSITORY / "data", cli.folder / "data")
    cli.library = cli.folder / "cornerwise-library"
    return cli


def test_the_tour(sample: Cli) -> None:
    tour = _tour()
    assert [step.line.split()[1] for step in tour if step.shown] == ["import", "games", "sql"]
    for step in tour:
        program, *args = shlex.split(step.line, comments=True)
        assert program == "cornerwise"
        result = sample.ok(*args)
        if step.shown:
            printed = _without_seconds((result.out + result.err).splitlines())
            assert printed == _without_seconds(step.shown), step.line


def test_the_notebook(sample: Cli) -> None:
    (example,) = (block for language, block in _BLOCK.findall(README) if language == "python")
    sample.ok("import", "data/games/duo.blksgf")
    done = subprocess.run(
        [sys.executable, "-c", example + "\nprint(openings.to_pylist()[0])"],
        cwd=sample.folder,
        env=dict(os.environ, PYTHONPATH=str(REPOSITORY)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("{'move': '")
