"""From paths to streams of bytes: files, folders, standard input, archives; nothing is unpacked to disk."""

from __future__ import annotations

import gzip
import os
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from lzma import LZMAError
from pathlib import Path
from typing import IO

from pipeline.errors import PipelineError

STDIN = "-"

_TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")

DAMAGED = (
    OSError,
    EOFError,
    zlib.error,
    LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
    RuntimeError,
    NotImplementedError,
)
"""What reading a damaged, encrypted or unreadable source raises."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input: its name for messages (`archive.zip!inside.sgf`) and a stream, good until the next one is asked for.

    `size` in bytes where the stream may end early without complaint.
    """

    name: str
    stream: IO[bytes]
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An input that cannot be read, and why."""

    name: str
    message: str


def files_below(paths: list[str]) -> Iterator[str | Unreadable]:
    """The files that paths mean, folders recursively and in order of their names, hidden ones left out.

    In a folder only plain files are taken: a pipe or a device might never end, and a linked folder may hold the
    folder it is in. They are told as unreadable, and so are folders that cannot be listed.

    Raises:
        PipelineError: a path does not exist.
    """
    for path in paths:
        if path == STDIN or not os.path.isdir(path):
            if path != STDIN and not os.path.lexists(path):
                raise PipelineError(f"no such file or folder: {path}")
            yield path
        else:
            yield from _below(path)


def _below(path: str) -> Iterator[str | Unreadable]:
    failures: list[OSError] = []
    for folder, inside, names in os.walk(path, onerror=failures.append):
        yield from _unlisted(failures)
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for place in (os.path.join(folder, name) for name in inside):
            if os.path.islink(place):
                yield Unreadable(printable(place), "a link to a folder is not followed")
        for place in (os.path.join(folder, name) for name in sorted(names) if not name.startswith(".")):
            if os.path.exists(place) and not os.path.isfile(place):
                yield Unreadable(
                    printable(place), "no plain file: a pipe or a device is read only where it is named"
                )
            else:
                yield place
    yield from _unlisted(failures)


def _unlisted(failures: list[OSError]) -> Iterator[Unreadable]:
    while failures:
        error = failures.pop(0)
        yield Unreadable(printable(str(error.filename)), f"the folder cannot be read: {reason(error)}")


def open_sources(path: str) -> Iterator[Source | Unreadable]:
    """The sources that one file holds: itself, or the members of an archive; names are printable."""
    for source in _sources_of(path):
        yield replace(source, name=printable(source.name))


def printable(name: str) -> str:
    """A name of a file as text that every table holds: a byte that is no UTF-8 becomes an escape."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _sources_of(path: str) -> Iterator[Source | Unreadable]:
    try:
        if path == STDIN:
            yield Source("standard input", sys.stdin.buffer)
            return
        if not _is_plain(path):
            yield Unreadable(path, "not a file: a device, a socket or a pipe without a name for it")
            return
        yield from _opened(Path(path))
    except DAMAGED as error:
        yield Unreadable(path, f"cannot be read: {reason(error)}")


def _is_plain(path: str) -> bool:
    mode = os.stat(path).st_mode
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _opened(path: Path) -> Iterator[Source | Unreadable]:
    name = path.name.lower()
    if name.endswith(_TAR_SUFFIXES):
        yield from _tar_members(path)
    elif name.endswith(".zip"):
        yield from _zip_members(path)
    elif name.endswith(".gz"):
        with gzip.open(path) as stream:
            yield Source(str(path), stream)  # type: ignore[arg-type]
    else:
        with path.open("rb") as plain:
            yield Source(str(path), plain)


def _tar_members(path: Path) -> Iterator[Source | Unreadable]:
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            if not member.isfile():
                continue
            stream = archive.extractfile(member)
            if stream is not None:
                yield from _member(f"{path}!{member.name}", stream, member.size)


def _zip_members(path: Path) -> Iterator[Source | Unreadable]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            name = f"{path}!{member.filename}"
            try:
                with archive.open(member) as stream:
                    yield from _member(name, stream)
            except DAMAGED as error:
                yield Unreadable(name, f"cannot be read: {reason(error)}")


def _member(name: str, stream: IO[bytes], size: int | None = None) -> Iterator[Source | Unreadable]:
    """A member of an archive; a compressed one is opened, an archive in an archive is not."""
    lower = name.lower()
    if lower.endswith((".zip", *_TAR_SUFFIXES)):
        yield Unreadable(name, "an archive inside an archive is not opened: unpack the outer one first")
    elif lower.endswith(".gz"):
        yield Source(name, gzip.GzipFile(fileobj=stream))  # type: ignore[arg-type]
    else:
        yield Source(name, stream, size)


def reason(error: BaseException) -> str:
    """Why a source cannot be read, in a line."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text)
