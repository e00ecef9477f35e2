"""Timings of the dashboard in a browser: `python -m tests.bench.dashboard LIBRARY GAME [LARGE]`, not part of the gate.

Prints how long the first board takes after the start, a step through a game, 200 of them and the memory of the server
before and after, and, of a large library, a click in the explorer and the statistics by seat.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from tests.dashboards.app.browsing import PATIENCE, WIDE, dashboard, settle, started, visit

STEPS = 200

STEP = """(wanted) => new Promise((done) => {
  const title = () => [...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)
    .map((root) => root.querySelector('svg title')?.textContent ?? '').join('|');
  const before = title(), began = performance.now();
  document.dispatchEvent(new KeyboardEvent('keydown', {key: wanted, bubbles: true}));
  const look = () => title() !== before ? done(performance.now() - began)
    : performance.now() - began > 20000 ? done(NaN) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""
"""Presses a key and says after how many milliseconds a drawing of the page has another title."""


def memory(address: str) -> float:
    """Resident memory of the server in MiB."""
    port = address.rsplit(":", 1)[1]
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"--server.port={port}".encode() in (entry / "cmdline").read_bytes():
                status = (entry / "status").read_text()
                return int(status.split("VmRSS:")[1].split()[0]) / 1024
        except OSError:
            continue
    raise SystemExit("the server is gone")


def steps(page: Page, address: str, game: str) -> None:
    """Two hundred steps through a game."""
    visit(page, f"{address}/game?id={game}&ply=0")
    page.locator("svg").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(3000)
    times: list[float] = []
    start = memory(address)
    key = "ArrowRight"
    for number in range(STEPS):
        if number % 20 == 0:
            key = "ArrowLeft" if number % 40 else "ArrowRight"
        times.append(page.evaluate(STEP, key))
        if number == 20:
            start = memory(address)
    times.sort()
    print(f"a step: median {median(times):.0f}, p95 {times[int(0.95 * STEPS)]:.0f}, max {times[-1]:.0f} ms")
    print(f"memory of the server: {start:.0f} MiB after 20 steps, {memory(address):.0f} after {STEPS}")


def timed(page: Page, address: str, text: str) -> float:
    """Seconds until a page says something."""
    began = time.perf_counter()
    page.goto(address)
    page.get_by_text(text).first.wait_for(timeout=PATIENCE)
    settle(page)
    return time.perf_counter() - began


def large(browser: Browser, library: Path) -> None:
    """The explorer and the statistics of a large library."""
    with dashboard(library) as address:
        page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
        for _ in range(2):
            print(
                f"explorer: {timed(page, f'{address}/openings?variant=classic', 'most played first'):.2f} s"
            )
        for _ in range(3):
            began = time.perf_counter()
            page.locator("tr [data-pick]").first.click()
            settle(page)
            page.wait_for_timeout(50)
            settle(page)
            print(f"a click in the explorer: {time.perf_counter() - began - 0.05:.2f} s")
        for _ in range(2):
            print(f"statistics: {timed(page, f'{address}/statistics?variant=classic', 'Share'):.2f} s")
        for _ in range(2):
            for name, text in (("Openings", "most played first"), ("Statistics", "Share")):
                print(f"{name} by the menu: {chosen(page, name, text):.2f} s")


def chosen(page: Page, name: str, text: str) -> float:
    """Seconds from a click in the menu until the page says something."""
    began = time.perf_counter()
    page.get_by_role("link", name=name, exact=True).first.click()
    page.get_by_text(text).first.wait_for(timeout=PATIENCE)
    settle(page)
    return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    library, game = Path(sys.argv[1]).absolute(), sys.argv[2]
    with sync_playwright() as playwright:
        browser = started(playwright)
        with dashboard(library) as address:
            page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
            began = time.perf_counter()
            page.goto(f"{address}/game?id={game}")
            page.locator("svg title").first.wait_for(state="attached", timeout=PATIENCE)
            print(f"first board after the start: {time.perf_counter() - began:.2f} s")
            steps(page, address, game)
        if len(sys.argv) > 3:
            large(browser, Path(sys.argv[3]).absolute())


if __name__ == "__main__":
    main()
