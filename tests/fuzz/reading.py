"""A source of bytes read as the pipeline reads it, with everything about the cutting settable."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from notation.errors import NotARecord
from notation.formats import FORMATS
from notation.fragments import Item
from notation.stream import Chunk, ReadOptions
from notation.table_layout import Columns

LIMIT = 64 * 1024
"""Bytes of the largest input."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One input and how it is read: `step` bytes at most come at once, chunks are made of blocks of `block` bytes."""

    form: str
    data: bytes
    name: str = ""
    variant: str | None = None
    columns: Columns = ()
    step: int = LIMIT
    block: int = LIMIT


def chunks_of(trial: Trial) -> list[Chunk]:
    """The chunks of a source; a table of something else has none."""
    stream = io.BytesIO(trial.data)
    with _blocks_of(trial.block):
        try:
            return list(
                FORMATS[trial.form].cut(lambda size: stream.read(min(size, trial.step)), trial.columns)
            )
        except NotARecord:
            return []


def read_chunk(trial: Trial, chunk: Chunk) -> list[Item]:
    """What the records of a chunk are."""
    options = ReadOptions("fuzz", trial.variant, trial.columns)
    return list(FORMATS[trial.form].read(chunk, options))


def items_of(form: str, data: bytes) -> list[Item]:
    """What a source holds, read at once."""
    trial = Trial(form, data)
    return [item for chunk in chunks_of(trial) for item in read_chunk(trial, chunk)]


@contextmanager
def _blocks_of(size: int) -> Iterator[None]:
    if size >= LIMIT:
        yield
        return
    modules = [m for name, m in sys.modules.items() if name.startswith("notation.") and hasattr(m, "BLOCK")]
    before = [module.BLOCK for module in modules]
    for module in modules:
        module.BLOCK = size  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module, value in zip(modules, before, strict=True):
            module.BLOCK = value  # type: ignore[attr-defined]
