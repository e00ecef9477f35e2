"""Games of the library judged as a job: the rows of `analyse`, whatever happens to the worker in between."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboards.client import Client, Refused
from pipeline import stopping
from pipeline.analysis import analyse as running
from pipeline.service import judging_job, worker
from pipeline.service.jobs import Job, JobStore
from pipeline.store import check_library, open_reader, open_writer
from tests.dashboards.api.serving import REPOSITORY, serving
from tests.pipeline.analysed import judge, rows_of
from tests.pipeline.measured import generated, imported

DYING = """
import os, signal, sys
from pipeline.analysis import analyse
from pipeline.service import jobs, worker
from pipeline.store.writer import Writer

def dying(owner, name, last):
    # The process ends without a word when it would call this for the last time.
    whole, calls = getattr(owner, name), []
    def call(*values, **more):
        calls.append(None)
        if len(calls) == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(*values, **more)
    setattr(owner, name, call)

library, owner, name, last = sys.argv[1:]
analyse.PARTITION_WORK = 30_000
dying({"jobs": jobs.JobStore, "writer": Writer}[owner], name, int(last))
worker.main(["judge", library, "1"])
"""
"""A worker that stores partitions of about two games, and dies at a call."""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return imported(tmp_path, tmp_path / "library", generated("duo", 7))


@pytest.fixture
def client(library: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(running, "PARTITION_WORK", 30_000)
    monkeypatch.setattr(stopping, "LOOK", 0.0)
    with serving(library) as found:
        yield found


def evaluations(library: Path) -> str:
    """A checksum of all that the library knows of its judged games."""
    return hashlib.sha256(repr(rows_of(library)).encode()).hexdigest()


def finish(library: Path, job: str) -> Job:
    store = JobStore(library / "service")
    worker.work(store, "judge", library)
    return store.get(job)


def killed(library: Path, owner: str, name: str, last: int) -> None:
    path = os.pathsep.join([os.getcwd(), str(REPOSITORY)])
    command = [sys.executable, "-c", DYING, str(library), owner, name, str(last)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}) as process:
        assert process.wait(300) == -signal.SIGKILL


def test_a_killed_judging_is_done_once(client: Client, library: Path, tmp_path: Path) -> None:
    """Killed between two partitions, then in the middle of storing one: equal evaluations in the end."""
    other = imported(tmp_path, tmp_path / "other", generated("duo", 7))
    judge(other)
    job = client.judge(budget="instant")["id"]
    killed(library, "jobs", "progress", 5)
    found = client.job(job)
    assert (found["state"], found["done"], found["total"], found["attempts"]) == ("running", 4, 7, 1)
    kept = len(rows_of(library)[0])
    assert 0 < kept <= 4
    killed(library, "writer", "publish", 1)
    done = finish(library, job)
    assert (done.state, done.done, done.total, done.attempts) == ("done", 7, 7, 3)
    assert done.outcome is not None
    assert (done.outcome["games"], done.outcome["present"], done.outcome["changed"]) == (7, 0, 0)
    assert evaluations(library) == evaluations(other)
    with open_reader(library) as reader:
        assert check_library(reader) == []
    totals = {data["total"] for _, kind, data in client.events(job) if kind == "progress"}
    assert totals == {7}


def test_a_worker_killed_behind_the_last_partition(client: Client, library: Path) -> None:
    job = client.judge(budget="instant", first=3)["id"]
    store = JobStore(library / "service")
    taken = store.claim("judge")
    assert taken is not None
    outcome = worker._run(store, taken, library, 1)
    before = evaluations(library)
    done = finish(library, job)
    assert (done.state, done.attempts, done.outcome, done.done) == ("done", 2, outcome, 3)
    assert evaluations(library) == before


def test_cancelled_in_the_middle(client: Client, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged by then stays, and the next job goes on from there."""
    whole = JobStore.progress

    def progress(store: JobStore, job: str, done: int, total: int | None, data: object = None) -> None:
        whole(store, job, done, total)
        if done == 3:
            client.cancel(job)

    job = client.judge(budget="instant")["id"]
    with monkeypatch.context() as patch:
        patch.setattr(JobStore, "progress", progress)
        assert finish(library, job).state == "cancelled"
    assert len(rows_of(library)[0]) == 3
    following = finish(library, client.judge(budget="instant")["id"])
    assert following.outcome is not None
    assert (following.outcome["games"], following.outcome["present"]) == (4, 3)


def test_another_writer(client: Client, library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging_job, "PATIENCE", 0.0)
    job = client.judge(budget="instant", first=1)["id"]
    with open_writer(library, command="import"):
        found = finish(library, job)
        assert (found.state, found.attempts) == ("queued", 0)
        assert "import" in str(client.job(job)["message"])
    done = finish(library, job)
    assert (done.state, done.message) == ("done", None)
    events = [data.get("message") for _, kind, data in client.events(job) if kind == "state"]
    assert any("import" in str(message) for message in events)


def test_which_games(client: Client, library: Path) -> None:
    ids = [row["id"] for row in client.games()]
    named = finish(library, client.judge([ids[2][:10], ids[2]], budget="instant")["id"])
    assert named.outcome is not None and named.outcome["games"] == 1
    none = finish(library, client.judge(variant="classic", budget="instant")["id"])
    assert (none.state, none.outcome and none.outcome["games"]) == ("done", 0)
    same = finish(library, client.judge(ids[:3], budget=2, seed=9)["id"])
    assert same.outcome is not None
    assert (same.outcome["games"], same.outcome["other"]) == (2, 1)
    replaced = finish(library, client.judge([ids[2]], budget=2, seed=9, again=True)["id"])
    assert replaced.outcome is not None and replaced.outcome["games"] == 1
    assert len(rows_of(library)[0]) == 3
    kinds = {row["kind"] for row in client.jobs(kind="judge")["rows"]}
    assert kinds == {"judge"}


def test_what_is_refused(client: Client) -> None:
    bodies: tuple[tuple[int, dict[str, Any]], ...] = (
        (404, {"ids": ["ffffffff"]}),
        (422, {"ids": ["ffffffff"], "first": 1}),
        (422, {"budget": 2_000_000}),
        (422, {"budget": "fast"}),
        (422, {"seed": 1.5}),
        (422, {"first": 0}),
    )
    for status, body in bodies:
        with pytest.raises(Refused) as refused:
            client.judge(**body)
        assert refused.value.status == status, body
    assert client.jobs()["rows"] == []
