"""The first compilation of kernels on a machine takes seconds: people are told beforehand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

REPLAY = "replay.replay_games"
PLAYOUT = "random_play.play_games"
STEPPING = "stepping.legal_list"
SEARCH = "search.search"
BEAM, COVER = "beam.expand", "cover.search_covers"
"""Kernels that a command begins with, as Numba names their files."""

MEASURES = (REPLAY, "features.measure_games", "heat.add_games")
"""Kernels of the features."""

MESSAGE = "compiling kernels: once on this machine, about 15 s"
SEARCH_MESSAGE = "compiling kernels: once on this machine, up to a minute"


def announce_compiling(say: Callable[[str], None], *kernels: str) -> None:
    """Tell `say` when one of the kernels (by default the replay's) is not in Numba's cache and will be compiled."""
    import engine.kernels  # noqa: F401  chooses the cache's folder

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return
    folder = os.environ.get("NUMBA_CACHE_DIR")
    wanted = kernels or (REPLAY,)
    if not folder or any(next(Path(folder).glob(f"*/{kernel}-*.nbi"), None) is None for kernel in wanted):
        say(SEARCH_MESSAGE if SEARCH in wanted else MESSAGE)
