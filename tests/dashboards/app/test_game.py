"""The page of a game in a browser: find a game, step, jump to the worst mistake, lay overlays over the board, share."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pipeline.analysis.queries import game_analysis
from pipeline.ingest import import_paths
from pipeline.move_quality import ERRORS
from pipeline.store import open_reader
from tests.dashboards.app.browsing import PATIENCE, PHONE, dashboard, settle, visit
from tests.places import REPOSITORY

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def game(archive: Path) -> tuple[str, int]:
    """A judged game of Duo, and the ply of its worst mistake, which is marked on the graph."""
    with open_reader(archive) as reader:
        rows = reader.table(
            "SELECT g.id, g.game_no FROM games g JOIN analysed_games_raw USING (game_no) "
            "WHERE variant = 'duo' AND NOT (illegal OR irregular OR unfinished OR empty) ORDER BY game_no"
        ).to_pylist()
        for row in rows:
            found = game_analysis(reader, row["game_no"])
            wrong = [move for move in found.moves if move["label"] in ERRORS] if found else []
            if wrong:
                worst = max(wrong, key=lambda move: move["loss_share"])
                return str(row["id"])[:7], int(worst["ply"])
    raise AssertionError("no game with a mistake among the samples")


def ply_is(page: Page, ply: int | None) -> None:
    """The address, the words and the list are at a ply; None: at the last."""
    if ply is None:
        expect(page).not_to_have_url(re.compile(r"[?&]ply="))
        return
    expect(page).to_have_url(re.compile(rf"[?&]ply={ply}(&|$)"))
    expect(page.locator("b", has_text=re.compile(rf"^Ply {ply}:"))).to_be_visible()
    if ply:
        expect(page.locator("tr.cw-now")).to_contain_text(str(ply))
    settle(page)


def board(page: Page) -> Locator:
    return page.get_by_role("img", name=re.compile("^The board after ply"))


def test_a_click_on_the_graph_goes_to_the_worst_mistake_and_the_link_shows_the_same(
    game: tuple[str, int], page: Page, address: str, browser: Browser
) -> None:
    identity, worst = game
    visit(page, f"{address}/game?id={identity}&ply=1")
    mark = page.locator(f'.cw-point[data-pick="ply:{worst}"]')
    expect(mark).to_have_attribute("aria-label", re.compile("inaccuracy|mistake|blunder"))
    mark.click()
    ply_is(page, worst)
    expect(page.get_by_text(re.compile("(inaccuracy|mistake|blunder): lost")).first).to_be_visible()
    expect(page.get_by_text(re.compile("Better: "))).to_be_visible()
    page.keyboard.press("ArrowRight")
    ply_is(page, worst + 1)
    page.keyboard.press("ArrowLeft")
    ply_is(page, worst)
    with browser.new_context() as other:
        twin = other.new_page()
        visit(twin, page.url)
        ply_is(twin, worst)
        expect(board(twin)).to_be_visible()
        assert board(twin).inner_html() == board(page).inner_html()


def test_keys_the_list_and_the_slider_step_through_the_game(
    game: tuple[str, int], page: Page, address: str
) -> None:
    visit(page, f"{address}/game?id={game[0]}")
    expect(board(page)).to_be_visible()
    page.keyboard.press("Home")
    ply_is(page, 0)
    page.keyboard.press("ArrowRight")
    ply_is(page, 1)
    page.get_by_role("link", name="12", exact=True).click()
    ply_is(page, 12)
    page.get_by_role("slider").press("ArrowRight")
    ply_is(page, 13)
    page.get_by_role("button", name=re.compile("Back")).click()
    ply_is(page, 12)
    page.locator('.cw-strip[data-pick="ply:3"]').click()
    ply_is(page, 3)
    page.keyboard.press("End")
    ply_is(page, None)


def test_overlays_and_parts_are_chosen_and_stay_in_the_address(
    game: tuple[str, int], page: Page, address: str
) -> None:
    visit(page, f"{address}/game?id={game[0]}&ply=6")
    page.get_by_role("combobox", name=re.compile("Marks on the board")).click()
    page.get_by_role("option", name="Corner liberties").click()
    expect(page.get_by_text(re.compile(r"has \d+ ways out"))).to_be_visible()
    expect(page).to_have_url(re.compile("overlay=liberties"))
    page.get_by_role("combobox", name=re.compile("Of which colour")).click()
    page.get_by_role("option", name="of second (orange)").click()
    expect(page.get_by_text(re.compile(r"^second \(orange\) has \d+ ways out"))).to_be_visible()
    page.get_by_role("radio", name="Advice").click()
    expect(page.get_by_text("Race to the centre")).to_be_visible()
    asked = parse_qs(urlsplit(page.url).query)
    assert asked | {"id": [game[0]]} == asked
    assert {name: asked[name] for name in ("overlay", "colour", "part", "ply")} == {
        "overlay": ["liberties"],
        "colour": ["second"],
        "part": ["advice"],
        "ply": ["6"],
    }


def test_a_game_is_found_by_its_player_and_taken_along_as_a_file(page: Page, address: str) -> None:
    visit(page, f"{address}/game?variant=trigon_2")
    page.locator("a[data-pick^='game:']").first.click()
    expect(page).to_have_url(re.compile(r"\?id=[0-9a-f]{7}"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("radio", name="Share").click()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    assert started.value.path().read_bytes().lstrip().startswith(b"(;")
    with page.expect_download() as started:
        page.get_by_role("button", name=re.compile("Report")).click()
    assert b"<html" in started.value.path().read_bytes()
    page.get_by_text("← All games").click()
    expect(page.get_by_text("Which game?")).to_be_visible()


def test_a_game_is_judged_from_its_page(page: Page, tmp_path: Path) -> None:
    library = tmp_path / "library"
    import_paths(library, [str(REPOSITORY / "data" / "faulty" / "unforced_pass.txt")], jobs=1)
    with dashboard(library) as own:
        visit(page, f"{own}/game")
        page.locator("a[data-pick^='game:']").first.click()
        page.get_by_role("combobox", name=re.compile("How thoroughly")).click()
        page.get_by_role("option", name=re.compile("at a glance")).click()
        page.get_by_role("button", name="Judge this game").click()
        expect(page.get_by_text(re.compile("^Judged by"))).to_be_visible()
        expect(page.get_by_role("group", name="Result share of every player")).to_be_visible()


def test_nothing_is_wider_than_a_phone(game: tuple[str, int], browser: Browser, address: str) -> None:
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as phone:  # type: ignore[arg-type]
        page = phone.new_page()
        page.set_default_timeout(PATIENCE)
        visit(page, f"{address}/game?id={game[0]}&ply=9")
        expect(board(page)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = board(page).bounding_box()
        assert box and box["width"] > 300
