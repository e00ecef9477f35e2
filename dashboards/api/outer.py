"""What surrounds every request: its id, size limits, security headers, a line of log, figures, and the last resort."""

from __future__ import annotations

import re
import time
import traceback
import uuid

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboards.api.figures import Figures
from dashboards.api.problems import ApiError, response_of
from dashboards.api.settings import Settings

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    "cache-control": "no-store",
}

UPLOADS = {"/v1/imports": "upload_bytes", "/v1/check": "check_bytes"}
"""Paths whose bodies have limits of their own."""

STREAMS = "/v1/analyses/stream"
"""The path whose body goes on as long as its client likes; its lines are limited one by one."""


class TooLarge(Exception):
    """The body of a request is larger than it may be."""


class Outer:
    """The outermost layer of the service, as an ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: Settings, figures: Figures) -> None:
        self._app, self._settings, self._figures = app, settings, figures
        self._log = structlog.get_logger()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or pass on what is none."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        call = _Call(scope, receive, send, self._limit(scope["path"]))
        scope["request_id"] = call.id
        failure: BaseException | None = None
        try:
            call.check_length()
            await self._app(scope, call.receive, call.send)
        except (TooLarge, ClientDisconnect):
            pass
        except Exception as error:
            failure = error
            if not call.exceeded:
                self._log.error("fault", request_id=call.id, trace=traceback.format_exc())
        if call.exceeded:
            failure = call.too_large()
        if failure is not None and call.status is None:
            await response_of(failure, Request(scope))(scope, call.receive, call.refuse)
        self._tell(scope, call)

    def _limit(self, path: str) -> int | None:
        if path == STREAMS:
            return None
        limit: int = getattr(self._settings, UPLOADS.get(path, "body_bytes"))
        return limit

    def _tell(self, scope: Scope, call: _Call) -> None:
        """One line and some figures: the route and not the path, for paths and questions name people."""
        route = getattr(scope.get("route"), "path", "unknown")
        seconds = time.perf_counter() - call.began
        status = call.status or 499
        self._figures.requests.labels(scope["method"], route, str(status)).inc()
        self._figures.seconds.labels(route).observe(seconds)
        self._log.info(
            "request",
            request_id=call.id,
            method=scope["method"],
            route=route,
            status=status,
            milliseconds=round(1000 * seconds, 1),
            key=scope.get("key_id"),
        )


class _Call:
    """One request on its way in and out."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, limit: int | None) -> None:
        self._receive, self._send, self._limit = receive, send, limit
        self._headers = Headers(scope=scope)
        given = self._headers.get("x-request-id", "")
        self.id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        self.began = time.perf_counter()
        self.read = 0
        self.exceeded = False
        self.status: int | None = None

    def check_length(self) -> None:
        """Refuse a body that says itself that it is too large, before any of it is read."""
        length = self._headers.get("content-length", "")
        if self._limit is not None and length.isdecimal() and int(length) > self._limit:
            self.exceeded = True
            raise TooLarge

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request" and self._limit is not None:
            self.read += len(message.get("body", b""))
            if self.read > self._limit:
                self.exceeded = True
                raise TooLarge
        return message

    async def send(self, message: Message) -> None:
        # What inner layers make of a body that was cut off is not told.
        if not self.exceeded or self.status is not None:
            await self.refuse(message)

    async def refuse(self, message: Message) -> None:
        """Send a message, whatever happened."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = self.id
            for name, value in SECURITY.items():
                headers.setdefault(name, value)
            if self.exceeded:
                headers["connection"] = "close"  # the rest of the body is not read
        await self._send(message)

    def too_large(self) -> ApiError:
        """The refusal of a body that is too large."""
        return ApiError(413, "too_large", f"the body has more than the {self._limit} bytes allowed here")
