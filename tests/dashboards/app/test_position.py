"""The page of a position in a browser: build, evaluate, compare, record; mouse, keys and fingers."""

import re
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from dashboards.app.placing import as_drawn, turned
from dashboards.app.position.standing import ghosts, standing
from engine.boards import cells_by_name
from pipeline.lines import Line, line_events
from pipeline.store import open_reader
from tests.dashboards.app.browsing import PATIENCE, PHONE, dashboard, settle, visit

OPENING = "d9-e9-e10.j5"

expect.set_options(timeout=PATIENCE)


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'.cw-cells [data-at="{name}"]')


def piece(page: Page, name: str) -> Locator:
    return page.locator(f'[data-pick="piece:{name}"]')


def take(page: Page, name: str) -> None:
    """Take a piece into the hand and wait until the board knows it."""
    piece(page, name).click()
    expect(page.get_by_text(f"The piece {name} in the hand")).to_be_attached()
    settle(page)


def on_turn(page: Page, colour: str) -> None:
    expect(page.locator("strong", has_text=f"{colour} to move")).to_be_visible()


def shadow(name: str, turns: int, at: str) -> set[str]:
    """Where a piece lies in the opening when it was turned and a cell is pointed at."""
    line = Line("duo", events=line_events("duo", OPENING))
    image = turned("polyominoes", name, as_drawn("polyominoes", name), turns)
    cells, fits = ghosts(line, (name, image))[cells_by_name("square14")[at]]
    assert fits
    return set(standing(line).named(cells).split(","))


def test_a_position_is_built_and_evaluated_and_its_link_shows_the_same(
    page: Page, address: str, browser: Browser
) -> None:
    visit(page, f"{address}/position?variant=duo&moves={OPENING}")
    cell(page, "c8").click()
    expect(page.get_by_text("Choose a piece first")).to_be_visible()
    take(page, "L4")
    cell(page, "c8").hover()
    expect(page.locator(".cw-cells .cw-fits")).to_have_count(4)
    page.keyboard.press("r")
    for name in shadow("L4", 1, "c8"):
        expect(cell(page, name)).to_have_class("cw-fits")
    cell(page, "j10").click()
    expect(page.get_by_text("it touches no piece of its own colour corner to corner")).to_be_visible()
    cell(page, "c8").click()
    on_turn(page, "second (orange)")
    page.get_by_text("Instant", exact=True).click()
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.get_by_text("static evaluation, no search")).to_be_visible()
    page.get_by_role("table").filter(has_text="Visits").locator("tbody a").first.click()
    page.wait_for_url(re.compile("show="))
    settle(page)
    another = browser.new_context()
    another.set_default_timeout(PATIENCE)
    other = another.new_page()
    visit(other, page.url)
    expect(other.get_by_text("static evaluation, no search")).to_be_visible()
    expect(other.locator(".cw-cells")).to_have_count(1)
    another.close()


def test_on_triangles_a_piece_is_placed_by_keys_alone(page: Page, address: str) -> None:
    visit(page, f"{address}/position?variant=trigon&budget=instant")
    piece(page, "A6").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The piece A6 in the hand")).to_be_attached()
    page.keyboard.press("f")
    page.keyboard.press("r")
    settle(page)
    cell(page, "r15").focus()
    expect(page.locator(".cw-cells .cw-fits")).to_have_count(6)
    page.keyboard.press("Enter")
    on_turn(page, "yellow")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.get_by_text("Best moves")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    on_turn(page, "blue")
    page.keyboard.press("ArrowRight")
    on_turn(page, "yellow")


def test_a_finger_shows_first_and_places_then(browser: Browser, address: str) -> None:
    context: BrowserContext = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    visit(page, f"{address}/position?variant=duo&moves={OPENING}")
    piece(page, "L4").tap()
    expect(page.get_by_text("The piece L4 in the hand")).to_be_attached()
    settle(page)
    cell(page, "c8").tap()
    expect(page.locator(".cw-cells .cw-fits")).to_have_count(4)
    on_turn(page, "first (violet)")
    cell(page, "c8").tap()
    on_turn(page, "second (orange)")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    context.close()


def test_two_tabs_do_not_disturb_each_other(page: Page, context: BrowserContext, address: str) -> None:
    other = context.new_page()
    visit(page, f"{address}/position?variant=duo&moves={OPENING}")
    visit(other, f"{address}/position?variant=junior")
    take(page, "W")
    take(other, "P")
    cell(other, "e10").click()
    on_turn(other, "second (orange)")
    expect(page.get_by_text("The piece W in the hand")).to_be_attached()
    on_turn(page, "first (violet)")
    assert "junior" not in page.url


def test_two_moves_are_compared_with_the_error_of_their_difference(page: Page, address: str) -> None:
    visit(page, f"{address}/position?variant=duo&moves={OPENING}&panel=compare&first=h6-f7-g7-h7-f8")
    take(page, "2")
    cell(page, "f8").click()
    expect(page.get_by_text("Evaluate both")).to_be_visible()
    page.get_by_text("Instant", exact=True).click()
    page.get_by_role("button", name="Evaluate both").click()
    row = page.get_by_role("row").filter(has_text="Difference")
    expect(row).to_contain_text("±")
    on_turn(page, "first (violet)")


def test_a_search_shows_how_far_it_is_and_can_be_stopped(page: Page, address: str) -> None:
    visit(page, f"{address}/position?variant=classic&budget=deep&evaluate=1")
    stop = page.get_by_role("button", name="Stop")
    stop.click()
    expect(stop).to_have_count(0)
    settle(page)
    assert page.get_by_text("Something went wrong").count() == 0


def test_a_short_game_is_recorded_by_hand_and_saved_to_a_new_library(page: Page, tmp_path: Path) -> None:
    library = tmp_path / "library"
    with dashboard(library) as address:
        visit(page, f"{address}/position?variant=duo&panel=record")
        expect(page.get_by_text("Nothing has been played yet")).to_be_visible()
        for name, at, then in (("1", "e10", "second (orange)"), ("2", "j5", "first (violet)")):
            take(page, name)
            cell(page, at).click()
            on_turn(page, then)
        for label, value in (("Seat 1: first (violet)", "Ada <b>"), ("Date", "2026-05-17")):
            page.get_by_label(label).fill(value)
            page.keyboard.press("Tab")
            settle(page)
        expect(page.get_by_text("Ada <b> (Seat 1: first (violet))")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert Path(download.value.path()).read_text().startswith("(;GM[Blokus Duo]")
        page.get_by_role("button", name="Save to the library").click()
        expect(page.get_by_text("The game is in the library")).to_be_visible()
        page.get_by_role("button", name="Open game").click()
        page.wait_for_url(re.compile("/game"))
    with open_reader(library) as reader:
        (row,) = reader.table("SELECT players, date_text FROM sightings").to_pylist()
    assert (row["players"][0], row["date_text"]) == ("Ada <b>", "2026-05-17")
