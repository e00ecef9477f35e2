"""Ratings of players: of a large library they take a while, and pages show what needs none meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dashboards.app.background import OnItsWay, answer, wait_for
from dashboards.app.opened import reader
from dashboards.app.settings import AppSettings
from pipeline.ratings import ratings_of
from pipeline.store import open_reader

KEPT = 16
"""Families, and snapshots, of which ratings are kept."""

Ratings = Mapping[str, float]

_known: dict[tuple[Path, int, str], Ratings] = {}


def ratings(family: str) -> Ratings | None:
    """The rating of every player of a family of variants in the newest snapshot; None while they are being found.

    Raises:
        PipelineError: there is no such family, or no library.
    """
    asked = _asked(family)
    if asked not in _known:
        try:
            found = answer(_found, *asked)
        except OnItsWay:
            return None
        for old in list(_known)[: max(0, len(_known) - KEPT + 1)]:
            _known.pop(old, None)
        _known[asked] = found
    return _known[asked]


def wait(family: str, note: str) -> None:
    """Say that ratings are on their way, and make the page anew when they are there."""
    wait_for(_found, *_asked(family), note=note)


def _asked(family: str) -> tuple[Path, int, str]:
    library = reader()
    library.refresh()
    return library.layout.root, library.snapshot, family


def _found(root: Path, snapshot: int, family: str) -> Ratings:
    # A reader of its own: the one of the pages makes one table at a time, and nobody else's question should wait.
    with open_reader(root, memory=AppSettings().memory) as own:
        return ratings_of(own, family)
