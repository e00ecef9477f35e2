"""The dashboard as a process of its own, and headless Chromium that looks at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, Playwright

from dashboards.app.starting import command
from tests.places import REPOSITORY

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""What a browser without a screen, which must not look beyond this machine, is started with."""

PATIENCE = 60_000
"""Milliseconds that a page has: kernels may have to be compiled first."""

WIDE, PHONE = {"width": 1360, "height": 900}, {"width": 390, "height": 844}


def started(playwright: Playwright) -> Browser:
    """A browser."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


@contextmanager
def dashboard(library: Path, **settings: str) -> Iterator[str]:
    """Address of a dashboard of a library."""
    port = _free_port()
    environment = os.environ | {"CORNERWISE_LIBRARY": str(library), "PYTHONPATH": str(REPOSITORY)}
    environment |= {f"CORNERWISE_{name.upper()}": value for name, value in settings.items()}
    process = subprocess.Popen(
        command("127.0.0.1", port), cwd=library.parent, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/_stcore/health", process)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert process.poll() is None, "the dashboard did not start"
        try:
            with urlopen(address, timeout=5):
                return
        except (URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError("the dashboard does not answer")


def settle(page: Page) -> None:
    """Wait until the script has run and nothing is going on."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=PATIENCE)


def rest(page: Page) -> None:
    """Wait until nothing moves or fades any more."""
    page.wait_for_function(
        "document.getAnimations().every((one) => one.playState !== 'running'"
        " || one.effect.getComputedTiming().endTime === Infinity)"
    )


def visit(page: Page, address: str) -> None:
    """Open an address and wait for the page, which must show no failure."""
    page.goto(address)
    page.get_by_test_id("stMainBlockContainer").locator(":scope > *").first.wait_for(timeout=PATIENCE)
    settle(page)
