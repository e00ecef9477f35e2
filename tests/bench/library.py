"""The library that all speed figures use: `make bench-library` makes it once and keeps it.

100,000 random Classic games from seed 1, in files of 1,000 games, and the library they make, in the folder `.bench`.
"""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

from pipeline.executor import default_jobs
from pipeline.generate_archive import write_archive
from pipeline.ingest import import_paths
from pipeline.store.catalogue import MIGRATIONS

FOLDER = Path(__file__).resolve().parents[2] / ".bench"
GAMES = 100_000


def archive(games: int = GAMES, seed: int = 1) -> Path:
    """Folder with an archive of so many games, made when it is not there."""
    folder = FOLDER / f"games-{games}-seed-{seed}"
    if not folder.is_dir():
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(exist_ok=True)
        started = time.perf_counter()
        write_archive(part, "classic", games, seed, {}, jobs=default_jobs())
        part.rename(folder)
        print(f"made {games:,} games in {time.perf_counter() - started:.1f} s: {folder}")
    return folder


def library() -> Path:
    """The library of `GAMES` games, made when it is not there."""
    folder = FOLDER / f"library-{GAMES}-schema-{len(MIGRATIONS)}"
    done = folder.with_suffix(".json")
    if not done.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        summary = import_paths(folder, [str(archive())]).as_dict()
        del summary["details"]
        done.write_text(json.dumps(summary) + "\n")
        print(f"imported: {summary}")
    return folder


if __name__ == "__main__":
    print(f"library for benchmarks: {library()}")
