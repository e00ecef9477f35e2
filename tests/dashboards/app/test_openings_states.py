"""The explorer of openings without a browser: whatever the address says there is a page, and a next step."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.app.filters import rules_of, rules_text
from dashboards.app.openings.place import Place, moves_of, moves_text
from pipeline.errors import NotThere, PipelineError
from tests.dashboards.app.scripted import said, shown


@pytest.fixture(autouse=True)
def library(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(archive))
    # However slow the machine: ratings are waited for, so that a page is whole at once.
    monkeypatch.setattr("dashboards.app.background.PATIENCE", 60.0)


def button(page: AppTest, label: str) -> AppTest:
    (found,) = (one for one in page.button if one.label == label)
    return found.click().run()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ({"variant": "chess"}, "unknown variant 'chess'"),
        ({"variant": "duo", "moves": "a1-a2"}, "must cover a starting cell"),
        ({"variant": "duo", "moves": "zz99"}, "a cell is not on the board"),
        ({"game": "zzzz"}, "no identity of a game"),
        ({"game": "0000000000"}, "no game"),
        ({"position": "nonsense"}, "a position text begins with"),
        ({"variant": "duo", "rules": "what"}, "is no ruleset"),
        ({"variant": "duo", "moves": ".".join(["a1"] * 300)}, "longer than any game"),
    ],
)
def test_what_makes_no_sense_is_said_and_leads_to_the_start(address: dict[str, str], words: str) -> None:
    page = shown("openings", **address)
    assert words in said(page)
    page = button(page, "Begin at the empty board")
    assert not page.error and "games have this position" in said(page)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ({"since": "never"}, "no date in a known form"),
        ({"player": "Nobody of that name"}, "has a player"),
        ({"min_rating": "1000"}, "0 games have this position"),
        ({"until": "1999"}, "0 games have this position"),
    ],
)
def test_a_filter_that_leaves_nothing_can_be_cleared(address: dict[str, str], words: str) -> None:
    page = shown("openings", variant="duo", **address)
    assert words in said(page)
    page = next(one for one in page.button if one.label == "Clear all filters").click().run()
    assert "25 games have this position" in said(page)
    assert not any(name in page.query_params for name in address)


def test_flawed_games_are_told_of_and_let_in() -> None:
    assert "5 games are not counted" in said(shown("openings", variant="duo"))
    assert "30 games have this position" in said(shown("openings", variant="duo", flawed="True"))


def test_a_position_that_no_game_has_leads_back() -> None:
    page = shown("openings", variant="duo", moves="e10")
    assert "0 games have this position" in said(page)
    page = button(page, "Back one move")
    assert "25 games have this position" in said(page) and "moves" not in page.query_params


@pytest.mark.parametrize("view", ["exact", "merged", "shape", "nonsense"])
@pytest.mark.parametrize("variant", ["classic_2", "trigon_2", "junior"])
def test_every_view_of_every_board(view: str, variant: str) -> None:
    page = shown("openings", variant=variant, view=view)
    assert not page.error
    assert ("never to be added" in said(page)) == (view == "shape")


def test_names_say_how_they_fit() -> None:
    moves = "f9-e10-f10-g10-f11.i4-h5-i5-j5-i6.h7-i7-g8-h8-h9"
    assert "Opening: **XF" in said(shown("openings", variant="duo", moves=moves))
    assert "the pieces fit" in said(shown("openings", variant="duo", moves=moves))


def test_addresses_hold_moves_and_rules_without_loss() -> None:
    moves = ("e10,e11", "j5")
    assert moves_text(moves) == "e10-e11.j5"
    assert moves_of("e10-e11.j5") == moves_of("e10,e11; j5") == moves
    with pytest.raises(NotThere):
        moves_of("a1." * 1000)
    for settings in ({}, {"start": "any_corner", "end": "rounds:25"}):
        assert rules_of(rules_text(settings)) == settings
    assert rules_of("") is None
    with pytest.raises(PipelineError):
        rules_of("start")


def test_moves_back_in_a_game_are_plies_of_it() -> None:
    place = Place("duo", ("a1",), game="abcd", ply=5)
    assert place.at(5, 5) == Place("duo", game="abcd", ply=5)
    assert place.at(2, 5) == Place("duo", game="abcd", ply=2)
    assert Place("duo", ("a1", "b2")).at(1, 0) == Place("duo", ("a1",))
