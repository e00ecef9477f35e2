"""Files of a request onto the disk, counted while they come in."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.datastructures import UploadFile

from dashboards.api.problems import ApiError
from dashboards.api.state import Service
from pipeline.service.uploads import keep_file

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


@asynccontextmanager
async def received(request: Request, service: Service, folder: Path) -> AsyncIterator[list[str]]:
    """Names of the files of a form, which are in `folder` then; the folder goes where the block fails.

    Raises:
        ApiError: no form, no file in it, or too many.
        RefusedFile: XML with a document type.
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
            yield await service.keep(
                lambda: [keep_file(folder, file.filename or "", file.file) for file in files]
            )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
