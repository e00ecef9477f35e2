"""Where things are in a library's folder. Nothing in the folder names an absolute path, so it can be moved.

library.duckdb                 the catalogue: small tables and the list of partitions; writers only
library.lock                   held by the writer; says who that is
moves/000000012.parquet        a partition (a folder for each big table), never changed once named so
moves/*.tmp                    a partition that no batch has taken yet
snapshots/library-000007.duckdb  a copy of the catalogue for readers; of a large library with summaries
ratings/*.parquet              ratings as computed, under a digest of what they depend on; may be deleted
service/                       what `cornerwise serve` keeps: jobs, keys, uploads; no part of the library
snapshots/current              name of the newest snapshot and the revision of the catalogue it copies
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.tables import INDEXES, PARTITIONED

TEMPORARY = ".tmp"
"""Suffix of files that are not yet, or not any more, part of the library."""

_SNAPSHOT = re.compile(r"library-(\d{6,})\.duckdb")


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of one library. `root` is absolute."""

    root: Path

    @staticmethod
    def of(path: Path | str) -> Layout:
        """Return the layout of a library at this path, whether it exists or not."""
        return Layout(Path(path).expanduser().resolve())

    @property
    def catalogue(self) -> Path:
        """The catalogue's file."""
        return self.root / "library.duckdb"

    @property
    def new_catalogue(self) -> Path:
        """The catalogue while it is being created; its log may lie beside it."""
        return self.root / f"library.new{TEMPORARY}"

    @property
    def lock(self) -> Path:
        """The lock's file."""
        return self.root / "library.lock"

    @property
    def snapshots(self) -> Path:
        """The folder of snapshots."""
        return self.root / "snapshots"

    @property
    def pointer(self) -> Path:
        """The file that names the newest snapshot."""
        return self.snapshots / "current"

    def partitions(self, kind: str) -> Path:
        """Return the folder of one big table."""
        return self.root / kind

    def partition(self, kind: str, number: int) -> Path:
        """Return the path of a partition by its number."""
        return self.root / kind / f"{number:09d}.parquet"

    def snapshot(self, number: int) -> Path:
        """Return the path of a snapshot by its number."""
        return self.snapshots / f"library-{number:06d}.duckdb"

    def snapshot_numbers(self) -> list[int]:
        """Numbers of the snapshots that exist, ascending."""
        if not self.snapshots.is_dir():
            return []
        found = (_SNAPSHOT.fullmatch(p.name) for p in self.snapshots.iterdir())
        return sorted(int(m[1]) for m in found if m)

    def next_snapshot(self) -> int:
        """Return the number that the next snapshot gets."""
        return max(self.snapshot_numbers(), default=0) + 1

    @property
    def service(self) -> Path:
        """The folder of what the service keeps beside the library."""
        return self.root / "service"

    def is_ours(self) -> bool:
        """Whether the folder is empty or holds nothing but what an unfinished creation leaves behind."""
        ours = {self.lock.name, self.snapshots.name, self.service.name, *PARTITIONED, *INDEXES}
        return all(p.name in ours or p.name.startswith(self.new_catalogue.name) for p in self.root.iterdir())

    def read_pointer(self) -> Pointer | None:
        """Return what `current` says; None when there is no such file or it is not ours."""
        try:
            words = self.pointer.read_text(encoding="utf-8", errors="replace").split()
        except (FileNotFoundError, NotADirectoryError):
            return None
        match = _SNAPSHOT.fullmatch(words[0]) if len(words) == 2 and words[1].isdecimal() else None
        return Pointer(int(match[1]), int(words[1])) if match else None


@dataclass(frozen=True, slots=True)
class Pointer:
    """Number of the newest snapshot, and the revision of the catalogue it is a copy of."""

    snapshot: int
    revision: int

    def text(self) -> str:
        """The line in the pointer file."""
        return f"library-{self.snapshot:06d}.duckdb {self.revision}\n"
