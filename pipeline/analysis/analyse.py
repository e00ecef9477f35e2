"""`analyse`: judge the moves of a library's games on all cores; whatever is finished stays.

The library is held only while a partition is stored, so that imports and other analyses go on meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from engine.budgets import simulations
from pipeline.analysis.tasks import Chosen, Todo, find_todo, stored_games, variants_of
from pipeline.analysis.unit import JudgedGame, Terms, judge_game, partition_tables
from pipeline.errors import LibraryError
from pipeline.executor import default_jobs, run_in_order
from pipeline.stopping import stoppable
from pipeline.store import Reader, open_reader, open_writer, write_partition

PARTITION_WORK = 6_000_000
"""Simulations of a partition, about, searches of a ply taken as two: some fifteen seconds of two cores, or one game."""

INSTANT_WORK = 200
"""Simulations that a static evaluation is counted as."""

Progress = Callable[[int, int, int], None]
"""Told games done, games to do, and plies done."""


@dataclass(frozen=True, slots=True)
class AnalysisSummary:
    """What was done: games and plies judged, of them games judged before; `changed` or gone meanwhile are left out.

    `present`, `older`, `other`, `without`: see `tasks.Todo`. `theirs`: games that another run stored first.
    """

    games: int
    plies: int
    replaced: int
    changed: int
    theirs: int
    present: int
    older: int
    other: int
    without: int
    seconds: float
    budget: str
    seed: int


@dataclass(slots=True)
class _Run:
    """One run: where it stores, and how far it is."""

    library: Path
    wait: float
    waiting: Callable[[str], None] | None
    held: list[JudgedGame] = field(default_factory=list)
    work: int = 0
    games: int = 0
    plies: int = 0
    replaced: int = 0
    changed: int = 0
    theirs: int = 0

    def take(self, judged: JudgedGame, effort: int) -> None:
        """Hold a judged game; store what is held once it is enough for a partition."""
        self.held.append(judged)
        self.work += 2 * effort * max(1, len(judged.game.moves))
        if self.work >= PARTITION_WORK:
            self.store()

    def store(self) -> None:
        """Store the games that are held, as one partition, but for those that changed meanwhile."""
        if not self.held:
            return
        with open_writer(
            self.library, self.wait, command="analyse", create=False, waiting=self.waiting
        ) as writer:
            numbers = [one.game.number for one in self.held]
            known, judged = writer.analysed(numbers)
            fresh = [one for one in self.held if known.get(one.game.number) == one.game.fingerprint]
            mine = [one for one in fresh if one.game.replaces or one.game.number not in judged]
            if mine:
                tables = partition_tables(mine)
                unit = writer.next_unit()
                files = [
                    write_partition(writer.folder, unit, kind, table)
                    for kind, table in tables.items()
                    if table.num_rows
                ]
                writer.add_analyses(files, sorted({one.game.number for one in mine} & judged))
                writer.publish()
        self.changed += len(self.held) - len(fresh)
        self.theirs += len(fresh) - len(mine)
        self.games += len(mine)
        self.plies += sum(len(one.game.moves) for one in mine)
        self.replaced += sum(one.game.replaces for one in mine)
        self.held, self.work = [], 0


def analyse(
    library: Path,
    chosen: Chosen,
    budget: str | int = "quick",
    seed: int = 1,
    *,
    again: bool = False,
    jobs: int | None = None,
    wait: float = 60.0,
    progress: Progress | None = None,
    waiting: Callable[[str], None] | None = None,
) -> AnalysisSummary:
    """Judge the chosen games that have no analysis.

    With `again` also those are judged whose analysis has another budget, seed, engine or formulas; without it theirs
    stays. A game that an edit has changed since is judged anew. Every finished partition is part of the library at
    once: what a run that is broken off has stored, the next one does not do again. The rows depend on the games, the
    budget, the seed and the engine alone.

    Raises:
        EngineError: a budget or seed that is none.
        PipelineError: no library, or one that another writer holds too long; the disk is full; a worker died.
        KeyboardInterrupt: Ctrl-C or SIGTERM; says how far it got.
    """
    started = time.perf_counter()
    with stoppable(), open_reader(library) as reader:
        effort = {name: simulations(name, budget) for name in variants_of(reader, chosen)}
        terms = Terms(budget, effort, seed)
        todo = find_todo(reader, chosen, terms, again)
        run = _Run(library, wait, waiting)
        _judge_all(run, reader, todo, terms, jobs or default_jobs(), progress)
    return AnalysisSummary(
        run.games,
        run.plies,
        run.replaced,
        run.changed,
        run.theirs,
        todo.present,
        todo.older,
        todo.other,
        todo.without,
        time.perf_counter() - started,
        str(budget),
        seed,
    )


def _judge_all(
    run: _Run, reader: Reader, todo: Todo, terms: Terms, jobs: int, progress: Progress | None
) -> None:
    total, done, plies = len(todo.numbers), 0, 0
    tasks = stored_games(reader, todo.numbers.tolist(), todo.replaced)
    try:
        with closing(run_in_order(partial(judge_game, terms), tasks, jobs)) as results:
            for judged in results:
                run.take(judged, terms.simulations[judged.game.variant] or INSTANT_WORK)
                done += 1
                plies += len(judged.game.moves)
                if progress is not None:
                    progress(done, total, plies)
    except KeyboardInterrupt as error:
        lost = _store_rest(run)
        raise KeyboardInterrupt(
            f"stopped: {run.games:,} of {total:,} games are judged and stored{lost}; the next run goes on from there"
        ) from error
    run.store()


def _store_rest(run: _Run) -> str:
    """Store what is held when a run is stopped; says what could not be, because somebody else writes the library."""
    try:
        run.store()
    except (KeyboardInterrupt, LibraryError):
        return f", {len(run.held):,} more could not be stored"
    return ""
