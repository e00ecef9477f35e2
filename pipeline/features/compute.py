"""`compute_features`: what a library lacks of features, computed on all cores; whatever is finished stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from engine.features import VERSION
from engine.geometry import I64
from pipeline.executor import default_jobs, run_in_order
from pipeline.features.unit import FeatureTask, Game, measure_unit
from pipeline.stopping import stoppable
from pipeline.store import Reader, Writer, open_reader, open_writer
from pipeline.store.measure_sums import PORTION_GAMES

TASK_PLIES = 131_072
"""Plies of a unit, about: a matter of the games alone, never of the number of workers."""

GAME_COST = 20
"""Plies that a game costs besides its own: a unit of empty games has an end, too."""

Progress = Callable[[int, int], None]
"""Told how many games are done of how many there are to do."""


@dataclass(frozen=True, slots=True)
class FeatureSummary:
    """What was done: games and positions measured, of them games whose features were of an older version.

    `present` games had features already, `without` have no position: their setups do not fit.
    """

    games: int
    older: int
    positions: int
    present: int
    without: int
    seconds: float
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Missing:
    """Games to do, ascending: numbers, plies, and whether the library has features of an older version."""

    numbers: I64
    plies: I64
    older: set[int]
    present: int
    without: int


_MISSING = """
SELECT g.game_no, g.plies, f.version
FROM games g LEFT JOIN feature_games_raw f USING (game_no)
WHERE g.stop_reason IS DISTINCT FROM 'bad_setup' AND f.version IS DISTINCT FROM $version
ORDER BY g.game_no
"""

_COUNTS = """
SELECT (SELECT count(*) FROM games) AS games,
       (SELECT count(*) FROM games WHERE stop_reason = 'bad_setup') AS without
"""


def missing_games(reader: Reader) -> Missing:
    """The games of a library that have no features of the present version."""
    rows = reader.table(_MISSING, {"version": VERSION})
    counts = reader.table(_COUNTS).to_pylist()[0]
    numbers = rows["game_no"].to_numpy()
    old = rows["version"].is_valid().to_numpy()
    present = counts["games"] - counts["without"] - len(numbers)
    return Missing(
        numbers,
        rows["plies"].to_numpy().astype(np.int64),
        set(numbers[old].tolist()),
        present,
        counts["without"],
    )


def compute_features(
    library: Path,
    *,
    jobs: int | None = None,
    wait: float = 60.0,
    progress: Progress | None = None,
    waiting: Callable[[str], None] | None = None,
) -> FeatureSummary:
    """Measure every game that has no features of the present version.

    Every finished unit is part of the library at once, so that a run that is broken off, in whatever way, is gone on
    with by the next one.

    Raises:
        PipelineError: no library, or one that another writer holds; the disk is full; a worker died.
        KeyboardInterrupt: Ctrl-C or SIGTERM; says how far it got.
    """
    started = time.perf_counter()
    with (
        stoppable(),
        open_writer(library, wait, command="features", create=False, waiting=waiting) as writer,
        open_reader(library) as reader,
    ):
        missing = missing_games(reader)
        done, positions = _run(writer, reader, missing, jobs or default_jobs(), progress)
    return FeatureSummary(
        done, len(missing.older), positions, missing.present, missing.without, time.perf_counter() - started
    )


def _run(
    writer: Writer, reader: Reader, missing: Missing, jobs: int, progress: Progress | None
) -> tuple[int, int]:
    """(games, positions) that were measured."""
    total = len(missing.numbers)
    done, positions, hidden = 0, 0, 0
    work = partial(measure_unit, writer.folder)
    try:
        with closing(run_in_order(work, _tasks(writer, reader, missing), jobs)) as units:
            for unit in units:
                writer.add_features(unit.files, unit.task.older)
                done += len(unit.task.games)
                hidden += len(unit.task.games)
                positions += sum(file.rows for file in unit.files if file.kind == "feature_plies")
                if hidden >= PORTION_GAMES:
                    # The workers go on meanwhile; and whoever stops the run has little left to wait for.
                    writer.publish()
                    hidden = 0
                if progress is not None:
                    progress(done, total)
    except KeyboardInterrupt as error:
        writer.clear_up()
        if hidden:
            writer.publish()
        raise KeyboardInterrupt(
            f"stopped: {done:,} of {total:,} games are done and stored; the next run goes on from there"
        ) from error
    except BaseException:
        writer.clear_up()
        raise
    if hidden:
        writer.publish()
    return done, positions


def _tasks(writer: Writer, reader: Reader, missing: Missing) -> Iterator[FeatureTask]:
    """Units of neighbouring games; what they need to know of each is asked when its unit is handed out."""
    weight = np.cumsum(missing.plies + GAME_COST)
    start = 0
    while start < len(weight):
        before = weight[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(weight, before + TASK_PLIES, side="right")))
        numbers = missing.numbers[start:end]
        plies = int(missing.plies[start:end].sum())
        older = tuple(sorted(missing.older.intersection(numbers.tolist())))
        yield FeatureTask(writer.next_unit(), _games(reader, numbers), _moves(reader, numbers), plies, older)
        start = end


_GAMES = """
SELECT g.game_no, g.variant, coalesce(g.rules, '{}') AS rules, g.setup, o.leaving
FROM games g
LEFT JOIN (
    SELECT game_no, list({'plies': out_ply, 'seat': seat} ORDER BY out_ply, seat) AS leaving
    FROM seats WHERE out_ply IS NOT NULL AND game_no BETWEEN $first AND $last GROUP BY game_no
) o USING (game_no)
WHERE g.game_no BETWEEN $first AND $last AND g.game_no IN (SELECT unnest($numbers::BIGINT[]))
ORDER BY g.game_no
"""

_FILES = """
SELECT file FROM partitions WHERE kind = 'moves' AND first_game <= $last AND last_game >= $first ORDER BY first_game
"""


def _games(reader: Reader, numbers: I64) -> tuple[Game, ...]:
    asked = {"first": int(numbers[0]), "last": int(numbers[-1]), "numbers": numbers.tolist()}
    return tuple(
        Game(
            row["game_no"],
            row["variant"],
            row["rules"],
            row["setup"],
            tuple((one["plies"], one["seat"]) for one in row["leaving"] or ()),
        )
        for row in reader.table(_GAMES, asked).to_pylist()
    )


def _moves(reader: Reader, numbers: I64) -> tuple[str, ...]:
    """Files that hold moves of these games; a library's games may all be empty."""
    rows = reader.table(_FILES, {"first": int(numbers[0]), "last": int(numbers[-1])})
    return tuple(str(reader.layout.partition("moves", file)) for file in rows["file"].to_pylist())
