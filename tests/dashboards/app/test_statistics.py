"""The page of statistics: win rates with intervals, pieces, heat maps; every state is a page."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pipeline.ingest import import_paths
from tests.dashboards.app.browsing import PATIENCE, visit
from tests.dashboards.app.scripted import said, shown
from tests.places import REPOSITORY

expect.set_options(timeout=PATIENCE)


@pytest.fixture
def library(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(archive))


def test_the_win_rate_by_seat_with_its_interval(page: Page, address: str) -> None:
    visit(page, f"{address}/statistics?variant=duo")
    seats = page.locator("table", has=page.locator("caption", has_text="Results by seat"))
    expect(seats.locator("tbody tr")).to_have_count(2)
    heading = seats.locator("th").all_inner_texts().index("Won alone")
    won = seats.locator("tbody tr").first.locator("td").nth(heading)
    assert won.inner_text().strip().endswith("%")
    assert "95 % interval" in (won.locator("svg").get_attribute("aria-label") or "")
    page.get_by_role("button", name="What do these figures mean?").click()
    expect(page.get_by_text("has more points than everybody else")).to_be_visible()


def test_a_heat_map_tells_the_figure_of_a_cell(page: Page, address: str) -> None:
    visit(page, f"{address}/statistics?show=heat&variant=trigon_2&measure=reach")
    expect(page.get_by_text("Click a cell of the map")).to_be_visible()
    page.locator('.cw-cells [data-at="r9"]').click()
    expect(page.get_by_text("r9:")).to_be_visible()
    assert "cell=r9" in page.url
    page.get_by_role("radio", name="Pieces").click()
    expect(page.get_by_text("Every piece: when it is played")).to_be_visible()


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("part", ["seats", "lengths", "pieces", "heat", "nonsense"])
@pytest.mark.parametrize("variant", ["", "duo", "trigon_2"])
def test_every_part_of_every_variant(part: str, variant: str) -> None:
    page = shown("statistics", show=part, variant=variant) if variant else shown("statistics", show=part)
    assert not page.error and not page.info


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("part", ["seats", "lengths", "pieces"])
def test_nothing_that_matches_is_said(part: str) -> None:
    page = shown("statistics", show=part, until="1999")
    assert page.info
    page = next(one for one in page.button if one.label == "Clear all filters").click().run()
    assert not page.info


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ({"variant": "chess"}, "unknown variant"),
        ({"player": "Nobody of that name"}, "has a player"),
        ({"show": "heat", "player": "Nobody of that name"}, "has a player"),
        ({"since": "never"}, "no date in a known form"),
    ],
)
def test_what_makes_no_sense_is_said_with_a_next_step(address: dict[str, str], words: str) -> None:
    page = shown("statistics", **address)
    assert words in said(page)
    assert {"Clear all filters", "All variants"} & {one.label for one in page.button}


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("measure", ["occupied", "reach", "contested", "dead", "first_contact"])
def test_every_heat_map(measure: str) -> None:
    for more in ({}, {"colour": "2"}, {"phase": "end", "cell": "e10"}):
        page = shown("statistics", show="heat", variant="duo", measure=measure, **more)
        assert not page.error and not page.info


def test_games_that_are_not_measured_lead_to_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_paths(tmp_path / "L", [str(REPOSITORY / "data" / "games" / "junior.blksgf")], jobs=1)
    monkeypatch.setenv("CORNERWISE_LIBRARY", str(tmp_path / "L"))
    page = shown("statistics", show="heat")
    assert "has been measured yet" in said(page)
    assert "Go to the library to measure games" in {one.label for one in page.button}
