"""The page of the library in a browser: files dropped, looked into, imported once; games found; problems shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pipeline.store import open_reader
from tests.dashboards.app.browsing import PATIENCE, dashboard, rest, settle, visit
from tests.places import REPOSITORY

SAMPLE = (REPOSITORY / "data" / "games" / "duo.blksgf").read_text(encoding="utf-8").split("\n(;")
GAMES = [SAMPLE[0], *(f"(;{rest}" for rest in SAMPLE[1:])]

expect.set_options(timeout=PATIENCE)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a file of ten games, one of five others, and one that holds nothing right."""
    (tmp_path / "ten.blksgf").write_text("\n".join(GAMES[:10]), encoding="utf-8")
    (tmp_path / "five.blksgf").write_text("\n".join(GAMES[10:15]), encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for a library that is not there yet."""
    return tmp_path_factory.mktemp("new") / "library"


@pytest.fixture(scope="module")
def empty(place: Path) -> Iterator[str]:
    """Address of its dashboard."""
    with dashboard(place) as found:
        yield found


def drop(page: Page, *files: Path) -> None:
    page.locator("input[type=file]").set_input_files([str(file) for file in files])


def games_and_batches(library: Path) -> tuple[int, int]:
    with open_reader(library) as reader:
        row = reader.table(
            "SELECT (SELECT count(*) FROM games) AS games, (SELECT count(*) FROM batches) AS batches"
        ).to_pylist()[0]
    return row["games"], row["batches"]


def fact(page: Page, name: str) -> str:
    return page.locator(".cw-facts div", has_text=re.compile(rf"^{name}")).locator("dd").inner_text()


def part(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name, exact=True)).first.click()
    settle(page)


def test_every_file_is_imported_once(page: Page, empty: str, place: Path, files: Path) -> None:
    """Ten games, whatever is clicked meanwhile; then a second file: ten and five."""
    visit(page, f"{empty}/library")
    expect(page.get_by_text("There is no library here yet")).to_be_visible()
    drop(page, files / "ten.blksgf")
    row = page.get_by_role("row", name=re.compile(r"^ten\.blksgf.* kB"))
    expect(row).to_contain_text("10 games")
    page.get_by_role("button", name="Import this file").dblclick()
    expect(page.get_by_text("What the import brought")).to_be_visible()
    assert games_and_batches(place) == (10, 1)
    assert fact(page, "games") == "10"
    expect(row).to_contain_text("10 games")
    expect(row).to_contain_text("imported")

    part(page, "Games")
    for year in ("2020", "2021", "2022", "2023", "2024"):
        field = page.get_by_label("since", exact=True)
        field.fill(year)
        field.press("Enter")
        expect(page).to_have_url(re.compile(f"since={year}"))
        settle(page)
    expect(row).to_contain_text("10 games")
    assert games_and_batches(place) == (10, 1)

    page.get_by_role("link", name="Puzzles", exact=True).click()
    expect(page).to_have_url(re.compile("puzzles"))
    settle(page)
    page.get_by_role("link", name="Library", exact=True).click()
    expect(page.locator(".cw-facts")).to_be_visible()
    settle(page)
    assert games_and_batches(place) == (10, 1)

    drop(page, files / "ten.blksgf")
    expect(row).to_contain_text("10 games")
    expect(row).to_contain_text("imported")
    expect(page.get_by_role("button", name="Nothing here is left to import")).to_be_disabled()
    drop(page, files / "five.blksgf")
    expect(page.get_by_role("row", name="five.blksgf")).to_contain_text("5 games")
    page.get_by_role("button", name="Import this file").click()
    expect(page.get_by_text("5 games stored")).to_be_visible()
    assert games_and_batches(place) == (15, 2)
    assert fact(page, "games") == "15"


def test_measured_and_judged_from_here(page: Page, empty: str, place: Path, files: Path) -> None:
    """What an import brought is measured and judged with one button; refused and illegal records are told."""
    visit(page, f"{empty}/library")
    faulty = REPOSITORY / "data" / "faulty"
    drop(page, faulty / "bad_line.jsonl", faulty / "piece_twice.blksgf")
    expect(page.get_by_role("row", name="bad_line.jsonl").first).to_contain_text("2 refused")
    expect(page.get_by_role("row", name="piece_twice.blksgf").first).to_contain_text("1 with an illegal move")
    page.get_by_role("button", name="Import 2 files").click()
    expect(page.get_by_role("row", name=re.compile("^stored.*ply 13.*used before"))).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^refused.*variant: must be one of"))).to_be_visible()

    page.get_by_role("combobox", name="how thoroughly").click()
    page.get_by_role("option", name="instant").click()
    settle(page)
    page.get_by_role("button", name="Measure and judge these games").click()
    expect(page.get_by_text(re.compile("games? measured"))).to_be_visible()
    expect(page.get_by_text(re.compile("games? judged"))).to_be_visible()
    with open_reader(place) as reader:
        measured = reader.table("FROM feature_games_raw").num_rows
        judged = reader.table("FROM analysed_games_raw").num_rows
        games = reader.table("FROM games").num_rows
    assert (measured, judged > 0) == (games, True)
    assert "job=" in page.url


def test_problems_are_shown_with_their_records(page: Page, address: str) -> None:
    visit(page, f"{address}/library?part=quality")
    expect(page.get_by_text('"variant":"junoir"')).to_be_visible()
    expect(page.locator("mark")).to_be_visible()
    expect(page.get_by_role("link", name="refused")).to_be_visible()
    page.get_by_role("link", name="illegal", exact=True).click()
    expect(page).to_have_url(re.compile("code=illegal"))
    expect(page.get_by_role("cell", name=re.compile("the piece was used before"))).to_be_visible()
    page.get_by_role("link", name=re.compile("See the board at ply 13")).click()
    expect(page).to_have_url(re.compile(r"game\?.*ply=13"))


def test_games_are_found_and_opened(page: Page, address: str) -> None:
    visit(page, f"{address}/library")
    page.get_by_role("link", name="Blokus Junior").first.click()
    expect(page).to_have_url(re.compile("part=games.*variant=junior|variant=junior.*part=games"))
    expect(page.get_by_text("games, the newest first")).to_be_visible()
    field = page.get_by_label("player", exact=True)
    field.fill("no such person")
    field.press("Enter")
    expect(page.get_by_text("No game matches")).to_be_visible()
    visit(page, f"{address}/library?part=games&variant=duo")
    page.get_by_role("link", name=re.compile("Reference level")).first.click()
    expect(page).to_have_url(re.compile(r"/game\?id=[0-9a-f]{7}"))


@pytest.mark.parametrize("part", ["games", "quality&code=illegal", "tasks"])
def test_nothing_serious_for_those_who_cannot_see_or_point(
    part: str, page: Page, address: str, axe: str
) -> None:
    visit(page, f"{address}/library?part={part}")
    expect(page.get_by_role("table").first).to_be_visible()
    rest(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [row["id"] for row in found["violations"] if row["impact"] in ("serious", "critical")]
    assert serious == []
