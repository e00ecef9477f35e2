"""Where tests find what is not in the repository; such tests are marked `archives` and skipped, loudly, without it."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
ARCHIVES = SHARED / "archives"


def archives(*parts: str) -> Path:
    """A path in the folder of real game records; skips the test, saying so, where the folder is absent."""
    if not ARCHIVES.is_dir():
        pytest.skip(f"no folder of real game records at {ARCHIVES}: this test reads it")
    return ARCHIVES.joinpath(*parts)
