"""The service as a process: uvicorn around the application, its log in lines of JSON."""

from __future__ import annotations

import logging
import sys

import structlog
import uvicorn
from fastapi import FastAPI

from dashboards.api.app import create_app
from dashboards.api.settings import Settings

GOODBYE = 10
"""Seconds that open requests have to end when the service does."""


IDLE = 65
"""Seconds that a connection stays open between two requests: longer than clients and proxies keep theirs, for one
that both ends at the same moment loses a request."""


def log_as_json() -> None:
    """One JSON object a line on standard error, for this service's own lines."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


def application() -> FastAPI:
    """The application with the settings of the environment, for processes that uvicorn starts."""
    log_as_json()
    return create_app(Settings())


def serve(settings: Settings, workers: int = 1) -> None:
    """Serve until a signal ends it."""
    uvicorn.run(
        "dashboards.api.serving:application",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=workers,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GOODBYE,
        timeout_keep_alive=IDLE,
        h11_max_incomplete_event_size=64 * 1024,
    )
