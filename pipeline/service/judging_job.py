"""Judging jobs: games of the library judged as `analyse` does it, stored a partition at a time."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.budgets import simulations
from engine.variants import VARIANTS
from pipeline.abbreviations import find_game
from pipeline.analysis.analyse import AnalysisSummary, analyse
from pipeline.analysis.tasks import Chosen
from pipeline.errors import LibraryBusy, PipelineError
from pipeline.service.jobs import Job, JobStore
from pipeline.stopping import now_and_then, stopping_when
from pipeline.store import Reader

PATIENCE = 600.0
"""Seconds to wait for another writer, with judged games at hand: an import may take its time."""

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judging:
    """What is to be judged: games (None: all, of a variant, the first so many), and how."""

    ids: tuple[str, ...] | None = None
    variant: str | None = None
    first: int | None = None
    budget: str | int = "quick"
    seed: int = 1
    again: bool = False

    def spec(self, reader: Reader, processes: int) -> Document:
        """The same for a job, games by their whole identities.

        Raises:
            EngineError: no such budget or variant.
            PipelineError: no such game, or several that begin so; a number or a choice that makes no sense.
        """
        if self.ids is not None and (not self.ids or self.variant is not None or self.first is not None):
            raise PipelineError("name games, or judge all: of a variant, the first so many")
        if not 0 <= self.seed < 2**63 or (self.first is not None and self.first < 1):
            raise PipelineError("a seed is from 0 to 2^63 - 1, and `first` 1 or more")
        for name in VARIANTS if self.variant is None else (self.variant,):
            simulations(name, self.budget)
        ids = self.ids and list(dict.fromkeys(find_game(reader, text) for text in self.ids))
        return {**asdict(self), "ids": ids, "processes": processes}


def run_judging(store: JobStore, job: Job, library: Path) -> Document | None:
    """Judge what has no analysis yet; returns what that did, or None where it has to wait for another writer.

    A worker that goes on for one that died finds what that one stored, and counts it as done.

    Raises:
        EngineError, PipelineError: as `analyse`.
        KeyboardInterrupt: somebody cancelled the job, or stopped the worker; finished games stay.
    """
    spec, known = job.spec, job.total or 0

    def tell(done: int, total: int, plies: int) -> None:
        # What earlier attempts stored is not among these games any more.
        whole = max(known, total)
        store.progress(job.id, whole - total + done, whole, {"plies": plies})

    chosen = Chosen(None if spec["ids"] is None else tuple(spec["ids"]), spec["variant"], spec["first"])
    try:
        with stopping_when(now_and_then(lambda: store.is_cancelled(job.id))):
            summary = analyse(
                library,
                chosen,
                spec["budget"],
                spec["seed"],
                again=spec["again"],
                jobs=spec["processes"],
                wait=PATIENCE,
                progress=tell,
                waiting=lambda holder: store.say(job.id, f"waits for {holder}"),
            )
    except LibraryBusy as error:
        store.put_back(job.id, str(error))
        return None
    return _outcome(summary, known)


def _outcome(summary: AnalysisSummary, known: int) -> Document:
    """What a job did, in all its attempts; earlier ones knew of so many games to judge."""
    left = summary.games + summary.changed + summary.theirs
    whole = max(known, left)
    return {
        "games": whole - summary.changed,  # also what an attempt stored that died before readers saw it
        "changed": summary.changed,
        "present": summary.present - (whole - left),
        "older": summary.older,
        "other": summary.other,
        "without": summary.without,
        "budget": summary.budget,
        "seed": summary.seed,
    }
