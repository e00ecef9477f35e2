"""Files that are either whole or not there; failures of disk and database as errors of the library."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from pipeline.errors import LibraryError
from pipeline.store.layout import TEMPORARY


def sync(path: Path) -> None:
    """Wait until a file's bytes, or a folder's names, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, text: str) -> None:
    """Replace a small file at once: a reader sees the old text or the new."""
    with _scratch(path) as scratch:
        scratch.write_text(text, encoding="utf-8")


def copy_whole(source: Path, target: Path, finish: Callable[[Path], None] | None = None) -> None:
    """Copy a file so that the target name never shows a part of it; `finish` may work on the copy before."""
    with _scratch(target) as scratch:
        shutil.copyfile(source, scratch)
        if finish is not None:
            finish(scratch)


@contextmanager
def _scratch(path: Path) -> Iterator[Path]:
    """A temporary file that takes the place of `path` at the end of the `with` block; an error removes it."""
    scratch = path.with_name(path.name + TEMPORARY)
    try:
        yield scratch
        sync(scratch)
        os.replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    sync(path.parent)


@contextmanager
def ctrl_c() -> Iterator[None]:
    """Let Ctrl-C be what it is everywhere else: DuckDB turns it into a bare RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from error
        raise


@contextmanager
def as_library_errors(doing: str) -> Iterator[None]:
    """Turn failures of the disk, the database and Arrow into a `LibraryError` that says what was being done.

    Raises:
        LibraryError: instead of any of them.
    """
    try:
        with ctrl_c():
            yield
    except (OSError, duckdb.Error, pa.ArrowException, MemoryError) as error:
        raise LibraryError(f"{doing}: {reason(error)}") from error


def reason(error: BaseException) -> str:
    """Return the cause in a line a user can act on."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full"
    first = str(error).strip().split("\n")[0]
    if "No space left" in first or "Disk quota" in first:
        return "the disk is full"
    return first or type(error).__name__
