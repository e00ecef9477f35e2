"""Paths that games are written to: which are files, which folders, and which formats can be written."""

from __future__ import annotations

from pathlib import Path

from notation.formats import FORMATS, Format
from pipeline.errors import PipelineError


def written_format(name: str) -> Format:
    """The format of a name, one that is written and not only read.

    Raises:
        PipelineError: there is none; the message names those there are.
    """
    row = FORMATS.get(name)
    if row is None or row.write is None:
        known = ", ".join(f.name for f in FORMATS.values() if f.write is not None)
        raise PipelineError(f"unknown format {name!r}: choose one of {known}")
    return row


def format_of_path(path: Path) -> Format | None:
    """The format whose files end like this path; None for the name of a folder, and for a folder that is there."""
    if path.is_dir():
        return None
    return next((f for f in FORMATS.values() if path.suffix.lower() in f.suffixes), None)


def check_room(row: Format, is_file: bool, games: int) -> None:
    """See that so many games can stand at a path.

    Raises:
        PipelineError: it is a file, and the format holds one game a file.
    """
    if is_file and games > 1 and row.one_game_a_file:
        raise PipelineError(f"a file in the format {row.name} holds one game: name a folder for {games}")
