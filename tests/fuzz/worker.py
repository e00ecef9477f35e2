"""One process that feeds one format for a while: `python -m tests.fuzz.worker FORMAT SEED SECONDS OUT JOB`."""

from __future__ import annotations

import faulthandler
import hashlib
import json
import mmap
import pickle
import resource
import signal
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from engine.variants import VARIANTS
from notation.formats import FORMATS
from tests.fuzz.mutations import Material, mutated, words_of
from tests.fuzz.parquet_tables import parquet_of
from tests.fuzz.reading import LIMIT, Trial
from tests.fuzz.shrink import shrunk
from tests.fuzz.target import Fault, fault_of

HANGS = 30
"""Seconds of the processor after which an input is taken to hang: the process ends and says where it was."""

ADDRESS_SPACE = 12 * 2**30
DEEP = 16
"""One input of so many is also written, judged and made into tables."""

SAVED = 3
"""Inputs that are kept of faults of the same key."""

COLUMNS = ("game", "ply", "colour", "move", "moves", "variant", "date", "pass", "result")


@dataclass(slots=True)
class Slice:
    """What came of a while of fuzzing; `seconds` are of the clock, `processor` those that were spent computing."""

    form: str
    inputs: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)


class Recent:
    """The input that is being tried, where the parent finds it if this process dies."""

    def __init__(self, path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(4 * LIMIT)
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 4 * LIMIT)

    def __call__(self, trial: Trial) -> None:
        text = pickle.dumps(trial)
        self._map[: len(text)] = text


def seeds_for(form: str, out: Path) -> tuple[list[bytes], list[bytes]]:
    """The texts to begin with and those that led somewhere new before."""
    seeds = pickle.loads((out / "seeds.pickle").read_bytes())
    kept = out / "corpus" / f"{form}.pickle"
    return seeds["csv" if form == "parquet" else form] or [b"x"], (
        pickle.loads(kept.read_bytes()) if kept.exists() else []
    )


def trial_of(form: str, material: Material, pool: list[bytes]) -> tuple[Trial, bytes]:
    """A mutated text with a way to read it; and the text to keep, if that leads somewhere new."""
    rng = material.rng
    short = min(rng.choice(pool), rng.choice(pool), key=len)  # they are quicker and say more
    text = data = mutated(short, material)
    if form == "parquet":
        data = parquet_of(text, rng) if rng.random() < 0.9 else text
        if rng.random() < 0.1:
            data = mutated(data, Material(rng, [data], [b"PAR1"]))
    words = text[:200].split()
    columns: tuple[tuple[str, str], ...] = ()
    if words and rng.random() < 0.05:
        columns = ((rng.choice(words).decode("latin-1"), rng.choice(COLUMNS)),)
    name = rng.choice(("", "", f"x{rng.choice(FORMATS[form].suffixes)}", "x.txt", "x.sgf.gz", "output.dat"))
    variant = rng.choice((None, None, None, *VARIANTS))
    sizes = (1, 3, 16, 100, 1000, 4096, LIMIT)
    return Trial(form, data, name, variant, columns, rng.choice(sizes), rng.choice(sizes)), text


def run(form: str, seed: int, seconds: float, out: Path, job: str) -> Slice:
    """Fuzz one format; faults are saved as they come, what led somewhere new at the end."""
    rng = Random(f"{form} {seed}")
    seeds, kept = seeds_for(form, out)
    material = Material(rng, seeds, words_of(seeds))
    seen: set[str] = set()
    recent, result = Recent(out / f"current-{job}.bin"), Slice(form)
    clock, spent = time.monotonic(), _processor()
    try:
        for text in seeds:  # compiled and warm, and what they lead to is nothing new
            seen |= fault_of(Trial(form, parquet_of(text, rng) if form == "parquet" else text), True)[1]
        clock, spent = time.monotonic(), _processor()
        while time.monotonic() - clock < seconds:
            pool = seeds + kept if rng.random() < 0.5 or not kept else kept
            trial, text = trial_of(form, material, pool)
            recent(trial)
            signal.setitimer(signal.ITIMER_PROF, HANGS)
            fault, signature = fault_of(trial, deep := result.inputs % DEEP == 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            result.inputs += 1
            if not signature <= seen and len(kept) < 5000:
                kept.append(text)
            seen |= signature
            if fault is not None and not _passed(fault, trial, deep):
                result.faults[fault.key] = result.faults.get(fault.key, 0) + 1
                save(out, trial, fault, deep)
    except KeyboardInterrupt:
        pass
    signal.setitimer(signal.ITIMER_PROF, 0)
    result.seconds, result.processor = time.monotonic() - clock, _processor() - spent
    (out / "corpus" / f"{form}.pickle").write_bytes(pickle.dumps(kept))
    return result


def _processor() -> float:
    """Seconds of the processor of this process and of helpers that have ended."""
    own, helpers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + helpers.ru_utime + helpers.ru_stime


def _passed(fault: Fault, trial: Trial, deep: bool) -> bool:
    """Whether slowness or memory were of the moment: something compiled, another process in the way."""
    return ("-slow" in fault.key or "-memory" in fault.key) and fault_of(trial, deep)[0] is None


def save(out: Path, trial: Trial, fault: Fault, deep: bool) -> None:
    """Keep a fault, minimised, unless enough like it are kept: `KEY/DIGEST.bin` and `.txt`."""
    folder = out / "faults" / "".join(c if c.isalnum() or c in "-_." else "_" for c in fault.key)
    folder.mkdir(parents=True, exist_ok=True)
    if len(list(folder.glob("*.bin"))) >= SAVED:
        return

    def breaks(data: bytes) -> bool:
        other, _ = fault_of(replace(trial, data=data), deep)
        return other is not None and other.key == fault.key

    data = shrunk(trial.data, breaks)
    small = replace(trial, data=data)
    again, _ = fault_of(small, deep)
    digest = hashlib.blake2b(data, digest_size=6).hexdigest()
    (folder / f"{digest}.bin").write_bytes(data)
    (folder / f"{digest}.txt").write_text(f"{small}\n\n{(again or fault).text}", "utf-8", "backslashreplace")


def _stop(*_: Any) -> None:
    raise KeyboardInterrupt


def main(form: str, seed: str, seconds: str, out: str, job: str) -> None:
    """Run a slice and write what came of it beside its other files."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.register(signal.SIGPROF, chain=True)  # says where it is, then ends
    result = run(form, int(seed), float(seconds), Path(out), job)
    (Path(out) / f"slice-{job}.json").write_text(
        json.dumps([result.inputs, result.seconds, result.processor, result.faults])
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
