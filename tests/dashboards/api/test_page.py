"""The examples of the page run as printed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

from pipeline.ingest import import_paths
from pipeline.service import worker
from pipeline.service.jobs import JobStore
from tests.dashboards.api.serving import REPOSITORY, serving

PAGE = files("dashboards.api").joinpath("README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```sh\n(curl .*?)\n```$", PAGE, re.M | re.S)


def test_the_examples(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "data" / "games", tmp_path / "data" / "games")
    library = tmp_path / "library"
    import_paths(library, [str(tmp_path / "data" / "games" / "duo.blksgf")], jobs=1)
    with serving(library) as client:

        def run(line: str) -> Any:
            command = line.replace("localhost:8321", client.base_url.removeprefix("http://"))
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, capture_output=True, timeout=60, check=True
            )
            return json.loads(done.stdout)

        evaluated, uploaded, openings = map(run, EXAMPLES)
        assert len(evaluated["evaluations"][0]["moves"]) == 3
        worker.work(JobStore(library / "service"), "import", library)
        assert client.job(uploaded["id"])["outcome"]["files"] == 2
        assert len(openings["moves"]) == 3
