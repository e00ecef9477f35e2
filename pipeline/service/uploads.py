"""Files that somebody hands over for an import: onto the disk, under harmless names."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import IO

from pipeline.errors import RefusedFile

LONGEST = 120
"""Characters of a file's name that are kept."""

HEAD = 64 * 1024
"""Bytes at the beginning of a file that are looked at for a document type."""

_ODD = re.compile(r"[^\w .()+,=@-]")


def harmless(name: str) -> str:
    """A name of a file without folders, control characters and what has a meaning for paths; its suffix stays."""
    plain = _ODD.sub("_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".-").strip() or "upload"
    stem, dot, suffix = plain.rpartition(".")
    if len(plain) > LONGEST:
        plain = f"{(stem or suffix)[: LONGEST - len(suffix) - 1]}{dot}{suffix[:20]}"
    while len(plain.encode()) > 2 * LONGEST:
        plain = plain[1:]
    return plain


def keep_file(folder: Path, name: str, content: IO[bytes]) -> str:
    """Copy what somebody calls `name` into a folder; returns its name there, with a number where it is taken.

    Raises:
        RefusedFile: XML with a document type.
        OSError: the disk refuses.
    """
    kept = plain = harmless(name)
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while (folder / kept).exists():
        number += 1
        kept = f"{number}/{plain}"
    path = folder / kept
    path.parent.mkdir(exist_ok=True)
    head = content.read(HEAD)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<!DOCTYPE" in head:
        raise RefusedFile(f"{kept}: XML with a document type is refused: no record needs one")
    with path.open("wb") as out:
        out.write(head)
        shutil.copyfileobj(content, out, 1024 * 1024)
    return kept
