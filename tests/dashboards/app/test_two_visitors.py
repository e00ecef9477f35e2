"""Two tabs of one visitor, and a second visitor: nobody sees what another one does, before it is in the library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pipeline.ingest import import_paths
from tests.dashboards.app.browsing import PATIENCE, WIDE, dashboard, settle, visit
from tests.places import REPOSITORY

SAMPLE = (REPOSITORY / "data" / "games" / "duo.blksgf").read_text(encoding="utf-8").split("\n(;")

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a dashboard of a library of its own, with three games."""
    folder = tmp_path_factory.mktemp("shared")
    (folder / "three.blksgf").write_text("\n(;".join(SAMPLE[:3]), encoding="utf-8")
    import_paths(folder / "library", [str(folder / "three.blksgf")], jobs=1)
    with dashboard(folder / "library") as found:
        yield found


@pytest.fixture
def other(browser: Browser) -> Iterator[BrowserContext]:
    """A second visitor."""
    found = browser.new_context(viewport=WIDE)  # type: ignore[arg-type]
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


def games(page: Page) -> str:
    return page.locator(".cw-facts dd").first.inner_text()


def test_they_do_not_disturb_each_other(
    shared: str, context: BrowserContext, other: BrowserContext, tmp_path: Path
) -> None:
    one, two, three = context.new_page(), context.new_page(), other.new_page()
    visit(one, f"{shared}/library?part=games&player=Reference")
    visit(two, f"{shared}/library?part=quality")
    visit(three, f"{shared}/library")
    (tmp_path / "more.blksgf").write_text(f"(;{SAMPLE[3]}", encoding="utf-8")
    three.locator("input[type=file]").set_input_files(str(tmp_path / "more.blksgf"))
    expect(three.get_by_role("row", name="more.blksgf")).to_contain_text("1 game")

    # What one of them types and has not sent yet stays, and the files of another one are not seen.
    one.get_by_label("since").fill("2026")
    three.get_by_role("button", name="Import this file").click()
    expect(three.get_by_text("1 game stored")).to_be_visible()
    assert games(three) == "4"
    for page, part in ((one, "games"), (two, "quality")):
        settle(page)
        assert f"part={part}" in page.url
        assert page.get_by_text("more.blksgf").count() == 0
        assert page.get_by_text("What the import brought").count() == 0
        assert page.get_by_test_id("stException").count() == 0
    assert one.get_by_label("since").input_value() == "2026"

    # Whoever does something next sees the new game, with his own search.
    one.get_by_label("since").press("Enter")
    expect(one).to_have_url(re.compile("since=2026"))
    settle(one)
    assert games(one) == "4"
    assert "player=Reference" in one.url
    assert "since" not in two.url


def test_two_tabs_of_one_game(address: str, context: BrowserContext) -> None:
    first, second = context.new_page(), context.new_page()
    visit(first, f"{address}/library?part=games&variant=duo")
    first.get_by_role("link", name=re.compile("Reference level")).first.click()
    expect(first).to_have_url(re.compile("id="))
    settle(first)
    game = first.url.split("?")[1].split("&")[0]
    visit(first, f"{address}/game?{game}&ply=3")
    visit(second, f"{address}/game?{game}&ply=9")
    first.get_by_role("button", name="On", exact=True).click()
    expect(first).to_have_url(re.compile(r"ply=4\b"))
    settle(second)
    assert "ply=9" in second.url
    second.get_by_role("button", name="On", exact=True).click()
    expect(second).to_have_url(re.compile(r"ply=10\b"))
    assert "ply=4" in first.url
