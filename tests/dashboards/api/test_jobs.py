"""Jobs survive whatever happens to their workers and to the service, and nothing of them is done twice."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dashboards.client import Client, Refused
from engine.position import Position
from pipeline.ingest import import_paths
from pipeline.service import worker
from pipeline.service.jobs import ATTEMPTS, JobStore
from pipeline.store import open_reader
from tests.dashboards.api.serving import REPOSITORY, Process, serving
from tests.dashboards.api.test_stream import queries

QUERIES = [
    {
        "id": f"q{n}",
        "variant": "duo",
        "moves": ["e10", "j5", "f11,g11"],
        "plies": "all",
        "seed": n,
        "budget": 30,
    }
    for n in range(20)
]


FILES = [REPOSITORY / "data" / "games" / name for name in ("duo.blksgf", "classic.blksgf", "trigon.blksgf")]


def moves_of(library: Path) -> str:
    """A checksum of all moves and of what games they are of."""
    with open_reader(library) as reader:
        rows = reader.table(
            "SELECT g.id, m.ply, m.colour, m.move, m.position_key "
            "FROM moves m JOIN games g USING (game_no) ORDER BY ALL"
        ).to_pylist()
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def answers_of(client: Client, job: str) -> str:
    """A checksum of all answers of an analysis."""
    rows = list(client.results(job))
    assert len({row["unit"] for row in rows}) == len(rows)
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def start_worker(kind: str, library: Path) -> subprocess.Popen[bytes]:
    path = os.pathsep.join([os.getcwd(), str(REPOSITORY)])
    command = [sys.executable, "-m", "pipeline.service.worker", kind, str(library), "1"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path})


def until(condition: Any) -> None:
    """Wait for something that other processes do."""
    end = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_killed_import_is_done_once(tmp_path: Path) -> None:
    import_paths(tmp_path / "other", [str(path) for path in FILES], jobs=1)
    library = tmp_path / "library"
    with serving(library) as client:
        job = client.upload(*FILES)["id"]
        store = JobStore(library / "service")
        with start_worker("import", library) as killed:
            until(lambda: store.get(job).state == "running" and (library / "library.lock").exists())
            killed.kill()
        assert client.job(job)["state"] == "running"  # the truth, until somebody looks
        assert worker.work(store, "import", library) == 1
        found = client.job(job)
        assert (found["state"], found["attempts"]) == ("done", 2)
        assert found["outcome"]["files"] == 3
    assert moves_of(library) == moves_of(tmp_path / "other")


def test_a_worker_killed_behind_the_end_of_the_batch(tmp_path: Path) -> None:
    """The games are stored, the job does not know it yet: it learns it from the batch."""
    library = tmp_path / "library"
    with serving(library) as client:
        job = client.upload(FILES[0])["id"]
        store = JobStore(library / "service")
        taken = store.claim("import")
        assert taken is not None
        outcome = worker._run(store, taken, library, 1)
        assert outcome is not None and outcome["files"] == 1
        worker.work(store, "import", library)
        found = client.job(job)
        assert (found["state"], found["attempts"], found["outcome"]) == ("done", 2, outcome)
        assert client.info()["batches"] == 1


def test_a_killed_analysis_goes_on(tmp_path: Path) -> None:
    library = tmp_path / "library"
    with serving(library) as client:
        whole, broken = (client.analyse(QUERIES)["id"] for _ in range(2))
        store = JobStore(library / "service")
        store.cancel(broken)
        worker.work(store, "analysis", library)
        assert client.job(whole)["outcome"] == {"answers": 80, "by_status": {"done": 80}}
        broken = client.analyse(QUERIES)["id"]
        with start_worker("analysis", library) as killed:
            until(lambda: store.get(broken).done > 5)
            killed.kill()
        before = len(store.stored(broken))
        assert before > 5
        worker.work(store, "analysis", library)
        assert client.job(broken)["state"] == "done"
        assert answers_of(client, broken) == answers_of(client, whole)


def test_a_job_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    store = JobStore(tmp_path)
    job = store.add("import", {"files": []})
    for attempt in range(1, ATTEMPTS + 1):
        taken = store.claim("import")
        assert taken is not None and taken.attempts == attempt
    assert store.claim("import") is None
    found = store.get(job.id)
    assert (found.state, found.code) == ("failed", "worker_died")


def test_urgent_jobs_first_and_one_worker_at_a_time(tmp_path: Path) -> None:
    store = JobStore(tmp_path)
    later, urgent = store.add("analysis", {}), store.add("analysis", {}, priority=5)
    with store.attending("analysis") as alone:
        assert alone
        with JobStore(tmp_path).attending("analysis") as other:
            assert not other
    first, second = store.claim("analysis"), None
    assert first is not None and first.id == urgent.id
    store.finish(urgent.id, "done")
    second = store.claim("analysis")
    assert second is not None and second.id == later.id
    store.finish(urgent.id, "failed")
    assert store.get(urgent.id).state == "done"


def test_some_queries_cancelled(tmp_path: Path) -> None:
    library = tmp_path / "library"
    with serving(library) as client:
        job = client.analyse(QUERIES)["id"]
        client.cancel(job, ["q3", "q7"])
        with pytest.raises(Refused) as refused:
            client.cancel(job, ["q99"])
        assert refused.value.status == 404
        worker.work(JobStore(library / "service"), "analysis", library)
        rows = list(client.results(job))
        assert [(row["id"], row["ply"]) for row in rows] == [
            (q["id"], ply) for q in QUERIES for ply in range(4)
        ]
        assert {row["id"] for row in rows if row["status"] == "cancelled"} == {"q3", "q7"}
        assert client.job(job)["outcome"]["by_status"] == {"done": 72, "cancelled": 8}


def test_two_hundred_queries_two_cancelled(tmp_path: Path) -> None:
    """One final answer for every query and ply, whatever is cancelled."""
    lines = queries(200)
    wanted = [(row["id"], ply) for row in lines for ply in row["plies"]]
    with serving(tmp_path / "library") as client:
        job = client.analyse(lines)["id"]
        client.cancel(job, ["q17", "q199"])
        worker.work(JobStore(tmp_path / "library" / "service"), "analysis", tmp_path / "library")
        rows = list(client.results(job))
    assert [(row["id"], row["ply"]) for row in rows] == wanted
    assert {row["id"] for row in rows if row["status"] == "cancelled"} == {"q17", "q199"}
    for row in rows:
        assert row["status"] == "cancelled" or row["evaluation"]["ply"] == row["ply"]


def test_events_go_on_where_they_were_left(tmp_path: Path) -> None:
    library = tmp_path / "library"
    with serving(library) as client:
        job = client.analyse(QUERIES[:2])["id"]
        listening = client.events(job)
        first = next(listening)
        listening.close()  # gone in the middle
        worker.work(JobStore(library / "service"), "analysis", library)
        rest = list(client.events(job, first[0]))
        assert [first, *rest] == list(client.events(job))
        assert [number for number, _, _ in [first, *rest]] == list(range(1, len(rest) + 2))
        assert rest[-1][1:] == ("state", {"state": "done"})


def test_the_service_killed_and_started_again(tmp_path: Path) -> None:
    """With its workers: jobs go on by themselves, and the list tells the truth."""
    library = tmp_path / "library"
    service = Process(library)
    try:
        until(lambda: _lives(service.client))
        imported = service.client.upload(*FILES)["id"]
        analysed = service.client.analyse(QUERIES)["id"]
        until(lambda: service.client.job(analysed)["done"] > 3)
        service.kill()
        service.start()
        until(lambda: _lives(service.client))
        assert service.client.wait(imported)["state"] == "done"
        assert service.client.wait(analysed)["outcome"] == {"answers": 80, "by_status": {"done": 80}}
        states = {row["id"]: row["state"] for row in service.client.jobs()["rows"]}
        assert states == {imported: "done", analysed: "done"}
        assert service.client.info()["games"] == len(list(service.client.games(limit=1000)))
        (first,) = service.client.evaluate(
            variant="duo", moves=QUERIES[0]["moves"], seed=0, budget=30, plies=[0]
        )
        (stored, *_) = service.client.results(analysed)
        assert {**first, "cached": False} == stored["evaluation"]
        assert Position("duo").key == first["position_key"]
        assert service.stop() in (0, -signal.SIGTERM)
    finally:
        service.process.kill()
        service.process.wait()


def _lives(client: Client) -> bool:
    try:
        return bool(client.version())
    except (OSError, Exception):
        return False
