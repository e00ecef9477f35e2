"""The page of players in its states, without a browser: nobody, not measured, not judged, names of all kinds."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.app.opened import ask
from dashboards.app.players import answers, asking
from dashboards.app.players.naming import in_address, marked, person_of
from pipeline.errors import NoSuchPlayer
from pipeline.store import open_reader
from tests.dashboards.app.scripted import said, shown
from tests.pipeline.contests import Played, library
from tests.pipeline.measured import generated, imported

LONG = "Ada " * 2000


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """The page of an address, whose answers are waited for."""
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "L"))
    for module in (asking, answers):
        monkeypatch.setattr(module, "answer", lambda question, *args: question(*args))
    return partial(shown, "players")


def test_without_a_library_the_next_step_is_an_import(page: Callable[..., AppTest]) -> None:
    found = page()
    assert "There is no library here yet" in said(found)
    assert [button.label for button in found.button] == ["Import games"]


def test_a_library_without_players(page: Callable[..., AppTest], tmp_path: Path) -> None:
    library(tmp_path / "L", Played((None, None), (1, 2)))
    found = page()
    assert "No players yet" in said(found)
    assert [button.label for button in found.button] == ["Import games"]


def test_an_unknown_name_leads_to_a_search_for_it(page: Callable[..., AppTest], tmp_path: Path) -> None:
    library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)))
    found = page(name="Adda")
    assert "'Ada'" in said(found)
    found.button[0].click().run()
    assert "".join(found.query_params["search"]) == "Adda"
    assert "Nobody's name has that in it" in said(found)


def test_what_is_not_measured_or_judged_yet_says_how_to(page: Callable[..., AppTest], tmp_path: Path) -> None:
    games = [{**game, "players": ["Ada", "Ben"]} for game in generated("duo", 2)]
    imported(tmp_path, tmp_path / "L", games)
    strengths = page(name="ada", view="strengths")
    assert "have not been measured yet" in said(strengths)
    assert "has been judged yet" in said(strengths)
    assert {button.label for button in strengths.button} == {"All players", "Measure and judge games"}
    assert "has been judged yet" in said(page(name="Ada", view="mistakes"))
    with open_reader(tmp_path / "L") as reader:
        (one, _) = reader.table("SELECT id FROM games")["id"].to_pylist()
    for game in (one, "0" * 32, "[x](y)", "1"):
        exercise = page(name="Ada", view="mistakes", game=game, ply="3")
        assert len(exercise.info) == 1
        assert [button.label for button in exercise.button] == ["All mistakes"]


def test_one_game_makes_no_curve_and_no_meeting_no_pair(page: Callable[..., AppTest], tmp_path: Path) -> None:
    library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)), Played(("Cleo", "Cleo"), (1, 2)))
    assert "makes no curve yet" in said(page(name="Ada"))
    assert "No decided game against another player" in said(page(name="Cleo"))
    assert "have not met" in said(page(name="Ada", against="Cleo"))
    assert "the same player" in said(page(name="Ada", against="ADA"))


@pytest.mark.parametrize("view", ["overview", "opponents", "strengths", "mistakes", "nonsense"])
def test_parameters_that_mean_nothing_are_let_be(
    view: str, page: Callable[..., AppTest], tmp_path: Path
) -> None:
    library(tmp_path / "L", Played(("Ada", "Ben"), (1, 2)), Played(("Ben", "Ada"), (1, 2)))
    page(name="Ada", view=view, variant="chess", phase="x", page="-3", ply="x", move="z9-zz")
    page(variant="chess", order="x", page="99999", search="a")


def test_a_name_of_any_length_has_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library(tmp_path / "L", Played((LONG, "Ben"), (1, 2)))
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "L"))
    name = LONG.strip()
    address = in_address(name)
    assert len(address) < 60
    assert ask(person_of, address) == name
    assert in_address("Ben") == "Ben"
    with pytest.raises(NoSuchPlayer):
        ask(person_of, address[:-1] + "x")


def test_markup_in_names_is_text() -> None:
    assert marked('<b onclick="x">') == "<bdi>&lt;b onclick=&quot;x&quot;&gt;</bdi>"
    assert len(marked(LONG)) < 1400
    assert marked(None, "unnamed") == "unnamed"
    assert json.dumps(marked("\ud800")) == json.dumps("<bdi>\ufffd</bdi>")
