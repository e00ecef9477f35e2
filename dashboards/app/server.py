"""Streamlit's server with a head start: what the first page needs is loaded while the browser still fetches its frame.

`python -m dashboards.app.server` takes the arguments of `streamlit`.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from threading import Thread

from pipeline.errors import LibraryError

FIRST = ("game", "openings", "library")
"""Pages whose modules are loaded ahead, those that need most first."""


def _load_ahead() -> None:
    opened = import_module("dashboards.app.opened")
    # Without a library, or with one that cannot be read, the pages say so.
    with suppress(LibraryError):
        if opened.exists():
            opened.reader()
    for name in FIRST:
        import_module(f"dashboards.app.screens.{name}")


def main() -> None:
    """Serve as the command line says."""
    Thread(target=_load_ahead, daemon=True).start()
    from streamlit.web.cli import main as serve

    serve(prog_name="streamlit")


if __name__ == "__main__":
    main()
