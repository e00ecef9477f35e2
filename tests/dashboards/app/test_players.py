"""The page of players in a browser: who plays, one player's curve and worst measure, mistakes found and mended."""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from dashboards.app.placing import Ground, as_drawn, flipped, ghost_map, turned
from engine.boards import cell_names
from engine.variants import variant
from pipeline.analysis.exercises import Exercise, exercise
from pipeline.analysis.mistakes import MistakeFilter, mistakes
from pipeline.store import open_reader
from tests.dashboards.app.browsing import PATIENCE, PHONE, visit

ADA = "Reference level 2"
"""A player of the sample library."""

expect.set_options(timeout=PATIENCE)


def of(name: str, **values: object) -> str:
    shown = "".join(f"&{key}={value}" for key, value in values.items())
    return f"players?name={name.replace(' ', '+')}{shown}"


def drawing(page: Page, title: str) -> Locator:
    """A chart by the beginning of its title."""
    return page.locator("svg").filter(has=page.locator("title", has_text=title))


def test_a_players_rating_curve_and_worst_measure_are_found(page: Page, address: str) -> None:
    visit(page, f"{address}/players?variant=duo")
    row = page.get_by_role("row").filter(has_text=ADA)
    expect(row).to_contain_text(re.compile(r"\d+ % \d+ to \d+"))  # share with its interval
    expect(page.get_by_role("columnheader", name="Rating")).to_be_visible()
    row.get_by_role("link", name=ADA).click()
    expect(page.get_by_role("heading", name=ADA)).to_be_visible()
    curve = drawing(page, "Rating after each rated game")
    expect(curve).to_be_visible()
    assert curve.locator("path[fill-opacity]").count() == 1  # the band
    expect(drawing(page, "Share of the result by seat")).to_contain_text("seat 2")
    expect(page.get_by_text("An approximation of the competition room's points")).to_be_visible()
    page.get_by_text("Strengths", exact=True).click()
    worst = page.get_by_text(re.compile("Worst measure: .+ deviations (better|worse) than what is usual"))
    expect(worst).to_be_visible()
    expect(drawing(page, "Measures beside what is usual")).to_be_visible()
    expect(drawing(page, "Accuracy by phase")).to_contain_text("Whole game")
    assert all(part in page.url for part in ("name=Reference+level+2", "variant=duo", "view=strengths"))


def test_search_and_order_are_in_the_address(page: Page, address: str) -> None:
    visit(page, f"{address}/players?variant=duo&order=share")
    shown = page.get_by_role("table").get_by_role("link")
    expect(shown.first).to_be_visible()
    everybody = shown.all_inner_texts()
    field = page.get_by_label("Search")
    field.fill("LEVEL 2")
    field.press("Enter")
    expect(shown).to_have_count(1)
    assert "search=LEVEL+2" in page.url and "order=share" in page.url
    field.fill("")
    field.press("Enter")
    expect(shown).to_have_count(len(everybody))
    assert shown.all_inner_texts() == everybody


def test_two_players_have_a_link_of_their_own(page: Page, address: str) -> None:
    visit(page, f"{address}/{of(ADA, view='opponents')}")
    expect(page.get_by_text("Among one another")).to_be_visible()
    first = page.get_by_role("table").first.get_by_role("link").first
    expect(first).to_be_visible()
    other = first.inner_text()
    record = page.get_by_role("row").filter(has_text=other).first.inner_text()
    first.click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"{ADA} – {other}")
    games = record.split("\t")[1]
    expect(page.get_by_text(re.compile(rf"^{games} games? · "))).to_be_visible()
    page.get_by_role("button", name="The other way round").click()
    expect(heading).to_have_text(f"{other} – {ADA}")
    page.go_back()
    expect(heading).to_have_text(f"{ADA} – {other}")
    page.get_by_role("table").last.get_by_role("link").first.click()
    page.wait_for_url(re.compile("/game.id="))


@pytest.fixture(scope="module")
def asked(archive: Path) -> Exercise:
    """The costliest mistake of the player."""
    with open_reader(archive) as reader:
        rows = mistakes(reader, MistakeFilter(0.05, ADA, "duo")).rows
        worst = next(row for row in rows if row["best_move"] is not None)
        return exercise(reader, worst["short"], worst["ply"])


Step = tuple[str, int]


def _way_to(asked: Exercise) -> tuple[list[Step], int]:
    """Keys that turn the better piece as it lies, with its images, and the cell that then puts it there."""
    row = asked.position.variant
    piece, wanted = asked.best.piece, asked.best.cells
    images: dict[int, list[Step]] = {as_drawn(row.pieces, piece): []}
    left = deque(images)
    while left:
        image = left.popleft()
        ghosts = ghost_map(Ground.of(row.board), row.pieces, piece, image, asked.legal())
        for cell, (cells, fits) in ghosts.items():
            if fits and cells == wanted:
                return images[image], cell
        for key, after in (
            ("r", turned(row.pieces, piece, image)),
            ("f", flipped(row.pieces, piece, image)),
        ):
            if after not in images:
                images[after] = [*images[image], (key, after)]
                left.append(after)
    raise AssertionError("the piece cannot be turned so")


def test_a_mistake_is_mended_on_the_board(
    page: Page, address: str, browser: Browser, asked: Exercise
) -> None:
    visit(page, f"{address}/{of(ADA, variant='duo', view='mistakes')}")
    expect(page.get_by_text(re.compile("Costliest piece: "))).to_be_visible()
    page.get_by_role("button", name="Practise").click()
    expect(page.get_by_text("Find a better one")).to_be_visible()
    assert f"game={asked.short}&ply={asked.ply}" in page.url
    names = cell_names(variant("duo").board)
    keys, cell = _way_to(asked)
    target = page.locator(f'.cw-cells [data-at="{names[cell]}"]')
    target.click()
    expect(page.get_by_text("Choose a piece first")).to_be_visible()
    page.locator(f'[data-pick="piece:{asked.best.piece}"]').click()
    expect(page.get_by_text("Keys: r turns")).to_be_visible()
    taken = next(name for at, name in enumerate(names) if asked.position.board[at] == 1 - asked.colour)
    page.locator(f'.cw-cells [data-at="{taken}"]').click()
    expect(page.get_by_text("Not there: ")).to_be_visible()
    row = asked.position.variant
    for key, image in keys:
        page.keyboard.press(key)
        ghosts = ghost_map(Ground.of(row.board), row.pieces, asked.best.piece, image, asked.legal())
        page.wait_for_function(
            "([cell, wanted]) => [...document.querySelectorAll('.cw-picture')].some("
            "host => String(host.data?.ghosts?.[cell]?.[0]) == wanted)",
            arg=[str(cell), ",".join(map(str, ghosts[cell][0]))],
        )
    target.click()
    expect(page.get_by_text("That is the better move")).to_be_visible()
    expect(page.get_by_text("The better move is worth")).to_be_visible()
    assert f"move={'-'.join(names[at] for at in asked.best.cells)}" in page.url
    other = browser.new_context().new_page()
    visit(other, page.url)
    expect(other.get_by_text("That is the better move")).to_be_visible()
    other.context.close()


def test_another_move_is_valued_on_a_phone(browser: Browser, address: str, asked: Exercise) -> None:
    others = (asked.best.placement, asked.played.placement)
    cells = next(cells for cells, placement in asked.legal().items() if placement not in others)
    names = cell_names(variant("duo").board)
    move = "-".join(names[at] for at in cells)
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    page = phone.new_page()
    visit(page, f"{address}/{of(ADA, view='mistakes', game=asked.short, ply=asked.ply, move=move)}")
    mine = page.get_by_role("row").filter(has_text="Yours")
    expect(mine).to_contain_text(" ".join(names[at] for at in cells))
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= PHONE["width"]
    page.get_by_role("button", name="Try again").tap()
    expect(page.get_by_text("Find a better one")).to_be_visible()
    phone.close()
