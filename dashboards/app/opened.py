"""The library that the pages show: one reader for all visitors, and answers remembered until something changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from dashboards.app.settings import settings
from pipeline.store import Reader, open_reader
from pipeline.store.layout import Layout

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED = 500
"""Answers that are kept: those of a page's neighbours, so that going back costs nothing."""


@lru_cache(maxsize=4)
def _reader(library: Path, memory: str) -> Reader:
    return open_reader(library, memory=memory)


def reader() -> Reader:
    """The library of the settings.

    Raises:
        NotALibrary, LibraryTooNew, LibraryTooOld: it cannot be read, or not yet.
    """
    found = settings()
    return _reader(found.library.absolute(), found.memory)


def exists() -> bool:
    """Whether there is a library to read."""
    return Layout.of(settings().library).read_pointer() is not None


def ask(question: Callable[Concatenate[Reader, P], T], *args: P.args, **options: P.kwargs) -> T:
    """Ask the library `question(reader, *args, **options)`, or remember what it said of the same snapshot.

    The arguments must be hashable; the answer is shared by all visitors, so nobody changes it.

    Raises:
        NotALibrary, LibraryTooNew, LibraryTooOld: it cannot be read, or not yet.
    """
    library = reader()
    library.refresh()
    key = cast(tuple[Hashable, ...], tuple(sorted(options.items())))
    return cast(T, _answer(library, library.snapshot, question, cast(tuple[Hashable, ...], args), key))


@lru_cache(maxsize=REMEMBERED)
def _answer(
    library: Reader,
    snapshot: int,
    question: Callable[..., Any],
    args: tuple[Hashable, ...],
    options: tuple[tuple[str, Hashable], ...],
) -> Any:
    return question(library, *args, **dict(options))


def name() -> str:
    """What the library is called: the last part of its folder."""
    return os.path.basename(os.path.normpath(settings().library.absolute()))
