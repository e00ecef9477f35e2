"""What a file holds before it is imported: games by what is to be said of them, and the first problems."""

from __future__ import annotations

import io
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.check import NO_GAMES, Verdict, check_paths
from pipeline.errors import InputTooLarge, RefusedFile
from pipeline.portions import Allowed, Inventory
from pipeline.service.uploads import keep_file
from pipeline.sources import printable
from pipeline.unit import Reading

MOST = 20_000
"""Records that are looked at: the rest of a larger file is told as such."""

SECONDS = 30.0
"""Time for the same, from the first record on: before that, kernels may have to be compiled."""

SHOWN = 20
"""Problems, and files without records, that are named."""

ALLOWED = Allowed(2 * 1024**3, 100_000)
"""What a file may unpack to while it is looked at."""


@dataclass(slots=True)
class Preview:
    """What a file holds: records by status, see `check.Verdict`, games by variant, records by format.

    `problems` are the first verdicts in which something is wrong. `whole` is false where only a part was looked at, and
    `refused` says why a file is not taken at all.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    problems: list[Verdict] = field(default_factory=list)
    other_files: list[tuple[str, str]] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    files: int = 0
    whole: bool = True
    refused: str = ""

    @property
    def games(self) -> int:
        """Records that are games and can be read."""
        return sum(n for status, n in self.statuses.items() if status not in NO_GAMES and status != "refused")

    @property
    def beside(self) -> int:
        """Results without moves, positions and lists of pieces."""
        return sum(self.statuses[status] for status in NO_GAMES)

    @property
    def holds_something(self) -> bool:
        """Whether an import would have anything to do."""
        return not self.refused and bool(self.statuses)


def preview(
    name: str, content: bytes, reading: Reading | None = None, most: int = MOST, seconds: float = SECONDS
) -> Preview:
    """Look into a file, or an archive of such, that somebody hands over under a name; nothing is stored."""
    found, inventory = Preview(), Inventory(allowed=ALLOWED)
    until = float("inf")
    with tempfile.TemporaryDirectory(prefix="cornerwise-look-") as folder:
        try:
            kept = keep_file(Path(folder), name, io.BytesIO(content))
            before = printable(f"{folder}/")
            for verdict in check_paths([f"{folder}/{kept}"], reading or Reading(), inventory):
                _count(found, verdict, before)
                until = min(until, time.monotonic() + seconds)
                if found.statuses.total() >= most or time.monotonic() > until:
                    found.whole = False
                    break
        except RefusedFile as error:
            found.refused = str(error)
            return found
        except InputTooLarge:
            found.whole = False
    found.files = inventory.files
    found.other_files = [(file.removeprefix(before), why) for file, why in inventory.other_files[:SHOWN]]
    found.unreadable = [(file.removeprefix(before), why) for file, why in inventory.unreadable[:SHOWN]]
    return found


def _count(found: Preview, verdict: Verdict, before: str) -> None:
    found.statuses[verdict.status] += 1
    found.formats[verdict.format] += 1
    if verdict.variant and verdict.status not in NO_GAMES and verdict.status != "refused":
        found.variants[verdict.variant] += 1
    if verdict.is_wrong and len(found.problems) < SHOWN:
        verdict.source = verdict.source.removeprefix(before)
        verdict.message = verdict.message and verdict.message.replace(before, "")
        found.problems.append(verdict)
