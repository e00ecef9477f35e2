"""Imports and judgings in both ways: by a service, and by processes of this one; nobody sees a difference."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dashboards.work import Work, WorkRefused
from pipeline.service.jobs import JobStore
from pipeline.service.judging_job import Judging
from pipeline.service.worker import work as do
from pipeline.store import open_reader
from tests import records
from tests.dashboards.api.serving import serving

GAME = records.O_A7.encode()
OTHER = records.O_A2_A.encode()
SHORT = b"(;GM[Blokus Duo];B[e10];W[j5])"
SHORTER = b"(;GM[Blokus Duo];B[e10])"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture(params=["service", "processes"])
def idle(request: pytest.FixtureRequest, library: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """Both ways, while nobody does the jobs: `finish` does, in this process."""
    with ExitStack() as stack:
        if request.param == "service":
            client = stack.enter_context(serving(library))
            yield stack.enter_context(Work.at(client.base_url))
        else:
            monkeypatch.setattr("pipeline.service.workers.Workers.start", lambda self: None)
            yield stack.enter_context(Work.local(library))


def finish(library: Path, kind: str) -> None:
    do(JobStore(library / "service"), kind, library)


def identities(library: Path) -> list[str]:
    with open_reader(library) as reader:
        found: list[str] = reader.table("SELECT id FROM games ORDER BY game_no")["id"].to_pylist()
        return found


def judged(library: Path) -> int:
    with open_reader(library) as reader:
        return reader.table("FROM analysed_games_raw").num_rows


def test_an_import(idle: Work, library: Path) -> None:
    job = idle.import_files([("../a.blksgf", GAME), ("a.blksgf", OTHER), ("no.txt", b"hello")])
    assert (idle.job(job)["state"], idle.job(job)["result"]) == ("queued", None)
    with pytest.raises(WorkRefused, match="queued") as refused:
        list(idle.outcomes(job))
    assert refused.value.code == "not_done"
    finish(library, "import")
    found = idle.job(job)
    assert (found["state"], found["kind"], found["message"]) == ("done", "import", None)
    assert found["result"]["stored"] == 2
    assert [row["file"] for row in found["result"]["other_files"]] == ["no.txt"]
    rows = list(idle.outcomes(job))
    assert [(row["source"], row["outcome"]) for row in rows] == [
        ("2/a.blksgf", "stored"),
        ("a.blksgf", "stored"),
    ]
    assert {row["id"] for row in rows} == set(identities(library))
    events = list(idle.events(job))
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    assert events[-1][1:] == ("state", {"state": "done"})
    assert list(idle.events(job, events[-2][0])) == events[-1:]
    assert [row["id"] for row in idle.jobs()] == [job]
    assert idle.jobs(kind="judge") == []
    with pytest.raises(WorkRefused) as refused:
        idle.cancel(job)
    assert refused.value.code == "finished"


def test_how_files_are_read(idle: Work, library: Path) -> None:
    job = idle.import_files([("a", SHORT)], format="blksgf", rules={"scoring": "plain"}, force_rules=True)
    finish(library, "import")
    assert idle.job(job)["state"] == "done"
    with open_reader(library) as reader:
        assert reader.table("SELECT scoring FROM games")["scoring"].to_pylist() == ["plain"]


def test_a_judging(idle: Work, library: Path) -> None:
    idle.import_files([("a.blksgf", SHORT), ("b.blksgf", SHORTER)])
    finish(library, "import")
    short = min(identities(library))[:8]
    one = idle.judge([short], budget="instant")
    finish(library, "judge")
    assert idle.job(one)["result"]["games"] == judged(library) == 1
    rest = idle.judge(None, "instant", 1, variant="duo")
    finish(library, "judge")
    found = idle.job(rest)
    assert (found["done"], found["total"], judged(library)) == (1, 1, 2)
    assert found["result"] == {
        "games": 1,
        "changed": 0,
        "present": 1,
        "older": 0,
        "other": 0,
        "without": 0,
        "budget": "instant",
        "seed": 1,
    }
    progress = [data for _, kind, data in idle.events(rest) if kind == "progress"]
    assert [(data["done"], data["total"]) for data in progress] == [(1, 1)]
    again = idle.judge(budget=2, seed=5, first=1, again=True)
    finish(library, "judge")
    assert idle.job(again)["result"]["games"] == 1


def test_a_measuring(idle: Work, library: Path) -> None:
    idle.import_files([("a.blksgf", GAME), ("b.blksgf", SHORT)])
    finish(library, "import")
    job = idle.measure()
    assert (idle.job(job)["kind"], idle.job(job)["state"]) == ("measure", "queued")
    finish(library, "measure")
    found = idle.job(job)
    assert (found["done"], found["total"]) == (2, 2)
    assert {name: found["result"][name] for name in ("games", "older", "present", "without")} == {
        "games": 2,
        "older": 0,
        "present": 0,
        "without": 0,
    }
    again = idle.measure()
    finish(library, "measure")
    assert (idle.job(again)["result"]["games"], idle.job(again)["result"]["present"]) == (0, 2)


def test_cancelled_while_it_waits(idle: Work, library: Path) -> None:
    job = idle.import_files([("a.blksgf", GAME)])
    assert idle.cancel(job)["state"] == "cancelled"
    finish(library, "import")
    assert idle.job(job)["state"] == "cancelled"


REFUSED = [
    (lambda work: work.import_files([("a.xml", b"<?xml?><!DOCTYPE a []><a/>")]), "doctype"),
    (lambda work: work.import_files([("a.blksgf", GAME)], format="pgn"), "invalid"),
    (lambda work: work.import_files([("a.blksgf", GAME)], variant="chess"), None),
    (lambda work: work.import_files([("a.blksgf", GAME)], rules={"teams": "perhaps"}), None),
    (lambda work: work.import_files([]), None),
    (lambda work: work.judge(["ffffffff"]), "no_such_game"),
    (lambda work: work.judge(["x"]), None),
    (lambda work: work.judge([]), None),
    (lambda work: work.judge(["ffffffff"], first=1), None),
    (lambda work: work.judge(budget="fast"), None),
    (lambda work: work.judge(budget=0), None),
    (lambda work: work.judge(first=0), None),
    (lambda work: work.judge(seed=-1), None),
    (lambda work: work.judge(variant="chess"), None),
    (lambda work: work.job("0" * 24), "not_there"),
    (lambda work: work.cancel("0" * 24), "not_there"),
    (lambda work: list(work.events("0" * 24)), "not_there"),
    (lambda work: list(work.outcomes("0" * 24)), "not_there"),
]


def test_what_is_refused(idle: Work, library: Path) -> None:
    before = idle.import_files([("a.blksgf", SHORT)])
    finish(library, "import")
    for ask, code in REFUSED:
        with pytest.raises(WorkRefused) as refused:
            ask(idle)
        assert len(str(refused.value)) > 10
        assert code is None or refused.value.code == code
    assert [row["id"] for row in idle.jobs()] == [before]
    assert not list((library / "service" / "uploads").iterdir())


def test_no_service() -> None:
    with (
        Work.at("http://127.0.0.1:9") as work,
        pytest.raises(WorkRefused, match="does not answer") as refused,
    ):
        work.jobs()
    assert refused.value.code == "no_answer"


def test_nothing_is_made_by_looking(library: Path) -> None:
    with Work.local(library) as work:
        assert work.jobs() == []
        with pytest.raises(WorkRefused) as refused:
            work.judge()
        assert refused.value.code == "no_library"
        with pytest.raises(WorkRefused) as refused:
            work.measure()
        assert refused.value.code == "no_library"
    assert not library.exists()


def test_its_own_processes(library: Path) -> None:
    """They do what is asked, and what an earlier program left; they end with this one."""
    with Work.local(library) as work:
        job = work.import_files([("a.blksgf", GAME)])
        assert list(work.events(job))[-1][2] == {"state": "done"}
        assert work.job(job)["attempts"] == 1
    with open_reader(library) as reader:
        spec = Judging(budget="instant").spec(reader, 1)
    left = JobStore(library / "service").add("judge", spec)
    with Work.local(library) as work:
        assert list(work.events(left.id))[-1][2] == {"state": "done"}
        long = work.judge(budget=30_000, again=True)
        for _, kind, data in work.events(long):
            if kind == "state" and data["state"] == "running":
                break
    waiting = JobStore(library / "service").get(long)
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    with JobStore(library / "service").attending("judge") as alone:
        assert alone


def test_the_local_way_needs_no_web_framework(library: Path) -> None:
    script = (
        "import sys; from dashboards.work import Work; Work.local(sys.argv[1]).close();"
        "assert not {'fastapi', 'uvicorn', 'starlette', 'httpx'} & set(sys.modules), sys.modules"
    )
    subprocess.run([sys.executable, "-c", script, str(library)], check=True)
