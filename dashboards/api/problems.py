"""Errors as problem details (RFC 9457)."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from dashboards.refusals import FAULT, FULL, status_and_code
from dashboards.terminal import LONGEST, shortened
from engine.errors import EngineError, IllegalMove
from notation.errors import NotationError
from pipeline import errors

MEDIA_TYPE = "application/problem+json"

RETRY = 5
"""Seconds after which a client may try again what failed for want of room."""

TITLES = {
    400: "The request cannot be read",
    401: "A key is needed",
    403: "The key does not allow this",
    404: "There is no such thing",
    405: "The method is not allowed here",
    409: "It is not possible now",
    411: "The length is needed",
    413: "The request is too large",
    415: "The type of the content is not read here",
    422: "The request makes no sense",
    429: "Too many requests",
    500: "A fault in the program itself",
    503: "The service cannot do it now",
    507: "The disk is full",
}


class FieldProblem(BaseModel):
    """What is wrong with one field: its path (`body.moves.3`) and a message."""

    field: str
    code: str
    message: str


class Problem(BaseModel):
    """Problem details: `code` is for programs, `detail` for people."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(examples=["urn:cornerwise:problem:illegal_move"])
    title: str
    status: int
    code: str
    detail: str
    instance: str | None = Field(default=None, description="id of the request")
    errors: list[FieldProblem] | None = None
    game: str | None = None
    ply: int | None = None
    reason: str | None = Field(default=None, description="reason for which a move is illegal")
    place: dict[str, Any] | None = Field(
        default=None, description="source, record, line and column in the input"
    )
    candidates: list[str] | None = Field(default=None, description="games that an abbreviation can mean")


class ApiError(Exception):
    """A refusal of the service itself."""

    def __init__(
        self, status: int, code: str, detail: str, headers: dict[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.headers, self.more = headers or {}, more


def too_busy(what: str) -> ApiError:
    """That a queue is full."""
    return ApiError(503, "busy", f"{what}: try again later", {"Retry-After": str(RETRY)})


def problem_of(error: BaseException) -> ApiError:
    """The refusal that an error of the program amounts to; 500 for what nobody foresaw."""
    if isinstance(error, ApiError):
        return error
    status, code = status_and_code(error)
    if (status, code) == FAULT:
        return ApiError(status, code, f"a fault in the program itself ({type(error).__name__})")
    if (status, code) == FULL and isinstance(error, OSError):
        return ApiError(status, code, "the disk is full")
    headers = {"Retry-After": str(RETRY)} if isinstance(error, errors.LibraryBusy) else {}
    return ApiError(status, code, shortened(str(error), LONGEST), headers, **_more(error))


def _more(error: BaseException) -> dict[str, Any]:
    """What else is known of an error."""
    if isinstance(error, errors.IllegalGame):
        return {"ply": error.ply, "reason": error.reason}
    if isinstance(error, IllegalMove):
        return {"reason": error.reason}
    if isinstance(error, errors.AmbiguousGame):
        return {"candidates": error.candidates}
    if isinstance(error, NotationError):
        where = {name: getattr(error.where, name) for name in ("source", "record", "line", "column")}
        return {"place": {name: value for name, value in where.items() if value}}
    return {}


def response_of(error: BaseException, request: Request) -> JSONResponse:
    """The answer to a request that failed; it does not say where the library lies."""
    found = problem_of(error)
    service = getattr(request.app.state, "service", None)
    root = None if service is None else service.layout.root
    detail = found.detail if root is None else found.detail.replace(str(root), root.name)
    body = Problem(
        type=f"urn:cornerwise:problem:{found.code}",
        title=TITLES.get(found.status, "The request failed"),
        status=found.status,
        code=found.code,
        detail=detail,
        instance=request.scope.get("request_id"),
        **found.more,
    )
    document = body.model_dump(exclude_none=True)
    return JSONResponse(document, found.status, found.headers, media_type=MEDIA_TYPE)


def invalid(found: RequestValidationError) -> ApiError:
    """The refusal of a request that is not as its description says; no value of it is repeated."""
    rows = [
        FieldProblem(
            field=".".join(str(part) for part in row["loc"])[:200],
            code=str(row["type"]),
            message=shortened(str(row["msg"]), 300),
        )
        for row in found.errors()[:50]
    ]
    if any(row.code == "json_invalid" for row in rows):
        return ApiError(422, "no_json", "the body is no JSON", errors=rows)
    detail = "; ".join(f"{row.field}: {row.message}" for row in rows[:5])
    return ApiError(422, "invalid", detail, errors=rows)


def install(app: FastAPI) -> None:
    """Have every error of an application answered as a problem."""

    def of_validation(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return response_of(invalid(error), request)

    def of_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = {404: "no_such_path", 405: "method_not_allowed"}.get(error.status_code, "refused")
        refusal = ApiError(error.status_code, code, str(error.detail), dict(error.headers or {}))
        return response_of(refusal, request)

    def of_program(request: Request, error: Exception) -> JSONResponse:
        return response_of(error, request)

    app.add_exception_handler(RequestValidationError, of_validation)
    app.add_exception_handler(HTTPException, of_http)
    for kind in (ApiError, EngineError, NotationError, errors.PipelineError, OSError, MemoryError):
        app.add_exception_handler(kind, of_program)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Descriptions of the problems that an operation may answer with, those that any may included."""
    return {
        status: {
            "description": TITLES[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted({400, 401, 403, 413, 422, 429, 503, *statuses})
    }
