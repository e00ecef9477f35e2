"""Files of a request onto the disk: counted while they come in, under harmless names."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.datastructures import UploadFile

from dashboards.api.problems import ApiError
from dashboards.api.state import Service

LONGEST = 120
"""Characters of a file's name that are kept."""

HEAD = 64 * 1024
"""Bytes at the beginning of a file that are looked at for a document type."""

_ODD = re.compile(r"[^\w .()+,=@-]")

BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary"},
                            "description": "files of records, or archives of such",
                        }
                    },
                }
            }
        },
    }
}
"""What the framework is not told, because bodies are read only once their senders are known."""


def harmless(name: str) -> str:
    """A name of a file without folders, control characters and what has a meaning for paths; its suffix stays."""
    plain = _ODD.sub("_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".-").strip() or "upload"
    stem, dot, suffix = plain.rpartition(".")
    if len(plain) > LONGEST:
        plain = f"{(stem or suffix)[: LONGEST - len(suffix) - 1]}{dot}{suffix[:20]}"
    while len(plain.encode()) > 2 * LONGEST:
        plain = plain[1:]
    return plain


@asynccontextmanager
async def received(request: Request, service: Service, folder: Path) -> AsyncIterator[list[str]]:
    """Names of the files of a form, which are in `folder` then; the folder goes where the block fails.

    Raises:
        ApiError: no form, no file in it, or too many.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise ApiError(415, "no_form", "send the files as a form: multipart/form-data with fields `files`")
    most = service.settings.upload_files
    async with request.form(max_files=most + 1, max_fields=10) as form:
        parts = form.getlist("files")
        files = [part for part in parts if isinstance(part, UploadFile)]
        if len(files) != len(list(form.multi_items())) or not files:
            raise ApiError(422, "no_files", "body.files: one file or more, and no other fields")
        if len(files) > most:
            raise ApiError(413, "too_large", f"more than {most} files: send an archive")
        try:
            yield await service.keep(lambda: [_kept(file, folder) for file in files])
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _kept(file: UploadFile, folder: Path) -> str:
    """Copy a file, which ends with its request, into a folder; returns its name there."""
    name = harmless(file.filename or "")
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while (folder / name).exists():
        number += 1
        name = f"{number}/{harmless(file.filename or '')}"
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    head = file.file.read(HEAD)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<!DOCTYPE" in head:
        raise ApiError(422, "doctype", f"{name}: XML with a document type is refused: no record needs one")
    with path.open("wb") as out:
        out.write(head)
        shutil.copyfileobj(file.file, out, 1024 * 1024)
    return name
