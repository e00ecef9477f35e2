"""A response that is sent while its request still comes in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class Duplex(Response):
    """Sends what an iterator gives; the framework's own streams would take the request's body for themselves."""

    def __init__(self, content: AsyncIterator[bytes], media_type: str) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._content = content

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it all; the iterator ends when the client is gone."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with aclosing(self._content) as content:  # type: ignore[type-var]
            async for block in content:
                await send({"type": "http.response.body", "body": block, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
