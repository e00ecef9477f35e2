"""Every page, in a browser: it shows something, without failures, and axe finds nothing serious."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from dashboards.app.main import PAGES
from tests.dashboards.app.browsing import rest, visit


@pytest.mark.parametrize("name", PAGES)
def test_shows_without_a_failure(name: str, page: Page, address: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    visit(page, f"{address}/{name}")
    assert page.url.startswith(f"{address}/{name}") and page.get_by_role("dialog").count() == 0
    assert page.get_by_test_id("stException").count() == 0
    assert "Something went wrong" not in page.inner_text("body")
    assert errors == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_for_those_who_cannot_see_or_point(
    name: str, theme: Any, context: BrowserContext, address: str, axe: str
) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme=theme)
    visit(page, f"{address}/{name}")
    rest(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [
        f"{row['id']}: {row['help']} ({row['nodes'][0]['html'][:160]})"
        for row in found["violations"]
        if row["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_the_bare_address_leads_to_the_library(page: Page, address: str) -> None:
    visit(page, f"{address}/?variant=duo")
    page.wait_for_url(f"{address}/library?variant=duo")
