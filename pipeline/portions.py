"""From sources to portions: recognised, cut into whole records, and named by a digest of the source's bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from typing import IO

from notation.errors import NotationError
from notation.formats import Format
from notation.sniff import sniff
from notation.stream import HEAD
from pipeline.sources import DAMAGED, Source, Unreadable, files_below, open_sources
from pipeline.unit import Portion, Reading

SMALL = 8 * 1024 * 1024
"""Bytes up to which a source is read before it is cut, so that its digest is known from the start."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A large source was read to its end: what its portions called `stand_in` is now known."""

    stand_in: str
    digest: str


@dataclass(slots=True)
class Inventory:
    """What became of the inputs: how many hold records, and the others, each with the reason."""

    files: int = 0
    other_files: list[tuple[str, str]] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    bytes_read: int = 0


class _Bytes:
    """A stream with its first bytes read already; counts and digests what goes through."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.hash = blake2b(digest_size=16)
        self.size = 0
        self.head = b""
        while len(self.head) <= SMALL and (block := stream.read(SMALL + 1 - len(self.head))):
            self.head += block
        self.whole = len(self.head) <= SMALL
        self._ready = self.head
        self._count(self.head)

    def _count(self, block: bytes) -> None:
        self.hash.update(block)
        self.size += len(block)

    def read(self, size: int) -> bytes:
        """Like `file.read`."""
        if self._ready:
            block, self._ready = self._ready[:size], self._ready[size:]
            return block
        if self.whole:
            return b""
        block = self._stream.read(size)
        self._count(block)
        return block


def portions_of(paths: list[str], reading: Reading, inventory: Inventory) -> Iterator[Portion | Digest]:
    """All portions of all inputs, in order; a `Digest` follows the portions of a large source.

    Raises:
        PipelineError: a path does not exist.
    """
    numbers = count(1)
    for path in files_below(paths):
        for source in open_sources(path):
            if isinstance(source, Unreadable):
                inventory.unreadable.append((source.name, source.message))
                continue
            yield from _portions_of_source(source, reading, inventory, f"unread-{next(numbers)}")


def _portions_of_source(
    source: Source, reading: Reading, inventory: Inventory, stand_in: str
) -> Iterator[Portion | Digest]:
    try:
        data = _Bytes(source.stream)
        found = sniff(data.head[:HEAD], source.name, reading.format)
        if isinstance(found, NotationError):
            inventory.other_files.append((source.name, found.message))
            return
        inventory.files += 1
        digest = data.hash.hexdigest() if data.whole else stand_in
        yield from _cut(source, found, data, digest, inventory)
        if not data.whole:
            yield Digest(stand_in, data.hash.hexdigest())
    except DAMAGED as error:
        inventory.unreadable.append((source.name, f"cannot be read to its end: {error}"))


def _cut(source: Source, found: Format, data: _Bytes, digest: str, inventory: Inventory) -> Iterator[Portion]:
    for chunk in found.split(data.read):
        inventory.bytes_read += len(chunk.data)
        yield Portion(source.name, digest, found.name, chunk)
