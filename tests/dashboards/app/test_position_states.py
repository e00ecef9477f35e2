"""The page of a position in all its states, without a browser."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.app.position.standing import ghosts, piece_of, standing, why_not
from engine.boards import cells_by_name
from engine.verdicts import REASONS
from pipeline.lines import Line, line_events
from tests.dashboards.app.scripted import said, shown
from tests.places import REPOSITORY

OPENING = "d9-e9-e10.j5"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """The page of an address; there is no library."""
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "library"))
    return partial(shown, "position")


def texts(page: AppTest) -> str:
    return plain(said(page))


def plain(text: str) -> str:
    """Without what keeps Markdown from seeing marks in it."""
    return text.replace("\\", "").replace("\u2060", "")


def parameter(page: AppTest, name: str) -> str:
    return "".join(page.query_params.get(name, []))


def test_a_new_board_says_whose_turn_it_is_without_a_library(page):
    assert "first (violet) to move** · 414 legal moves" in texts(page())


def test_going_back_and_forward_through_a_line(page):
    found = page(variant="duo", moves=OPENING)
    found.button(key="position.back").click().run()
    assert "Ply 1 of 2" in texts(found)
    assert parameter(found, "moves") == OPENING
    found.button(key="position.end").click().run()
    assert "Ply 2 of 2" in texts(found)
    found.button(key="position.new").click().run()
    assert parameter(found, "moves") == ""
    assert found.button(key="position.back").disabled


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"variant": "chess"}, "unknown variant"),
        ({"variant": "duo", "rules": "start=nowhere"}, "unknown start rule"),
        ({"variant": "duo", "rules": "start"}, "rules are pairs"),
        ({"variant": "duo", "moves": "out:7:x"}, "out:SEAT:CAUSE"),
        ({"position": "cw1.duo.Q"}, "neither a number of cells"),
    ],
)
def test_an_address_that_makes_no_sense_leads_to_a_new_board(page, parameters, words):
    found = page(**parameters)
    assert words in plain(found.error[0].value)
    found.button[0].click().run()
    assert "414 legal moves" in texts(found)


def test_a_move_of_the_address_that_is_illegal_is_told(page):
    found = page(variant="duo", moves=f"{OPENING}.j6")
    assert "Move 3 (j6) cannot be played: it touches no piece of its own colour" in texts(found)
    assert "Ply 2 of 3" in texts(found)


def test_markup_in_an_address_is_text(page):
    found = page(variant="![x](http://example.org/x.png)")
    assert "![x]" not in found.error[0].value


def test_another_variant_begins_anew(page):
    found = page(variant="duo", moves=OPENING)
    found.selectbox(key="position.variant").select("trigon").run()
    assert "2,478 legal moves" in texts(found)
    assert parameter(found, "moves") == ""


def test_rules_are_set_and_those_that_do_not_fit_are_refused(page):
    found = page(variant="classic")
    found.session_state["position.rules_box"] = True
    found.run()
    found.selectbox(key="position.rule.start").select("any_corner").run()
    assert parameter(found, "rules") == "start=any_corner"
    found.selectbox(key="position.rule.teams").select("yes").run()
    found.selectbox(key="position.rule.neutral").select("green").run()
    assert "These rules do not go together" in texts(found)
    assert parameter(found, "rules") == "start=any_corner,teams=yes"


def test_passing_where_it_is_allowed(page):
    found = page(variant="duo", rules="pass=voluntary")
    found.button(key="position.pass").click().run()
    assert "second (orange) to move" in texts(found)
    found.button(key="position.back").click().run()
    assert "first (violet) to move" in texts(found)


def paste(page: AppTest, text: str, game: int = 1, ply: int | None = None) -> None:
    page.session_state["position.load_box"] = True
    page.run()
    page.text_area(key="position.pasted").input(text)
    page.number_input(key="position.game").set_value(game)
    if ply is not None:
        page.number_input(key="position.at").set_value(ply)
    next(button for button in page.button if button.label == "Show it").click().run()
    assert not page.exception


def test_a_pasted_game_is_shown_at_a_ply(page):
    found = page(variant="classic")
    paste(found, (REPOSITORY / "data" / "games" / "trigon_2.blksgf").read_text(), ply=4)
    assert parameter(found, "variant") == "trigon_2"
    assert "Ply 4 of" in texts(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Paste a text"),
        ("hello", "no game records in a known format"),
        ("cw1.duo.Z", "neither a number of cells"),
        ("(;GM[Blokus Duo];B[e10];W[a1])", "Move 2 (a1) cannot be played: the first piece"),
    ],
)
def test_what_is_wrong_with_a_pasted_text_is_told(page, text, words):
    found = page(variant="duo")
    paste(found, text)
    assert words in texts(found)


def test_a_game_that_is_over_has_its_result(page):
    game = (REPOSITORY / "data" / "games" / "duo.blksgf").read_text().split("\n(")[0]
    found = page(variant="duo", panel="record", p1="Ada")
    paste(found, game)
    assert "The game is over" in texts(found)
    found.segmented_control(key="position.panel").set_value("evaluate").run()
    found.button(key="position.evaluate").click().run()
    assert parameter(found, "evaluate") == "1"


def test_a_player_who_leaves_is_part_of_the_line(page):
    found = page(variant="duo", moves=OPENING, panel="record")
    found.session_state["position.leave_box"] = True
    found.run()
    found.selectbox(key="position.leaver").select(1)
    found.selectbox(key="position.cause").select("resigned").run()
    found.button(key="position.leave").click().run()
    assert parameter(found, "moves") == f"{OPENING}.out:2:resigned"


def test_a_date_that_is_none_is_kept_and_told(page):
    found = page(variant="duo", moves=OPENING, panel="record", date="2026-13-40")
    assert "no such day" in texts(found)
    assert found.text_input(key="position.date").value == "2026-13-40"


def test_why_a_piece_cannot_lie_there():
    line = Line("duo", events=line_events("duo", OPENING))
    by_name = cells_by_name("square14")
    reasons = {
        why_not(line, (piece, 0), by_name[at])[0] for piece, at in (("2", "e10"), ("2", "n14"), ("2", "j9"))
    }
    assert reasons == {"occupied", "no_corner_contact"}
    assert why_not(line, ("I5", 0), by_name["n14"])[0] == "off_board"
    cells, fits = ghosts(line, ("2", 0))[by_name["f8"]]
    assert fits
    assert piece_of(standing(line), cells) == "2"


def test_every_reason_has_words():
    from dashboards.app.words import words

    assert {name for name in REASONS if words().named("reasons", name) == name} == {"legal"}
