"""Names come from records, so they can be anything: on every page markup in them is text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from dashboards.app.main import PAGES
from pipeline.ingest import import_paths
from pipeline.store import open_reader
from tests.dashboards.app.browsing import PATIENCE, dashboard, visit
from tests.places import REPOSITORY

IMAGE = '<img src="http://127.0.0.1:9/a.png" onerror="window.struck=1">'
SCRIPT = '"></title></svg><script>window.struck=1</script>'
MARKDOWN = "**b** [l](http://127.0.0.1:9/b) ![i](http://127.0.0.1:9/c.png) $x^2$ `c`"
STREAMLIT = ":red[r] :smile: :material/home: <b>d</b>"
RIGHT_TO_LEFT = "\u202eعليكم\u202c שלום"
EMOJI = "🧩👩‍👩‍👧‍👦é́"
LONG = "Ada " * 900
NAMES = (IMAGE, SCRIPT, MARKDOWN, STREAMLIT, RIGHT_TO_LEFT, EMOJI, LONG)

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library in which every two of these players have met."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = (REPOSITORY / "data" / "games" / "mixed.jsonl").read_text(encoding="utf-8").splitlines()
    games = [
        game for line in lines if (game := json.loads(line))["variant"] in ("duo", "classic_2", "junior")
    ]
    for at, game in enumerate(games):
        game["players"] = [NAMES[at % len(NAMES)], NAMES[(at + 1 + at // len(NAMES)) % len(NAMES)]]
        game["headers"] |= {"event": NAMES[at % 4], "round": NAMES[(at + 2) % 4]}
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(game) + "\n" for game in games), encoding="utf-8")
    import_paths(folder / "L", [str(path)], jobs=1)
    return folder / "L"


@pytest.fixture(scope="module")
def place(hostile: Path) -> Iterator[str]:
    with dashboard(hostile) as found:
        yield found


def _harmless(page: Page) -> None:
    """Nothing ran, no picture or link was made, no request left for where the names point."""
    assert page.evaluate("window.struck") is None
    assert page.locator('img[src*="127.0.0.1:9"], a[href*="127.0.0.1:9"]').count() == 0
    for name in ("Something went wrong", "NaN"):  # no failure, and no figure that is none
        assert name not in page.inner_text("body")


def _addresses(library: Path) -> list[str]:
    with open_reader(library) as reader:
        (game,) = reader.table("SELECT id FROM games ORDER BY game_no LIMIT 1")["id"].to_pylist()
    players = [{"name": IMAGE, "view": view} for view in ("overview", "opponents", "strengths", "mistakes")]
    players += [{"name": MARKDOWN, "against": SCRIPT}, {"name": f"{MARKDOWN}{IMAGE}?"}, {"search": STREAMLIT}]
    return [
        *PAGES,
        f"game?{urlencode({'id': game})}",
        f"game?{urlencode({'id': MARKDOWN})}",
        f"openings?{urlencode({'variant': 'duo', 'player': MARKDOWN})}",
        f"position?{urlencode({'position': MARKDOWN})}",
        *(f"players?{urlencode(parameters)}" for parameters in players),
    ]


def test_markup_in_names_is_text_on_every_page(page: Page, place: str, hostile: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for address in _addresses(hostile):
        visit(page, f"{place}/{address}")
        _harmless(page)
    assert [url for url in asked if "127.0.0.1:9/" in url] == []


def test_names_are_shown_as_they_are_and_lead_to_their_player(page: Page, place: str) -> None:
    visit(page, f"{place}/players?variant=all")
    for name in NAMES:
        expect(page.get_by_role("link").filter(has_text=name.strip()[:40]).first).to_be_visible()
    for name in (SCRIPT, RIGHT_TO_LEFT, LONG):
        visit(page, f"{place}/players?variant=all")
        page.get_by_role("link").filter(has_text=name.strip()[:40]).first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(name.strip()[:40])
        expect(page.get_by_text("Rating over time")).to_be_visible()
        _harmless(page)
