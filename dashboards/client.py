"""A typed client of the service: every call gives plain documents, every problem is a `Refused`.

>>> Client("http://127.0.0.1:8321").base_url
'http://127.0.0.1:8321'
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from socket import socket
from threading import Thread
from types import TracebackType
from typing import IO, Any

import httpx

Document = dict[str, Any]

FINAL = frozenset({"done", "failed", "cancelled"})
"""States in which nothing happens to a job any more."""


class Refused(Exception):
    """The service refused: `status`, `code` and the whole problem."""

    def __init__(self, status: int, problem: Document) -> None:
        super().__init__(problem.get("detail") or f"status {status}")
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.problem = problem


class Client:
    """A connection to one service; may be used as a context manager."""

    def __init__(self, base_url: str, key: str | None = None, timeout: float = 120.0) -> None:
        """Talk to the service at `base_url`, with a key where it needs one; `timeout` in seconds."""
        self.base_url = base_url.rstrip("/")
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self._timeout = timeout
        self._http = httpx.Client(base_url=self.base_url, headers=self._headers, timeout=timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    # Positions

    def evaluate(self, **body: Any) -> list[Document]:
        """Evaluations of the plies of a position, see `POST /v1/evaluate`."""
        found: list[Document] = self._post("/v1/evaluate", body)["evaluations"]
        return found

    def legal(self, **body: Any) -> Document:
        """Legal moves of a position."""
        return self._post("/v1/legal", body)

    def score(self, **body: Any) -> Document:
        """Points of a position."""
        return self._post("/v1/score", body)

    def render(self, **body: Any) -> str:
        """A picture of a position (SVG)."""
        return self._answer(self._http.post("/v1/render", json=body)).text

    def converse(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[Document]:
        """Send queries and actions as JSON Lines while they are made; yields answers as they are ready.

        `lines` is read by a thread of its own, and may wait for what the answers say.
        """
        url = self._http.base_url
        kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
        with closing(kind(url.host, url.port, timeout=self._timeout)) as connection:
            connection.putrequest("POST", f"{url.path.rstrip('/')}/v1/analyses/stream")
            headers = {"Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"}
            for name, value in {**self._headers, **headers}.items():
                connection.putheader(name, value)
            connection.endheaders()
            # httpx would send all of the body before it looks at the answer.
            Thread(target=_send, args=(connection.sock, lines), daemon=True).start()
            response = connection.getresponse()
            if response.status >= 400:
                raise Refused(response.status, _problem(response.read()))
            for line in response:
                if line.strip():
                    yield json.loads(line)

    # Jobs

    def upload(self, *files: Path | tuple[str, bytes | IO[bytes]], **question: Any) -> Document:
        """Upload files, paths or pairs of a name and content, and import them as a job."""
        return self._files("/v1/imports", files, question)

    def check(self, *files: Path | tuple[str, bytes | IO[bytes]], **question: Any) -> Document:
        """Verdicts on the records of files, which are stored nowhere."""
        return self._files("/v1/check", files, question)

    def analyse(self, queries: Sequence[Mapping[str, Any]], priority: int = 0) -> Document:
        """Evaluate many positions as a job."""
        return self._post("/v1/analyses", {"queries": list(queries), "priority": priority})

    def judge(
        self, ids: Sequence[str] | None = None, budget: str | int = "quick", seed: int = 1, **body: Any
    ) -> Document:
        """Judge the moves of games as a job; without `ids` all games, of a `variant`, the `first` so many."""
        asked = {"ids": None if ids is None else list(ids), "budget": budget, "seed": seed, **body}
        return self._post("/v1/judgings", {name: value for name, value in asked.items() if value is not None})

    def measure(self) -> Document:
        """Measure the games that lack it as a job."""
        return self._post("/v1/measurings", {})

    def job(self, identity: str) -> Document:
        """A job as it stands."""
        return self._get(f"/v1/jobs/{identity}")

    def jobs(self, **question: Any) -> Document:
        """A page of jobs, newest first."""
        return self._get("/v1/jobs", question)

    def cancel(self, identity: str, queries: Sequence[str] | None = None) -> Document:
        """Cancel a job, or some queries of an analysis."""
        return self._post(
            f"/v1/jobs/{identity}/cancel", {} if queries is None else {"queries": list(queries)}
        )

    def events(self, identity: str, after: int = 0) -> Iterator[tuple[int, str, Document]]:
        """(number, type, data) of what happens to a job, until it ends or the connection breaks."""
        headers = {"Last-Event-ID": str(after)} if after else {}
        with self._http.stream("GET", f"/v1/jobs/{identity}/events", headers=headers) as response:
            if response.is_error:
                response.read()
            self._answer(response)
            event: dict[str, str] = {}
            for line in response.iter_lines():
                if line:
                    name, _, value = line.partition(":")
                    event[name] = value.removeprefix(" ")
                elif "data" in event:
                    yield int(event.get("id", 0)), event.get("event", ""), json.loads(event["data"])
                    event = {}

    def wait(self, identity: str, seconds: float = 600.0) -> Document:
        """A job once it has ended, whatever becomes of the connection in between.

        Raises:
            TimeoutError: it has not, after so many seconds.
        """
        until, seen = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            try:
                for number, _, _ in self.events(identity, seen):
                    seen = number
                    if time.monotonic() > until:
                        break
                found = self.job(identity)
            except httpx.TransportError:
                time.sleep(0.1)
                continue
            if found["state"] in FINAL:
                return found
        raise TimeoutError(f"job {identity} has not ended")

    def results(self, identity: str) -> Iterator[Document]:
        """All final answers of an analysis that are there."""
        after: int | None = -1
        while after is not None:
            page = self._get(f"/v1/analyses/{identity}/results", {"after": after, "limit": 1000})
            yield from page["rows"]
            after = page["next"]

    def imported(self, identity: str) -> Iterator[Document]:
        """What became of every record of an import."""
        offset = 0
        while rows := self._get(f"/v1/imports/{identity}/games", {"limit": 1000, "offset": offset})["rows"]:
            yield from rows
            offset += len(rows)

    # The library

    def info(self) -> Document:
        """What the library holds."""
        return self._get("/v1/info")

    def games(self, **question: Any) -> Iterator[Document]:
        """All games that match, page by page."""
        cursor: str | None = None
        while True:
            page = self._get("/v1/games", {**question, **({} if cursor is None else {"cursor": cursor})})
            yield from page["rows"]
            cursor = page["next"]
            if cursor is None:
                return

    def game(self, identity: str, **question: Any) -> Document:
        """Everything about one game."""
        return self._get(f"/v1/games/{identity}", question)

    def export(self, form: str, **body: Any) -> bytes:
        """Games as one file."""
        return self._answer(self._http.post("/v1/exports", json={"format": form, **body})).content

    def ask(self, what: str, **question: Any) -> Document:
        """A statistic by its name: openings, seats, pieces, heatmaps, players, player, ratings and the like."""
        return self._get(f"/v1/{what}", question)

    def report(self, kind: str, **question: Any) -> bytes:
        """A report as a file."""
        return self._answer(self._http.get(f"/v1/reports/{kind}", params=question)).content

    # The service

    def is_ready(self) -> bool:
        """Whether the library is open and the kernels are loaded."""
        return self._http.get("/readyz").is_success

    def version(self) -> Document:
        """Versions of the program and of the engine."""
        return self._get("/v1/version")

    def _get(self, path: str, question: Mapping[str, Any] | None = None) -> Document:
        found: Document = self._answer(self._http.get(path, params=_parameters(question or {}))).json()
        return found

    def _post(self, path: str, body: Mapping[str, Any]) -> Document:
        found: Document = self._answer(self._http.post(path, json=dict(body))).json()
        return found

    def _files(
        self,
        path: str,
        files: Sequence[Path | tuple[str, bytes | IO[bytes]]],
        question: Mapping[str, Any],
    ) -> Document:
        opened: list[IO[bytes]] = []
        try:
            parts: list[tuple[str, tuple[str, bytes | IO[bytes]]]] = []
            for file in files:
                if isinstance(file, Path):
                    opened.append(file.open("rb"))
                    parts.append(("files", (file.name, opened[-1])))
                else:
                    parts.append(("files", file))
            response = self._http.post(path, files=parts, params=_parameters(question))
        finally:
            for stream in opened:
                stream.close()
        found: Document = self._answer(response).json()
        return found

    def _answer(self, response: httpx.Response) -> httpx.Response:
        if response.is_success:
            return response
        raise Refused(response.status_code, _problem(response.content))


def _problem(content: bytes) -> Document:
    """The problem that a body is; nothing where it is none, of something between us and the service perhaps."""
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _send(connection: socket, lines: Iterable[Mapping[str, Any]]) -> None:
    """Send lines as chunks of a body, and its end."""
    with suppress(OSError):  # the service has gone, or has refused: its answer says so
        for line in lines:
            text = json.dumps(dict(line)).encode() + b"\n"
            connection.sendall(b"%x\r\n%s\r\n" % (len(text), text))
        connection.sendall(b"0\r\n\r\n")


def _parameters(question: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of an address: yes and no in words, those without a value left out."""
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in question.items()
        if value is not None
    }
