"""The explorer of openings in a browser: follow moves by table, board and keys, filter, share, leave for a game."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.dashboards.app.browsing import PATIENCE, settle, visit

FIRST = "f9-e10-f10-g10-f11"
"""The first move that the sample games play most often: 9 times of 25."""

expect.set_options(timeout=PATIENCE)


def moves(page: Page) -> Locator:
    return page.locator('.cw-beside a[data-pick^="play:"]')


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'.cw-cells [data-at="{name}"]')


def crumb(page: Page, number: int) -> Locator:
    return page.locator('[aria-current="step"]', has_text=re.compile(rf"^{number}\. "))


def test_an_opening_is_followed_and_shared(page: Page, address: str, browser: Browser) -> None:
    visit(page, f"{address}/openings?variant=duo")
    expect(page.get_by_text("5 of 5 moves")).to_be_visible()
    row = page.locator(".cw-beside tbody tr").first
    assert row.locator("td").nth(1).inner_text() == "9"
    assert "95 % interval" in (row.locator("svg[role=img]").first.get_attribute("aria-label") or "")
    moves(page).first.hover()
    expect(page.locator(".cw-cells .cw-shown")).to_have_count(5)

    moves(page).first.click()
    expect(crumb(page, 1)).to_have_text("1. first (violet) X")
    assert page.url.endswith(f"moves={FIRST}")
    page.keyboard.press("ArrowRight")
    expect(crumb(page, 2)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(crumb(page, 1)).to_be_visible()

    # A single move covers this cell; two moves cover the other one, until a second cell tells them apart.
    cell(page, "i4").click()
    expect(page.get_by_role("button", name="Forget the chosen cells")).to_be_visible()
    expect(moves(page)).not_to_have_count(6)
    page.get_by_role("button", name="Forget the chosen cells").click()
    expect(moves(page)).to_have_count(6)
    page.locator('.cw-beside a[data-pick="play:i4,h5,i5,j5,i6"]').focus()
    page.keyboard.press("Enter")
    expect(crumb(page, 2)).to_be_visible()
    settle(page)

    with browser.new_context() as other:
        guest = other.new_page()
        visit(guest, page.url)
        expect(crumb(guest, 2)).to_be_visible()
        expect(guest.locator(".cw-beside caption")).to_have_text(
            page.locator(".cw-beside caption").inner_text()
        )
        guest.locator('[data-pick="back:0"]').click()
        expect(guest.get_by_text("5 of 5 moves")).to_be_visible()


def test_cells_that_one_move_covers_play_it(page: Page, address: str) -> None:
    visit(page, f"{address}/openings?variant=duo")
    cell(page, "g10").click()
    expect(crumb(page, 1)).to_be_visible()
    settle(page)
    assert page.url.endswith(f"moves={FIRST}")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_text("5 of 5 moves")).to_be_visible()


def test_filters_views_and_games(page: Page, address: str) -> None:
    visit(page, f"{address}/openings?variant=duo")
    page.get_by_text("Filters", exact=True).click()
    since = page.get_by_label("Since")
    since.fill("2050")
    since.press("Enter")
    expect(page.get_by_text("No game that is counted reaches this position.")).to_be_visible()
    assert "since=2050" in page.url
    page.get_by_role("button", name="Clear all filters").first.click()
    expect(page.get_by_text("5 of 5 moves")).to_be_visible()
    page.get_by_role("radio", name="Symmetric").click()
    expect(page.get_by_text("Symmetric images as one")).to_be_visible()
    page.get_by_role("radio", name="By shape").click()
    expect(page.get_by_text("Only the first piece of every colour")).to_be_visible()
    page.get_by_role("radio", name="Exact").click()
    page.get_by_role("button", name="What do these figures mean?").click()
    expect(page.get_by_text("a transposition")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator('.cw-beside a[data-pick^="game:"]').first.click()
    page.wait_for_url(re.compile(r"/game\?id=\w+&ply=1"))
