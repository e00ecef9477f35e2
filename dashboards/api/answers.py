"""Answers out of documents: valid JSON whatever the values."""

from __future__ import annotations

from typing import Any

from fastapi.responses import JSONResponse

from dashboards.terminal import jsonable


def answer(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> JSONResponse:
    """A document as JSON; numbers that are none are null."""
    return JSONResponse(jsonable(document), status, headers)
