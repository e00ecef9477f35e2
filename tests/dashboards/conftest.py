from pathlib import Path

import pytest

from tests import records
from tests.dashboards.running import Cli


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(tmp_path, monkeypatch)


@pytest.fixture
def some(cli: Cli) -> Cli:
    """Games of three variants, with dates and players, and one illegal."""
    cli.put("in/a7.blksgf", records.O_A7.replace("CA[UTF-8]", "CA[UTF-8]DT[2021-03-04]PB[Ada]PW[Ben]RE[W+3]"))
    cli.put("in/a2.blksgf", records.O_A2_A.replace("CA[UTF-8]", "P1[Cleo]P2[Ada]P3[Dan]P4[Eve]"))
    cli.put("in/b4.blksgf", records.O_B4)
    cli.ok("import", "in")
    return cli
