"""Whether the service lives, whether it is ready, and its figures."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from dashboards.api.access import Read, Running
from dashboards.api.answers import answer
from dashboards.api.fields import Answer
from dashboards.api.figures import CONTENT_TYPE
from dashboards.api.problems import ApiError, documented
from pipeline.store.catalogue import program_version

router = APIRouter(tags=["service"])


class Health(Answer):
    """That the service lives."""

    status: str
    version: str


class Ready(Answer):
    """That the library is open and the kernels are loaded."""

    status: str
    snapshot: int
    warm: bool


class Version(Answer):
    """Versions of the program and of the engine with its weights."""

    program: str
    engine: str


@router.get("/healthz", responses={200: {"model": Health}})
async def healthz() -> JSONResponse:
    """Whether the service lives."""
    return answer({"status": "ok", "version": program_version()})


@router.get("/readyz", responses={200: {"model": Ready}, **documented()})
async def readyz(service: Running) -> JSONResponse:
    """Whether the library is open and the kernels are loaded; 503 until then."""
    if not service.warm.is_set():
        raise ApiError(503, "not_ready", "the kernels are being loaded")
    snapshot = await service.keep(lambda: _snapshot(service))
    return answer({"status": "ready", "snapshot": snapshot, "warm": True})


def _snapshot(service: Running) -> int:
    reader = service.reader()
    reader.refresh()
    return reader.snapshot


_TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Figures for Prometheus"}
}


@router.get("/metrics", response_class=Response, responses={**_TEXT, **documented()}, dependencies=[Read])
async def metrics(service: Running) -> Response:
    """Requests, times, evaluations, jobs, memory (Prometheus)."""
    counts = await service.keep(lambda: service.jobs.counts())
    return Response(service.figures.text(counts), media_type=CONTENT_TYPE)


@router.get("/v1/version", responses={200: {"model": Version}, **documented()}, dependencies=[Read])
async def version(service: Running) -> JSONResponse:
    """Versions of the program and of the engine."""

    def work() -> dict[str, str]:
        from engine.evaluate import ENGINE_VERSION

        return {"program": program_version(), "engine": ENGINE_VERSION}

    return answer(await service.compute(work))
