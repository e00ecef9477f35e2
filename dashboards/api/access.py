"""Who may ask, and how often: keys, and rates of a key or an address."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import Depends, Request
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from dashboards.api.problems import ApiError
from dashboards.api.state import Service, service_of
from pipeline.service.keys import Key

BEARER = "bearer "


class Rates:
    """How often each client has asked of late; of one process."""

    def __init__(self, rate: str | None) -> None:
        self._rate: RateLimitItem | None = None if rate is None else parse(rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def hit(self, who: str) -> None:
        """Count a request.

        Raises:
            ApiError: there were too many.
        """
        if self._rate is None or await self._limiter.hit(self._rate, who):
            return
        reset, _ = await self._limiter.get_window_stats(self._rate, who)
        wait = max(1, round(reset - time.time()))
        raise ApiError(429, "too_many_requests", f"more than {self._rate}", {"Retry-After": str(wait)})


def allowed(scope: Literal["read", "write"]) -> Callable[[Request], Awaitable[None]]:
    """A dependency that lets in whoever may read, or write."""

    async def check(request: Request) -> None:
        service = service_of(request)
        client = request.client.host if request.client else "unknown"
        key = await _key(service, request) if service.settings.needs_keys else None
        rates: Rates = request.app.state.rates
        await rates.hit(client if key is None else f"key {key.id}")
        if key is not None:
            request.scope["key_id"] = key.id
            if scope == "write" and key.scope != "write":
                raise ApiError(403, "read_only_key", "the key may read only")

    return check


async def _key(service: Service, request: Request) -> Key:
    header = request.headers.get("authorization", "")
    text = header[len(BEARER) :].strip() if header.lower().startswith(BEARER) else ""
    found = await service.keep(lambda: service.keys.find(text)) if text else None
    if found is None:
        await request.app.state.rates.hit(f"unknown {request.client.host if request.client else ''}")
        raise ApiError(
            401,
            "no_key",
            "send `Authorization: Bearer KEY` with a key of `cornerwise keys add`",
            {"WWW-Authenticate": "Bearer"},
        )
    return found


Read = Depends(allowed("read"))
Write = Depends(allowed("write"))

Running = Annotated[Service, Depends(service_of)]
"""The service, as a parameter of an operation."""
