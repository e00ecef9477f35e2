"""Keys of the service: a secret that is shown once and kept as a digest, and what it allows."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import NoSuchKey
from pipeline.service.database import Database

SCOPES = ("read", "write")
PREFIX = "cw"


@dataclass(frozen=True, slots=True)
class Key:
    """A key without its secret; `scope` write may read as well. Times are seconds since 1970."""

    id: str
    name: str
    scope: str
    created: float
    revoked: float | None


class Keys:
    """The keys of a library's service."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._data = Database(folder)
        self._clock = clock

    def add(self, name: str, scope: str) -> tuple[Key, str]:
        """Make a key; returns it and its text, which nobody can find out again."""
        identity, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
        with self._data.transaction() as data:
            data.execute(
                "INSERT INTO keys VALUES (?, ?, ?, ?, ?, NULL)",
                (identity, name, scope, _digest(secret), self._clock()),
            )
        (key,) = (key for key in self.listed() if key.id == identity)
        return key, f"{PREFIX}_{identity}_{secret}"

    def listed(self) -> list[Key]:
        """All keys, revoked ones too, in the order in which they were made."""
        rows = self._data.rows("SELECT id, name, scope, created, revoked FROM keys ORDER BY created, id")
        return [Key(*row) for row in rows]

    def revoke(self, identity: str) -> Key:
        """Let a key open nothing any more.

        Raises:
            NoSuchKey: there is none of this id.
        """
        with self._data.transaction() as data:
            data.execute(
                "UPDATE keys SET revoked = coalesce(revoked, ?) WHERE id = ?", (self._clock(), identity)
            )
        for key in self.listed():
            if key.id == identity:
                return key
        raise NoSuchKey(f"there is no key {identity[:40]!r}: `cornerwise keys list` has them")

    def find(self, text: str) -> Key | None:
        """The key that a text is, None where it is none or a revoked one."""
        prefix, _, rest = text.partition("_")
        identity, _, secret = rest.partition("_")
        if prefix != PREFIX or not secret:
            return None
        rows = self._data.rows(
            "SELECT id, name, scope, created, revoked, digest FROM keys WHERE id = ?", identity
        )
        for *about, digest in rows:
            if hmac.compare_digest(digest, _digest(secret)) and about[-1] is None:
                return Key(*about)
        return None


def _digest(secret: str) -> str:
    # The secret has 256 random bits: a slow digest would protect nothing more.
    return hashlib.sha256(secret.encode()).hexdigest()
