"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import PipelineError


@contextmanager
def appearing(path: Path, is_file: bool) -> Iterator[Path]:
    """A hidden neighbour of `path` that takes its place at the end, and is removed if anything goes wrong.

    A file that is there is replaced; a folder must be missing or empty.

    Raises:
        PipelineError: a folder that is not empty, a disk that does not take the files.
    """
    hidden = path.parent / f".{path.name}.partial-{os.getpid()}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not is_file:
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise PipelineError(f"{path} is there already and is no empty folder: nothing is written")
            hidden.mkdir()
        yield hidden
        _flush(hidden)
        os.replace(hidden, path)
    except BaseException as error:
        shutil.rmtree(hidden, ignore_errors=True)
        hidden.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise PipelineError(f"cannot write {path}: {error.strerror or error}") from error
        raise


def _flush(hidden: Path) -> None:
    """Have a file on the disk before it is named; a folder's files may follow."""
    if hidden.is_file():
        with hidden.open("rb") as file:
            os.fsync(file.fileno())
