"""The application: everything put together for one set of settings, nothing kept outside of it."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from dashboards.api import problems
from dashboards.api.access import Rates
from dashboards.api.figures import Figures
from dashboards.api.outer import Outer
from dashboards.api.routes import games, health, imports, jobs, judgings, measurings, positions, statistics
from dashboards.api.settings import Settings
from dashboards.api.state import Service
from pipeline.service.workers import Workers
from pipeline.store.catalogue import program_version

ABOUT = (
    "Blokus game records and positions: evaluations, legal moves, points and pictures; imports, games and "
    "statistics of a library. Errors are problem details (RFC 9457)."
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service for these settings, by default those of the environment."""
    settings = settings or Settings()
    figures = Figures()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = Service(settings, figures)
        workers = Workers(service.layout.root, settings.analysis_threads, _worker_died)
        app.state.service, app.state.workers = service, workers
        _build_routes(app)
        threading.Thread(target=_warm_up, args=(app, service), name="warm up", daemon=True).start()
        if settings.work:
            workers.start()
        try:
            yield
        finally:
            service.closing.set()
            if settings.work:
                workers.stop()
            service.close()

    app = FastAPI(
        title="Cornerwise",
        description=ABOUT,
        version=program_version(),
        lifespan=lifespan,
        # Their pages load scripts of other hosts.
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.rates = Rates(settings.rate)
    problems.install(app)
    app.include_router(health.router)
    for part in (positions, games, statistics, imports, jobs, judgings, measurings):
        app.include_router(part.router)
    origins = [origin.strip() for origin in settings.origins.split(",") if origin.strip()]
    if origins:
        app.add_middleware(CORSMiddleware, allow_origins=origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(Outer, settings=settings, figures=figures)
    _describe(app)
    return app


def _build_routes(app: FastAPI) -> None:
    """Let the framework work out its routes now and once, as it would at the first request.

    Doing so it silences warnings for a moment, which is not safe in two threads: the one that warms up does it, too.
    """
    nowhere = {
        "type": "http",
        "method": "GET",
        "path": "/-",
        "root_path": "",
        "headers": [],
        "query_string": b"",
    }
    for route in app.routes:
        route.matches(nowhere)


def _warm_up(app: FastAPI, service: Service) -> None:
    try:
        app.openapi()  # takes half a second, once: not while requests wait
        service.warm_up()
    except Exception as error:
        structlog.get_logger().error("warm up failed", error=f"{type(error).__name__}: {error}")


def _worker_died(kind: str, signal: int) -> None:
    structlog.get_logger().warning("worker died", kind=kind, signal=signal)


def _describe(app: FastAPI) -> None:
    """Add to the description what the framework does not know: problems, and keys."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = made()
            parts = schema.setdefault("components", {})
            model = problems.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            parts.setdefault("schemas", {}).update(model.pop("$defs", {}))
            parts["schemas"]["Problem"] = model
            parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
