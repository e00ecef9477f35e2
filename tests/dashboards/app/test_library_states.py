"""States of the page of the library that a browser sees seldom: no library, no service, jobs that fail or wait."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.app import working
from dashboards.app.library import jobs
from dashboards.app.library.looking import How
from dashboards.app.library.started import Started
from dashboards.work import WorkRefused

PAGE = "from dashboards.app.screens import library\nlibrary.show()"

JOB = {
    "id": "a" * 24,
    "kind": "import",
    "state": "running",
    "done": 0,
    "total": None,
    "message": None,
    "code": None,
    "result": None,
    "created": "2026-11-30T12:00:00+00:00",
    "attempts": 1,
}


class Jobs:
    """Work that has these jobs."""

    def __init__(self, *found: dict[str, Any]) -> None:
        self.found = {job["id"]: job for job in found}
        self.cancelled: list[str] = []

    def job(self, identity: str) -> dict[str, Any]:
        return self.found[identity]

    def jobs(self, limit: int = 50, kind: str | None = None) -> list[dict[str, Any]]:
        return list(self.found.values())

    def cancel(self, identity: str) -> dict[str, Any]:
        self.cancelled.append(identity)
        return self.found[identity]


def page(**parameters: str) -> AppTest:
    app = AppTest.from_string(PAGE, default_timeout=120)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app


def said(app: AppTest) -> str:
    assert not app.exception
    parts = (app.markdown, app.warning, app.error, app.success, app.info, app.title, app.caption)
    return "\n".join(str(one.value) for part in parts for one in part)


@pytest.fixture
def library(archive: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(archive))
    return archive


def having(monkeypatch: pytest.MonkeyPatch, *found: dict[str, Any]) -> Jobs:
    work = Jobs(*found)
    monkeypatch.setattr(working, "work", lambda: work)
    return work


def test_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "nowhere"))
    app = page().run()
    assert "There is no library here yet" in said(app)
    assert not (tmp_path / "nowhere").exists()


def test_the_service_is_away(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_SERVICE", "http://127.0.0.1:9")
    working.ask_again()
    app = page(part="tasks").run()
    assert "does not answer" in said(app)
    assert "cornerwise serve" in said(app)
    by_key = {button.key: button for button in app.button}
    assert by_key["library.judge"].disabled
    # It is not asked again with every click, until somebody wants it.
    asked: list[str] = []

    class Back(Jobs):
        def jobs(self, limit: int = 50, kind: str | None = None) -> list[dict[str, Any]]:
            asked.append("jobs")
            return []

    monkeypatch.setattr(working, "_of", lambda *_: Back())
    assert "does not answer" in said(app.run())
    assert asked == []
    next(button for button in app.button if button.label == "Ask again").click().run()
    assert asked
    assert "does not answer" not in said(app)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "failed", "code": "worker_died", "message": "its worker died 3 times"}, "want of memory"),
        ({"state": "failed", "code": "too_large", "message": "more than allowed"}, "part of it at a time"),
        ({"state": "failed", "code": "fault", "message": "a fault"}, "Mend what the message says"),
        ({"state": "cancelled"}, "nothing is stored"),
    ],
)
def test_work_that_failed(
    library: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], words: str
) -> None:
    having(monkeypatch, JOB | change)
    app = page()
    app.session_state["library.started"] = [started()]
    app.run()
    assert words in said(app)
    assert change.get("message", "cancelled") in said(app)
    app.button(key="library.read.0").click().run()
    assert words not in said(app)


def test_work_that_was_not_taken(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    having(monkeypatch)
    refused: Future[str] = Future()
    refused.set_exception(WorkRefused("XML with a document type is refused", "doctype"))
    app = page()
    app.session_state["library.started"] = [Started("a.xml", "import", refused, frozenset({"x"}))]
    app.run()
    assert "Take the document type out" in said(app)


def test_work_under_way(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = having(monkeypatch, JOB | {"done": 3, "total": 12, "attempts": 2, "kind": "judge"})
    app = page()
    app.session_state["library.started"] = [started("judge")]
    app.run()
    assert not app.exception
    app.button(key=f"library.cancel.{JOB['id']}").click().run()
    assert work.cancelled == [JOB["id"]]


def started(kind: str = "import") -> Started:
    handed: Future[str] = Future()
    handed.set_result(str(JOB["id"]))
    return Started("games.sgf", kind, handed, frozenset({"digest"}))


def test_how_far_it_is() -> None:
    assert "handed over" in jobs.how_far({})
    assert jobs.how_far(JOB) == "begins …"
    assert jobs.how_far(JOB | {"done": 1200}) == "1,200 games so far"
    assert jobs.how_far(JOB | {"done": 3, "total": 12}) == "3 of 12 games"
    assert "attempt 2" in jobs.how_far(JOB | {"done": 3, "total": 12, "attempts": 2})
    assert jobs.how_far(JOB | {"message": "waits for features (pid 7)"}) == "waits for features (pid 7)"
    assert jobs.how_far(JOB | {"state": "queued"}) == "waits for its turn"


def test_an_address_with_nothing_behind_it(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing(Jobs):
        def job(self, identity: str) -> dict[str, Any]:
            raise WorkRefused("there is no job", "not_there")

    monkeypatch.setattr(working, "work", lambda: Nothing())
    assert "there is no job" in said(page(job="xyz", part="nonsense").run())
    assert "there is no code" in said(page(part="quality", code="nonsense").run())
    assert "2020-12" in said(page(part="games", since="soon").run())
    assert "cursor" in said(page(part="games", cursor="***").run())


def test_files_are_read_as_chosen() -> None:
    assert How("csv", "duo", True).settings() == {"format": "csv", "variant": "duo", "strict": True}
