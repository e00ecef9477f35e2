"""`python -m tests.fuzz`: slices of all formats in turn, a line a minute, a table at the end."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from notation.formats import FORMATS
from tests.fuzz.seeds import seeds_of
from tests.fuzz.worker import HANGS, Slice
from tests.places import REPOSITORY

SLICE = 120.0
"""Seconds of a slice at most."""


@dataclass(slots=True)
class Job:
    """A slice that runs."""

    number: int
    form: str
    process: subprocess.Popen[bytes]
    started: float


@dataclass(slots=True)
class Run:
    """All slices of a run and what came of them."""

    out: Path
    ends: float
    seed: int
    totals: dict[str, Slice] = field(default_factory=dict)
    jobs: dict[int, Job] = field(default_factory=dict)

    def start(self, number: int, form: str, seed: int, seconds: float) -> None:
        """Begin a slice as process `number`."""
        (self.out / f"slice-{number}.json").unlink(missing_ok=True)
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.worker",
            form,
            str(seed),
            str(seconds),
            str(self.out),
            str(number),
        ]
        with (self.out / f"worker-{number}.log").open("ab") as log:
            process = subprocess.Popen(command, cwd=REPOSITORY, stdout=log, stderr=log)
        self.jobs[number] = Job(number, form, process, time.monotonic())

    def collect(self, job: Job) -> None:
        """Take over what came of a slice that has ended; one that died is a fault by itself."""
        del self.jobs[job.number]
        total = self.totals[job.form]
        told = self.out / f"slice-{job.number}.json"
        if told.exists():
            inputs, seconds, processor, faults = json.loads(told.read_text())
            total.inputs += inputs
            total.seconds += seconds
            total.processor += processor
        else:
            total.seconds += time.monotonic() - job.started
            faults = {f"{job.form}-died": 1}
            self._save_death(job)
        for key, count in faults.items():
            total.faults[key] = total.faults.get(key, 0) + count

    def _save_death(self, job: Job) -> None:
        folder = self.out / "faults" / f"{job.form}-died"
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.iterdir()))
        code = job.process.returncode
        end = (self.out / f"worker-{job.number}.log").read_bytes()[-4000:].decode("utf-8", "replace")
        (folder / f"{number}.txt").write_text(f"exit code {code}; {HANGS} s are the limit\n{end}")
        current = self.out / f"current-{job.number}.bin"
        if current.exists():
            (folder / f"{number}.pickle").write_bytes(current.read_bytes())

    def line(self) -> str:
        """How far it is."""
        inputs = sum(total.inputs for total in self.totals.values())
        minutes = sum(total.seconds for total in self.totals.values()) / 60
        faults = sum(len(total.faults) for total in self.totals.values())
        now = ", ".join(job.form for job in self.jobs.values())
        done = f"{inputs:,} inputs, {minutes:.1f} minutes, {faults} kinds of faults"
        return f"{time.strftime('%H:%M:%S')} {done}; now {now}"

    def table(self) -> str:
        """Format, inputs, minutes of the clock and of the processor, faults."""
        rows = [f"{'format':<20} {'inputs':>10} {'minutes':>8} {'computing':>9}  faults"]
        for form, total in self.totals.items():
            faults = ", ".join(f"{key} ({count})" for key, count in sorted(total.faults.items())) or "none"
            figures = f"{total.inputs:>10,} {total.seconds / 60:>8.1f} {total.processor / 60:>9.1f}"
            rows.append(f"{form:<20} {figures}  {faults}")
        inputs = sum(total.inputs for total in self.totals.values())
        minutes = sum(total.seconds for total in self.totals.values()) / 60
        processor = sum(total.processor for total in self.totals.values()) / 60
        return "\n".join([*rows, f"{'all':<20} {inputs:>10,} {minutes:>8.1f} {processor:>9.1f}"])


def main() -> None:
    """Parse the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="minutes of the clock")
    parser.add_argument(
        "--format", action="append", choices=list(FORMATS), help="one format; may be repeated"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--slice", type=float, default=SLICE, help="seconds that a format is fed at a time")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "cornerwise-fuzz")
    chosen = parser.parse_args()
    if chosen.out.resolve().is_relative_to(REPOSITORY):
        parser.error("--out lies in the repository")
    forms = chosen.format or list(FORMATS)
    forms = (
        forms[chosen.seed % len(forms) :] + forms[: chosen.seed % len(forms)]
    )  # a short run need not begin alike
    (chosen.out / "corpus").mkdir(parents=True, exist_ok=True)
    seeds = _seeds(chosen.out / "seeds.pickle", {*forms, "csv"})
    print(
        "texts to begin with: " + ", ".join(f"{form} {len(texts)}" for form, texts in seeds.items()),
        flush=True,
    )
    run = Run(
        chosen.out, time.monotonic() + 60 * chosen.minutes, chosen.seed, {form: Slice(form) for form in forms}
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _loop(run, itertools.cycle(forms), chosen.jobs, min(chosen.slice, 60 * chosen.minutes))
    except KeyboardInterrupt:
        print("stopped", flush=True)
    for job in list(run.jobs.values()):
        job.process.terminate()
        job.process.wait()
        run.collect(job)
    print(run.table(), flush=True)
    print(f"faults, minimised: {run.out / 'faults'}")


def _seeds(path: Path, forms: set[str]) -> dict[str, list[bytes]]:
    """The texts to begin with: those of an earlier run into the same folder, where it had these formats."""
    seeds: dict[str, list[bytes]] = pickle.loads(path.read_bytes()) if path.exists() else {}
    if not forms <= seeds.keys():
        seeds = seeds_of(forms)
        path.write_bytes(pickle.dumps(seeds))
    return seeds


def _loop(run: Run, forms: itertools.cycle[str], jobs: int, seconds: float) -> None:
    seeds, told = itertools.count(run.seed * 1000), time.monotonic()
    while run.jobs or time.monotonic() < run.ends:
        for number in range(jobs):
            if number not in run.jobs and (left := run.ends - time.monotonic()) > 0:
                run.start(number, next(forms), next(seeds), min(seconds, left))
        time.sleep(0.2)
        for job in list(run.jobs.values()):
            if job.process.poll() is not None:
                run.collect(job)
        if time.monotonic() - told >= 60:
            told = time.monotonic()
            print(run.line(), flush=True)


if __name__ == "__main__":
    main()
