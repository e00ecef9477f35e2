import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from pipeline.analysis.analyse import analyse
from pipeline.analysis.tasks import Chosen
from pipeline.features.compute import compute_features
from pipeline.ingest import import_paths
from tests.dashboards.app.browsing import CHROMIUM, PATIENCE, WIDE, dashboard, started
from tests.places import REPOSITORY

GAMES = ("duo.blksgf", "classic.blksgf", "classic_2.blksgf", "trigon_2.blksgf", "junior.blksgf")


@pytest.fixture(autouse=True)
def own_main() -> Iterator[None]:
    """A script that Streamlit ran stays behind as `__main__`, and processes that are started later would run it."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of some sample games, measured, and judged without search; nobody writes to it."""
    library = tmp_path_factory.mktemp("dashboard") / "library"
    paths = [str(REPOSITORY / "data" / "games" / name) for name in GAMES]
    import_paths(library, [*paths, str(REPOSITORY / "data" / "faulty")], jobs=1)
    compute_features(library, jobs=1)
    analyse(library, Chosen(), "instant", jobs=1)
    return library


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: pages are not looked at")
    with sync_playwright() as playwright:
        found = started(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def address(archive: Path) -> Iterator[str]:
    """Address of a dashboard of the sample library."""
    with dashboard(archive) as found:
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor of their own."""
    found = browser.new_context(viewport=WIDE)  # type: ignore[arg-type]
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, from the file that CORNERWISE_AXE names."""
    place = os.environ.get("CORNERWISE_AXE")
    if not place:
        pytest.skip("CORNERWISE_AXE names no axe.min.js: accessibility is not checked")
    return Path(place).read_text(encoding="utf-8")
