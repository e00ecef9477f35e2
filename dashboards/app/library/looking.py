"""What dropped files hold, looked into beside the page and remembered by their content."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboards.work import ImportSettings

if TYPE_CHECKING:
    from pipeline.previews import Preview

KEPT = 100
"""Files of which it is remembered what they hold."""

PATIENCE = 0.2
"""Seconds that a page waits for a small file."""

DIGESTS = "library.digests"


@dataclass(frozen=True, slots=True)
class How:
    """How records are read: None, what they say themselves."""

    format: str | None = None
    variant: str | None = None
    strict: bool = False

    def settings(self) -> ImportSettings:
        """The same for an import."""
        return {"format": self.format, "variant": self.variant, "strict": self.strict}


@dataclass(frozen=True, slots=True)
class Dropped:
    """A file that a visitor dropped."""

    name: str
    size: int
    digest: str
    content: bytes


_pool = ThreadPoolExecutor(2, "cornerwise-looking")
_guard = Lock()
_found: dict[tuple[str, How], Future[Preview]] = {}


def dropped(files: Sequence[Any]) -> list[Dropped]:
    """What lies in the field, every content once. Nothing is read away: the next look finds the same."""
    digests: dict[str, str] = st.session_state.setdefault(DIGESTS, {})
    out: dict[str, Dropped] = {}
    for file in files:
        content = file.getvalue()
        digest = digests.get(file.file_id)
        if digest is None:
            digest = digests[file.file_id] = blake2b(content, digest_size=16).hexdigest()
        out.setdefault(digest, Dropped(file.name, file.size, digest, content))
    return list(out.values())


def look(file: Dropped, how: How, patience: float = PATIENCE) -> Preview | None:
    """What a file holds; None while that is being found out."""
    key = (file.digest, how)
    with _guard:
        if key not in _found:
            for old in list(_found)[: max(0, len(_found) - KEPT + 1)]:
                _found.pop(old).cancel()
            _found[key] = _pool.submit(_looked, file.name, file.content, how)
        found = _found[key]
    try:
        return found.result(patience)
    except NotYet:
        if found.done():
            raise
        return None


def _looked(name: str, content: bytes, how: How) -> Preview:
    from pipeline.judged import RuleChoice  # kernels are loaded beside the page
    from pipeline.previews import preview
    from pipeline.unit import Reading

    return preview(name, content, Reading(how.format, how.variant, RuleChoice(strict=how.strict)))
