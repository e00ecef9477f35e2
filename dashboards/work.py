"""Long work, imports and judgings, started and followed in one way: by a service, or by processes of this one.

>>> Work.at("http://127.0.0.1:8321").place
'http://127.0.0.1:8321'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypedDict, Unpack

Document = dict[str, Any]
Event = tuple[int, str, Document]

FINAL = frozenset({"done", "failed", "cancelled"})
"""States in which nothing happens to a job any more."""


class WorkRefused(Exception):
    """It cannot be done: a sentence for people, and `code` for programs, the same in both ways."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class ImportSettings(TypedDict, total=False):
    """How files are read, as `cornerwise import` does it: unset, records say it themselves."""

    format: str | None
    variant: str | None
    rules: Mapping[str, str]
    force_rules: bool
    strict: bool


class JudgeSettings(TypedDict, total=False):
    """Which games are judged where none are named: of a variant, the first so many.

    `again`: also those whose analysis has another budget or seed, or is of an older engine.
    """

    variant: str | None
    first: int | None
    again: bool


class Work(ABC):
    """Jobs of one library; may be shared by threads.

    A job is a document with `id`, `kind` (import, judge, measure, analysis), `state` (queued, running, done, failed,
    cancelled), `done` of `total` games (None: not known), `message` (why it failed, or what it waits for), `code`,
    `result` (None before it is done), `created`, `started`, `finished`, `attempts`, `priority`. Jobs survive whoever
    started them. Everything may raise `WorkRefused`.
    """

    place: str
    """The service's address, or the library's folder."""

    @staticmethod
    def at(url: str, key: str | None = None, patience: float = 120.0) -> Work:
        """Leave the work to the service at `url`, with a key where it needs one; `patience` in seconds."""
        from dashboards.work_by_service import ByService

        return ByService(url, key, patience)

    @staticmethod
    def local(library: Path | str) -> Work:
        """Do the work in processes of this machine, which end with this one; make one of these a library.

        Jobs that were left go on at once. A service of the same library may run meanwhile: whoever is first does a job.
        """
        from dashboards.work_by_processes import ByProcesses

        return ByProcesses(Path(library))

    @abstractmethod
    def import_files(self, files: Sequence[tuple[str, bytes]], **settings: Unpack[ImportSettings]) -> str:
        """Import files, pairs of a name and content, all or nothing; returns the id of the job."""

    @abstractmethod
    def judge(
        self,
        ids: Sequence[str] | None = None,
        budget: str | int = "quick",
        seed: int = 1,
        **which: Unpack[JudgeSettings],
    ) -> str:
        """Judge games that have no analysis, as `cornerwise analyse` does; returns the id of the job.

        Games are named by identities or their beginnings; None: all.
        """

    @abstractmethod
    def measure(self) -> str:
        """Measure the games that have no measures, as `cornerwise features` does; returns the id of the job."""

    @abstractmethod
    def job(self, identity: str) -> Document:
        """A job as it stands."""

    @abstractmethod
    def jobs(self, limit: int = 50, kind: str | None = None) -> list[Document]:
        """The last jobs, newest first."""

    @abstractmethod
    def cancel(self, identity: str) -> Document:
        """Cancel a job that is not finished; judged games stay, an import leaves nothing."""

    @abstractmethod
    def outcomes(self, identity: str) -> Iterator[Document]:
        """What became of every record of an import that is done.

        Rows have `source`, `record`, `line`, `outcome` (stored, duplicate, refused), `id`, `variant`, `flags`,
        `plies`, `warnings`, `code`, `message`, `ply`.
        """

    @abstractmethod
    def events(self, identity: str, after: int = 0) -> Iterator[Event]:
        """(number, type, data) of what happens to a job, behind the event of that number, until the job ends.

        Types are `state` (`state`, `message`, `code`) and `progress` (`done`, `total` and more).
        """

    @abstractmethod
    def close(self) -> None:
        """Let go; local workers end, and their jobs wait."""

    def __enter__(self) -> Work:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def as_work(document: Document) -> Document:
    """A job of the service as one of `Work`."""
    return {
        **{key: value for key, value in document.items() if key != "outcome"},
        "result": document["outcome"],
    }
