"""Imports and judgings by a service."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Unpack

import httpx
from typing_extensions import override

from dashboards.client import Client, Refused
from dashboards.work import Document, Event, ImportSettings, JudgeSettings, Work, WorkRefused, as_work


class ByService(Work):
    """Work that a service does."""

    def __init__(self, url: str, key: str | None, patience: float = 120.0) -> None:
        self._client = Client(url, key, patience)
        self.place = self._client.base_url

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except Refused as error:
            raise WorkRefused(str(error), error.code) from error
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise WorkRefused(f"the service at {self.place} does not answer: {error}", "no_answer") from error

    @override
    def import_files(self, files: Sequence[tuple[str, bytes]], **settings: Unpack[ImportSettings]) -> str:
        question = {name: value for name, value in settings.items() if name != "rules"}
        rule = [f"{key}={value}" for key, value in settings.get("rules", {}).items()]
        with self._told():
            return str(self._client.upload(*files, rule=rule or None, **question)["id"])

    @override
    def judge(
        self,
        ids: Sequence[str] | None = None,
        budget: str | int = "quick",
        seed: int = 1,
        **which: Unpack[JudgeSettings],
    ) -> str:
        with self._told():
            return str(self._client.judge(ids, budget, seed, **which)["id"])

    @override
    def measure(self) -> str:
        with self._told():
            return str(self._client.measure()["id"])

    @override
    def job(self, identity: str) -> Document:
        with self._told():
            return as_work(self._client.job(identity))

    @override
    def jobs(self, limit: int = 50, kind: str | None = None) -> list[Document]:
        with self._told():
            return [as_work(row) for row in self._client.jobs(limit=limit, kind=kind)["rows"]]

    @override
    def cancel(self, identity: str) -> Document:
        with self._told():
            return as_work(self._client.cancel(identity))

    @override
    def outcomes(self, identity: str) -> Iterator[Document]:
        with self._told():
            yield from self._client.imported(identity)

    @override
    def events(self, identity: str, after: int = 0) -> Iterator[Event]:
        with self._told():
            yield from self._client.events(identity, after)

    @override
    def close(self) -> None:
        self._client.close()
