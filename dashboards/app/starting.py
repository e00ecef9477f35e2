"""Starts Streamlit on the pages; this process becomes Streamlit's."""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

UPLOAD_MB = 256
"""Megabytes of one file that is dropped."""

OPTIONS = {
    "browser.gatherUsageStats": "false",
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "runner.magicEnabled": "false",
    # Python collects by itself; after every click it would take 70 ms and keep all other threads waiting.
    "runner.postScriptGC": "false",
    "server.fileWatcherType": "none",
    "server.headless": "true",
    "server.maxUploadSize": str(UPLOAD_MB),
    "theme.light.primaryColor": "#1f56b0",
    "theme.dark.primaryColor": "#2b6cd4",
    "theme.light.linkColor": "#1f56b0",
    # Captions are this at six tenths: so they still stand out from a white ground.
    "theme.light.textColor": "#0b0b0c",
    "theme.dark.linkColor": "#8fbcff",
}
"""What of Streamlit's configuration is ours."""


def command(host: str, port: int) -> list[str]:
    """The command line that shows the pages."""
    chosen = OPTIONS | {"server.address": host, "server.port": str(port)}
    script = str(files("dashboards.app").joinpath("main.py"))
    shown = [f"--{name}={value}" for name, value in chosen.items()]
    return [sys.executable, "-m", "dashboards.app.server", "run", script, *shown]


def serve(library: Path, host: str, port: int, service: str | None) -> NoReturn:
    """Become the server of the pages."""
    os.environ["CORNERWISE_LIBRARY"] = str(library)
    if service:
        os.environ["CORNERWISE_SERVICE"] = service
    arguments = command(host, port)
    sys.stdout.flush()
    os.execv(arguments[0], arguments)
