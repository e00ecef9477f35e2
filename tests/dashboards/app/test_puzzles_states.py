"""The page of the solo puzzles in all its states, without a browser."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.app.puzzles import naming, searching
from dashboards.app.puzzles.asked import TRY, Asked, without_last
from dashboards.app.puzzles.checking import refused
from dashboards.app.puzzles.files import _content
from dashboards.app.puzzles.packing import pack
from engine.puzzle_kinds import Placed, puzzle
from engine.puzzles import solve
from tests.dashboards.app.puzzles.beginnings import FOUR, at
from tests.dashboards.app.scripted import said, shown

ROW = puzzle("3")
SOLUTION = solve(ROW, 1).pieces

PATIENCE = 300
"""Times that the page is made anew while a search is waited for; every time waits a little."""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """The page of an address; there is no library."""
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "library"))
    return partial(shown, "puzzles")


def wait_for(page: AppTest, text: str) -> None:
    for _ in range(PATIENCE):
        if text in said(page):
            return
        page.run()
    raise AssertionError(said(page))


def parameter(page: AppTest, name: str) -> str:
    return "".join(page.query_params.get(name, []))


def tried(row_kind: str, *placed: Placed) -> Asked:
    return Asked(puzzle(row_kind), TRY, None, (), 0, placed, 0, 0, False)


@pytest.mark.parametrize("kind", ["", "none", "<b>"])
def test_without_a_puzzle_the_list_is_shown(page: Callable[..., AppTest], kind: str) -> None:
    assert "For anybody alone with the box" in said(page(kind=kind))


def test_a_puzzle_without_a_solution_says_how_to_get_one(
    page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A search that goes on until it is stopped.
    monkeypatch.setattr(searching.Search, "run", lambda self: None)
    shown = page(kind="4")
    assert "No solution is shown yet" in said(shown)
    shown.number_input("puzzles.seed.None").set_value(7)
    shown.button("puzzles.search").click().run()
    assert parameter(shown, "seed") == "7"
    shown.button("puzzles.stop.60").click().run()
    assert parameter(shown, "seed") == ""
    assert "No solution is shown yet" in said(shown)


def test_a_seed_in_the_address_is_searched_for_and_the_step_is_kept(page: Callable[..., AppTest]) -> None:
    shown = page(kind="3", seed="1", step="4")
    wait_for(shown, "Piece 4 of 20:")
    shown.button("puzzles.steps.forward").click().run()
    assert parameter(shown, "step") == "5"
    shown.slider("puzzles.step").set_value(20).run()
    assert parameter(shown, "step") == ""
    assert "Seed 1: found in" in said(shown)
    shown.number_input("puzzles.count.3").set_value(3)
    shown.button("puzzles.try_last").click().run()
    assert "17 of 20 pieces placed." in said(shown)
    assert parameter(shown, "pieces") == pack(ROW, SOLUTION[:17])


def test_another_question_ends_the_search_for_the_one_before(page: Callable[..., AppTest]) -> None:
    shown = page(kind="duo", seed="1")
    search = shown.session_state["puzzles.searching.search"]
    shown.query_params["seed"] = "3"
    shown.run()
    other = shown.session_state["puzzles.searching.search"]
    assert search.wait(60) and search.stopped and search.answer is None
    other.stop()
    assert other.wait(60)


def test_what_is_solved_by_hand_is_judged(page: Callable[..., AppTest]) -> None:
    text = pack(ROW, SOLUTION)
    shown = page(kind="3", mode="try", pieces=text, given="19")
    assert "Solved! The judge went through all pieces and found nothing wrong. You placed 1 piece." in said(
        shown
    )
    shown.button("puzzles.actions.take_back").click().run()
    assert "19 of 20 pieces placed." in said(shown)
    shown.button("puzzles.actions.empty").click().run()
    assert "0 of 20 pieces placed." in said(shown)


def test_an_address_with_nonsense_is_a_board_without_it(page: Callable[..., AppTest]) -> None:
    shown = page(kind="3", mode="try", pieces="0O.0.a1_0O.0.b1", given="99999999999999999999", colour="77")
    assert "make no sense" in said(shown)
    assert "0 of 20 pieces placed." in said(shown)
    assert "make no sense" in said(page(kind="3", solution=pack(ROW, SOLUTION[:5])))
    assert "No solution is shown yet" in said(page(kind="3", seed="0", step="-4", board="9x9"))


def test_a_hint_goes_on_or_says_that_nothing_does(page: Callable[..., AppTest]) -> None:
    shown = page(kind="3", mode="try", pieces=pack(ROW, SOLUTION[2:9]))
    shown.button("puzzles.actions.hint").click().run()
    wait_for(shown, "A solution goes on like this:")
    shown.button("puzzles.follow").click().run()
    assert "8 of 20 pieces placed." in said(shown)
    cut_off = (
        at("3", 0, "I4", "b1 b2 b3 b4"),
        at("3", 2, "L4", "b5 c5 d5 d6"),
        at("3", 3, "O", "a6 b6 a7 b7"),
    )
    shown = page(kind="3", mode="try", pieces=pack(ROW, cut_off))
    shown.button("puzzles.actions.hint").click().run()
    assert "a patch of 5 empty cells" in said(shown)


def test_who_is_on_turn_and_who_is_stuck_is_said(page: Callable[..., AppTest]) -> None:
    shown = page(kind="1", mode="try", pieces=pack(puzzle("1"), FOUR[:2]))
    assert "2 of 84 pieces placed.** Red is to place." in said(shown)
    small = pack(puzzle("2"), (at("2", 0, "I4", "a20 b20 c20 d20"),))
    assert "cannot be finished any more: blue still has" in said(page(kind="2", mode="try", pieces=small))


def test_the_twelve_pentominoes_have_boards_and_any_colour(page: Callable[..., AppTest]) -> None:
    shown = page(kind="tiling", mode="try", board="20x3", colour="2")
    assert shown.session_state["puzzles.colour"] == 2
    assert "0 of 12 pieces placed." in said(shown)
    shown.selectbox("puzzles.board").set_value("15x4").run()
    assert parameter(shown, "board") == "15x4"


def test_every_refusal_is_a_sentence() -> None:
    cases = [
        (at("1", 0, "2", "a19 b19"), FOUR, "it touches blue I5 on a20 side to side"),
        (at("1", 0, "2", "p20 o20"), FOUR, "p20 is taken by yellow I5"),
        (at("1", 0, "2", "k10 k11"), FOUR, "it touches no piece of its own colour corner to corner"),
        (Placed(0, "2", ((-1, 5), (0, 5))), FOUR, "it does not lie on the board with all its cells"),
        (at("1", 0, "2", "k10 k11"), (), "the first piece of a colour covers its start, here a20"),
    ]
    for candidate, placed, why in cases:
        found = refused(puzzle("1"), placed, candidate)
        assert found is not None
        said = naming.refusal(tried("1", *placed), candidate, found)
        assert said == f"Blue 2 may not lie there: {why}."
    asked = tried("2", at("2", 0, "I4", "a20 b20 c20 d20"))
    bigger = at("2", 1, "I5", "p20 q20 r20 s20 t20")
    found = refused(asked.puzzle, asked.pieces, bigger)
    assert found is not None
    assert "it has 5 cells, the piece before it 4" in naming.refusal(asked, bigger, found)


def test_what_is_on_the_board_can_be_kept() -> None:
    assert _content("3", "8x10", SOLUTION, "1", "json") is not None
    assert b"GM[Blokus" in (_content("3", "8x10", SOLUTION, "1", "blksgf") or b"")
    assert (_content("3", "8x10", SOLUTION, "", "svg") or b"").startswith(b"<svg")
    assert _content("tiling", "20x3", (), "", "blksgf") is not None


def test_the_last_pieces_are_taken_away() -> None:
    assert [len(without_last(SOLUTION, n)) for n in (0, 1, 10, 20, 99)] == [19, 19, 10, 0, 0]
