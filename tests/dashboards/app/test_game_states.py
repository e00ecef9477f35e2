"""The page of a game without a browser: every state has a next step, every choice of the address is shown."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.app.game.graphs import GRAPHS
from dashboards.app.game.loaded import load
from dashboards.app.game.overlays import OVERLAYS
from dashboards.app.game.telling import seat_name
from dashboards.app.screens.game import PARTS
from dashboards.work import WorkRefused
from pipeline.ingest import import_paths
from pipeline.store import open_reader
from tests.dashboards.app.scripted import said, shown
from tests.places import REPOSITORY


@pytest.fixture
def library(archive: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(archive))
    # However slow the machine: an answer is waited for, so that a page is whole at once.
    monkeypatch.setattr("dashboards.app.background.PATIENCE", 60.0)
    return archive


def ids(library: Path, test: str) -> list[str]:
    with open_reader(library) as reader:
        found = reader.table(f"SELECT id FROM games WHERE {test} ORDER BY game_no")
        return [str(identity) for identity in found["id"].to_pylist()]


def address(page: AppTest, name: str) -> str | None:
    """A parameter of the address after the page ran."""
    found = dict(page.query_params).get(name)
    return found[0] if isinstance(found, list) else found


@pytest.mark.parametrize("variant", ["duo", "trigon_2"])
def test_every_overlay_graph_and_part_of_every_kind_of_board(variant: str, library: Path) -> None:
    identity = ids(library, f"variant = '{variant}' AND NOT illegal AND NOT unfinished")[0]
    for number in range(max(len(OVERLAYS), len(GRAPHS))):
        overlay, graph = OVERLAYS[number], GRAPHS[number % len(GRAPHS)]
        part = list(PARTS)[number % len(PARTS)]
        page = shown("game", id=identity[:7], ply="7", overlay=overlay, graph=graph, part=part)
        assert not page.error
        assert page.selectbox(key="game-overlay").value == overlay
        assert page.selectbox(key="game-graph").value == graph
        assert page.slider(key="game-ply").value == 7


def test_a_ply_that_is_not_there_is_the_nearest_that_is(library: Path) -> None:
    identity = ids(library, "variant = 'duo' AND NOT unfinished AND NOT illegal")[0]
    assert shown("game", id=identity, ply="-3").slider(key="game-ply").value == 0
    last = shown("game", id=identity, ply="1000").slider(key="game-ply")
    assert last.value == last.max == shown("game", id=identity, ply="x").slider(key="game-ply").value


def test_buttons_step_and_write_the_address(library: Path) -> None:
    page = shown("game", id=ids(library, "variant = 'duo' AND NOT unfinished AND NOT illegal")[0], ply="5")
    page.button(key="game-on").click().run()
    assert address(page, "ply") == "6" and page.slider(key="game-ply").value == 6
    page.button(key="game-first").click().run()
    assert address(page, "ply") == "0" and page.button(key="game-back").disabled
    page.slider(key="game-ply").set_value(4).run()
    assert address(page, "ply") == "4"
    page.button(key="game-last").click().run()
    assert address(page, "ply") is None and page.button(key="game-on").disabled


def test_an_illegal_game_says_at_which_ply_and_why(library: Path) -> None:
    page = shown("game", id=ids(library, "illegal AND plies > 5")[0])
    assert "illegal move" in page.warning[0].value and "ply" in page.warning[0].value
    assert page.slider(key="game-ply").max > 5


def test_an_irregular_game_says_so(library: Path) -> None:
    assert "irregular" in said(shown("game", id=ids(library, "irregular")[0]))


@pytest.mark.parametrize("text", ["ffffffff", "zz", "a"])
def test_no_such_game_leads_to_the_list(text: str, library: Path) -> None:
    page = shown("game", id=text)
    assert page.error and page.text_input(key="game-player") is not None


def test_a_search_without_a_result_has_a_way_back(library: Path) -> None:
    page = shown("game", player="nobody of this name")
    page.button(key="game-clear").click().run()
    assert address(page, "player") is None and not page.info


def test_without_a_library_the_way_to_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "none"))
    assert [button.label for button in shown("game", id="abcdef").button] == ["Import games"]


class OneJob:
    """Work of which one job is in a given state."""

    def __init__(self, state: str) -> None:
        self.state, self.asked = state, list[Any]()

    def judge(self, games: list[str], budget: str) -> str:
        self.asked.append((games, budget))
        if self.state == "refused":
            raise WorkRefused("somebody writes to the library", "busy")
        return "job1"

    def job(self, identity: str) -> dict[str, Any]:
        if self.state == "lost":
            raise WorkRefused("there is no such job", "not_there")
        return {"id": identity, "state": self.state, "message": "the worker died", "done": 0, "total": 1}

    def cancel(self, identity: str) -> None:
        self.state = "cancelled"


@pytest.fixture
def unjudged(tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game without a judgement, in a library of its own."""
    own = tmp_path / "library"
    import_paths(own, [str(REPOSITORY / "data" / "faulty" / "unforced_pass.txt")], jobs=1)
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(own))
    yield ids(own, "plies > 3")[0]
    shutil.rmtree(own)


@pytest.mark.parametrize(
    ("state", "words", "button"),
    [
        ("queued", "waits for its turn", "game-cancel"),
        ("running", "is being judged", "game-cancel"),
        ("failed", "the worker died", "game-again"),
        ("cancelled", "was stopped", "game-again"),
        ("lost", "no such job", "game-again"),
    ],
)
def test_a_judging_says_how_it_is_and_what_can_be_done(
    state: str, words: str, button: str, unjudged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboards.app.game.judging.work", lambda: OneJob(state))
    page = shown("game", id=unjudged, job="job1")
    assert words in said(page).replace("\\", "") and page.button(key=button) is not None


def test_a_judging_is_asked_for_once_and_followed_by_its_address(
    unjudged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = OneJob("running")
    monkeypatch.setattr("dashboards.app.game.judging.work", lambda: work)
    page = shown("game", id=unjudged)
    page.button(key="game-judge").click().run()
    assert work.asked == [([unjudged], "quick")] and address(page, "job") == "job1"
    page.button(key="game-cancel").click().run()
    page.button(key="game-again").click().run()
    assert address(page, "job") is None and page.button(key="game-judge") is not None


def test_a_judging_that_is_refused_says_why(unjudged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboards.app.game.judging.work", lambda: OneJob("refused"))
    page = shown("game", id=unjudged)
    page.button(key="game-judge").click().run()
    assert "somebody writes" in page.error[0].value and page.button(key="game-judge") is not None


def test_namesakes_are_told_apart_by_their_seats(library: Path) -> None:
    test = "variant = 'duo' AND (SELECT count(DISTINCT player) FROM seats s WHERE s.game_no = games.game_no) = {}"
    with open_reader(library) as reader:
        alike, different = (load(reader, ids(library, test.format(names))[0]) for names in (1, 2))
    names = [seat_name(alike, at) for at in (0, 1)]
    # In front, because a legend cuts long names off.
    assert names[0].startswith("seat 1 ") and names[1].startswith("seat 2 ")
    assert [seat_name(different, at) for at in (0, 1)] == [s["player"] for s in different.view.seats]
