"""From sources to portions: recognised, cut into whole records, and named by a digest of the source's bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from io import BytesIO
from itertools import count

from notation.errors import NotARecord, NotationError
from notation.formats import Format
from notation.sniff import sniff
from notation.stream import HEAD, Chunk
from notation.table_layout import Columns
from pipeline.errors import InputTooLarge
from pipeline.sources import DAMAGED, Source, Unreadable, files_below, open_sources, reason
from pipeline.stopping import interruptible
from pipeline.unit import Portion, Reading

SMALL = 8 * 1024 * 1024
"""Bytes up to which a source is read before it is cut, so that its digest is known from the start."""

BLOCK = 32 * 1024
"""Bytes that are read at once."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A large source was read to its end: what its portions called `stand_in` is now known."""

    stand_in: str
    digest: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """What inputs of strangers may unpack to: bytes and sources, of all inputs together."""

    expanded: int
    sources: int


@dataclass(slots=True)
class Inventory:
    """What became of the inputs: how many hold records, and the others, each with the reason.

    `allowed` bounds what is read; None: whatever there is. `expanded` and `sources` are what was met so far.
    """

    files: int = 0
    other_files: list[tuple[str, str]] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    bytes_read: int = 0
    allowed: Allowed | None = None
    expanded: int = 0
    sources: int = 0

    def meet(self, size: int, sources: int = 0) -> None:
        """Count bytes and sources.

        Raises:
            InputTooLarge: there are more than allowed.
        """
        self.expanded += size
        self.sources += sources
        if self.allowed is None:
            return
        if self.expanded > self.allowed.expanded:
            raise InputTooLarge(f"the input unpacks to more than the {self.allowed.expanded} bytes allowed")
        if self.sources > self.allowed.sources:
            raise InputTooLarge(f"the input has more than the {self.allowed.sources} files allowed")


class _Bytes:
    """A stream with its first bytes read already; digests what goes through.

    Where the stream is damaged it ends, and `damage` says how: what came before is kept.
    """

    def __init__(self, source: Source, inventory: Inventory) -> None:
        self._stream = source.stream
        self._inventory = inventory
        self._expected = source.size
        self.hash = blake2b(digest_size=16)
        self.size = 0
        self.damage = ""
        blocks = []
        while self.size <= SMALL and (block := self._next(BLOCK)):
            blocks.append(block)
        self.whole = self.size <= SMALL
        self.head = self._ready = b"".join(blocks)

    def _next(self, size: int) -> bytes:
        """The next bytes, in blocks so small that little is lost with the one in which the damage is."""
        try:
            # `read` of a compressed stream goes on until it has all, and loses that when it meets the damage.
            read = getattr(self._stream, "read1", self._stream.read)
            block: bytes = b"" if self.damage else interruptible(read, min(size, BLOCK))
            if not block and self._expected is not None and self.size < self._expected and not self.damage:
                raise EOFError(f"{self._expected - self.size} of {self._expected} bytes are missing")
        except DAMAGED as error:
            self.damage = f"cannot be read to its end: {reason(error)}"
            return b""
        self.hash.update(block)
        self.size += len(block)
        self._inventory.meet(len(block))
        return block

    def read(self, size: int) -> bytes:
        """Like `file.read`."""
        if self._ready:
            block, self._ready = self._ready[:size], self._ready[size:]
            return block
        return b"" if self.whole else self._next(size)


def portions_of(paths: list[str], reading: Reading, inventory: Inventory) -> Iterator[Portion | Digest]:
    """All portions of all inputs, in order; a `Digest` follows the portions of a large source.

    Raises:
        PipelineError: a path does not exist.
        InputTooLarge: see `Inventory.meet`.
    """
    numbers = count(1)
    for path in files_below(paths):
        for source in [path] if isinstance(path, Unreadable) else open_sources(path):
            inventory.meet(0, 1)
            if isinstance(source, Unreadable):
                inventory.unreadable.append((source.name, source.message))
                continue
            yield from _portions_of_source(source, reading, inventory, f"unread-{next(numbers)}")


def portions_of_bytes(
    data: bytes, name: str, reading: Reading, inventory: Inventory
) -> Iterator[Portion | Digest]:
    """All portions of what somebody pasted; `name` is what messages call it. Archives are not opened."""
    yield from _portions_of_source(Source(name, BytesIO(data)), reading, inventory, "unread-1")


def _portions_of_source(
    source: Source, reading: Reading, inventory: Inventory, stand_in: str
) -> Iterator[Portion | Digest]:
    data = _Bytes(source, inventory)
    found = sniff(data.head[:HEAD], source.name, reading.format, reading.columns)
    if isinstance(found, NotationError):
        if data.damage:
            inventory.unreadable.append((source.name, data.damage))
        else:
            inventory.other_files.append((source.name, found.message))
        return
    inventory.files += 1
    digest = data.hash.hexdigest() if data.whole else stand_in
    try:
        for chunk in _cut(found, data, reading.columns):
            inventory.bytes_read += len(chunk.data)
            yield Portion(source.name, digest, found.name, chunk)
    except NotARecord as error:  # a table whose columns stand at its end
        inventory.files -= 1
        inventory.other_files.append((source.name, error.message))
    if not data.whole:
        yield Digest(stand_in, data.hash.hexdigest())
    if data.damage:
        inventory.unreadable.append((source.name, data.damage))


def _cut(found: Format, data: _Bytes, columns: Columns) -> Iterator[Chunk]:
    """The chunks of a source; one behind is kept back, since what the last one holds depends on the source's end."""
    last: Chunk | None = None
    for chunk in found.cut(data.read, columns):
        if last is not None:
            yield last
        last = chunk
    if last is not None:
        yield from found.break_off(last) if data.damage else (last,)
